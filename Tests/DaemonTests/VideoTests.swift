// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Clips of the real daemon, read back frame by frame with FFmpeg.
@Suite("Video", .serialized, .enabled(if: Programs.areThere && Clip.areProgramsThere, "shutterd was not built beside the tests, or ffmpeg is missing"))
struct VideoTests {
    /// 1280x720 at 30 frames a second, debounce 20 ms.
    static let settings = """
        [photo]
        size = "1280x720"
        [video]
        size = "1280x720"
        bitrate = "4Mbit/s"
        [storage]
        reserve = "1MB"

        """
    static let video = settings + "[shutter]\nmode = \"video\"\n"
    static let half: Int64 = 16_666_667

    /// Plays a waveform to its end and returns the clips.
    private func play(_ wave: Wave, _ settings: String, in scratch: Scratch) throws -> [Clip] {
        let daemon = try TestDaemon(settings, in: scratch, arguments: ["--input", wave.file(in: scratch), "--exit-at-end"])
        #expect(try daemon.child.exit() == 0, "\(daemon.child.errors)")
        return try Clip.all(in: daemon.media, scratch)
    }

    @Test func aClipIsOfItsPresses() throws {
        let scratch = Scratch()
        var wave = Wave()
        // With bounce; the second press ends it.
        wave.toggle(us: [0, 700, 1500, 90_000, 90_900, 91_500, 3_000_000, 3_000_400, 3_001_000, 3_080_000])
        let clips = try play(wave, Self.video, in: scratch)
        let clip = try #require(clips.first)
        #expect(clips.count == 1)
        clip.check()
        let sidecar = try clip.sidecar()
        let press = try #require(sidecar["press_ns"]?.int)
        #expect(abs(clip.codes[0] - press) <= Self.half, "begins \(clip.codes[0] - press) ns after the press")
        let last = clip.codes[clip.codes.count - 1]
        #expect(last <= press + 3_000_000_000 + 2 * Self.half && last > press + 3_000_000_000 - 2 * Self.half)
        let dropped = try #require(sidecar["dropped_queue"]?.int) + (try #require(sidecar["dropped_sensor"]?.int))
        #expect(clip.missing() == Int(dropped) && dropped == 0, "\(dropped) dropped")
        #expect(sidecar["first_ns"]?.int == clip.codes[0] && sidecar["last_ns"]?.int == last && sidecar["ended"] == "press")
        #expect(sidecar["frames"]?.int == Int64(clip.codes.count) && sidecar["encoder"] == "libx264")
        #expect(clip.stream["color_range"] == "pc" && clip.stream["color_space"] == "smpte170m", "\(clip.stream.line)")
    }

    /// Decided long after the ring of frames has gone round.
    @Test func aLongDebounceCostsNothing() throws {
        let scratch = Scratch()
        var wave = Wave()
        wave.toggle(us: [0, 1_500_000, 4_000_000, 5_200_000])
        wave.tail = 1_500_000_000
        let settings = Self.video + "[button.shutter]\ndebounce = \"800ms\"\nhold = \"2s\"\n"
        let clip = try #require(try play(wave, settings, in: scratch).first)
        clip.check()
        let press = try #require(try clip.sidecar()["press_ns"]?.int)
        #expect(abs(clip.codes[0] - press) <= Self.half && clip.missing() == 0)
        // What was written before the stop was known stays.
        #expect(clip.codes.last! <= press + 4_000_000_000 + 800_000_000)
    }

    /// QuickTake: a tap is a photo, a hold a clip, and both are of the instant of the press.
    @Test func aTapIsAPhotoAndAHoldAClip() throws {
        let scratch = Scratch()
        var wave = Wave()
        wave.toggle(us: [0, 150_000, 1_000_000, 3_200_000, 4_200_000, 4_300_000])
        let clips = try play(wave, Self.settings, in: scratch)
        let clip = try #require(clips.first)
        let photos = try Photo.all(in: scratch.path + "/media")
        #expect(clips.count == 1 && photos.count == 2)
        clip.check()
        let sidecar = try clip.sidecar()
        let press = try #require(sidecar["press_ns"]?.int)
        #expect(abs(clip.codes[0] - press) <= Self.half && clip.missing() == 0)
        #expect(abs(clip.codes.last! - press - 2_200_000_000) <= 2 * Self.half && sidecar["ended"] == "release")
        for photo in photos { #expect(abs(photo.timeCode - photo.press) <= Self.half) }
        #expect(press - photos[0].press == 1_000_000_000 && photos[1].press - press == 3_200_000_000)
        #expect(MediaNames.of(scratch).filter { !$0.hasSuffix("JSON") } == ["IMG_0001.JPG", "IMG_0003.JPG", "MOV_0002.MP4"])
    }

    @Test func aPreRollBeginsBeforeThePress() throws {
        let scratch = Scratch()
        var wave = Wave()
        wave.lead = 4_000_000_000
        wave.toggle(us: [0, 100_000, 1_000_000, 1_100_000, 1_500_000, 1_600_000, 2_500_000, 2_600_000])
        let clips = try play(wave, Self.video, in: scratch, preroll: "2s")
        #expect(clips.count == 2)
        for clip in clips {
            clip.check()
            let press = try #require(try clip.sidecar()["press_ns"]?.int)
            // From the key frame at or before the pre-roll's begin on.
            #expect(press - clip.codes[0] >= 2_000_000_000 - Self.half && press - clip.codes[0] <= 3_050_000_000, "\(press - clip.codes[0])")
            #expect(clip.missing() == 0)
        }
    }

    private func play(_ wave: Wave, _ settings: String, in scratch: Scratch, preroll: String) throws -> [Clip] {
        try play(wave, settings.replacing("[video]\n", with: "[video]\npreroll = \"\(preroll)\"\n"), in: scratch)
    }

    @Test func aPhotoMeanwhileInterruptsNothing() throws {
        let daemon = try TestDaemon.ready(Self.video)
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        try watcher.wait { $0["cue"] == "recording" }
        for _ in 0..<3 { #expect(try daemon.ask("capture")["ok"] == true) }
        #expect(try daemon.ask("mode", ["photo"])["reason"] == "recording")
        let status = try daemon.ask("status")
        #expect(status["video"]?["state"] == "recording" && status["encoder"] == "libx264" && status["state"] == "recording", "\(status.line)")
        let answer = try daemon.ask("record", ["stop"])
        let clip = try Clip(try #require(answer["path"]?.string), in: daemon.scratch)
        clip.check()
        #expect(clip.missing() == 0 && answer["frames"]?.int == Int64(clip.codes.count))
        for photo in try Photo.all(in: daemon.media) { #expect(abs(photo.timeCode - photo.press) <= Self.half) }
        // The poster is the first frame.
        let poster = try #require(JPEG.decode(try daemon.control(["last", "--thumbnail"]).output))
        #expect(poster.width == 320 && poster.height == 180)
        #expect(try daemon.control(["list"]).outputText.contains("MOV_0001.MP4"))
        #expect(try daemon.control(["last"]).outputText.contains("IMG_0004.JPG") || (try daemon.control(["last"]).outputText.contains("MOV_0001")))
        #expect(try daemon.stop() == 0)
    }

    /// The next file begins with the frame after the last one of the file before.
    @Test func aLongClipIsSplitWithoutALoss() throws {
        let daemon = try TestDaemon.ready(Self.video.replacing("[video]\n", with: "[video]\nmax = \"2s\"\n"))
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        try watcher.wait(for: "file", count: 2)
        let answer = try daemon.ask("record", ["stop"])
        let paths = (answer["paths"]?.array ?? []).compactMap(\.string).filter { $0.hasSuffix("MP4") }
        let clips = try paths.map { try Clip($0, in: daemon.scratch) }
        #expect(clips.count == 3)
        for clip in clips {
            clip.check()
            #expect(clip.packets.last!.pts < 2_000_000_000)
        }
        let codes = clips.flatMap(\.codes)
        #expect(Clip.missing(codes) == 0 && zip(codes, codes.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try clips.map { try $0.sidecar()["ended"] } == ["split", "split", "request"])
        #expect(try clips.map { try $0.sidecar()["part"]?.int } == [1, 2, 3])
        #expect(try daemon.stop() == 0)
    }

    /// While nothing else is to be done, a closed clip becomes a plain MP4; a recording comes first.
    @Test func aClosedClipBecomesPlain() throws {
        let daemon = try TestDaemon.ready(VideoEndTests.small.replacing("[video]\n", with: "[video]\nfaststart = true\n"))
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        try watcher.wait { $0["cue"] == "recording" }
        Clock.sleep(until: Clock.now + .milliseconds(1200))
        let path = try #require(try daemon.ask("record", ["stop"])["path"]?.string)
        let before = try Clip(path, in: daemon.scratch)
        let size = try FileSystem.file(path)?.size
        // It has to be quiet for five seconds, and is not.
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        Clock.sleep(until: Clock.now + .seconds(6))
        #expect(try FileSystem.file(path)?.size == size)
        #expect(try daemon.ask("record", ["stop"])["ok"] == true)
        let limit = Clock.now + patience
        while try FileSystem.file(path)?.size == size {
            if Clock.now > limit { throw Late("a plain MP4") }
            Clock.sleep(until: Clock.now + .milliseconds(50))
        }
        let after = try Clip(path, in: daemon.scratch)
        after.check()
        #expect(after.codes == before.codes && after.packets.map(\.pts) == before.packets.map(\.pts))
        #expect(try daemon.stop() == 0)
        #expect(try MediaFiles.names(in: daemon.media).allSatisfy { !$0.contains("/.") })
    }

    @Test(arguments: [[SIGTERM], [SIGINT, SIGINT]]) func aSignalClosesTheClip(signals: [Int32]) throws {
        let daemon = try TestDaemon.ready(Self.video)
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        try watcher.wait { $0["cue"] == "recording" }
        for signal in signals {
            daemon.child.signal(signal)
            Clock.sleep(until: Clock.now + .milliseconds(50))
        }
        #expect(try daemon.child.exit() == 0, "\(daemon.child.errors)")
        let clips = try Clip.all(in: daemon.media, daemon.scratch)
        #expect(clips.count == 1 && MediaNames.of(daemon.scratch) == ["MOV_0001.JSON", "MOV_0001.MP4"])
        clips.first?.check()
        #expect(try clips.first?.sidecar()["ended"] == "stopping")
    }
}

enum MediaNames {
    /// Names below DCIM, hidden ones too, sorted.
    static func of(_ scratch: Scratch) -> [String] {
        ((try? MediaFiles.names(in: scratch.path + "/media")) ?? []).map { String($0.split(separator: "/").last ?? "") }.sorted()
    }
}
