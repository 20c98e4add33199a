// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Clips that end in some other way than by a press.
@Suite("Ends of clips", .serialized, .enabled(if: Programs.areThere && Clip.areProgramsThere, "shutterd was not built beside the tests, or ffmpeg is missing"))
struct VideoEndTests {
    /// SHUTTERD_KILLS=200 for the long campaign.
    static let kills = ProcessInfo.processInfo.environment["SHUTTERD_KILLS"].flatMap { Int($0) } ?? 12

    /// Small, so that they are quickly read back.
    static let small = """
        [photo]
        size = "320x180"
        thumbnail = "160x120"
        [video]
        size = "320x180"
        bitrate = "500kbit/s"
        [shutter]
        mode = "video"
        [storage]
        reserve = "1MB"

        """

    /// C19: every clip opens, at most a second is missing at its end, and nothing half-written has a final name.
    @Test func killedAtAnyInstant() throws {
        let scratch = Scratch()
        var dice = Dice(UInt64(Self.kills))
        var (judged, worst): (Set<String>, Int64) = ([], 0)
        for round in 0..<Self.kills {
            let daemon = try TestDaemon.ready(Self.small, in: scratch)
            try daemon.armed()
            let watcher = try daemon.watcher()
            #expect(try daemon.ask("record", ["start"])["ok"] == true)
            // On the disk, the head of the file at least.
            try watcher.wait { $0["cue"] == "recording" }
            let life = Int64.random(in: 0...2_500, using: &dice)
            Clock.sleep(until: Clock.now + .milliseconds(life))
            if round % 4 == 3 { _ = try daemon.client().send("record", ["stop"]) }
            let death = Clock.now.nanoseconds
            daemon.child.signal(SIGKILL)
            try daemon.child.exit()
            // The next start completes it.
            let next = try TestDaemon.ready(Self.small, in: scratch)
            #expect(try next.stop() == 0)
            #expect(try MediaFiles.names(in: next.media).allSatisfy { !$0.contains("/.") })
            for path in try MediaFiles.names(in: next.media) where path.hasSuffix("MP4") && judged.insert(path).inserted {
                let clip = try Clip(path, in: scratch)
                clip.check(keysEvery: nil)
                #expect(try clip.sidecar()["ended"] == "recovered" || clip.sidecar()["ended"] == "request", "\(path)")
                let lost = death - (clip.codes.last ?? 0)
                if try clip.sidecar()["ended"] == "recovered" { worst = max(worst, lost) }
                #expect(lost <= 1_000_000_000, "\(lost) ns are missing")
            }
            // A clip of which no fragment was there yet is the only one that may not be a clip.
            if life > 1000 { #expect(judged.count > 0) }
        }
        print("\(Self.kills) kills: \(judged.count) clips, at most \(worst / 1_000_000) ms lost")
        #expect(judged.count >= Self.kills / 2)
    }

    /// C21: at the reserve the clip is closed properly, and it works again when there is room.
    @Test(.enabled(if: Mounted.isPossible, "mounting needs root")) func theCardFillsUp() throws {
        let scratch = Scratch()
        let card = try Mounted(tmpfs: scratch.path + "/media", size: "5m")
        let daemon = try TestDaemon.ready(Self.small.replacing("500kbit/s", with: "8Mbit/s").replacing("320x180", with: "1280x720"), in: scratch)
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        // Something else takes the room, all but a little.
        try watcher.wait { $0["cue"] == "recording" }
        #expect(Shell.succeeds("head -c 3400000 /dev/zero >\(card.path)/filler"))
        let stop = try #require(try watcher.wait { $0["kind"] == "record-stop" || $0["kind"] == "saved" })
        if stop["kind"] == "record-stop" {
            #expect(stop["reason"] == "storage-low", "\(stop.line)")
            try watcher.wait(for: "saved")
        }
        #expect(try daemon.ask("record", ["start"])["reason"] == "storage-low")
        let clip = try #require(try Clip.all(in: daemon.media, scratch).first)
        clip.check()
        #expect(clip.codes.count > 5)
        card.free()
        // Nobody starts anything anew.
        let limit = Clock.now + patience
        while try daemon.ask("record", ["start"])["ok"] != true {
            if Clock.now > limit { throw Late("room") }
            Clock.sleep(until: Clock.now + .milliseconds(200))
        }
        #expect(try daemon.ask("record", ["stop"])["ok"] == true)
        #expect(try daemon.stop() == 0)
        #expect(try MediaFiles.names(in: daemon.media).allSatisfy { !$0.contains("/.") })
    }

    /// No room at all, from one moment to the next.
    @Test(.enabled(if: Mounted.isPossible, "mounting needs root")) func theCardIsFull() throws {
        let scratch = Scratch()
        let card = try Mounted(tmpfs: scratch.path + "/media", size: "6m")
        let daemon = try TestDaemon.ready(Self.small, in: scratch)
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        try watcher.wait { $0["cue"] == "recording" }
        Clock.sleep(until: Clock.now + .milliseconds(1200))
        try card.fill()
        try watcher.wait(for: "saved")
        let clip = try #require(try Clip.all(in: daemon.media, scratch).first)
        clip.check()
        #expect(clip.codes.count > 10)
        #expect(try daemon.ask("status")["storage"]?["state"] == "storage-low")
        #expect(try daemon.stop() == 0)
        // Without room for a sidecar there is none; nothing of it lies about.
        #expect(try MediaFiles.names(in: daemon.media).allSatisfy { !$0.contains("/.") })
    }

    /// A clip that SIGTERM finds open closes within half of the stop budget, however much was recorded before.
    @Test func anEndlessHoldIsClosed() throws {
        let scratch = Scratch()
        var wave = Wave()
        wave.set(pressed: true, at: 0)
        wave.tail = 60_000_000_000
        let daemon = try TestDaemon.ready(
            Self.small.replacing("mode = \"video\"", with: "mode = \"photo\""), in: scratch, arguments: ["--input", wave.file(in: scratch)])
        let watcher = try daemon.watcher()
        try watcher.wait { $0["cue"] == "holding" }
        daemon.child.signal(SIGTERM)
        #expect(try daemon.child.exit(within: .seconds(10)) == 0)
        let clip = try #require(try Clip.all(in: daemon.media, scratch).first)
        clip.check()
        #expect(try clip.sidecar()["ended"] == "stopping")
    }
}
