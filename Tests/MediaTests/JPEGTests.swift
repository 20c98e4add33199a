// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore
import TestSupport
import Testing

@testable import Media

@Suite("JPEG: pixels")
struct JPEGPixelTests {
    struct Shape: Sendable, CustomStringConvertible {
        var width: Int
        var height: Int
        var description: String { "\(width)x\(height)" }
    }

    static let shapes = [
        Shape(width: 800, height: 650), Shape(width: 456, height: 456), Shape(width: 1296, height: 972),
        Shape(width: 1920, height: 1080), Shape(width: 641, height: 481), Shape(width: 17, height: 1), Shape(width: 1, height: 1),
        Shape(width: 2, height: 3),
    ]

    /// A slow gradient with a white right column pair and a white bottom row pair: a lost or garbled edge shows.
    private static func scene(_ shape: Shape) -> Scene {
        { x, y in
            if x >= (shape.width - 1) / 2 * 2 || y >= (shape.height - 1) / 2 * 2 { return (255, 255, 255) }
            return (64 + x * 127 / shape.width, 64 + y * 127 / shape.height, 96)
        }
    }

    /// C11: strides rounded up, separate planes, magenta in the padding, nothing readable behind the last row.
    @Test(arguments: shapes, [1, 32, 64, 128])
    func everyPixelIsThereAndNoPadding(shape: Shape, alignment: Int) throws {
        // The largest ones in the camera's usual format only: the tables are about strides, not about time.
        for format in shape.width > 800 ? [PixelFormat.yuv420] : [.yuv420, .nv12, .bgr888] {
            var layout = FrameLayout.packed(format, width: shape.width, height: shape.height, alignment: alignment)
            // Planes apart from each other, and the luma plane last in one of the formats: its end is the buffer's.
            if format == .nv12 {
                layout.planes[1].offset = 96
                layout.planes[0].offset = 96 + layout.planes[1].stride * layout.rows(plane: 1) + 4096
            } else {
                for index in layout.planes.indices { layout.planes[index].offset += 64 + index * 4096 }
            }
            let scene = Self.scene(shape)
            let encoder = try JPEGEncoder()
            try encoder.encode(TestFrame.make(layout, scene), quality: 95)
            let image = try decode(encoder.jpeg)
            #expect(image.width == shape.width && image.height == shape.height)
            #expect(worst(image, scene, step: max(1, shape.width / 97)) <= 30, "\(format) \(shape) \(alignment)")
        }
    }

    /// The largest difference from the scene in the inside (chroma is shared near edges: only greys are exact there),
    /// and over the whole of the last column and row.
    private func worst(_ image: Decompressor.Image, _ scene: Scene, step: Int) -> Int {
        func difference(_ x: Int, _ y: Int) -> Int {
            let at = (y * image.width + x) * 3
            let wanted = scene(x, y)
            return max(
                abs(Int(image.rgb[at]) - wanted.r), abs(Int(image.rgb[at + 1]) - wanted.g), abs(Int(image.rgb[at + 2]) - wanted.b))
        }
        var worst = 0
        for y in 0..<image.height { worst = max(worst, difference(image.width - 1, y)) }
        for x in 0..<image.width { worst = max(worst, difference(x, image.height - 1)) }
        for y in stride(from: 0, to: image.height - 24, by: step) {
            for x in stride(from: 0, to: image.width - 24, by: step) { worst = max(worst, difference(x, y)) }
        }
        return worst
    }

    /// C12: red is red in every format and range.
    @Test(arguments: PixelFormat.allCases, [ColourRange.full, .limited])
    func redIsRed(format: PixelFormat, range: ColourRange) throws {
        let layout = FrameLayout.packed(format, width: 64, height: 64, range: range)
        let encoder = try JPEGEncoder()
        try encoder.encode(TestFrame.make(layout) { _, _ in (255, 0, 0) }, quality: 93)
        let image = try decode(encoder.jpeg)
        for pixel in stride(from: 0, to: image.rgb.count, by: 3) {
            #expect(image.rgb[pixel] > 200 && image.rgb[pixel + 1] < 60 && image.rgb[pixel + 2] < 60)
        }
    }

    /// Red and blue columns, one pixel each: only with full chroma they stay apart, and only frames that have it can keep it.
    @Test(arguments: [PixelFormat.bgr888, .yuv420], [true, false]) func chromaInFull(format: PixelFormat, isFull: Bool) throws {
        let layout = FrameLayout.packed(format, width: 64, height: 64)
        let encoder = try JPEGEncoder()
        try encoder.encode(TestFrame.make(layout) { x, _ in x % 2 == 0 ? (255, 0, 0) : (0, 0, 255) }, quality: 97, hasFullChroma: isFull)
        let image = try decode(encoder.jpeg)
        let (first, second) = (Array(image.rgb[(32 * 64 + 32) * 3..<(32 * 64 + 33) * 3]), Array(image.rgb[(32 * 64 + 33) * 3..<(32 * 64 + 34) * 3]))
        let isApart = first[0] > 200 && first[2] < 60 && second[0] < 60 && second[2] > 200
        #expect(isApart == (isFull && format == .bgr888), "\(first) \(second)")
    }

    /// C12: black is black and white is white, whatever the range of the frame.
    @Test(arguments: [PixelFormat.yuv420, .nv12], [ColourRange.full, .limited])
    func rangeIsExpanded(format: PixelFormat, range: ColourRange) throws {
        let layout = FrameLayout.packed(format, width: 256, height: 64, range: range)
        let encoder = try JPEGEncoder()
        try encoder.encode(TestFrame.make(layout) { x, _ in (x, x, x) }, quality: 95)
        let image = try decode(encoder.jpeg)
        for x in 0..<256 {
            let value = Int(image.rgb[(32 * 256 + x) * 3])
            #expect(abs(value - x) <= 4, "\(x) became \(value)")
        }
        #expect(image.rgb[0] <= 3 && image.rgb[255 * 3] >= 252)
    }

    /// Colours made with the weights of HD video come out as those that they are.
    @Test(arguments: [PixelFormat.yuv420, .nv12], [ColourRange.full, .limited])
    func weightsOfHDVideoAreHonoured(format: PixelFormat, range: ColourRange) throws {
        let colours = [(255, 0, 0), (0, 200, 0), (20, 40, 230), (255, 255, 255), (0, 0, 0), (200, 160, 30), (128, 128, 128)]
        for (width, height) in [(64, 48), (63, 47)] {
            for colour in colours {
                var layout = FrameLayout.packed(format, width: width, height: height, range: range)
                layout.matrix = .rec709
                let encoder = try JPEGEncoder()
                try encoder.encode(TestFrame.make(layout) { _, _ in (r: colour.0, g: colour.1, b: colour.2) }, quality: 95)
                let image = try decode(encoder.jpeg)
                for at in [0, image.rgb.count / 6 * 3, image.rgb.count - 3] {
                    let found = (Int(image.rgb[at]), Int(image.rgb[at + 1]), Int(image.rgb[at + 2]))
                    #expect(abs(found.0 - colour.0) <= 6 && abs(found.1 - colour.1) <= 6 && abs(found.2 - colour.2) <= 6, "\(colour) became \(found)")
                }
            }
        }
    }

    @Test func limitedValuesOutsideOfTheRangeSaturate() throws {
        let layout = FrameLayout.packed(.yuv420, width: 16, height: 16, range: .limited)
        for (code, wanted) in [(UInt8(0), UInt8(0)), (255, 255)] {
            let guarded = GuardedBytes(count: layout.byteCount)
            guarded.bytes.initializeMemory(as: UInt8.self, repeating: 128)
            for index in 0..<256 { guarded.bytes[index] = code }
            let frame = Frame(layout: layout, metadata: TestFrame.metadata, bytes: UnsafeRawBufferPointer(guarded.bytes)) { _ = guarded }
            let encoder = try JPEGEncoder()
            try encoder.encode(frame, quality: 95)
            let image = try decode(encoder.jpeg)
            #expect(image.rgb.allSatisfy { $0 == wanted })
        }
    }

    @Test func oneEncoderServesFramesOfAnySize() throws {
        let encoder = try JPEGEncoder()
        for (width, height) in [(641, 481), (64, 48), (800, 650), (3, 5)] {
            let layout = FrameLayout.packed(.nv12, width: width, height: height, range: .limited)
            try encoder.encode(TestFrame.make(layout) { _, _ in (200, 100, 50) }, quality: 80)
            let image = try decode(encoder.jpeg)
            #expect(image.width == width && image.height == height)
            encoder.release()
        }
    }

    @Test func tooLargeForJPEGIsAFault() throws {
        let layout = FrameLayout.packed(.bgr888, width: 70_000, height: 1)
        let encoder = try JPEGEncoder()
        let fault = fault { try encoder.encode(TestFrame.make(layout) { _, _ in (0, 0, 0) }, quality: 90) }
        #expect(fault?.reason == "encode")
    }

    @Test func noMemoryIsAFault() throws {
        let buffer = PageBuffer()
        do throws(JPEGFault) {
            _ = try buffer.reserve(1 << 60)
            Issue.record("2^60 bytes were had")
        } catch {
            #expect(error.message == "mmap of 1152921504606846976 bytes: Cannot allocate memory")
        }
        // It is empty, and can be used again.
        #expect(buffer.base == nil && buffer.capacity == 0)
        try buffer.reserve(10)[9] = 1
        #expect(buffer.capacity == Int(getpagesize()))
    }
}

@Suite("JPEG: thumbnails")
struct ThumbnailTests {
    @Test(arguments: [
        (4056, 3040, 320, 240), (1920, 1080, 320, 180), (3040, 4056, 180, 240), (100, 50, 100, 50), (641, 481, 320, 240),
        (5000, 2, 320, 2),
    ])
    func fitsTheBoxAndKeepsTheShape(width: Int, height: Int, wantedWidth: Int, wantedHeight: Int) {
        let size = Shrinker.size(of: (width, height), in: PhotoSettings.Size(width: 320, height: 240))
        #expect(size.width == wantedWidth && size.height == wantedHeight)
    }

    @Test(arguments: PixelFormat.allCases)
    func showsTheScene(format: PixelFormat) throws {
        let layout = FrameLayout.packed(format, width: 1001, height: 751, alignment: 64)
        let encoder = try JPEGEncoder()
        let frame = TestFrame.make(layout) { x, y in x < 500 ? (y < 376 ? (220, 30, 30) : (30, 30, 220)) : (200, 200, 200) }
        let jpeg = try encoder.encode(frame, quality: 90, thumbnail: PhotoSettings.Size(width: 320, height: 240))
        let image = try decode(jpeg)
        #expect(image.width == 320 && image.height == 240)
        for (x, y, wanted) in [(80, 60, [220, 30, 30]), (80, 180, [30, 30, 220]), (319, 239, [200, 200, 200]), (0, 0, [220, 30, 30])] {
            let at = (y * 320 + x) * 3
            for part in 0..<3 { #expect(abs(Int(image.rgb[at + part]) - wanted[part]) < 20, "\(format) \(x),\(y)") }
        }
    }

    @Test func qualityFallsUntilItFits() throws {
        var state: UInt32 = 1
        let layout = FrameLayout.packed(.yuv420, width: 640, height: 480)
        let frame = TestFrame.make(layout) { _, _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return (Int(state >> 24), Int(state >> 16 & 255), Int(state >> 8 & 255))
        }
        let encoder = try JPEGEncoder()
        let box = PhotoSettings.Size(width: 640, height: 480)
        let free = try encoder.encode(frame, quality: 90, thumbnail: box, thumbnailLimit: 1_000_000)
        let limit = free.count / 2
        let limited = try encoder.encode(frame, quality: 90, thumbnail: box, thumbnailLimit: limit)
        #expect(!limited.isEmpty && limited.count <= limit)
        #expect(try encoder.encode(frame, quality: 90, thumbnail: box, thumbnailLimit: 100).isEmpty)
    }
}
