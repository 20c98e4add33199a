// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import Testing

// getopt_long(3) has one state for all.
@Suite(.serialized) struct ArgumentTests {
    typealias Globals = ParsedCommand.Globals

    static let good: [(words: String, verb: String, arguments: [String], options: [String: String], globals: Globals, request: String?)] = [
        ("status", "status", [], [:], Globals(), #"{"args":[],"verb":"status"}"#),
        ("status --json", "status", [], [:], Globals(json: true), nil),
        ("--json status", "status", [], [:], Globals(json: true), nil),
        ("--socket /tmp/s status", "status", [], [:], Globals(socket: "/tmp/s"), nil),
        ("status --socket=/tmp/s", "status", [], [:], Globals(socket: "/tmp/s"), nil),
        ("mode", "mode", [], [:], Globals(), #"{"args":[],"verb":"mode"}"#),
        ("mode video", "mode", ["video"], [:], Globals(), #"{"args":["video"],"verb":"mode"}"#),
        ("mode --json toggle", "mode", ["toggle"], [:], Globals(json: true), nil),
        ("tap", "tap", [], [:], Globals(), nil),
        ("press", "press", [], [:], Globals(), nil),
        ("release", "release", [], [:], Globals(), nil),
        ("capture --js", "capture", [], [:], Globals(json: true), nil),
        ("record start", "record", ["start"], [:], Globals(), #"{"args":["start"],"verb":"record"}"#),
        ("watch", "watch", [], [:], Globals(), nil),
        ("last", "last", [], [:], Globals(), nil),
        ("last --thumbnail", "last", [], ["thumbnail": ""], Globals(), #"{"args":["--thumbnail"],"verb":"last"}"#),
        ("last --thumb --json", "last", [], ["thumbnail": ""], Globals(json: true), nil),
        ("list", "list", [], [:], Globals(), nil),
        ("get IMG_0001.JPG", "get", ["IMG_0001.JPG"], [:], Globals(), #"{"args":["IMG_0001.JPG"],"verb":"get"}"#),
        ("get -- IMG_0001.JPG", "get", ["IMG_0001.JPG"], [:], Globals(), nil),
        ("replay a.vcd --mode video --config c.toml", "replay", ["a.vcd"], ["mode": "video"], Globals(config: "c.toml"), nil),
        ("replay --mode=photo -- -x.vcd", "replay", ["-x.vcd"], ["mode": "photo"], Globals(), nil),
        ("config check", "config check", [], [:], Globals(), nil),
        ("config --boards b check f.toml", "config check", ["f.toml"], [:], Globals(boards: "b"), nil),
        ("config show", "config show", [], [:], Globals(), nil),
        ("led off", "led off", [], [:], Globals(), nil),
        ("led test recording", "led test", ["recording"], [:], Globals(), nil),
        ("config reload", "config reload", [], [:], Globals(), #"{"args":[],"verb":"reload"}"#),
    ]

    static let bad: [(words: String, reason: String, says: String)] = [
        ("", "missing-verb", "shutterctl status"),
        ("--json", "missing-verb", "shutterctl --help"),
        ("staus", "unknown-verb", "did you mean \"status\"?"),
        ("MODE", "unknown-verb", "did you mean \"mode\"?"),
        ("recrod start", "unknown-verb", "did you mean \"record\"?"),
        ("frobnicate", "unknown-verb", "see shutterctl --help"),
        ("config", "missing-verb", "config needs one of check, show, init, reload"),
        ("config chek", "unknown-verb", "did you mean \"check\"?"),
        ("confg check", "unknown-verb", "did you mean \"config\"?"),
        ("--jsno status", "unknown-option", "did you mean --json?"),
        ("status --jsn", "unknown-option", "did you mean --json?"),
        ("status -x", "unknown-option", "unknown option \"-x\""),
        ("status --thumbnail", "unknown-option", "--thumbnail"),
        ("last --thumbnial", "unknown-option", "did you mean --thumbnail?"),
        ("status --socket", "missing-value", "--socket PATH: the value is missing"),
        ("status --socket=", "bad-argument", "--socket is empty"),
        ("status --json=yes", "unexpected-value", "--json takes no value"),
        ("status extra", "unexpected-argument", "\"extra\" is too much"),
        ("mode vide", "bad-argument", "did you mean \"video\"?"),
        ("led", "missing-verb", "led needs one of test, off"),
        ("led test recordin", "bad-argument", "did you mean \"recording\"?"),
        ("mode xyzzy", "bad-argument", "one of photo, video, toggle"),
        ("mode photo video", "unexpected-argument", "\"video\" is too much"),
        ("record", "missing-argument", "ACTION is missing, one of start, stop"),
        ("record pause", "bad-argument", "one of start, stop"),
        ("get", "missing-argument", "usage: shutterctl get NAME"),
        ("get /etc/passwd", "bad-argument", "not a bare file name"),
        ("get ../x", "bad-argument", "not a bare file name"),
        ("get .hidden", "bad-argument", "not a bare file name"),
        ("get -- --x", "bad-argument", "not a bare file name"),
        ("replay", "missing-argument", "FILE is missing"),
        ("replay a.vcd --mode vdeo", "bad-argument", "did you mean \"video\"?"),
        ("replay a.vcd --mode=", "bad-argument", "--mode takes a value"),
        ("-", "unknown-verb", "\"-\""),
    ]

    private func split(_ words: String) -> [String] { words.split(separator: " ").map(String.init) }

    @Test(arguments: good.indices) func parses(_ row: Int) throws {
        let expected = Self.good[row]
        guard case .run(let invocation, let globals) = try ParsedCommand(split(expected.words)) else {
            Issue.record("\(expected.words)")
            return
        }
        #expect(invocation.verb.name == expected.verb)
        #expect(invocation.arguments == expected.arguments)
        #expect(invocation.options == expected.options)
        #expect(globals == expected.globals)
        if let request = expected.request { #expect(invocation.request.line == request) }
        if invocation.verb.place != .offline { #expect(try Invocation(invocation.request) == invocation) }
    }

    @Test(arguments: bad.indices) func refuses(_ row: Int) {
        let expected = Self.bad[row]
        let failure = caught(Failure.self) { try ParsedCommand(split(expected.words)) }
        #expect(failure?.word == .usage)
        #expect(failure?.reason == expected.reason, "\(expected.words): \(failure?.message ?? "")")
        #expect(failure?.message.contains(expected.says) == true, "\(expected.words): \(failure?.message ?? "")")
        #expect(failure?.message.contains("\n") == false)
    }

    @Test func helpAndVersion() throws {
        #expect(try ParsedCommand(["--help"]) == .help(nil))
        #expect(try ParsedCommand(["-h"]) == .help(nil))
        #expect(try ParsedCommand(["--version"]) == .version)
        #expect(try ParsedCommand(["status", "--version"]) == .version)
        #expect(try ParsedCommand(["config", "--help"]) == .help(nil))
        #expect(try ParsedCommand(["record", "--help"]) == .help(VerbTable.verb(named: "record")))
        #expect(try ParsedCommand(["--help", "config", "check"]) == .help(VerbTable.verb(named: "config check")))
        #expect(try ParsedCommand(["get", "-h", "/etc/passwd"]) == .help(VerbTable.verb(named: "get")))
    }

    @Test(arguments: [
        Request("modes"), Request("replay", ["x"]), Request("config check"), Request("status", ["--thumbnail"]), Request("last", ["--thumbnail=1"]),
        Request("get", ["../x"]), Request("get"), Request("mode", ["photo", "video"]), Request("mode", ["--"]  + ["--photo"]), Request(""),
        Request("last", ["--"] + ["x"]),
    ]) func theDaemonRefuses(_ request: Request) {
        let failure = caught(Failure.self) { try Invocation(request) }
        #expect(failure?.word == .usage)
    }

    @Test func askingForTheModeOnlyReads() throws {
        #expect(try Invocation(Request("mode")).onlyReads)
        #expect(try !Invocation(Request("mode", ["photo"])).onlyReads)
        #expect(try Invocation(Request("last")).onlyReads)
        #expect(try !Invocation(Request("tap")).onlyReads)
        #expect(try Invocation(Request("lag")).onlyReads)
        #expect(try !Invocation(Request("lag", ["--calibrate"])).onlyReads)
    }

    @Test func examplesParse() throws {
        for verb in VerbTable.verbs {
            #expect(!verb.examples.isEmpty)
            for example in verb.examples {
                let words = split(String(example.prefix { $0 != ">" && $0 != ";" }))
                guard words.first == "shutterctl", case .run(let invocation, _) = try ParsedCommand(Array(words.dropFirst())) else {
                    Issue.record("\(example)")
                    continue
                }
                #expect(invocation.verb == verb)
            }
        }
    }
}
