// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore
import TestSupport
import Testing

@testable import Media

/// A synthetic scene: what colour a pixel has, in RGB 0…255.
typealias Scene = (_ x: Int, _ y: Int) -> (r: Int, g: Int, b: Int)

enum TestFrame {
    static let metadata = FrameMetadata(
        sequence: 7, sensorTimestamp: Timestamp(nanoseconds: 10_000_000_000), exposureTime: .milliseconds(10),
        analogueGain: 2, digitalGain: 1.5, colourTemperature: 5000, exposureValue: -0.5, digitalZoom: 2,
        controls: ["AeState": .integer(2), "ColourGains": .list([.number(1.5), .number(2.25)]), "Lux": .number(400)])

    /// A frame of the scene in any layout, its padding filled with magenta, in front of a guard page.
    static func make(
        _ layout: FrameLayout, metadata: FrameMetadata = metadata, camera: String = "", giveBack: @escaping @Sendable () -> Void = {},
        _ scene: Scene
    ) -> Frame {
        let guarded = GuardedBytes(count: layout.byteCount)
        fill(guarded.bytes, layout, { _, _ in (255, 0, 255) }, isPadding: true)
        fill(guarded.bytes, layout, scene, isPadding: false)
        return Frame(layout: layout, metadata: metadata, bytes: UnsafeRawBufferPointer(guarded.bytes), camera: camera) {
            _ = guarded
            giveBack()
        }
    }

    /// BT.601, as JPEG has it, or BT.709, then squeezed into 16…235 if the layout says so.
    static func yuv(
        _ rgb: (r: Int, g: Int, b: Int), _ range: ColourRange, _ matrix: ColourMatrix = .rec601
    ) -> (y: UInt8, u: UInt8, v: UInt8) {
        let (r, g, b) = (Double(rgb.r), Double(rgb.g), Double(rgb.b))
        let (red, blue) = matrix == .rec601 ? (0.299, 0.114) : (0.2126, 0.0722)
        let y = red * r + (1 - red - blue) * g + blue * b
        let u = (b - y) / (2 * (1 - blue))
        let v = (r - y) / (2 * (1 - red))
        func byte(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
        return switch range {
        case .full: (byte(y), byte(u + 128), byte(v + 128))
        case .limited: (byte(y * 219 / 255 + 16), byte(u * 224 / 255 + 128), byte(v * 224 / 255 + 128))
        }
    }

    private static func fill(_ bytes: UnsafeMutableRawBufferPointer, _ layout: FrameLayout, _ scene: Scene, isPadding: Bool) {
        for (index, plane) in layout.planes.enumerated() {
            let isChroma = index > 0
            let rows = layout.rows(plane: index)
            for row in 0..<rows {
                let start = plane.offset + row * plane.stride
                let endOfRow = start + layout.rowBytes(plane: index)
                let span = isPadding ? endOfRow..<max(endOfRow, min(start + plane.stride, bytes.count)) : start..<endOfRow
                for position in span {
                    let column = position - start
                    let bytesPerPixel = layout.rowBytes(plane: 0) / layout.width
                    switch layout.format {
                    case .yuv420, .nv12:
                        let x = isChroma ? (layout.format == .nv12 ? column / 2 : column) * 2 : column
                        let colour = scene(min(x, layout.width - 1), min(isChroma ? row * 2 : row, layout.height - 1))
                        let value = yuv(colour, layout.range, layout.matrix)
                        let isV = layout.format == .nv12 ? column % 2 == 1 : index == 2
                        bytes[position] = !isChroma ? value.y : isV ? value.v : value.u
                    case .rgb888, .bgr888, .xrgb8888:
                        let colour = scene(min(column / bytesPerPixel, layout.width - 1), row)
                        let inMemory = layout.format == .bgr888 ? [colour.r, colour.g, colour.b, 0] : [colour.b, colour.g, colour.r, 90]
                        bytes[position] = UInt8(inMemory[column % bytesPerPixel])
                    }
                }
            }
        }
    }
}

/// The picture in a JPEG; the test fails when it is damaged.
func decode(_ jpeg: [UInt8]) throws -> Decompressor.Image {
    let decompressor = try #require(Decompressor())
    return try #require(decompressor.decode(jpeg))
}

/// The fault that a call throws, or nil. (`#expect(throws:)` gives the error back only from Swift 6.1 on.)
func fault<Result>(_ call: () throws -> Result) -> Fault? {
    do {
        _ = try call()
        return nil
    } catch {
        return error as? Fault
    }
}
