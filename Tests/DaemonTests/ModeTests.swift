// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// The mode outlives the daemon, and everybody sees one mode.
@Suite("Mode", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct ModeTests {
    @Test(arguments: [SIGTERM, SIGKILL]) func itOutlivesTheDaemon(signal: Int32) throws {
        let scratch = Scratch()
        var mode = "photo"
        for _ in 0..<4 {
            let daemon = try TestDaemon.ready(in: scratch)
            #expect(try daemon.ask("mode")["mode"]?.string == mode)
            mode = mode == "photo" ? "video" : "photo"
            let answer = try daemon.ask("mode", ["toggle"])
            #expect(answer["mode"]?.string == mode && answer["stored"] == true)
            daemon.child.signal(signal)
            try daemon.child.exit()
        }
    }

    /// N02: two writers and a reader.
    @Test func twoWriters() throws {
        let daemon = try TestDaemon.ready()
        let writers = try (0..<2).map { _ in try daemon.client() }
        let reader = try daemon.client()
        var last = "photo"
        var dice = Dice(2)
        for round in 0..<500 {
            let wanted = writers.map { _ in Bool.random(using: &dice) ? "photo" : "video" }
            // Both are under way at once, and the reader in between.
            try writers[0].send("mode", [wanted[0]])
            try reader.send("status")
            try writers[1].send("mode", [wanted[1]])
            for (writer, wanted) in zip(writers, wanted) {
                let answer = try writer.value()
                #expect(answer["mode"]?.string == wanted && answer["stored"] == true, "\(answer.line)")
            }
            let status = try reader.value()
            let mode = status["mode"]?.string ?? ""
            #expect(([last] + wanted).contains(mode) && status["state"]?.string == mode + "Idle", "\(status.line)")
            // Everyone who asks afterwards is told the same, and so is the next start.
            last = try reader.ask("mode")["mode"]?.string ?? ""
            #expect(wanted.contains(last), "round \(round)")
        }
        let file = String(decoding: try FileSystem.wholeFile(daemon.scratch.path + "/state.json"), as: UTF8.self)
        #expect(try JSONValue(parsing: file)["mode"]?.string == last)
        #expect(try daemon.stop() == 0)
    }
}
