// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// What `[photo] prioritize` makes of a photo.
@Suite("Priorities", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct PriorityTests {
    /// libcamera's numbers: Minimal, Fast, HighQuality.
    @Test(.enabled(if: Programs.hasFakeCamera), arguments: ["speed", "balanced", "quality"]) func theCameraIsTold(word: String) throws {
        let daemon = try TestDaemon.ready(TestDaemon.quick.replacing("[photo]\n", with: "[photo]\nprioritize = \"\(word)\"\n") + """
            [camera]
            source = "libcamera"
            plugin = "\(Programs.fakeCamera)"
            id = "fake"
            max_exposure = "1s"

            """)
        try daemon.armed()
        let path = try #require(try daemon.ask("capture")["path"]?.string)
        let sidecar = try JSONValue(parsing: String(decoding: try FileSystem.wholeFile(String(path.dropLast(3)) + "JSON"), as: UTF8.self))
        #expect(sidecar["NoiseReductionMode"] == .int(word == "speed" ? 3 : word == "balanced" ? 1 : 2), "\(sidecar.line)")
        #expect(try daemon.ask("drive", ["bulb"])["reason"] == "no-bulb")
        #expect(try daemon.stop() == 0)
    }

    @Test func sizeFollowsAndTheSidecarTells() throws {
        var sizes: [Int] = []
        for (line, quality) in [("speed", 85), ("balanced", 93), ("quality", 97), ("speed\"\nquality = 99 #", 99)] {
            let daemon = try TestDaemon.ready(TestDaemon.quick.replacing("[photo]\n", with: "[photo]\nprioritize = \"\(line)\"\n"))
            try daemon.armed()
            let path = try #require(try daemon.ask("capture")["path"]?.string)
            let sidecar = try JSONValue(parsing: String(decoding: try FileSystem.wholeFile(String(path.dropLast(3)) + "JSON"), as: UTF8.self))
            let word = String(line.prefix { $0 != "\"" })
            #expect(sidecar["shutter"]?["prioritize"]?.string == word && sidecar["shutter"]?["quality"] == .int(Int64(quality)), "\(sidecar.line)")
            #expect(sidecar["shutter"]?["subsampling"] == "4:2:0")
            sizes.append(try FileSystem.wholeFile(path).count)
            #expect(try daemon.stop() == 0)
        }
        // Bytes of one scene: more for each step.
        #expect(sizes == sizes.sorted() && Set(sizes).count == 4, "\(sizes)")
    }
}
