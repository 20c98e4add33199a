// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import Testing

struct WireTests {
    @Test func exitCodesAreSysexits() {
        let table: [(ErrorWord, Int32)] = [
            (.usage, 64), (.unavailable, 69), (.internal, 70), (.cannotCreate, 73), (.io, 74), (.refused, 75), (.notPermitted, 77),
            (.configuration, 78),
        ]
        #expect(table.count == ErrorWord.allCases.count)
        for (word, code) in table {
            #expect(word.exitCode == code)
            #expect(ErrorWord(exitCode: code) == word)
        }
        #expect(ErrorWord.cannotCreate.rawValue == "cannot-create")
        #expect(ErrorWord.notPermitted.rawValue == "not-permitted")
        #expect(ErrorWord(exitCode: 1) == nil)
    }

    @Test func requestsGoThere() throws {
        #expect(Request("mode", ["video"]).line == #"{"args":["video"],"verb":"mode"}"#)
        #expect(try Request(line: #"{"verb": "mode", "args": ["video"]}"#) == Request("mode", ["video"]))
        #expect(try Request(line: #"{"verb": "status"}"#) == Request("status"))
        let odd = Request("get", ["ÄÖ \" \\ / \u{1} 📷"])
        #expect(try Request(line: odd.line) == odd)
        #expect(!odd.line.contains("\n") && odd.line.contains(" / "))
    }

    @Test(arguments: [
        "", "{", "null", "7", "[]", "{}", #"{"verb": 1}"#, #"{"verb": "mode", "args": "video"}"#, #"{"verb": "mode", "args": [1]}"#,
        #"{"verb": "mode", "arg": ["video"]}"#, #"{"verb": "mode"} {"verb": "tap"}"#, #"{"verb": "mode", "args": null}"#,
        String(repeating: "{\"a\":", count: 10_000),
    ]) func badRequestsAreUsage(_ line: String) {
        let failure = caught(Failure.self) { try Request(line: line) }
        #expect(failure?.word == .usage)
        #expect(failure?.message.contains("\n") == false)
    }

    @Test func repliesComeBack() throws {
        let replies: [Reply] = [
            .success([:]),
            .success(["mode": "video", "press_ns": 9_007_199_254_740_993, "lag": 1.5, "fault": nil, "list": [1, "a", true, ["b": false]]]),
            .failure(Failure(.refused, "recording", "it is recording: stop it first")),
        ]
        for reply in replies { #expect(try Reply(line: reply.line) == reply) }
        #expect(replies[2].line == #"{"error":"refused","message":"it is recording: stop it first","ok":false,"reason":"recording"}"#)
        #expect(replies[1].line.contains("9007199254740993"))
        #expect(try Reply(line: #"{"ok": false, "error": "new-word"}"#) == .failure(Failure(.internal, "new-word", "new-word")))
        #expect(JSONValue.double(.infinity).line == "null")
    }

    @Test(arguments: ["", "hello", "[]", "{}", #"{"ok": 1}"#, #"{"ok": "true"}"#]) func badRepliesAreInternal(_ line: String) {
        let failure = caught(Failure.self) { try Reply(line: line) }
        #expect(failure?.word == .internal)
    }

    @Test func linesComeInPieces() throws {
        var splitter = LineSplitter(limit: 10)
        var lines: [String] = []
        for byte in Array("ab\ncd\r\n\nä\nxyz".utf8) {
            splitter.append([byte])
            while let line = try splitter.next() { lines.append(line) }
        }
        #expect(lines == ["ab", "cd", "", "ä"])
        #expect(splitter.hasUnfinishedLine)
        splitter.append(Array("\n".utf8))
        #expect(try splitter.next() == "xyz")
        #expect(!splitter.hasUnfinishedLine)
        splitter.append(Array("a\nb\nc".utf8))
        #expect(try splitter.next() == "a")
        splitter.append(Array("d\n".utf8))
        #expect(try splitter.next() == "b")
        #expect(try splitter.next() == "cd")
        #expect(try splitter.next() == nil)
    }

    @Test(arguments: ["0123456789\n", "0123456789\r\n"]) func aLineMayBeAsLongAsTheLimit(_ text: String) throws {
        var splitter = LineSplitter(limit: 10)
        splitter.append(text.utf8)
        #expect(try splitter.next() == "0123456789")
    }

    @Test(arguments: ["0123456789a\n", "0123456789ab", "0123456789abcdef\nnext\n"]) func longerOnesAreRefusedForGood(_ text: String) {
        var splitter = LineSplitter(limit: 10)
        splitter.append(text.utf8)
        for _ in 0..<3 {
            #expect(throws: LineSplitter.Fault.tooLong(limit: 10)) { try splitter.next() }
            splitter.append("\n".utf8)
        }
    }

    @Test func whatIsNoTextIsDropped() throws {
        var splitter = LineSplitter(limit: 100)
        splitter.append([0x61, 0x00, 0x62, 0x0a, 0xff, 0x0a, 0xc3, 0x0a, 0x6f, 0x6b, 0x0a])
        for _ in 0..<3 { #expect(throws: LineSplitter.Fault.notText) { try splitter.next() } }
        #expect(try splitter.next() == "ok")
        #expect(LineSplitter.Fault.notText.failure.word == .usage)
    }

    @Test func foreignTextIsShownSafely() {
        #expect(Shown.text("a\"b\\\n\u{1b}[31mä") == #""a\"b\\\n\x1b[31m\xc3\xa4""#)
        #expect(Shown.text(String(repeating: "a", count: 70_000), limit: 4) == "\"aaaa…\"")
        #expect(Shown.oneLine("a\nb\u{7}c ä") == "a b c ä")
    }
}
