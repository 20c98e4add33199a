// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Programs that a real daemon runs: what they are told, and what they cannot do to it.
@Suite("Hooks", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct HookTests {
    /// A shell script in the folder, and the settings that run it.
    private func hook(_ name: String, on event: String, _ script: String, timeout: String = "30s", in scratch: Scratch) throws -> String {
        let path = scratch.path + "/\(name).sh"
        try AtomicFile.replace(path, with: Array("#!/bin/sh\n\(script)\n".utf8))
        chmod(path, 0o755)
        return "[hooks.\(name)]\nevent = \"\(event)\"\nrun = [\"\(path)\", \"an argument; $(id)\"]\ntimeout = \"\(timeout)\"\n"
    }

    private func contents(_ path: String) -> String { String(decoding: (try? FileSystem.wholeFile(path)) ?? [], as: UTF8.self) }

    /// Waits until the file is there with its last line.
    private func lines(_ path: String, until last: String) throws -> [String] {
        let limit = Clock.now + patience
        while true {
            let text = contents(path)
            if text.hasSuffix(last + "\n") { return text.split(separator: "\n").map(String.init) }
            if Clock.now > limit { throw Late("\(last) in \(path): \(text)") }
            Clock.sleep(until: Clock.now + .milliseconds(5))
        }
    }

    private func counts(_ daemon: TestDaemon, until isMeant: (JSONValue) -> Bool) throws -> JSONValue {
        let limit = Clock.now + patience
        while true {
            let hooks = try #require(try daemon.ask("status")["hooks"])
            if isMeant(hooks) { return hooks }
            if Clock.now > limit { throw Late("the hooks: \(hooks.line)") }
            Clock.sleep(until: Clock.now + .milliseconds(5))
        }
    }

    @Test func factsAndNothingElse() throws {
        let scratch = Scratch()
        let out = scratch.path + "/told"
        // All variables, the arguments, open descriptors, the masks of signals, and the group.
        let settings = TestDaemon.quick + (try hook("facts", on: "photo-saved", """
            exec > \(out).part
            env; echo "ARGUMENTS=$#:$1"; echo "DESCRIPTORS=" /proc/$$/fd/*
            while read line; do case "$line" in Sig[BI]*) echo "$line";; esac; done < /proc/$$/status
            read line || echo INPUT=none; echo "said this" >&2; echo "and that" >&2; echo end
            mv \(out).part \(out)
            """, in: scratch))
        let daemon = try TestDaemon.ready(settings, in: scratch, environment: ["SECRET": "x", "TZ": "UTC"])
        try daemon.armed()
        let photo = try daemon.ask("capture")
        let told = try lines(out, until: "end")
        func value(_ name: String) -> String? { told.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) } }
        #expect(value("SHUTTERD_EVENT") == "photo-saved" && value("SHUTTERD_HOOK") == "facts" && value("SHUTTERD_MODE") == "photo")
        #expect(value("SHUTTERD_PATH") == photo["path"]?.string && value("SHUTTERD_NUMBER") == "0001")
        #expect(value("SHUTTERD_PATHS") == photo["path"]?.string && told.contains { $0.hasSuffix("IMG_0001.JSON") })
        #expect(value("SHUTTERD_PRESS_NS") == photo["press_ns"]?.int.map { "\($0)" } && value("SHUTTERD_LAG_US") != nil)
        #expect(value("ARGUMENTS") == "1:an argument; $(id)", "no shell looks at it")
        #expect(value("SECRET") == nil && value("NOTIFY_SOCKET") == nil && value("TZ") == "UTC" && value("PATH") != nil)
        #expect(value("INPUT") == "none")
        // The shell has its script open as 10, and the folder that it lists.
        let descriptors = (value("DESCRIPTORS") ?? "").split(separator: " ").compactMap { Int($0.split(separator: "/").last ?? "") }
        #expect(Set(descriptors).isSuperset(of: [0, 1, 2]) && descriptors.allSatisfy { $0 < 4 || $0 == 10 }, "\(descriptors)")
        // Two signals are the C library's own.
        let masks = told.filter { $0.hasPrefix("Sig") }
        #expect(masks.count == 2 && masks.allSatisfy { $0.hasSuffix("0000000000000000") || $0.hasSuffix("0000000180000000") }, "\(masks)")
        try daemon.child.waitForError("hook facts: and that")
        #expect(daemon.child.errors.contains("hook facts: said this"))
        #expect(try counts(daemon) { $0["done"] == 1 }["failed"] == 0)
        #expect(try daemon.stop() == 0)
    }

    @Test func everyEvent() throws {
        let scratch = Scratch()
        let out = scratch.path + "/events"
        var settings = TestDaemon.quick + "[video]\nencoder = \"mjpeg\"\nsize = \"320x180\"\n"
        for (index, event) in ["photo-saved", "clip-saved", "recording-started", "recording-stopped", "mode-changed", "drive-changed", "fault"].enumerated() {
            settings += try hook("h\(index)", on: event, "echo \"$SHUTTERD_EVENT $SHUTTERD_MODE $SHUTTERD_REASON $SHUTTERD_SETTING\" >> \(out)", in: scratch)
        }
        let daemon = try TestDaemon.ready(settings, in: scratch)
        try daemon.armed()
        _ = try daemon.ask("capture")
        _ = try lines(out, until: "photo-saved photo  ")
        _ = try daemon.ask("record", ["start"])
        _ = try lines(out, until: "recording-started photo  ")
        _ = try daemon.ask("record", ["stop"])
        _ = try counts(daemon) { $0["done"] == 4 }
        _ = try daemon.ask("drive", ["timer", "3s"])
        _ = try lines(out, until: "drive-changed photo  timer 3s")
        _ = try daemon.ask("mode", ["video"])
        _ = try lines(out, until: "mode-changed video  ")
        _ = try daemon.ask("camera", ["release"])
        _ = try lines(out, until: "fault video lent ")
        let told = contents(out).split(separator: "\n")
        #expect(told.contains("recording-stopped photo request ") && told.contains("clip-saved photo  "), "\(told)")
        #expect(try daemon.stop() == 0)
    }

    /// Two at once, a bounded queue, and what is left out is counted; the shutter does not notice.
    @Test func stormsAreBounded() throws {
        let scratch = Scratch()
        let gate = scratch.path + "/go"
        let settings = TestDaemon.quick + (try hook("slow", on: "mode-changed", "while [ ! -e \(gate) ]; do sleep 0.05; done", in: scratch))
        let daemon = try TestDaemon.ready(settings, in: scratch)
        try daemon.armed()
        for _ in 0..<50 { #expect(try daemon.ask("mode", ["toggle"])["ok"] == true) }
        let full = try counts(daemon) { $0["running"] == 2 }
        #expect(full["waiting"] == 32 && full["dropped"] == 16 && full["done"] == 0, "\(full.line)")
        try daemon.child.waitForError("hook slow was left out")
        #expect(try Photo(try #require(try daemon.ask("capture")["path"]?.string)).lag.magnitude <= 16_667)
        try AtomicFile.replace(gate, with: [])
        #expect(try counts(daemon) { $0["done"] == 34 }["failed"] == 0)
        #expect(try daemon.stop() == 0)
    }

    /// A program that takes too long is told to end, and killed with all it has started; one that writes without end loses its pipe.
    @Test func badPrograms() throws {
        let scratch = Scratch()
        let settings = TestDaemon.quick
            + (try hook("deaf", on: "drive-changed", "trap '' TERM; sleep 1000 & echo $! > \(scratch.path)/grandchild; while :; do sleep 1000; done", timeout: "300ms", in: scratch))
            + (try hook("polite", on: "drive-changed", "trap 'echo goodbye; exit 0' TERM; while :; do sleep 0.05; done", timeout: "300ms", in: scratch))
            + (try hook("loud", on: "mode-changed", "exec yes", in: scratch))
            + (try hook("wrong", on: "mode-changed", "exit 3", in: scratch))
        let daemon = try TestDaemon.ready(settings, in: scratch)
        try daemon.armed()
        _ = try daemon.ask("drive", ["burst"])
        #expect(try counts(daemon) { $0["failed"] == 2 && $0["running"] == 0 }["done"] == 0)
        #expect(daemon.child.errors.contains("hook deaf took longer than its time") && daemon.child.errors.contains("hook polite: goodbye"))
        let grandchild = try #require(pid_t(contents(scratch.path + "/grandchild").split(separator: "\n").first ?? ""))
        let limit = Clock.now + patience
        while kill(grandchild, 0) == 0, Clock.now < limit, !contents("/proc/\(grandchild)/stat").contains(" Z ") { Clock.sleep(until: Clock.now + .milliseconds(5)) }
        #expect(kill(grandchild, 0) != 0 || contents("/proc/\(grandchild)/stat").contains(" Z "), "it ends with its group")
        _ = try daemon.ask("mode", ["video"])
        #expect(try counts(daemon) { $0["failed"] == 4 && $0["running"] == 0 }["done"] == 0)
        #expect(daemon.child.errors.contains("hook loud writes too much") && daemon.child.errors.contains("wrong.sh ended with 3"))
        #expect(try daemon.ask("capture")["path"] != nil)
        #expect(try daemon.stop() == 0)
    }

    /// The last photo's hook is still run, and one that does not end does not keep the daemon.
    @Test func theStopWaitsALittle() throws {
        let scratch = Scratch()
        let out = scratch.path + "/after"
        let settings = TestDaemon.quick + "[simulation]\nrate = 1\n" + (try hook("copy", on: "photo-saved", "sleep 0.3; echo \"$SHUTTERD_NUMBER\" > \(out)", in: scratch))
            + (try hook("endless", on: "mode-changed", "sleep 1000", in: scratch))
        let daemon = try TestDaemon.ready(settings, in: scratch)
        try daemon.armed()
        let watcher = try daemon.watcher()
        _ = try daemon.ask("mode", ["video"])
        let client = try daemon.client()
        try client.send("capture")
        try watcher.wait(for: "capture")
        #expect(try daemon.stop() == 0)
        #expect(contents(out) == "0001\n")
        #expect(daemon.child.errors.contains("stopped"))
    }

    @Test func whatCannotBeRunIsAWarning() throws {
        let scratch = Scratch()
        let file = try scratch.write("""
            board = "simulated"
            [hooks.gone]
            event = "fault"
            run = ["/usr/bin/no-such-program"]
            [hooks.folder]
            event = "fault"
            run = ["/usr"]
            [hooks.text]
            event = "fault"
            run = ["/etc/passwd"]

            """, to: "hooks.toml")
        let check = try Child(Programs.control, ["config", "check", file, "--boards", Programs.boards], in: scratch)
        #expect(try check.exit() == 0)
        let said = check.outputText + check.errors
        for warning in [
            ":4:7: hooks.gone.run cannot be run: /usr/bin/no-such-program cannot be found: No such file or directory",
            ":7:7: hooks.folder.run cannot be run: /usr is no file", ":10:7: hooks.text.run cannot be run: /etc/passwd may not be executed",
        ] { #expect(said.contains(warning), "\(said)") }
        let shell = try scratch.write("board = \"simulated\"\n[hooks.shell]\nevent = \"fault\"\nrun = \"/bin/true; reboot\"\n", to: "shell.toml")
        let second = try Child(Programs.control, ["config", "check", shell, "--boards", Programs.boards], in: scratch)
        #expect(try second.exit() == 78)
        #expect((second.outputText + second.errors).contains(":4:7: run = \"/bin/true; reboot\" must be an array of texts, not a string"))
    }

    /// A disk that is not mounted yet is no reason to take no photos.
    @Test func aProgramThatIsNotThereCostsNoPhoto() throws {
        let daemon = try TestDaemon.ready(TestDaemon.quick + "[hooks.gone]\nevent = \"photo-saved\"\nrun = [\"/media/stick/upload\"]\n")
        try daemon.armed()
        #expect(try daemon.ask("capture")["ok"] == true)
        #expect(try counts(daemon) { $0["failed"] == 1 }["done"] == 0)
        #expect(try daemon.ask("capture")["ok"] == true)
    }
}
