// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import Testing

struct JSONTests {
    static let good: [(text: String, value: JSONValue)] = [
        ("null", nil), ("true", true), (" false ", false), ("0", 0), ("-0", 0), ("-17", -17), ("1.5", 1.5), ("-1.25e-2", -0.0125),
        ("1e3", 1000), ("168.0", 168), ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .int(.max)),
        ("-9223372036854775808", .int(.min)), ("9223372036854775808", 9223372036854775808.0), ("1E+2", 100),
        ("[]", []), ("[ ]", []), ("{}", [:]), ("[1, [2, {\"a\": []}]]", [1, [2, ["a": []]]]), ("\t{\"a\" :\n1 ,\"b\":\r2}", ["a": 1, "b": 2]),
        (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz"), (#""\u00e4\u20AC\ud83d\udcf7""#, "ä€📷"), (#""ä📷""#, "ä📷"), (#""\u0000""#, "\0"),
        (String(repeating: "[", count: 32) + String(repeating: "]", count: 32), (0..<31).reduce([]) { value, _ in [value] }),
    ]

    static let bad = [
        "", " ", "nul", "nulll", "True", "+1", "01", "-", "1.", ".5", "1e", "1e+", "0x10", "1_000", "NaN", "Infinity", "1e999", "--1",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}",
        "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "\"", "\"a", "\"a\\", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"\\ud83d\"", "\"\\ud83dx\"",
        "\"\\ud83d\\u0041\"", "\"\\udcf7\"", "\"a\nb\"", "\"\u{c}\"", "{\"a\u{c}b\":1}", "{\"\\x\":1}", "{\"\\ud800\":1}", "'a'", "1 2", "{} {}", "\u{feff}1", "// 1", "[1]//",
        String(repeating: "[", count: 34) + String(repeating: "]", count: 34), String(repeating: "{\"a\":", count: 60_000),
    ]

    @Test(arguments: good.indices) func parses(_ row: Int) throws {
        let (text, value) = Self.good[row]
        let parsed = try JSONValue(parsing: text)
        #expect(parsed == value)
        #expect(try JSONValue(parsing: parsed.line) == value)
    }

    @Test(arguments: bad) func refuses(_ text: String) {
        let failure = caught(Failure.self) { try JSONValue(parsing: text) }
        #expect(failure?.reason == "bad-json")
        #expect(failure?.message.contains("\n") == false)
    }
}
