// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import Testing

/// Field case N01.
struct GateTokenizerTests {
    @Test(arguments: [
        ("mode photo", ["mode", "photo"]), ("mode  photo ", ["mode", "photo"]), ("  status", ["status"]), ("", []), ("   ", []),
        ("get IMG_0001.JPG", ["get", "IMG_0001.JPG"]), ("last --thumbnail", ["last", "--thumbnail"]),
        ("set exposure-value -1.5", ["set", "exposure-value", "-1.5"]),
    ]) func splits(_ command: String, _ words: [String]) {
        #expect(GateTokenizer.split(command.utf8) == .words(words))
    }

    @Test(arguments: [
        "mode photo; id", "mode $(id)", "mode `id`", "mode photo\nmode video", "mode 'photo'", "mode \"photo\"", "mode photo && reboot",
        "--config=/etc/shadow status", "mode photo | sh", "mode photo > x", "mode < x", "get *.JPG", "get IMG_000?.JPG", "get [a]",
        "get ~", "mode\\ photo", "mode\tphoto", "mode photo\0", "mode\rphoto", "get ../../x", "mode {a}", "mode !x", "mode #x",
        "mode phöto", "\u{1b}[2J", "%s%n", "mode^photo", "@x",
    ]) func refuses(_ command: String) {
        guard case .refused(let failure, let shown) = GateTokenizer.split(command.utf8) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.word.exitCode == 64)
        #expect(!failure.message.contains("\n"))
        #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && ($0.value < 0x7f || $0 == "…") })
    }

    @Test func refusesWhatIsTooLongAndCutsIt() {
        guard case .refused(let failure, let shown) = GateTokenizer.split([UInt8](repeating: 0x61, count: 64 << 10)) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.reason == "line-too-long")
        #expect(shown.count < 130)
        #expect(GateTokenizer.split([UInt8](repeating: 0x61, count: 4096)) == .words([String(repeating: "a", count: 4096)]))
    }

    @Test func takesNoByteThatAShellWouldMind() {
        for byte in UInt8.min...UInt8.max {
            let isFine = [UInt8](" ._-=:+,".utf8).contains(byte) || (byte < 0x80 && Character(UnicodeScalar(byte)).isLetter)
                || (0x30...0x39).contains(byte)
            if case .words = GateTokenizer.split([0x61, byte]) { #expect(isFine, "\(byte)") } else { #expect(!isFine, "\(byte)") }
        }
    }
}
