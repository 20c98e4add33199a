// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore
import Testing

struct JSONLinesReaderTests {
    static let good: [(text: String, trace: String)] = [
        (#"{"t_us": 168, "input": "shutter", "edge": "falling", "seq": 3}"#, " | 168000 shutter 0 seq 3"),
        (#"{"t_us": 168, "input": "shutter", "edge": "rising"}"#, "shutter=0 | 168000 shutter 1"),
        (#"{"t_us": 60000, "input": "shutter", "level": 1}"#, "shutter=1 | 60000000 shutter is 1"),
        (#"{"t_us": 60000, "input": "shutter", "level": 0}"#, "shutter=0 | 60000000 shutter is 0"),
        (#"{"t_us": 5, "verb": "mode", "args": ["video"]}"#, " | 5000 mode video"),
        (#"{"t_us": 5, "verb": "tap"}"#, " | 5000 tap"),
        (#"{"t_us": 5, "verb": "tap", "args": []}"#, " | 5000 tap"),
        (#"{"t_us": 5, "verb": "record", "args": ["start"]}"#, " | 5000 record start"),
        ("{\"t_us\":0,\"input\":\"shutter\",\"edge\":\"falling\"}\n{\"t_us\":60000,\"input\":\"shutter\",\"level\":1}\n", "shutter=1 | 0 shutter 0, 60000000 shutter is 1"),
        ("{\"t_us\":0,\"input\":\"shutter\",\"edge\":\"falling\"}\r\n{\"t_us\":1,\"input\":\"mode\",\"edge\":\"rising\"}\r\n", "mode=0 shutter=1 | 0 shutter 0, 1000 mode 1"),
        ("{\"t_us\":7,\"input\":\"shutter\",\"edge\":\"falling\"}\n{\"t_us\":7,\"input\":\"shutter\",\"edge\":\"falling\"}", "shutter=1 | 7000 shutter 0, 7000 shutter 0"),
        // What the level was before: what the first edge led away from, not what is told later, but for the very start.
        ("{\"t_us\":189,\"input\":\"shutter\",\"level\":0}\n{\"t_us\":189,\"input\":\"shutter\",\"edge\":\"falling\",\"seq\":1}\n", "shutter=1 | 189000 shutter is 0, 189000 shutter 0 seq 1"),
        ("{\"t_us\":0,\"input\":\"shutter\",\"level\":0}\n{\"t_us\":9,\"input\":\"shutter\",\"edge\":\"falling\",\"seq\":2}\n", "shutter=0 | 0 shutter is 0, 9000 shutter 0 seq 2"),
        // The same, told as the level that the edge led to.
        ("{\"t_us\":0,\"input\":\"shutter\",\"edge\":\"falling\"}\n{\"t_us\":0,\"input\":\"shutter\",\"level\":0}\n", "shutter=1 | 0 shutter 0, 0 shutter is 0"),
        ("{\"t_us\":0,\"input\":\"shutter\",\"level\":1}\n{\"t_us\":0,\"input\":\"shutter\",\"edge\":\"falling\"}\n", "shutter=1 | 0 shutter is 1, 0 shutter 0"),
        // Edges before it were lost: nothing is known of the level before.
        ("{\"t_us\":713,\"input\":\"shutter\",\"edge\":\"rising\",\"seq\":20}\n{\"t_us\":717,\"input\":\"shutter\",\"edge\":\"falling\",\"seq\":21}\n", " | 713000 shutter 1 seq 20, 717000 shutter 0 seq 21"),
        (#"{"t_us": 0.168, "input": "shutter", "edge": "falling"}"#, "shutter=1 | 168 shutter 0"),
        (#"{"t_us": 1.0005, "input": "shutter", "edge": "falling"}"#, "shutter=1 | 1001 shutter 0"),
        (#"{"t_us": 1e3, "input": "shutter", "edge": "falling"}"#, "shutter=1 | 1000000 shutter 0"),
        (#"{"t_us": 168.0, "input": "shutter", "edge": "falling"}"#, "shutter=1 | 168000 shutter 0"),
        (#"{"t_us": 4611686018427387, "input": "shutter", "edge": "falling"}"#, "shutter=1 | 4611686018427387000 shutter 0"),
        (#"  {"t_us" : 1 , "input" : "focus" , "edge" : "rising", "seq": 4294967295 }  "#, " | 1000 focus 1 seq 4294967295"),
    ]

    /// What editors leave behind.
    @Test(arguments: ["\n", " \n\r\n\t"]) func blankLinesAtTheEnd(_ end: String) throws {
        #expect(try Trace(Array((Self.edge + end).utf8), file: "t.jsonl") == Trace(Array(Self.edge.utf8), file: "t.jsonl"))
        #expect(try Trace([0xEF, 0xBB, 0xBF] + Array(Self.edge.utf8), file: "t.jsonl") == Trace(Array(Self.edge.utf8), file: "t.jsonl"))
    }

    static let edge = #"{"t_us": 9, "input": "shutter", "edge": "falling"}"# + "\n"

    static let bad: [(text: String, line: Int, says: String)] = [
        ("", 0, "empty"),
        ("\n \r\n", 0, "empty"),
        (edge + "\n" + edge, 2, "blank line"),
        (edge + "  \t\n\n" + edge, 2, "blank line"),
        ("# a comment\n" + edge, 1, "not JSON"),
        (edge + #"{"t_us": 8, "input": "shutter", "edge": "rising"}"#, 2, "time goes backwards"),
        (edge + #"{"t_us": 8.999, "verb": "tap"}"#, 2, "time goes backwards"),
        (edge + #"{"t_us": 10, "input": "shut"#, 2, "not JSON"),
        (#"[1, 2]"#, 1, "not a JSON object"),
        (#"7"#, 1, "not a JSON object"),
        (edge + edge.dropLast() + edge, 2, "not JSON"),
        (#"{"input": "shutter", "edge": "falling"}"#, 1, "\"t_us\" is missing"),
        (#"{"t_us": "168", "input": "shutter", "edge": "falling"}"#, 1, "\"t_us\" is a number"),
        (#"{"t_us": -1, "input": "shutter", "edge": "falling"}"#, 1, "from 0 on"),
        (#"{"t_us": -0.5, "input": "shutter", "edge": "falling"}"#, 1, "from 0 on"),
        (#"{"t_us": true, "input": "shutter", "edge": "falling"}"#, 1, "\"t_us\" is a number"),
        (#"{"t_us": null, "input": "shutter", "edge": "falling"}"#, 1, "\"t_us\" is a number"),
        (#"{"t_us": 1e300, "input": "shutter", "edge": "falling"}"#, 1, "\"t_us\" is a number"),
        (#"{"t_us": 9223372036854775807, "input": "shutter", "edge": "falling"}"#, 1, "\"t_us\" is a number"),
        (#"{"t_us": 1, "edge": "falling"}"#, 1, "\"input\" is missing"),
        (#"{"t_us": 1, "input": 3, "edge": "falling"}"#, 1, "\"input\" is the name"),
        (#"{"t_us": 1, "input": "shuter", "edge": "falling"}"#, 1, "did you mean \"shutter\"?"),
        (#"{"t_us": 1, "input": "xyzzy", "edge": "falling"}"#, 1, "there are focus, mode, shutter"),
        (#"{"t_us": 1, "input": "shutter"}"#, 1, "none of \"edge\""),
        (#"{"t_us": 1, "input": "shutter", "egde": "falling"}"#, 1, "did you mean \"edge\"?"),
        (#"{"t_us": 1, "input": "shutter", "edge": "falling", "level": 0}"#, 1, "only one of"),
        (#"{"t_us": 1, "input": "shutter", "edge": "down"}"#, 1, "\"rising\" or \"falling\""),
        (#"{"t_us": 1, "input": "shutter", "edge": 0}"#, 1, "\"rising\" or \"falling\""),
        (#"{"t_us": 1, "input": "shutter", "edge": "falling", "seq": -1}"#, 1, "\"seq\""),
        (#"{"t_us": 1, "input": "shutter", "edge": "falling", "seq": 1.5}"#, 1, "\"seq\""),
        (#"{"t_us": 1, "input": "shutter", "edge": "falling", "seq": 4294967296}"#, 1, "\"seq\""),
        (#"{"t_us": 1, "input": "shutter", "edge": "falling", "sequence": 1}"#, 1, "unknown key \"sequence\""),
        (#"{"t_us": 1, "input": "shutter", "level": 2}"#, 1, "\"level\" is 0 or 1"),
        (#"{"t_us": 1, "input": "shutter", "level": true}"#, 1, "\"level\" is 0 or 1"),
        (#"{"t_us": 1, "input": "shutter", "level": 1, "seq": 1}"#, 1, "unknown key \"seq\""),
        (#"{"t_us": 1, "verb": "modee", "args": ["video"]}"#, 1, "did you mean \"mode\"?"),
        (#"{"t_us": 1, "verb": "mode", "args": ["vide"]}"#, 1, "did you mean \"video\"?"),
        (#"{"t_us": 1, "verb": "mode", "args": "video"}"#, 1, "array of strings"),
        (#"{"t_us": 1, "verb": "mode", "args": [1]}"#, 1, "array of strings"),
        (#"{"t_us": 1, "verb": "replay", "args": ["x"]}"#, 1, "not by the daemon"),
        (#"{"t_us": 1, "verb": "status"}"#, 1, "changes nothing"),
        (#"{"t_us": 1, "verb": "mode"}"#, 1, "changes nothing"),
        (#"{"t_us": 1, "verb": "tap", "input": "shutter"}"#, 1, "unknown key \"input\""),
        (#"{"t_us": 1, "verb": 1}"#, 1, "\"verb\" must be a string"),
        (String(repeating: "[", count: 60_000), 1, "nested deeper"),
        (String(repeating: "x", count: 70_000), 1, "longer than"),
    ]

    @Test(arguments: good.indices) func reads(_ row: Int) throws {
        let (text, trace) = Self.good[row]
        #expect(shown(try Trace(Array(text.utf8), file: "t.jsonl")) == trace)
    }

    @Test(arguments: bad.indices) func refuses(_ row: Int) {
        let (text, line, says) = Self.bad[row]
        let fault = caught(TraceFault.self) { try Trace(Array(text.utf8), file: "t.jsonl") }
        #expect(fault?.line == line, "\(text)")
        #expect(fault?.message.contains(says) == true, "\(fault?.description ?? "")")
        #expect(fault?.description.hasPrefix(line == 0 ? "t.jsonl: " : "t.jsonl:\(line): ") == true)
        #expect(fault?.description.contains("\n") == false)
    }

    @Test func refusesWhatIsNotText() {
        let fault = caught(TraceFault.self) { try Trace([0x7b, 0xff, 0xfe, 0x7d], file: "t.jsonl") }
        #expect(fault?.description == "t.jsonl:1: not UTF-8 text")
    }

    @Test func goesByTheName() {
        let fault = caught(TraceFault.self) { try Trace([], file: "trace.csv") }
        #expect(fault?.description == "trace.csv: the name must end in .vcd or .jsonl")
    }
}
