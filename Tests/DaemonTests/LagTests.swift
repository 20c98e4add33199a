// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl
import ShutterCore
import Testing

@Suite("Lag", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct LagTests {
    @Test func theTimesAreThoseOfTheSidecars() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        #expect(try daemon.control(["lag"]).outputText == "no photo has been saved since shutterd started\n")
        for _ in 0..<9 { #expect(try daemon.ask("capture")["ok"] == true) }
        let lags = try Photo.all(in: daemon.media).map(\.lag).sorted()
        let answer = try daemon.ask("lag")
        #expect(answer["photos"] == 9)
        let lag = try #require(Distribution(answer["lag"]), "\(answer.line)")
        #expect(lag.least == lags[0] && lag.p50 == lags[4] && lag.p99 == lags[8] && lag.count == 9)
        let stages = try ["accepted", "encoded", "synced"].map { try #require(Distribution(answer[$0])) }
        // Each stage comes after the one before it.
        #expect(stages[0].p50 <= stages[1].p50 && stages[1].p50 <= stages[2].p50)
        let text = try daemon.control(["lag"]).outputText
        #expect(text.hasPrefix("9 photos, in ms\n") && text.contains("█") && text.contains("press → on the disk"), "\(text)")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func watchTellsSecondsFromItsStart() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let child = try Child(Programs.control, ["watch", "--socket", daemon.socket], in: daemon.scratch)
        let limit = Clock.now + patience
        while !child.outputText.contains("saved"), Clock.now < limit { _ = try daemon.ask("capture") }
        let line = try #require(child.outputText.split(separator: "\n").first { $0.contains("  saved ") })
        #expect(line.firstMatch(of: #/^ +\+\d+\.\d{3} s  saved /#) != nil && !line.contains("t_us"), "\(line)")
    }
}
