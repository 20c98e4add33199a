// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Parses one JSON text (RFC 8259), strictly: bounded depth, no key twice, whole numbers exact.
///
/// Our own, since Foundation's decoder of Swift 6.0 traps on a key with a control character or a bad escape in it: anyone
/// who may connect to the socket could end the daemon.
struct JSONParser {
    struct Fault: Error {
        /// Bytes from the start of the text.
        var offset: Int
        var message: String
    }

    private let bytes: [UInt8]
    private var position = 0

    static func parse(_ text: String) throws(Fault) -> JSONValue {
        var parser = JSONParser(bytes: Array(text.utf8))
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.next == nil else { throw parser.fault("more follows the end") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        guard depth <= JSONValue.deepest else { throw fault("nested deeper than \(JSONValue.deepest)") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        case nil: throw fault("it ends too early")
        default: throw fault("unexpected character")
        }
    }

    private mutating func members(depth: Int) throws(Fault) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        position += 1
        if takes("}") { return members }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a key in quotes is missing") }
            let start = position
            let key = try string()
            guard takes(":") else { throw fault("a colon is missing") }
            guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                position = start
                throw fault("the key \(Shown.text(key, limit: 30)) is there twice")
            }
        } while takes(",")
        guard takes("}") else { throw fault("a comma or } is missing") }
        return members
    }

    private mutating func elements(depth: Int) throws(Fault) -> [JSONValue] {
        var elements: [JSONValue] = []
        position += 1
        if takes("]") { return elements }
        repeat { elements.append(try value(depth: depth + 1)) } while takes(",")
        guard takes("]") else { throw fault("a comma or ] is missing") }
        return elements
    }

    private mutating func string() throws(Fault) -> String {
        var text: [UInt8] = []
        position += 1
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += try escaped()
            case 0..<0x20:
                position -= 1
                throw fault("a control character in a string")
            default:
                text.append(byte)
            }
        }
        throw fault("a string has no end")
    }

    /// What follows a backslash.
    private mutating func escaped() throws(Fault) -> [UInt8] {
        let byte = next
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte!]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            var number = try unit()
            if (0xd800..<0xdc00).contains(number), next == UInt8(ascii: "\\"), bytes.dropFirst(position + 1).first == UInt8(ascii: "u") {
                position += 2
                let low = try unit()
                guard (0xdc00..<0xe000).contains(low) else { throw fault("half a character") }
                number = 0x10000 + (number - 0xd800) << 10 + (low - 0xdc00)
            }
            guard let scalar = UnicodeScalar(number) else { throw fault("half a character") }
            return Array(String(scalar).utf8)
        default:
            position -= 1
            throw fault("no such escape")
        }
    }

    /// Four hexadecimal digits.
    private mutating func unit() throws(Fault) -> UInt32 {
        let digits = bytes[position..<min(position + 4, bytes.count)]
        // `UInt32(_:radix:)` would take a sign too.
        guard digits.count == 4, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("four digits are missing after \\u") }
        position += 4
        return number
    }

    private mutating func number() throws(Fault) -> JSONValue {
        let start = position
        var isWhole = true
        if next == UInt8(ascii: "-") { position += 1 }
        let leading = next
        let count = digits()
        guard count > 0, count == 1 || leading != UInt8(ascii: "0") else { throw fault("no number") }
        if next == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            guard digits() > 0 else { throw fault("no number") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard digits() > 0 else { throw fault("no number") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return .int(whole) }
        guard let number = Double(text), number.isFinite else { throw fault("a number too large") }
        // 168.0 and 1e3 are whole, as far as a Double is sure of it.
        if number.magnitude <= 0x1p53, let whole = Int64(exactly: number) { return .int(whole) }
        return .double(number)
    }

    /// - Returns: how many there were.
    private mutating func digits() -> Int {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
        guard bytes[position...].begins(with: word) else { throw fault("unexpected word") }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private func fault(_ message: String) -> Fault {
        Fault(offset: min(position, bytes.count), message: message)
    }
}
