// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Cards that are full, read-only and well again, all without a restart.
@Suite("Storage", .enabled(if: Programs.areThere && Mounted.isPossible, "mounting needs root"))
struct StorageTests {
    private func isState(_ state: String) -> (JSONValue) -> Bool {
        { $0["kind"] == "storage" && ($0["reason"] ?? $0["state"])?.string == state }
    }

    @Test func aFullCard() throws {
        let scratch = Scratch()
        let card = try Mounted(tmpfs: scratch.path + "/media", size: "8m")
        let daemon = try TestDaemon.ready(in: scratch)
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("capture")["ok"] == true)
        try card.fill()
        // The first one finds out, unless somebody has looked meanwhile; from then on they are refused before the exposure.
        let first = try daemon.ask("capture")
        #expect(["no-space", "storage-low"].contains(first["reason"]?.string), "\(first.line)")
        try watcher.wait(for: isState("storage-low"))
        let next = try daemon.ask("capture")
        #expect(next["error"] == "refused" && next["reason"] == "storage-low", "\(next.line)")
        #expect(next["message"]?.string?.contains(card.path) == true)
        let status = try daemon.ask("status")
        #expect(status["storage"]?["state"] == "storage-low" && status["ring"] == "storage-low", "\(status.line)")
        let names = try MediaFiles.names(in: daemon.media)
        #expect(names.allSatisfy { !$0.contains("/.") })

        card.free()
        try watcher.wait(for: isState("ok"))
        #expect(try daemon.ask("capture")["ok"] == true)
        #expect(try daemon.stop() == 0)
        #expect(try Photo.all(in: daemon.media).count == 2)
        withExtendedLifetime(card) {}
    }

    @Test func aCardThatTurnsReadOnly() throws {
        let scratch = Scratch()
        let card = try Mounted(tmpfs: scratch.path + "/media", size: "8m")
        let daemon = try TestDaemon.ready(in: scratch)
        try daemon.armed()
        let watcher = try daemon.watcher()
        #expect(try daemon.ask("capture")["ok"] == true)
        try card.remount("ro")
        let first = try daemon.control(["capture"])
        #expect([73, 75].contains(try first.exit()) && first.errors.contains("ead-only"), "\(first.errors)")
        try watcher.wait(for: isState("read-only"))
        let next = try daemon.ask("capture")
        #expect(next["error"] == "refused" && next["reason"] == "read-only", "\(next.line)")
        // What is there can still be had.
        #expect(try daemon.ask("list")["entries"]?.array?.count == 1)
        try card.remount("rw")
        try watcher.wait(for: isState("ok"))
        #expect(try daemon.ask("capture")["ok"] == true)
        #expect(try daemon.stop() == 0)
    }

    @Test func aReadOnlyStateFolder() throws {
        let scratch = Scratch()
        let state = try Mounted(tmpfs: scratch.path + "/state", size: "1m")
        let settings = TestDaemon.quick + """
            root = "\(scratch.path)/media"
            state = "\(state.path)"
            [control]
            socket = "\(scratch.path)/control.sock"
            """
        let daemon = try TestDaemon.ready(settings, in: scratch, isPlaced: false)
        try daemon.armed()
        #expect(try daemon.ask("mode", ["video"])["stored"] == true)
        try state.remount("ro")
        let changed = try daemon.ask("mode", ["photo"])
        #expect(changed["mode"] == "photo" && changed["stored"] == false, "\(changed.line)")
        #expect(try daemon.ask("status")["mode_stored"] == false)
        #expect(try daemon.ask("capture")["path"]?.string?.hasSuffix("IMG_0001.JPG") == true)
        let storage = try daemon.ask("status")["storage"]
        #expect(storage?["warning"]?.string?.contains("the photo counter is not stored") == true && storage?["message"] == .null, "\(storage?.line ?? "")")
        #expect(try daemon.stop() == 0)

        // S04: it starts all the same, in the last mode that is known, and names are not used again.
        let next = try TestDaemon.ready(settings, in: scratch, isPlaced: false)
        try next.armed()
        #expect(try next.ask("mode")["mode"] == "video")
        #expect(try next.ask("capture")["path"]?.string?.hasSuffix("IMG_0002.JPG") == true)
        #expect(try next.ask("mode", ["photo"])["stored"] == false)
        try state.remount("rw")
        #expect(try next.ask("mode", ["video"])["stored"] == true)
        #expect(try next.ask("capture")["ok"] == true)
        let status = try next.ask("status")
        #expect(status["mode_stored"] == true && status["storage"]?["warning"] == .null, "\(status.line)")
        #expect(try next.stop() == 0)
        withExtendedLifetime(state) {}
    }
}
