// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Media
import ShutterCore

/// JPEG encoding of a 12 MP frame: ours against TurboJPEG called directly on the same bytes.
enum JPEGBench {
    static let layout = layout(of: .yuv420)
    static let quality = 93
    private static let rounds = 15

    private static func layout(of format: PixelFormat) -> FrameLayout {
        .packed(format, width: 4056, height: 3040, alignment: 64)
    }

    static func run() -> Report {
        let scenes = [PixelFormat.yuv420, .nv12, .bgr888].map { TestScene(layout(of: $0)) }
        let (planar, semiplanar, packed) = (scenes[0], scenes[1], scenes[2])
        let direct = DirectEncoder(layout, quality: quality)
        guard let encoder = try? JPEGEncoder() else { fail("TurboJPEG does not start") }
        func encode(_ scene: TestScene, thumbnail: Bool = false) {
            let size = thumbnail ? PhotoSettings.Size(width: 320, height: 240) : nil
            do { try encoder.encode(scene.frame, quality: quality, thumbnail: size) } catch { fail("\(error)") }
        }
        let ways: [(what: String, base: Int?, goal: Double?, run: () -> Void)] = [
            ("YUV420 libjpeg-turbo alone", nil, nil, { direct.encode(planar.bytes, planar.layout) }),
            ("YUV420 ours", 0, 1.05, { encode(planar) }),
            ("YUV420 ours with thumbnail", 0, nil, { encode(planar, thumbnail: true) }),
            ("NV12 ours", 0, nil, { encode(semiplanar) }),
            ("BGR888 libjpeg-turbo alone", nil, nil, { direct.encode(packed.bytes, packed.layout) }),
            ("BGR888 ours", 4, nil, { encode(packed) }),
        ]
        // One way after the other in each round, so that all of them meet the same machine. The first round fills
        // caches and buffers, and is not counted.
        var times = ways.map { _ in Samples() }
        for round in 0...rounds {
            for (index, way) in ways.enumerated() {
                let time = measure(way.run)
                if round > 0 { times[index].add(time) }
            }
        }
        var report = Report("jpeg", "4056x3040, quality \(quality), median of \(rounds) rounds")
        for (index, way) in ways.enumerated() {
            report.add(way.what, times[index].median, "ms")
            guard let base = way.base else { continue }
            // Of pairs from one round: what else the machine does hits both.
            var ratios = Samples()
            for (one, other) in zip(times[index].values, times[base].values) { ratios.add(one / other) }
            report.add("    to \(ways[base].what)", ratios.median, "times", goal: way.goal)
        }
        report.notes.append("a ratio is the median of those within one round")
        return report
    }
}

/// Smooth areas, edges, texture and sensor noise, so that the entropy coder works as hard as on a real photo.
final class TestScene {
    let layout: FrameLayout
    private let memory: UnsafeMutableRawBufferPointer
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

    init(_ layout: FrameLayout) {
        self.layout = layout
        memory = .allocate(byteCount: layout.byteCount, alignment: 64)
        var random = Random()
        for plane in layout.planes.indices {
            // Bytes from one sample to its neighbour of the same kind.
            let step = layout.format == .bgr888 ? 3 : layout.format == .nv12 && plane == 1 ? 2 : 1
            for row in 0..<layout.rows(plane: plane) {
                let line = layout.planes[plane].offset + row * layout.planes[plane].stride
                for byte in 0..<layout.rowBytes(plane: plane) {
                    memory[line + byte] = Self.sample(column: byte / step, row: row, isLuma: plane == 0, noise: random.next())
                }
            }
        }
    }

    deinit { memory.deallocate() }

    var frame: Frame {
        let metadata = FrameMetadata(sequence: 0, sensorTimestamp: Clock.now, exposureTime: .milliseconds(10))
        return Frame(layout: layout, metadata: metadata, bytes: bytes) {}
    }

    private static func sample(column: Int, row: Int, isLuma: Bool, noise: UInt64) -> UInt8 {
        let noise = Int(noise & 3) + Int(noise >> 8 & 3) - 3
        let gradient = (column + 2 * row) >> (isLuma ? 6 : 5) & 127
        let edge = (column / 180 + row / 140) % 3 * (isLuma ? 30 : 12)
        let texture = row > 1000 && isLuma ? (column * 7 ^ row * 5) & 15 : 0
        return UInt8(min(255, max(0, 32 + gradient + edge + texture + noise)))
    }
}
