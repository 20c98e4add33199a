// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// FFmpeg is in memory only once video is likely, and may be missing altogether.
@Suite("Video plugin", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct VideoPluginTests {
    private static let quick = TestDaemon.quick + "[video]\nsize = \"640x360\"\n"

    /// Whether the process has FFmpeg in memory: proc_pid_maps(5).
    private func hasFFmpeg(_ daemon: TestDaemon) throws -> Bool {
        String(decoding: try FileSystem.wholeFile("/proc/\(daemon.child.pid)/maps", atMost: 4 << 20), as: UTF8.self).contains("/libavcodec.so")
    }

    private func waitForFFmpeg(_ daemon: TestDaemon) throws {
        let limit = Clock.now + patience
        while try !hasFFmpeg(daemon) {
            if Clock.now > limit { throw Late("FFmpeg") }
            Clock.sleep(until: Clock.now + .milliseconds(5))
        }
    }

    /// Which encoder there is, or that there is none, is known a moment after the camera is ready.
    private func armed(_ daemon: TestDaemon) throws -> JSONValue {
        try daemon.armed()
        let limit = Clock.now + patience
        while true {
            let video = try daemon.ask("status")["video"] ?? .null
            if video["encoder"] != .null || video["message"] != .null { return video }
            if Clock.now > limit { throw Late("the encoder") }
            Clock.sleep(until: Clock.now + .milliseconds(5))
        }
    }

    @Test func photosDoWithout() throws {
        let daemon = try TestDaemon.ready(Self.quick)
        #expect(try armed(daemon)["encoder"] == "libx264")
        #expect(try daemon.ask("capture")["ok"] == true)
        #expect(try daemon.ask("last", ["--thumbnail"])["ok"] == true)
        #expect(try !hasFFmpeg(daemon))
        // The next press may begin a clip.
        #expect(try daemon.ask("mode", ["video"])["ok"] == true)
        try waitForFFmpeg(daemon)
    }

    /// While it may still become a clip, and before it has.
    @Test func aPressThatMayRecordLoadsIt() throws {
        let daemon = try TestDaemon.ready(Self.quick.replacing("hold = \"none\"", with: "hold = \"record\""))
        _ = try armed(daemon)
        #expect(try !hasFFmpeg(daemon))
        #expect(try daemon.ask("press")["ok"] == true)
        try waitForFFmpeg(daemon)
        #expect(try daemon.ask("release")["ok"] == true)
    }

    @Test func withoutItPhotosAreTaken() throws {
        let scratch = Scratch()
        // The plugin stands beside the program that was built, and not beside this one.
        let program = scratch.path + "/bin/shutterd"
        try Shell.run("mkdir '\(scratch.path)/bin' && cp '\(Programs.daemon)' '\(program)'")
        let daemon = try TestDaemon.ready(Self.quick, in: scratch, program: program)
        let video = try armed(daemon)
        #expect(try daemon.ask("capture")["ok"] == true)
        let refused = try daemon.ask("record", ["start"])
        #expect(refused["error"] == "refused" && refused["reason"] == "no-encoder", "\(refused.line)")
        let message = refused["message"]?.string ?? ""
        #expect(message.contains("/bin/libshutter-video.so") && message.hasSuffix("; install shutterd and the libraries it depends on again"), "\(message)")
        #expect(video["encoder"] == .null && video["message"]?.string == message)
        let asked = try Child(program, ["--board", "simulated", "--boards", Programs.boards, "--encoder"], environment: ["HOME": scratch.path], in: scratch)
        #expect(try asked.exit() == 69 && asked.errors == "shutterd: \(message)\n", "\(asked.errors)")
    }

    @Test(arguments: [("auto", "libx264"), ("mjpeg", "mjpeg")]) func theEncoderIsTold(_ wanted: String, _ name: String) throws {
        let scratch = Scratch()
        try scratch.write("board = \"simulated\"\n[video]\nencoder = \"\(wanted)\"\n", to: "shutterd.toml")
        let asked = try Child(
            Programs.daemon, ["--boards", Programs.boards, "--config", scratch.path + "/shutterd.toml", "--encoder"], environment: ["HOME": scratch.path], in: scratch)
        #expect(try asked.exit() == 0 && asked.outputText == name + "\n", "\(asked.outputText) \(asked.errors)")
    }
}
