// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import Testing

/// Field case N01: how a command is split.
struct GateTokenizerTests {
    @Test(arguments: [
        ("mode photo", ["mode", "photo"]), ("mode  photo ", ["mode", "photo"]), ("  status", ["status"]), ("", []), ("   ", []),
        ("get IMG_0001.JPG", ["get", "IMG_0001.JPG"]), ("last --thumbnail", ["last", "--thumbnail"]),
        ("set exposure-value -1.5", ["set", "exposure-value", "-1.5"]), ("get 'a b'", ["get", "a b"]), ("get \"it's\"", ["get", "it's"]),
        ("get a'b c'd\"e\"", ["get", "ab cde"]), ("get ''", ["get", ""]), ("get '$(id); `x` *'", ["get", "$(id); `x` *"]), ("''", [""]),
    ]) func splits(_ command: String, _ words: [String]) throws {
        #expect(try GateTokenizer.split(command.utf8).map(\.text) == words)
    }

    @Test func tellsWhatWasQuoted() throws {
        #expect(try GateTokenizer.split("mode 'photo' x\"\"".utf8).map(\.isQuoted) == [false, true, true])
    }

    @Test(arguments: [
        "mode photo; id", "mode $(id)", "mode `id`", "mode photo\nmode video", "mode photo && reboot", "--config=/etc/shadow status",
        "mode photo | sh", "mode photo > x", "mode < x", "get *.JPG", "get IMG_000?.JPG", "get [a]", "get ~", "mode\\ photo", "mode\tphoto",
        "mode photo\0", "mode\rphoto", "get ../../x", "mode {a}", "mode !x", "mode #x", "mode phöto", "\u{1b}[2J", "%s%n", "mode^photo", "@x",
        "get '", "get \"a'", "get 'a\nb'", "get '../x'", "get 'a\\'", "get 'ö'", "get '\u{7f}'",
    ]) func refuses(_ command: String) throws {
        let failure = try #require(caught(Failure.self) { try GateTokenizer.split(command.utf8) })
        #expect(failure.word.exitCode == 64)
        #expect(!failure.message.contains("\n"))
    }

    @Test func refusesWhatIsTooLong() throws {
        let failure = caught(Failure.self) { try GateTokenizer.split([UInt8](repeating: 0x61, count: 64 << 10)) }
        #expect(failure?.reason == "line-too-long")
        #expect(try GateTokenizer.split([UInt8](repeating: 0x61, count: 4096)).map(\.text) == [String(repeating: "a", count: 4096)])
    }

    @Test func takesNoByteThatAShellWouldMind() {
        for byte in UInt8.min...UInt8.max {
            let isFine = [UInt8](" ._-=:+,".utf8).contains(byte) || (byte < 0x80 && Character(UnicodeScalar(byte)).isLetter)
                || (0x30...0x39).contains(byte)
            #expect(((try? GateTokenizer.split([0x61, byte])) != nil) == (isFine), "\(byte)")
        }
    }

    @Test func theLineOfTheLogIsOneLine() {
        let bytes = Array("mode\n\u{1B}[2J".utf8) + [0xFF] + [UInt8](repeating: 0x61, count: 70_000)
        let line = Gate.audit(user: "pi", connection: Array("::1 4 5".utf8), command: bytes, failure: Failure(.usage, "not-allowed", "x"))
        #expect(line.hasPrefix("ssh-gate: user pi from \"::1\" asked for \"mode\\n\\x1b[2J\\xffaaa"))
        #expect(line.hasSuffix("aaa…\": refused (not-allowed)") && line.count < 220)
    }
}
