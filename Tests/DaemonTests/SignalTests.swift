// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// What a service manager and a shell do to a daemon.
@Suite("Signals", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct SignalTests {
    /// One frame a second, so that photos are in flight for a while.
    static let slow = TestDaemon.quick + "[simulation]\nrate = 1\n"

    /// Asks for photos that will wait for their frame; the clients wait for the answers.
    private func capture(_ count: Int, from daemon: TestDaemon, _ watcher: Watcher) throws -> [Client] {
        let clients = try (0..<count).map { _ in
            let client = try daemon.client()
            try client.send("capture")
            return client
        }
        try watcher.wait(for: "capture", count: count)
        return clients
    }

    @Test(arguments: [[SIGTERM], [SIGINT, SIGINT], [SIGUSR2], [SIGTERM, SIGINT, SIGUSR2, SIGTERM]]) func photosInFlightAreSaved(signals: [Int32]) throws {
        let daemon = try TestDaemon.ready(Self.slow)
        try daemon.armed()
        let watcher = try daemon.watcher()
        let clients = try capture(4, from: daemon, watcher)
        for signal in signals { daemon.child.signal(signal) }
        for client in clients {
            let answer = try client.value()
            #expect(answer["ok"] == true, "\(answer.line)")
            #expect(abs(try Photo(try #require(answer["path"]?.string)).lag) <= 500_001)
        }
        try watcher.readToEnd()
        #expect(watcher.events("saved").count == 4)
        #expect(watcher.events("cue").last?["cue"] == "off")
        #expect(try daemon.child.exit() == 0)
        #expect(access(daemon.socket, F_OK) != 0)
        #expect(try Photo.all(in: daemon.media).count == 4)
    }

    @Test func aPressIsCancelledByTheStop() throws {
        let daemon = try TestDaemon.ready("[photo]\nsize = \"640x360\"\n")
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("press")["ok"] == true)
        daemon.child.signal(SIGTERM)
        try watcher.readToEnd()
        #expect(watcher.events("cancel").first?["reason"] == "stopping", "\(watcher.seen.map(\.line).joined(separator: "\n"))")
        #expect(watcher.events("discard").count == 1)
        #expect(try daemon.child.exit() == 0)
        #expect(try Photo.all(in: daemon.media).isEmpty)
    }

    /// What was asked before the end is answered before the end.
    @Test func nobodyIsLeftWithoutAnAnswer() throws {
        let daemon = try TestDaemon.ready()
        let clients = try (0..<3).map { _ in try daemon.client() }
        daemon.child.signal(SIGSTOP)
        try daemon.child.waitUntilStopped()
        try clients[0].send("list")
        try clients[1].send("mode", ["video"])
        try clients[2].send("last")
        daemon.child.signal(SIGTERM)
        daemon.child.signal(SIGCONT)
        #expect(try clients[0].value()["entries"] == [])
        let mode = try clients[1].value()
        // Whichever of the two it saw first.
        #expect(mode["reason"] == "stopping" || mode["mode"] == "video", "\(mode.line)")
        #expect(try clients[2].value()["reason"] == "nothing-saved")
        #expect(try daemon.child.exit() == 0)
    }

    /// A waveform that ends with the button down, or has no edge at all, ends the program too.
    @Test(arguments: [[0], [], [0, 50_000, 400_000]] as [[Int64]]) func theEndOfTheWaveform(changes: [Int64]) throws {
        let scratch = Scratch()
        var wave = Wave()
        wave.toggle(us: changes)
        let daemon = try TestDaemon(in: scratch, arguments: ["--input", wave.file(in: scratch), "--exit-at-end"])
        #expect(try daemon.child.exit() == 0)
        #expect(try Photo.all(in: daemon.media).count == (changes.count + 1) / 2)
    }

    @Test func aSignalIsATap() throws {
        let daemon = try TestDaemon.ready("[photo]\nsize = \"640x360\"\n")
        try daemon.armed()
        let watcher = try daemon.watcher()
        daemon.child.signal(SIGUSR1)
        try watcher.wait(for: "saved")
        #expect(watcher.events("capture").first?["trigger"] == "signal")
        #expect(watcher.events("tap").first?["input"] == "signal")
        #expect(try Photo.all(in: daemon.media).count == 1)
        #expect(try daemon.stop() == 0)
    }

    /// More presses than can be saved: each one ends, and the count says how.
    @Test(arguments: ["queue", "ignore"]) func everyPressEnds(busy: String) throws {
        let scratch = Scratch()
        var wave = Wave()
        for burst in 0..<6 {
            for press in 0..<12 {
                let time = Int64(burst) * 900_000_000 + Int64(press) * 20_000_000
                wave.set(pressed: true, at: time)
                wave.set(pressed: false, at: time + 9_000_000)
            }
        }
        let settings = TestDaemon.quick + "[shutter]\nbusy = \"\(busy)\"\n[camera]\nbuffers = 4\n[simulation]\nrate = 10\n"
        let daemon = try TestDaemon.ready(settings, in: scratch, arguments: ["--input", wave.file(in: scratch)])
        let watcher = try daemon.watcher()
        try watcher.wait(for: "press", count: 72)
        var counts: JSONValue = try #require(try daemon.ask("status")["presses"])
        while counts["pending"] != 0 {
            try watcher.wait(for: "saved")
            counts = try #require(try daemon.ask("status")["presses"])
        }
        func count(_ name: String) -> Int { counts[name]?.int.map { Int($0) } ?? -1 }
        #expect(count("accepted") == 72 && count("pending") == 0, "\(counts.line)")
        #expect(count("accepted") == count("saved") + count("refused") + count("failed") + count("cancelled"), "\(counts.line)")
        #expect(count("refused") > 0 && count("failed") == 0, "\(counts.line)")
        // Nearly none while one is being saved, or as many as the ring of frames holds.
        #expect(busy == "queue" ? count("saved") > 12 : count("saved") >= 6, "\(counts.line)")
        #expect(try daemon.stop() == 0)
        try watcher.readToEnd()
        let refusals = watcher.events("refused")
        #expect(refusals.count == count("refused") && refusals.allSatisfy { $0["reason"] == "busy" })
        let photos = try Photo.all(in: daemon.media)
        #expect(photos.count == count("saved"))
        // Never a later moment than that of its own press.
        for photo in photos { #expect(photo.timeCode == photo.exposureCentre && abs(photo.lag) <= 50_001, "\(photo)") }
    }
}
