// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import LinuxIO
import Media
import ShutterCore

/// JPEG encoding of a 12 MP YUV420 frame: ours against TurboJPEG called directly on the same planes.
enum JPEGBench {
    static let layout = FrameLayout.packed(.yuv420, width: 4056, height: 3040, alignment: 64)
    static let quality = 93

    /// Encodes `rounds` times each way, in turn, and prints the medians and their ratios.
    static func run(rounds: Int) {
        let scene = makeScene()
        defer { scene.deallocate() }
        let metadata = FrameMetadata(sequence: 0, sensorTimestamp: Clock.now, exposureTime: .milliseconds(10))
        let frame = Frame(layout: layout, metadata: metadata, bytes: UnsafeRawBufferPointer(scene)) {}
        guard let encoder = try? JPEGEncoder(), let direct = DirectEncoder() else { fatalError("TurboJPEG does not start") }

        var plain: [Duration] = []
        var ours: [Duration] = []
        var oursWithThumbnail: [Duration] = []
        // The first round fills caches and buffers, and is not counted.
        for round in 0...rounds {
            let one = measure { direct.encode(UnsafeRawBufferPointer(scene)) }
            let two = measure { _ = try? encoder.encode(frame, quality: quality) }
            let three = measure {
                _ = try? encoder.encode(frame, quality: quality, thumbnail: PhotoSettings.Size(width: 320, height: 240))
            }
            if round == 0 { continue }
            plain.append(one)
            ours.append(two)
            oursWithThumbnail.append(three)
        }
        let base = median(plain)
        print("jpeg 4056x3040 YUV420, quality \(quality), \(rounds) rounds, median")
        print("  libjpeg-turbo alone   \(milliseconds(base)) ms  \(direct.size) bytes")
        print("  ours                  \(milliseconds(median(ours))) ms  ratio \(ratio(median(ours), base))  goal 1.05")
        print("  ours with thumbnail   \(milliseconds(median(oursWithThumbnail))) ms  ratio \(ratio(median(oursWithThumbnail), base))")
    }

    private static func measure(_ body: () -> Void) -> Duration {
        let start = Clock.now
        body()
        return Clock.now - start
    }

    private static func median(_ values: [Duration]) -> Duration { values.sorted()[values.count / 2] }

    private static func milliseconds(_ duration: Duration) -> Double { Double(duration.microseconds / 10) / 100 }

    private static func ratio(_ one: Duration, _ other: Duration) -> Double {
        (one.seconds / other.seconds * 1000).rounded() / 1000
    }

    /// Smooth areas, edges, texture and sensor noise, so that the entropy coder works as hard as on a real photo.
    private static func makeScene() -> UnsafeMutableRawBufferPointer {
        let scene = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.byteCount, alignment: 64)
        var random: UInt64 = 0x9E37_79B9_7F4A_7C15
        for (index, plane) in layout.planes.enumerated() {
            for row in 0..<layout.rows(plane: index) {
                for column in 0..<layout.rowBytes(plane: index) {
                    random ^= random << 13
                    random ^= random >> 7
                    random ^= random << 17
                    let noise = Int(random & 3) + Int(random >> 8 & 3) - 3
                    let gradient = (column + 2 * row) >> (index == 0 ? 6 : 5) & 127
                    let edge = (column / 180 + row / 140) % 3 * (index == 0 ? 30 : 12)
                    let texture = row > 1000 && index == 0 ? (column * 7 ^ row * 5) & 15 : 0
                    scene[plane.offset + row * plane.stride + column] = UInt8(min(255, max(0, 32 + gradient + edge + texture + noise)))
                }
            }
        }
        return scene
    }
}

/// The yardstick: one handle, one output buffer, and tjCompressFromYUVPlanes() on the frame's own planes.
private final class DirectEncoder {
    private let handle: tjhandle
    private var output: UnsafeMutablePointer<UInt8>?
    private(set) var size: UInt = 0

    init?() {
        guard let handle = tjInitCompress() else { return nil }
        self.handle = handle
        output = tjAlloc(Int32(tjBufSize(Int32(JPEGBench.layout.width), Int32(JPEGBench.layout.height), Int32(TJSAMP_420.rawValue))))
    }

    deinit {
        tjFree(output)
        tjDestroy(handle)
    }

    func encode(_ bytes: UnsafeRawBufferPointer) {
        let layout = JPEGBench.layout
        let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        var planes = layout.planes.map { Optional(base + $0.offset) }
        let strides = layout.planes.map { Int32($0.stride) }
        let result = tjCompressFromYUVPlanes(
            handle, &planes, Int32(layout.width), strides, Int32(layout.height), Int32(TJSAMP_420.rawValue), &output, &size,
            Int32(JPEGBench.quality), TJFLAG_NOREALLOC)
        precondition(result == 0, String(cString: tjGetErrorStr2(handle)))
    }
}
