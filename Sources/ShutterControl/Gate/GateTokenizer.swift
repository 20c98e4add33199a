// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Splits SSH_ORIGINAL_COMMAND into words. There is no shell behind it: nothing is expanded or escaped, and a character
/// that is not on the list is a reason to refuse all of it. Single and double quotes are alike: what stands between them
/// is text.
package enum GateTokenizer {
    /// Bytes in a command.
    package static let limit = 4 << 10

    package struct Word: Equatable, Sendable {
        package var text: String
        /// Whether a part of it stood in quotes.
        package var isQuoted: Bool

        package init(_ text: String, isQuoted: Bool = false) {
            self.text = text
            self.isQuoted = isQuoted
        }
    }

    /// The words; none for an empty command. Throws a `usage` failure that says what is wrong, for the one who typed it.
    package static func split(_ command: some Collection<UInt8>) throws(Failure) -> [Word] {
        guard command.count <= limit else {
            throw Failure(.usage, "line-too-long", "the command is longer than \(limit) bytes")
        }
        var words: [Word] = []
        var word: Word?
        var quote: UInt8?
        for byte in command {
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
                word = Word(word?.text ?? "", isQuoted: true)
            } else if quote == nil, byte == UInt8(ascii: " ") {
                if let word { words.append(word) }
                word = nil
            } else {
                guard quote == nil ? isPlain(byte) : isText(byte) else { throw refusal(of: byte, isQuoted: quote != nil) }
                if word == nil { word = Word("") }
                word?.text.unicodeScalars.append(UnicodeScalar(byte))
            }
        }
        if let quote {
            throw Failure(.usage, "open-quote", "a \(quote == UInt8(ascii: "'") ? "'" : "\"") has no end")
        }
        if let word { words.append(word) }
        return words
    }

    /// No slash (nothing here names a path), no line end, nothing that a shell would mind.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "+"),
            UInt8(ascii: ","):
            true
        default:
            false
        }
    }

    /// Within quotes: printable ASCII but the slash, and the backslash, which would mean something in a shell.
    private static func isText(_ byte: UInt8) -> Bool {
        (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "\\")
    }

    private static func refusal(of byte: UInt8, isQuoted: Bool) -> Failure {
        let rule = isQuoted ? "within quotes only printable ASCII without / and \\ may" : "only letters, digits, spaces, quotes and . _ - = : + , may"
        return Failure(.usage, "not-allowed", "\(Shown.bytes([byte])) may not stand in a command: \(rule)")
    }
}
