// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

/// A camera is trusted for months: what each press, clip, client and reload costs has to be given back.
@Suite("Endurance", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct EnduranceTests {
    private struct Use: CustomStringConvertible {
        var descriptors, threads, mappings: Int
        /// Kilobytes.
        var resident: Int
        var description: String { "\(descriptors) descriptors, \(threads) threads, \(mappings) mappings, \(resident) KB" }

        init(of pid: pid_t) throws {
            let folder = "/proc/\(pid)/"
            descriptors = try FileSystem.names(in: folder + "fd").count
            threads = try FileSystem.names(in: folder + "task").count
            mappings = String(decoding: try FileSystem.wholeFile(folder + "maps"), as: UTF8.self).split(separator: "\n").count
            let status = String(decoding: try FileSystem.wholeFile(folder + "status"), as: UTF8.self).split(separator: "\n")
            resident = try #require(status.first { $0.hasPrefix("VmRSS:") }?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }
    }

    @Test func pressesAndClipsLeaveNothing() throws {
        // A press may become a clip: an encoder starts with each.
        let settings = TestDaemon.quick.replacing("[gestures.photo]\nhold = \"none\"", with: "[gestures.photo]\nhold = \"record\"")
        let daemon = try TestDaemon.ready(settings)
        try daemon.armed()
        func rounds(_ count: Int) throws {
            for _ in 0..<count {
                for _ in 0..<10 { #expect(try daemon.ask("tap")["ok"] == true) }
                #expect(try daemon.ask("mode", ["video"])["ok"] == true)
                #expect(try daemon.ask("record", ["start"])["ok"] == true)
                #expect(try daemon.ask("record", ["stop"])["ok"] == true)
                #expect(try daemon.ask("mode", ["photo"])["ok"] == true)
                #expect(try daemon.ask("reload")["ok"] == true)
            }
        }
        // What is made once, and what is kept for the next time.
        try rounds(5)
        let before = try Use(of: daemon.child.pid)
        try rounds(20)
        let after = try Use(of: daemon.child.pid)
        #expect(after.descriptors - before.descriptors < 5 && after.threads - before.threads < 5, "\(before) → \(after)")
        // A stack is two mappings; a picture has 345 KB.
        #expect(after.mappings - before.mappings < 50 && after.resident - before.resident < 8_000, "\(before) → \(after)")
        #expect(try daemon.stop() == 0)
    }
}
