// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Files that cannot be used: one clear error, with the exit code that belongs to it.
@Suite("Files", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct FileTests {
    @Test func aTruncatedWaveform() throws {
        let scratch = Scratch()
        var wave = Wave()
        wave.toggle(us: [0, 50_000])
        let whole = String(decoding: try FileSystem.wholeFile(try wave.file(in: scratch)), as: UTF8.self)
        let end = try #require(whole.firstRange(of: "$enddefinitions")).lowerBound
        for cut in [String(whole[..<end]), String(whole.prefix(20)), "", whole + "#12x\n", whole + "1\n"] {
            let file = try scratch.write(cut, to: "cut.vcd")
            let daemon = try TestDaemon(in: scratch, arguments: ["--input", file, "--exit-at-end"])
            #expect(try daemon.child.exit() == 64, "\(daemon.child.errors)")
            #expect(daemon.child.errors.hasPrefix("shutterd: \(file):"), "\(daemon.child.errors)")
            #expect(daemon.child.errors.filter { $0 == "\n" }.count == 1)
        }
        let requests = try scratch.write("{\"t_us\": 5, \"verb\": \"mode\", \"args\": [\"video\"]}\n", to: "requests.jsonl")
        let unplayable = try TestDaemon(in: scratch, arguments: ["--input", requests])
        #expect(try unplayable.child.exit() == 64 && unplayable.child.errors.contains("shutterctl replay"), "\(unplayable.child.errors)")
        let missing = try TestDaemon(in: scratch, arguments: ["--input", "/nonexistent.vcd"])
        #expect(try missing.child.exit() == 74)
        #expect(missing.child.errors.contains("/nonexistent.vcd"))
    }

    static let tenFaults = """
        [buton]
        line = "GPIO17"
        [button.shutter]
        debounce = 30
        hold = "5ms"
        [shutter]
        mode = "fast"
        busy = "maybe"
        [ring]
        brightness = 1.5
        cuont = 24
        [camera]
        buffers = 1
        offset = "soon"
        [photo]
        quality = "good"
        """

    @Test func aConfigurationWithTenFaults() throws {
        let scratch = Scratch()
        let daemon = try TestDaemon(Self.tenFaults, in: scratch)
        #expect(try daemon.child.exit() == 78)
        let lines = daemon.child.errors.split(separator: "\n")
        #expect(lines.count >= 10, "\(daemon.child.errors)")
        let file = try scratch.write("board = \"simulated\"\n" + Self.tenFaults, to: "ten.toml")
        let check = try Child(Programs.control, ["config", "check", file, "--boards", Programs.boards], in: scratch)
        #expect(try check.exit() == 78)
        let listed = check.outputText.split(separator: "\n")
        #expect(listed.count == lines.count, "\(check.outputText)")
        // Both name the same places, a line further down in the second file.
        for line in listed { #expect(line.contains(#/ten\.toml:\d+:\d+: ./#), "\(line)") }
        for line in lines { #expect(line.contains(#/\.toml:\d+:\d+: ./#), "\(line)") }
    }

    /// What a package does at first; on a machine that is no known board.
    @Test func theFirstConfiguration() throws {
        let scratch = Scratch()
        let file = scratch.path + "/etc/shutterd/shutterd.toml"
        func make() throws -> Child { try Child(Programs.control, ["config", "init", file, "--boards", Programs.boards], in: scratch) }
        let made = try make()
        #expect(try made.exit() == 0)
        #expect(made.outputText.contains("next: shutterctl doctor"))
        let text = try FileSystem.wholeFile(file)
        #expect(String(decoding: text, as: UTF8.self).contains("board = \""))
        let check = try Child(Programs.control, ["config", "check", file, "--boards", Programs.boards], in: scratch)
        #expect(try check.exit() == 0, "\(check.outputText)")
        // A second time nothing is touched.
        let again = try make()
        #expect(try again.exit() == 73)
        #expect(again.errors.contains("is there already, and stays as it is"))
        #expect(try FileSystem.wholeFile(file) == text)
        #expect(try FileSystem.names(in: scratch.path + "/etc/shutterd") == ["shutterd.toml"])
        // A folder that is none.
        let nowhere = try Child(Programs.control, ["config", "init", file + "/x.toml", "--boards", Programs.boards], in: scratch)
        #expect(try nowhere.exit() == 73)
        #expect(nowhere.errors.contains("cannot be made"))
    }

    static let damagedStates = ["", "{", "{\"mode\": \"slow\"}", "\0\0\0\0", "{\"mo\0\0\": 1}", "[]", "{\"mode\": null}"]

    @Test(arguments: damagedStates.indices) func aDamagedState(_ row: Int) throws {
        let scratch = Scratch()
        try scratch.write(Self.damagedStates[row], to: "state.json")
        let daemon = try TestDaemon.ready(TestDaemon.quick + "[shutter]\nmode = \"video\"\n", in: scratch)
        #expect(try daemon.ask("mode")["mode"] == "video")
        #expect(daemon.child.errors.contains("state.json is damaged"))
        #expect(try FileSystem.wholeFile(scratch.path + "/state.json") == Array(Self.damagedStates[row].utf8))
        #expect(try daemon.ask("mode", ["photo"])["stored"] == true)
        #expect(try daemon.stop() == 0)
        let next = try TestDaemon.ready(TestDaemon.quick + "[shutter]\nmode = \"video\"\n", in: scratch)
        #expect(try next.ask("mode")["mode"] == "photo")
        #expect(!next.child.errors.contains("damaged"))
    }

    static let wrongWords: [(words: [String], code: Int32, says: String)] = [
        (["--bord", "simulated"], 64, "--board"),
        (["status"], 64, "shutterd takes options only"),
        (["--config", "/nonexistent.toml"], 78, "/nonexistent.toml"),
        (["--board", "none-such"], 78, "none-such"),
        (["--board", "simulated", "--data", "/proc/none"], 73, "/proc/none"),
        (["--board", "simulated", "--data", "/tmp/" + String(repeating: "x", count: 120)], 64, "107 bytes"),
    ]

    @Test(arguments: wrongWords.indices) func wrongWordsAreOneLine(_ row: Int) throws {
        let scratch = Scratch()
        let (words, code, says) = Self.wrongWords[row]
        let child = try Child(Programs.daemon, words, environment: ["HOME": scratch.path], in: scratch)
        #expect(try child.exit() == code, "\(child.errors)")
        #expect(child.errors.contains(says) && child.errors.hasPrefix("shutterd: "), "\(child.errors)")
        #expect(child.errors.filter { $0 == "\n" }.count == 1, "\(child.errors)")
    }
}
