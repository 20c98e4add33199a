// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Foreign text made fit to be shown in one line of a log or an error.
package enum Shown {
    /// In quotes, on one line, printable ASCII; everything else as `\xNN`; cut to `limit` bytes of the original with an ellipsis.
    package static func text(_ text: String, limit: Int = 60) -> String {
        bytes(text.utf8, limit: limit)
    }

    package static func bytes(_ bytes: some Collection<UInt8>, limit: Int = 60) -> String {
        let digits = Array("0123456789abcdef")
        var shown = "\""
        for byte in bytes.prefix(limit) {
            switch byte {
            case UInt8(ascii: "\n"): shown += "\\n"
            case UInt8(ascii: "\t"): shown += "\\t"
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): shown += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7f: shown.unicodeScalars.append(UnicodeScalar(byte))
            default: shown += "\\x" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
        return shown + (bytes.count > limit ? "…\"" : "\"")
    }

    /// On one line: line ends and other control characters become spaces. For sentences whose language we keep.
    package static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
