// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// shutterctl itself, against a daemon that says what the table says.
@Suite(.enabled(if: Program.path != nil, "shutterctl was not built beside the tests"), .serialized)
struct ProgramTests {
    static let answered: [(words: String, request: String, answer: String, output: String, errors: String, code: Int32)] = [
        ("mode", #"{"args":[],"verb":"mode"}"#, #"{"ok":true,"mode":"photo"}"#, "photo\n", "", 0),
        ("mode video --json", #"{"args":["video"],"verb":"mode"}"#, #"{"ok":true,"mode":"video"}"#, #"{"ok":true,"mode":"video"}"# + "\n", "", 0),
        ("mode video", #"{"args":["video"],"verb":"mode"}"#, #"{"ok":false,"error":"refused","reason":"recording","message":"it is recording:\nstop first"}"#, "", "shutterctl: it is recording: stop first\n", 75),
        ("mode video --json", #"{"args":["video"],"verb":"mode"}"#, #"{"ok":false,"error":"refused","reason":"recording","message":"no"}"#, #"{"error":"refused","message":"no","ok":false,"reason":"recording"}"# + "\n", "shutterctl: no\n", 75),
        ("tap", #"{"args":[],"verb":"tap"}"#, #"{"ok":false,"error":"not-permitted","reason":"peer","message":"no"}"#, "", "shutterctl: no\n", 77),
        ("capture", #"{"args":[],"verb":"capture"}"#, #"{"ok":true,"path":"/m/IMG_0001.JPG"}"#, "/m/IMG_0001.JPG\n", "", 0),
        ("capture", #"{"args":[],"verb":"capture"}"#, #"{"ok":true,"paths":["/m/IMG_0001.JPG","/m/IMG_0001.DNG"],"path":"/m/IMG_0001.JPG"}"#, "/m/IMG_0001.JPG\n", "", 0),
        ("record start", #"{"args":["start"],"verb":"record"}"#, #"{"ok":true}"#, "", "", 0),
        ("press", #"{"args":[],"verb":"press"}"#, #"{"ok":true}"#, "", "", 0),
        ("last", #"{"args":[],"verb":"last"}"#, #"{"ok":true,"path":"/m/MOV_0002.MP4"}"#, "/m/MOV_0002.MP4\n", "", 0),
        ("last --thumbnail", #"{"args":["--thumbnail"],"verb":"last"}"#, #"{"ok":true,"path":"/m/IMG_0001.JPG","thumbnail":"/9j/AAo="}"#, "\u{fffd}\u{fffd}\u{fffd}\0\n", "", 0),
        ("last --thumbnail", #"{"args":["--thumbnail"],"verb":"last"}"#, #"{"ok":true,"path":"/m/MOV_0002.MP4"}"#, "", "shutterctl: /m/MOV_0002.MP4 has no thumbnail\n", 69),
        ("list", #"{"args":[],"verb":"list"}"#, #"{"ok":true,"entries":[{"name":"a","path":"/m/a","size":1},{"name":"b","path":"/m/b","size":2}]}"#, "/m/a\n/m/b\n", "", 0),
        ("list", #"{"args":[],"verb":"list"}"#, #"{"ok":true,"entries":[]}"#, "", "", 0),
        ("status", #"{"args":[],"verb":"status"}"#, #"{"ok":true,"mode":"photo","storage":{"free":7,"fault":null,"leftovers":[]},"armed":true,"lag_us":-1.5,"evil":"\u001b[2J"}"#,
         "armed:             yes\nevil:               [2J\nlag_us:            -1.5\nmode:              photo\nstorage.fault:     -\nstorage.free:      7\nstorage.leftovers: -\n", "", 0),
        ("status", #"{"args":[],"verb":"status"}"#, #"{"ok":true,"buttons":[{"name":"mode","level":"released"},{"level":"pressed"}],"n":[1,2]}"#,
         "n:                  1, 2\nbuttons.mode.level: released\nbuttons.2.level:    pressed\n", "", 0),
        ("status", #"{"args":[],"verb":"status"}"#, "hello", "", "shutterctl: the daemon answered \"hello\", which is no reply: do shutterd and shutterctl have the same version?\n", 70),
        ("config reload", #"{"args":[],"verb":"reload"}"#, #"{"ok":true}"#, "", "", 0),
        ("get IMG_0001.JPG", #"{"args":["IMG_0001.JPG"],"verb":"get"}"#, #"{"ok":true,"path":"/nonexistent/IMG_0001.JPG"}"#, "", "shutterctl: cannot open /nonexistent/IMG_0001.JPG: No such file or directory\n", 74),
    ]

    @Test(arguments: answered.indices) func asksAndPrints(_ row: Int) throws {
        let expected = Self.answered[row]
        // In two pieces, as a stream may deliver it.
        let answer = Array((expected.answer + "\n").utf8)
        let daemon = try FakeDaemon(answering: [Array(answer.prefix(5)), Array(answer.dropFirst(5))])
        let run = Program.run(expected.words, socket: daemon.socket)
        #expect(daemon.request() == expected.request + "\n")
        #expect(run.text == expected.output)
        #expect(run.errors == expected.errors)
        #expect(run.code == expected.code)
    }

    @Test func theFileComesOutAsItIs() throws {
        let path = "/tmp/shutterctl-test-\(getpid()).bin"
        defer { unlink(path) }
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        try AtomicFile.replace(path, with: bytes)
        let daemon = try FakeDaemon(answering: [Array("{\"ok\":true,\"path\":\"\(path)\"}\n".utf8)])
        let run = Program.run("get IMG_0001.JPG", socket: daemon.socket)
        #expect(run.output == bytes)
        #expect(run.code == 0)
    }

    @Test func aLongListComesThrough() throws {
        let paths = (0..<40_000).map { "/m/DCIM/100SHUTR/IMG_\($0).JPG" }
        let daemon = try FakeDaemon(answering: [Array((Reply.success(["paths": .array(paths.map { .string($0) })]).line + "\n").utf8)])
        let run = Program.run("list", socket: daemon.socket)
        #expect(run.text.split(separator: "\n").count == paths.count)
        #expect(run.code == 0)
    }

    @Test func watchPrintsUntilTheDaemonEnds() throws {
        let lines = ["{\"ok\":true}\n", "{\"kind\":\"press\",\"t_us\":5,\"at_us\":20005,\"input\":\"shutter\"}\n{\"kind\":\"warning\",\"mess", "age\":\"two words\"}\n"]
        let daemon = try FakeDaemon(answering: lines.map { Array($0.utf8) }, then: .close)
        let run = Program.run("watch", socket: daemon.socket)
        let shown = run.text.split(separator: "\n").map(String.init)
        #expect(shown.count == 2 && shown[0].hasSuffix(" s  press decided=+20ms input=shutter") && shown[0].contains("-"), "\(run.text)")
        #expect(shown.last == "             warning message=\"two words\"")
        #expect(run.code == 69)
    }

    @Test func watchEndsWhenNobodyReads() throws {
        let daemon = try FakeDaemon(answering: ["{\"ok\":true}\n", "{\"kind\":\"press\"}\n"].map { Array($0.utf8) })
        let start = Clock.now
        let run = Program.run("watch --json | head -1", socket: daemon.socket)
        #expect(run.text == "{\"kind\":\"press\"}\n" && run.errors == "")
        #expect(Clock.now - start < .seconds(10))
    }

    @Test(arguments: [
        ("", "ended before it answered"), ("{\"ok\":tr", "ended in the middle of its answer"),
    ]) func aDaemonThatDiesIsNamed(_ answer: String, _ says: String) throws {
        let daemon = try FakeDaemon(answering: answer.isEmpty ? [] : [Array(answer.utf8)], then: .close)
        let run = Program.run("status", socket: daemon.socket)
        #expect(run.code == 69 && run.output.isEmpty)
        #expect(run.errors.contains(says))
    }

    @Test func anAnswerWithoutEndIsCutOff() throws {
        let daemon = try FakeDaemon(answering: [[UInt8](repeating: 0x61, count: LineSplitter.replyLimit + 70_000)], then: .close)
        let run = Program.run("status", socket: daemon.socket)
        #expect(run.code == 70)
        #expect(run.errors.contains("longer than"))
    }

    static let failures: [(words: String, code: Int32, says: String)] = [
        ("status", 69, "nothing listens on /nonexistent/control.sock; start it with"),
        ("staus", 64, "did you mean \"status\"?"),
        ("--socket /dev/null status", 69, "nothing listens on /dev/null"),
        ("", 64, "shutterctl --help"),
        ("--socket /" + String(repeating: "x", count: 120) + " status", 64, "too long"),
        ("replay /nonexistent.vcd", 74, "cannot open /nonexistent.vcd"),
        ("replay /dev/null", 64, "must end in .vcd or .jsonl"),
        ("status --help > /dev/full", 74, "No space left"),
        ("config check /nonexistent.toml", 78, "/nonexistent.toml: 1 fault"),
    ]

    @Test(arguments: failures.indices) func failuresAreOneLine(_ row: Int) {
        let (words, code, says) = Self.failures[row]
        let run = Program.run(words)
        #expect(run.code == code)
        #expect(run.errors.contains(says), "\(run.errors)")
        #expect(run.errors.hasPrefix("shutterctl: ") && run.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test func helpGoesToStdout() {
        let run = Program.run("--help")
        #expect(run == Program.Run(output: Array(Help.overview.utf8), errors: "", code: 0))
        #expect(Program.run("--version").text == "shutterctl \(Version.current)\n")
    }
}
