// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The words of a VCD file, which is free-form: only white space separates, and lines matter for errors alone.
struct VCDTokens {
    private let bytes: [UInt8]
    private var position = 0
    private var reached = 1
    /// Where the last token stands.
    private(set) var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next word, or nil at the end.
    mutating func next() -> ArraySlice<UInt8>? {
        while position < bytes.count, Self.isSpace(bytes[position]) {
            if bytes[position] == UInt8(ascii: "\n") { reached += 1 }
            position += 1
        }
        guard position < bytes.count else { return nil }
        line = reached
        let start = position
        while position < bytes.count, !Self.isSpace(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    /// Leaves the rest of the line out.
    mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }

    /// Whether the last token runs up to the very end of the file, so that some of it may be missing.
    var touchesEnd: Bool { position == bytes.count && bytes.last.map { !Self.isSpace($0) } ?? true }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte)
    }
}

extension Collection<UInt8> {
    func spells(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { elementsEqual($0) }
    }

    func begins(with text: StaticString) -> Bool {
        text.withUTF8Buffer { starts(with: $0) }
    }

    /// A number of decimal digits only, or nil.
    var decimal: UInt64? {
        guard !isEmpty else { return nil }
        var value: UInt64 = 0
        for byte in self {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (scaled, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = scaled.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            guard !overflows, !overflowsToo else { return nil }
            value = sum
        }
        return value
    }
}
