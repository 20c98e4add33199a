// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Field cases N02 and N03 while the daemon runs.
@Suite("Reload", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct ReloadTests {
    /// The configuration's file of a daemon, relative to its folder.
    private func config(of daemon: TestDaemon) throws -> String {
        try #require(try FileSystem.names(in: daemon.scratch.path).first { $0.hasSuffix(".toml") })
    }

    private func words(_ answer: JSONValue, _ key: String) -> [String] { answer[key]?.array?.compactMap(\.string) ?? [] }

    @Test func aFaultyFileChangesNothing() throws {
        let daemon = try TestDaemon.ready()
        daemon.child.signal(SIGHUP)
        try daemon.child.waitForError("nothing in it has changed")
        let config = try config(of: daemon)
        try daemon.scratch.write("[ring]\ncuont = 24\nbrightness = 7\n[photo]\nquality = 10\n", to: config)
        daemon.child.signal(SIGHUP)
        try daemon.child.waitForError("\(config):2:1: unknown key \"cuont\"")
        try daemon.child.waitForError("\(config):3:14: brightness = 7 is out of range")
        let refused = try daemon.ask("reload")
        #expect(refused["error"] == "configuration" && refused["message"]?.string?.contains("cuont") == true, "\(refused.line)")
        // What runs is as it was, and a good file is taken after a bad one.
        try daemon.scratch.write(TestDaemon.quick, to: config)
        let same = try daemon.ask("reload")
        #expect(same["ok"] == true && words(same, "applied").isEmpty && words(same, "restart").isEmpty, "\(same.line)")
        unlink(daemon.scratch.path + "/" + config)
        #expect(try daemon.ask("reload")["error"] == "configuration")
        #expect(try daemon.stop() == 0)
    }

    @Test func whatCanChangeDoesAndTheRestIsNamed() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let watcher = try daemon.watcher()
        let before = try photo(by: daemon)
        #expect(before.sidecar)
        let config = try config(of: daemon)
        try daemon.scratch.write("""
            [button.shutter]
            debounce = "40ms"
            hold = "700ms"
            [gestures.photo]
            hold = "burst"
            [shutter]
            busy = "ignore"
            [drive]
            burst_rate = 20
            [photo]
            size = "640x480"
            quality = 5
            sidecar = false
            [ring]
            brightness = 0.9
            theme = "keyframe"
            reduce_motion = true
            count = 12
            [storage]
            reserve = "2MB"

            """, to: config)
        let answer = try daemon.ask("reload")
        #expect(words(answer, "applied") == [
            "button.shutter.debounce", "button.shutter.hold", "gestures.photo.hold", "shutter.busy", "drive.burst_rate", "ring.brightness",
            "ring.theme", "ring.reduce_motion", "photo.quality", "photo.sidecar", "storage.reserve",
        ], "\(answer.line)")
        #expect(words(answer, "restart") == ["ring.count", "photo.size"])
        #expect(answer["message"]?.string?.hasSuffix("after a restart of shutterd: ring.count, photo.size") == true)
        let told = try #require(try watcher.wait { $0["kind"] == "config" })
        #expect(told["restart"] == answer["restart"])
        try daemon.child.waitForError("after a restart of shutterd: ring.count, photo.size")

        let after = try photo(by: daemon)
        #expect(!after.sidecar && after.size < before.size * 3 / 4, "\(before) \(after)")
        #expect(try daemon.ask("status")["camera"]?["size"] == "640x360")
        // The hold is bound to a burst now.
        #expect(try daemon.ask("press")["ok"] == true)
        try watcher.wait(for: "hold")
        try watcher.wait(for: "capture", count: 2)
        #expect(try daemon.ask("release")["ok"] == true)
        // What is asked for a second time is no news, but still waits for the restart.
        let again = try daemon.ask("reload")
        #expect(words(again, "applied").isEmpty && words(again, "restart") == ["ring.count", "photo.size"], "\(again.line)")
        let printed = try daemon.control(["config", "reload"])
        #expect(printed.outputText == "nothing changes now; after a restart of shutterd: ring.count, photo.size\n")
        #expect(try daemon.stop() == 0)
    }

    /// What a start begins with waits for the next one, and is nothing any more once it was set with a command.
    @Test func whatAStartBeginsWith() throws {
        let scratch = Scratch()
        let first = try TestDaemon.ready(TestDaemon.quick, in: scratch)
        #expect(try first.ask("mode", ["video"])["ok"] == true)
        let timer = TestDaemon.quick + "[drive]\nmode = \"timer\"\ntimer = \"3s\"\n"
        try AtomicFile.replace(first.config, with: Array(timer.utf8))
        let waiting = try first.ask("reload")
        #expect(words(waiting, "restart") == ["drive.mode", "drive.timer"] && words(waiting, "applied").isEmpty, "\(waiting.line)")
        #expect(try first.ask("drive")["setting"] == "single")
        #expect(try first.stop() == 0)

        let second = try TestDaemon.ready(timer, in: scratch)
        #expect(try second.ask("drive")["setting"] == "timer 3s", "a change of the mode is none of the drive")
        #expect(try second.ask("drive", ["timer", "5s"])["ok"] == true)
        try AtomicFile.replace(second.config, with: Array((TestDaemon.quick + "[drive]\ntimer = \"4s\"\n[shutter]\nmode = \"video\"\n").utf8))
        let overruled = try second.ask("reload")
        #expect(words(overruled, "restart").isEmpty && words(overruled, "overruled") == ["shutter.mode", "drive.mode", "drive.timer"], "\(overruled.line)")
        #expect(overruled["message"]?.string == "nothing changes now; overruled by what was set with shutterctl: shutter.mode, drive.mode, drive.timer")
        #expect(try second.stop() == 0)
    }

    /// Two writers and a reader, field case N02: no torn file is ever taken, and the last one counts.
    @Test func twoWritersWhileItReloads() throws {
        let daemon = try TestDaemon.ready()
        let config = try config(of: daemon)
        let clients = try (0..<2).map { _ in try daemon.client() }
        for round in 0..<100 {
            try daemon.scratch.write(TestDaemon.quick + "[ring]\nbrightness = 0.\(round % 9 + 1)\n", to: config)
            for client in clients { try client.send("reload") }
            _ = try daemon.ask("mode", ["toggle"])
            for client in clients { #expect(try client.value()["ok"] == true) }
        }
        #expect(try daemon.ask("mode")["mode"] == "photo")
        #expect(try daemon.stop() == 0)
    }

    /// Debouncing with the old time goes on while the new one comes in.
    @Test func aPressIsNotLostByIt() throws {
        let scratch = Scratch()
        var wave = Wave()
        for press in 0..<40 {
            wave.set(pressed: true, at: Int64(press) * 100_000_000)
            wave.set(pressed: false, at: Int64(press) * 100_000_000 + 50_000_000)
        }
        let daemon = try TestDaemon.ready(in: scratch, arguments: ["--input", wave.file(in: scratch)])
        let watcher = try daemon.watcher()
        let config = try config(of: daemon)
        for round in 0..<10 {
            let time = round % 2 == 0 ? "8ms" : "5ms"
            try scratch.write(TestDaemon.quick.replacing("\"5ms\"", with: "\"\(time)\""), to: config)
            #expect(try daemon.ask("reload")["ok"] == true)
            try watcher.wait(for: "release", count: 4)
        }
        #expect(try daemon.stop() == 0)
        try watcher.readToEnd()
        #expect(watcher.events("press").count == 40 && watcher.events("release").count == 40)
    }

    private func photo(by daemon: TestDaemon) throws -> (size: Int, sidecar: Bool) {
        let answer = try daemon.ask("capture")
        let path = try #require(answer["path"]?.string, "\(answer.line)")
        return (try FileSystem.wholeFile(path).count, access(String(path.dropLast(3)) + "JSON", F_OK) == 0)
    }
}
