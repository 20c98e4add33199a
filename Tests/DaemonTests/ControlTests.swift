// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Every verb, by `shutterctl` and by hand, against a daemon that runs.
@Suite("Control", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct ControlTests {
    /// In this order, with two photos there. `says`: part of what is printed, or of what is said on stderr. A clip's number is taken
    /// with its first packet, so that a photo during it may have the one before or the one after.
    static let verbs: [(words: [String], code: Int32, says: String)] = [
        (["status"], 0, "presses.saved:"), (["mode"], 0, "photo\n"), (["mode", "video"], 0, "video\n"), (["capture"], 0, "IMG_0003.JPG\n"),
        (["tap"], 0, ""), (["mode", "toggle"], 75, "being recorded"), (["capture"], 0, ".JPG\n"), (["press"], 0, ""), (["release"], 0, ""),
        (["record", "start"], 0, ""), (["record", "start"], 75, "being recorded"), (["record", "stop"], 0, "MOV_0006.MP4\n"), (["record", "stop"], 75, "no clip"),
        (["mode", "toggle"], 0, "photo\n"), (["tap"], 0, "IMG_0007.JPG\n"), (["press"], 0, ""), (["press"], 75, "being pressed"),
        (["release"], 0, ""), (["release"], 75, "not being pressed"), (["last"], 0, "/DCIM/100SHUTR/IMG_000"), (["list"], 0, "IMG_0002.JPG\n"),
        (["get", "IMG_0001.JSON"], 0, "\"press_ns\""), (["get", "IMG_9999.JPG"], 64, "IMG_9999.JPG"), (["get", "../state.json"], 64, "state.json"),
        (["camera", "release"], 0, ""), (["tap"], 69, "shutterctl camera take"), (["camera", "take"], 0, ""),
        (["controls"], 0, "zoom  1  1 to 4 by 0.1\n"), (["set", "zoom", "2"], 0, "2\n"), (["set", "zoom", "far"], 64, "takes a number"), (["drive"], 0, "single\n"),
        (["lag"], 0, "photos, in ms\n"), (["config", "reload"], 0, "nothing in it has changed"), (["config", "check"], 78, "board"), (["config", "show"], 78, "board"),
        (["replay", "/nonexistent.vcd"], 74, "/nonexistent.vcd"), (["explode"], 64, "explode"), (["mode", "fast"], 64, "fast"),
    ]

    @Test func everyVerb() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        for _ in 0..<2 { #expect(try daemon.ask("capture")["ok"] == true) }
        for (words, code, says) in Self.verbs {
            let human = try daemon.control(words)
            #expect(try human.exit() == code, "\(words): \(human.errors)")
            #expect((human.outputText + human.errors).contains(says) || says.isEmpty, "\(words): \(human.outputText)\(human.errors)")
            #expect(human.errors.filter { $0 == "\n" }.count == (code == 0 ? 0 : 1), "\(words): \(human.errors)")
        }
        let names = Set(Self.verbs.map { $0.words.joined(separator: " ") }.flatMap { [$0, String($0.prefix { $0 != " " })] })
        // These have tests of their own.
        let others = ["watch", "preview", "doctor", "button test", "button record", "led test", "led off", "config init", "completion", "man", "ssh-gate", "ssh-setup"]
        for verb in VerbTable.verbs where !others.contains(verb.name) { #expect(names.contains(verb.name), "\(verb.name) is not tested") }
        #expect(try daemon.stop() == 0)
    }

    @Test func everyVerbAsJSON() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        for _ in 0..<2 { #expect(try daemon.ask("capture")["ok"] == true) }
        for (words, code, _) in Self.verbs where words[0] != "explode" && words != ["mode", "fast"] && words.last != "../state.json" {
            let child = try daemon.control(words + ["--json"])
            #expect(try child.exit() == code, "\(words): \(child.errors)")
            let lines = child.outputText.split(separator: "\n")
            #expect(lines.count == 1, "\(words): \(child.outputText)")
            let reply = try JSONValue(parsing: String(lines.first ?? ""))
            #expect(reply["ok"]?.bool == (code == 0), "\(words): \(reply.line)")
            if code != 0 { #expect(ErrorWord(rawValue: reply["error"]?.string ?? "")?.exitCode == code, "\(words): \(reply.line)") }
        }
        #expect(try daemon.stop() == 0)
    }

    @Test func filesAndThumbnailsComeOutAsTheyAre() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let path = try #require(try daemon.ask("capture")["path"]?.string)
        #expect(try daemon.control(["get", "IMG_0001.JPG"]).output == FileSystem.wholeFile(path))
        let thumbnail = try #require(JPEG.decode(try daemon.control(["last", "--thumbnail"]).output))
        #expect(thumbnail.width == 320 && thumbnail.height == 180)
        let coded = try daemon.ask("last", ["--thumbnail"])
        #expect(JPEG.decode(Array(Data(base64Encoded: coded["thumbnail"]?.string ?? "") ?? Data())) != nil)
        let empty = try TestDaemon.ready()
        #expect(try empty.control(["last"]).exit() == 75)
        #expect(try empty.control(["list"]).outputText.isEmpty)
        #expect(try empty.ask("list")["entries"] == [])
    }

    @Test func watchIsForPeopleAndPrograms() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        // Each ends when the daemon does.
        let watchers = try [[], ["--json"]].map {
            try Child(Programs.control, ["watch", "--socket", daemon.socket] + $0, environment: ["HOME": daemon.scratch.path], in: daemon.scratch)
        }
        while watchers.contains(where: { !$0.outputText.contains("capture") }) { #expect(try daemon.ask("capture")["ok"] == true) }
        #expect(try daemon.stop() == 0)
        for watcher in watchers { #expect(try watcher.exit() == 69 && watcher.errors.contains("shutterd ended")) }
        #expect(watchers[0].outputText.contains(" s  capture id="))
        let lines = try watchers[1].outputText.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(lines.dropLast().allSatisfy { $0["kind"] != nil } && lines.last?["error"] == "unavailable")
    }

    /// A request for a photo is answered whatever becomes of it.
    @Test func aCancelledTapIsAnswered() throws {
        let settings = """
            [button.shutter]
            double = "2s"
            [gestures.photo]
            hold = "none"
            double = "toggle-mode"
            [photo]
            size = "640x360"
            """
        for isStopped in [false, true] {
            let daemon = try TestDaemon.ready(settings)
            try daemon.armed()
            let watcher = try daemon.watcher()
            let tapper = try daemon.client()
            try tapper.send("tap")
            try watcher.wait { $0["cue"] == "pressed" }
            if isStopped {
                daemon.child.signal(SIGTERM)
            } else {
                #expect(try daemon.ask("mode", ["video"])["mode"] == "video")
            }
            let answer = try tapper.value()
            #expect(answer["error"] == "refused" && answer["reason"] == "cancelled", "\(answer.line)")
            #expect(try daemon.stop() == 0)
        }
    }

    @Test(.enabled(if: geteuid() == 0 && Shell.succeeds("setpriv --version"), "changing the user needs root and setpriv"))
    func othersAreRefused() throws {
        let scratch = Scratch()
        chmod(scratch.path, 0o755)
        let daemon = try TestDaemon.ready(TestDaemon.quick + "[control]\ngroup = \"users\"\n", in: scratch)
        let nobody = ["setpriv", "--reuid=65534", "--regid=65534"]
        for words in [["status"], ["mode", "video"], ["watch"]] {
            let refused = try daemon.control(words, through: nobody + ["--clear-groups"])
            #expect(try refused.exit() == 77, "\(refused.errors)")
            #expect(refused.errors.contains("not in group users") && refused.errors.contains("usermod"), "\(refused.errors)")
        }
        var facts = stat()
        #expect(stat(daemon.socket, &facts) == 0 && facts.st_mode & 0o7777 == 0o660 && facts.st_gid == groupNumber("users"))
        let doctor = try daemon.control(["doctor", "--boards", Programs.boards], through: nobody + ["--clear-groups"])
        #expect(doctor.outputText.contains("is not in group users, which may control the camera"), "\(doctor.outputText)")
        let member = try daemon.control(["mode"], through: nobody + ["--groups=users"])
        #expect(try member.exit() == 0 && member.outputText == "photo\n", "\(member.errors)")
        #expect(try daemon.ask("status")["mode"] == "photo")
        let alone = try TestDaemon.ready(in: { let other = Scratch(); chmod(other.path, 0o755); return other }())
        #expect(stat(alone.socket, &facts) == 0 && facts.st_mode & 0o7777 == 0o600)
        let refused = try alone.control(["status"], through: nobody + ["--clear-groups"])
        #expect(try refused.exit() == 77 && refused.errors.contains("set group in [control]"), "\(refused.errors)")
    }
}
