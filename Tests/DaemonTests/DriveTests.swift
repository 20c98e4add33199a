// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Drive modes of a real daemon with a synthetic camera.
@Suite("Drive", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct DriveTests {
    @Test(arguments: [SIGTERM, SIGKILL]) func itOutlivesTheDaemon(signal: Int32) throws {
        let scratch = Scratch()
        let first = try TestDaemon.ready(TestDaemon.quick + "[drive]\nmode = \"burst\"\n", in: scratch)
        #expect(try first.ask("drive")["setting"] == "burst")
        let answer = try first.ask("drive", ["interval", "2500ms", "--count=20"])
        #expect(answer["setting"] == "interval 2500ms --count 20" && answer["stored"] == true, "\(answer.line)")
        _ = try first.ask("mode", ["video"])
        first.child.signal(signal)
        try first.child.exit()
        let second = try TestDaemon.ready(TestDaemon.quick + "[drive]\nmode = \"burst\"\n", in: scratch)
        #expect(try second.ask("drive")["setting"] == "interval 2500ms --count 20")
        #expect(try second.ask("mode")["mode"] == "video")
        // Nothing goes on by itself.
        #expect(try second.ask("status")["state"] == "videoIdle")
        #expect(try second.stop() == 0)
    }

    @Test func wrongWords() throws {
        let daemon = try TestDaemon.ready()
        for (words, reason) in [
            (["timer", "10"], "a number and its unit"), (["timer", "2m"], "a timer is 1s to 60s"), (["timer", "3000000h"], "a timer is 1s to 60s"),
            (["interval", "5s", "--for=99999999999999999999h"], "--for is 100ms to 8760h"), (["burst", "3s"], "burst takes no time"),
            (["interval", "5s", "--count=0"], "--count"), (["timer", "5s", "--count=2"], "of an interval"),
            (["interval", "5s", "--count=2", "--for=1m"], "two ends"), (["spray"], "single"), (["interval", "50ms"], "an interval is 100ms to 24h"),
        ] {
            let answer = try daemon.ask("drive", words)
            #expect(answer["error"] == "usage" && answer["message"]?.string?.contains(reason) == true, "\(words): \(answer.line)")
        }
        #expect(try daemon.control(["drive"]).outputText == "single\n")
        #expect(try daemon.control(["drive", "interval", "5s", "--for", "1h"]).outputText == "interval 5s --for 1h\n")
        #expect(try daemon.stop() == 0)
    }

    /// Each photo shows the instant of its own beat, and the request is answered with the first.
    @Test func anInterval() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let watcher = try daemon.watcher()
        _ = try daemon.ask("drive", ["interval", "300ms", "--count=5"])
        #expect(try daemon.ask("tap")["path"]?.string?.hasSuffix("IMG_0001.JPG") == true)
        let end = try #require(try watcher.wait { $0["kind"] == "interval-end" })
        #expect(end["beats"] == 5 && end["reason"] == "done", "\(end.line)")
        let skipped = Int(end["skipped"]?.int ?? -1)
        while watcher.events("saved").count < 5 - skipped { try watcher.wait(for: "saved") }
        #expect(try daemon.stop() == 0)
        let photos = try Photo.all(in: daemon.media)
        #expect(photos.count == 5 - skipped)
        for photo in photos {
            #expect((photo.press - photos[0].press) % 300_000_000 == 0, "on the grid to the nanosecond")
            #expect(photo.timeCode == photo.exposureCentre && abs(photo.lag) <= 16_667, "\(photo)")
        }
        #expect(watcher.events("capture").map { $0["trigger"]?.string } == ["control"] + Array(repeating: "interval", count: photos.count - 1))
    }

    @Test func aSelfTimer() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let watcher = try daemon.watcher()
        _ = try daemon.ask("drive", ["timer", "2s"])
        let tapper = try daemon.client()
        try tapper.send("tap")
        let began = try #require(try watcher.wait { $0["kind"] == "countdown" }?["t_us"]?.int)
        #expect(try daemon.ask("drive")["left_s"] != nil)
        let photo = try Photo(try #require(try tapper.value()["path"]?.string))
        #expect(photo.press / 1000 == began + 2_000_000 && abs(photo.lag) <= 16_667 && photo.timeCode == photo.exposureCentre)
        // A second press takes it back, and who waited is told.
        try tapper.send("tap")
        try watcher.wait(for: "countdown")
        #expect(try daemon.ask("tap")["ok"] == true)
        #expect(try tapper.value()["reason"] == "cancelled")
        #expect(try daemon.stop() == 0)
        #expect(watcher.events("cue").contains { $0["cue"] == "countdown" })
        #expect(try Photo.all(in: daemon.media).count == 1)
    }

    /// The stop ends the exposure, and its photo is kept.
    @Test(arguments: [false, true]) func anExposureAcrossTheStop(isReleased: Bool) throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let watcher = try daemon.watcher()
        _ = try daemon.ask("drive", ["bulb"])
        #expect(try daemon.ask("press")["ok"] == true)
        try watcher.wait(for: "exposure-start")
        #expect(try daemon.ask("status")["ring"] == "exposing")
        #expect(try daemon.ask("mode", ["video"])["reason"] == "exposing")
        let limit = Clock.now + .milliseconds(700)
        while Clock.now < limit { Clock.sleep(until: limit) }
        if isReleased {
            _ = try daemon.ask("release")
            try watcher.wait(for: "saved")
        }
        #expect(try daemon.stop() == 0)
        try watcher.readToEnd()
        let photo = try #require(try Photo.all(in: daemon.media).first)
        let (start, end) = (try #require(watcher.events("exposure-start").first?["t_us"]?.int), try #require(watcher.events("exposure-end").first?["t_us"]?.int))
        #expect(end - start >= 700_000)
        // It began with the next frame, and ended when it was told to.
        let (began, ended) = (photo.exposureCentre - photo.exposure / 2, photo.exposureCentre + photo.exposure / 2)
        #expect(began / 1000 - start >= -1 && began / 1000 - start <= 500_000, "\(photo) from \(start)")
        #expect(ended / 1000 >= end - 1 && photo.timeCode == photo.exposureCentre)
        #expect(photo.press / 1000 >= start && photo.press / 1000 <= end, "the middle of what was asked for")
    }

    /// The frames go on after an exposure, and the next photo is one of them.
    @Test func afterAnExposure() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let watcher = try daemon.watcher()
        for round in 1...3 {
            _ = try daemon.ask("drive", ["bulb"])
            _ = try daemon.ask("press")
            let limit = Clock.now + .milliseconds(150)
            while Clock.now < limit { Clock.sleep(until: limit) }
            _ = try daemon.ask("release")
            while watcher.events("saved").count < 2 * round - 1 { try watcher.wait(for: "saved") }
            _ = try daemon.ask("drive", ["single"])
            let photo = try Photo(try #require(try daemon.ask("tap")["path"]?.string))
            #expect(abs(photo.lag) <= 16_667 && photo.exposure < 10_000_000 && photo.timeCode == photo.exposureCentre, "\(photo)")
        }
        // One that is too short for the sensor is a frame's.
        _ = try daemon.ask("drive", ["bulb"])
        #expect(try daemon.ask("tap")["path"] != nil)
        #expect(try daemon.ask("status")["camera"]?["dropped"] == 0)
        #expect(try daemon.stop() == 0)
        #expect(try Photo.all(in: daemon.media).count == 7)
    }

    /// Bursts at every frame: as many as the ring holds, in the order of their instants, each with a number.
    @Test func aBurst() throws {
        let daemon = try TestDaemon.ready(TestDaemon.quick + "[drive]\nmode = \"burst\"\nburst_rate = \"every-frame\"\n[camera]\nbuffers = 4\n")
        try daemon.armed()
        let watcher = try daemon.watcher()
        _ = try daemon.ask("press")
        try watcher.wait(for: "capture", count: 12)
        _ = try daemon.ask("release")
        var presses = try #require(try daemon.ask("status")["presses"])
        while presses["pending"] != 0 {
            try watcher.wait(for: "saved")
            presses = try #require(try daemon.ask("status")["presses"])
        }
        #expect(try daemon.stop() == 0)
        let photos = try Photo.all(in: daemon.media)
        #expect(photos.count >= 12 && photos.count == presses["saved"]?.int.map { Int($0) }, "\(presses.line)")
        #expect(Set(photos.map(\.press)).count == photos.count)
        for photo in photos { #expect(photo.timeCode == photo.exposureCentre && abs(photo.lag) <= 16_667) }
    }
}
