// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Clips with sound of the real daemon, from the sound card of Tests/FakeSound. What is in step with what is looked at in
/// RecorderTests.
@Suite("Sound of the daemon", .serialized, .enabled(if: Programs.areThere && Programs.hasFakeSound && Clip.areProgramsThere, "shutterd was not built beside the tests, or ffmpeg is missing"))
struct DaemonSoundTests {
    private static let settings = VideoEndTests.small.replacing("[video]\n", with: "[video]\naudio = \"card\"\n")

    private func daemon(_ card: String, _ settings: String = settings, in scratch: Scratch = Scratch()) throws -> TestDaemon {
        let path = scratch.path + "/alsa.conf"
        try AtomicFile.replace(path, with: Array("pcm_type.fake { lib \"\(Programs.fakeSound)\" }\npcm.card { type fake \(card) }\n".utf8))
        let daemon = try TestDaemon.ready(settings, in: scratch, environment: ["ALSA_CONFIG_PATH": path])
        try daemon.armed()
        return daemon
    }

    private func wait(_ daemon: TestDaemon, for state: String) throws {
        let limit = Clock.now + patience
        while try daemon.ask("status")["video"]?["audio"]?["state"]?.string != state {
            if Clock.now > limit { throw Late("sound that is \(state): \(try daemon.ask("status").line)") }
            Clock.sleep(until: Clock.now + .milliseconds(20))
        }
    }

    /// Codec and length of the sound, seconds.
    private func sound(_ path: String, in scratch: Scratch) throws -> (codec: String, end: Double) {
        let probe = try Child("ffprobe", ["-v", "error", "-select_streams", "a", "-show_streams", "-show_entries", "packet=pts_time,duration_time", "-of", "json", path], in: scratch)
        guard try probe.exit() == 0, probe.errors.isEmpty else { throw Late("a sound \(path): \(probe.errors)") }
        let facts = try JSONValue(parsing: probe.outputText)
        let last = facts["packets"]?.array?.last
        let numbers = ["pts_time", "duration_time"].map { last?[$0]?.string.flatMap { Double($0) } ?? 0 }
        return (facts["streams"]?.array?.first?["codec_name"]?.string ?? "", numbers[0] + numbers[1])
    }

    @Test func listensOnlyWhenAClipIsLikely() throws {
        let daemon = try daemon("")
        try wait(daemon, for: "running")
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        try watcher.wait { $0["cue"] == "recording" }
        Clock.sleep(until: Clock.now + .seconds(2))
        let path = try #require(try daemon.ask("record", ["stop"])["path"]?.string)
        let clip = try Clip(path, in: daemon.scratch)
        clip.check()
        let (codec, end) = try sound(path, in: daemon.scratch)
        #expect(codec == "aac" && abs(end - Double(clip.packets.last!.pts) / 1e9) < 0.07)
        #expect(try clip.sidecar()["audio_padded"] == 0 && clip.sidecar()["audio_fault"] == nil)
        #expect(try daemon.ask("mode", ["photo"])["ok"] == true)
        try wait(daemon, for: "idle")
        #expect(try daemon.stop() == 0)
    }

    /// The daemon starts, says what is missing once, and records without.
    @Test func withoutACard() throws {
        let daemon = try daemon("busy 1")
        try wait(daemon, for: "failed")
        #expect(try daemon.ask("status")["video"]?["audio"]?["reason"] == "sound-busy")
        #expect(try daemon.ask("record", ["start"])["ok"] == true)
        Clock.sleep(until: Clock.now + .milliseconds(1500))
        let path = try #require(try daemon.ask("record", ["stop"])["path"]?.string)
        let clip = try Clip(path, in: daemon.scratch)
        clip.check()
        #expect(try clip.sidecar()["audio_fault"]?.string?.contains("cannot be opened") == true)
        #expect(try daemon.stop() == 0)
        #expect(daemon.child.errors.components(of: "clips have no sound") == 1, "\(daemon.child.errors)")
    }

    /// C19, with both tracks.
    @Test func killedWithSound() throws {
        let scratch = Scratch()
        var dice = Dice(7)
        var judged: Set<String> = []
        for _ in 0..<max(4, VideoEndTests.kills / 4) {
            let daemon = try daemon("", in: scratch)
            let watcher = try daemon.watcher()
            #expect(try daemon.ask("record", ["start"])["ok"] == true)
            try watcher.wait { $0["cue"] == "recording" }
            Clock.sleep(until: Clock.now + .milliseconds(Int64.random(in: 800...2500, using: &dice)))
            let death = Clock.now.nanoseconds
            daemon.child.signal(SIGKILL)
            try daemon.child.exit()
            let next = try TestDaemon.ready(VideoEndTests.small, in: scratch)
            #expect(try next.stop() == 0)
            #expect(try MediaFiles.names(in: next.media).allSatisfy { !$0.contains("/.") })
            for path in try MediaFiles.names(in: next.media) where path.hasSuffix("MP4") && judged.insert(path).inserted {
                let clip = try Clip(path, in: scratch)
                clip.check(keysEvery: nil)
                let last = clip.codes.last ?? 0
                #expect(death - last <= 1_000_000_000, "\(death - last) ns are missing")
                let (codec, end) = try sound(path, in: scratch)
                #expect(codec == "aac" && abs(end - Double(last - clip.codes[0]) / 1e9) < 0.25, "\(path): sound ends at \(end)")
            }
        }
        #expect(judged.count >= 4)
    }
}

extension String {
    /// How often it is in here.
    fileprivate func components(of part: String) -> Int { split(separator: "\n").count { $0.contains(part) } }
}
