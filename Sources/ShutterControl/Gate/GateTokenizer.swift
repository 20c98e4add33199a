// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Splits SSH_ORIGINAL_COMMAND into words. There is no shell behind it: nothing is quoted, expanded or escaped, and a
/// character that is not on the list is a reason to refuse all of it.
package enum GateTokenizer {
    /// Bytes in a command.
    package static let limit = 4 << 10

    package enum Result: Equatable, Sendable {
        /// Empty for an empty command.
        case words([String])
        /// What is wrong, for the one who typed it, and the text made fit for one line of the log.
        case refused(Failure, shown: String)
    }

    package static func split(_ command: some Collection<UInt8>) -> Result {
        guard command.count <= limit else {
            return refusal(command, "line-too-long", "the command is longer than \(limit) bytes")
        }
        if let odd = command.first(where: { !isAllowed($0) }) {
            return refusal(command, "not-allowed", "\(Shown.bytes([odd])) may not stand in a command: only letters, digits, spaces and . _ - = : + , may")
        }
        return .words(command.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) })
    }

    // No quotes, no slash (nothing here names a path), no line end: what N01 of our field cases forbids, and all the rest.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: ":"),
            UInt8(ascii: "+"), UInt8(ascii: ","):
            true
        default:
            false
        }
    }

    private static func refusal(_ command: some Collection<UInt8>, _ reason: String, _ message: String) -> Result {
        .refused(Failure(.usage, reason, message), shown: Shown.bytes(command, limit: 120))
    }
}
