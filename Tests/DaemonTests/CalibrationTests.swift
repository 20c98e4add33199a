// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// `lag --calibrate`: the synthetic camera's timestamps are wrong by what the settings say, and the ring in its view tells.
@Suite("Calibration", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct CalibrationTests {
    private func settings(skew: String = "0ms", camera: String = "", ring: String = "") -> String {
        TestDaemon.quick + "[camera]\n\(camera)\n[ring]\n\(ring)\n[simulation]\nskew = \"\(skew)\"\n"
    }

    /// Milliseconds that the timestamps are off, and that `[camera] offset` makes up for.
    @Test(arguments: [(0, 0), (4, 0), (-7, 0), (4, 4)]) func theSkewIsFound(_ skew: Int, _ offset: Int) throws {
        let daemon = try TestDaemon.ready(settings(skew: "\(skew)ms", camera: "offset = \"\(offset)ms\""))
        try daemon.armed()
        let answer = try daemon.ask("lag", ["--calibrate"])
        let found = try #require(answer["offset_us"]?.int, "\(answer.line)")
        let uncertainty = try #require(answer["uncertainty_us"]?.int)
        // The brackets are honest however busy the machine is; they only get wider.
        #expect(abs(found - Int64(skew) * 1000) <= uncertainty + 1, "\(answer.line)")
        #expect(uncertainty < 6000 && answer["interval_us"] == 33_333 && answer["exposure_us"] == 2000, "\(answer.line)")
        #expect(answer["flashes"] == 20 && answer["seen"]?.int ?? 0 > 10)
        #expect(answer["configured_us"] == .int(Int64(offset) * 1000) && abs((answer["error_us"]?.int ?? .min / 2) - (Int64(offset) * 1000 - found)) <= 1, "\(answer.line)")
        if skew == -7 {
            #expect(answer["proposed_offset"]?.string?.firstMatch(of: #/^-\d+\.\dms$/#) != nil, "\(answer.line)")
        }
        if offset == skew { #expect(answer["proposed_offset"] == .null, "\(answer.line)") }
        // The ring shows what it did before.
        #expect(try daemon.ask("status")["ring"] == "idle-photo")
    }

    @Test func peopleAreToldWhatToDo() throws {
        let daemon = try TestDaemon.ready(settings(skew: "40ms"))
        try daemon.armed()
        let text = try daemon.control(["lag", "--calibrate", "--flashes", "10"]).outputText
        #expect(text.contains("ms late, ±") && text.contains("before the press, more than half a frame"), "\(text)")
        #expect(text.contains(#/\[camera\] offset = "\d+\.\dms"/#), "\(text)")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func whatCannotBeDoneIsSaid() throws {
        let daemon = try TestDaemon.ready(settings())
        try daemon.armed()
        let stray = try daemon.ask("lag", ["--flashes=10"])
        #expect(stray["error"] == "usage")
        // The ring is at the lower left: out of the picture.
        _ = try daemon.ask("set", ["zoom", "4"])
        // With few flashes the scene, which moves, may have looked like it once or twice.
        let unseen = try daemon.ask("lag", ["--calibrate", "--flashes=5"])
        #expect(unseen["ok"] == false && ["ring-not-seen", "unsteady"].contains(unseen["reason"]?.string), "\(unseen.line)")
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        #expect(try daemon.ask("lag", ["--calibrate"])["reason"] == "recording")
        #expect(try daemon.ask("record", ["stop"])["ok"] == true)
        #expect(try daemon.ask("camera", ["release"])["ok"] == true)
        #expect(try daemon.ask("lag", ["--calibrate"])["reason"] == "lent")

        let dark = try TestDaemon.ready(settings(ring: "driver = \"none\""))
        try dark.armed()
        #expect(try dark.ask("lag", ["--calibrate"])["reason"] == "no-ring")
    }

    @Test func aPressGoesFirst() throws {
        let daemon = try TestDaemon.ready(settings())
        try daemon.armed()
        let client = try daemon.client()
        try client.send("lag", ["--calibrate", "--flashes=100"])
        try daemon.child.waitForError("the ring flashes")
        #expect(try daemon.ask("lag", ["--calibrate"])["reason"] == "calibrating")
        #expect(try daemon.ask("tap")["path"]?.string != nil)
        let answer = try client.value()
        #expect(answer["error"] == "refused" && answer["reason"] == "interrupted", "\(answer.line)")
        #expect(try daemon.ask("status")["ring"] == "idle-photo")

        try client.send("lag", ["--calibrate", "--flashes=100"])
        #expect(try daemon.client().ask("status")["ok"] == true)
        try daemon.stop()
        #expect(try client.value()["reason"] == "stopping")
    }
}
