// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CToml

/// A line and a column, both from 1; a column counts code points.
package struct Position: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: Position, right: Position) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A TOML value and where it stands.
struct TomlNode: Sendable {
    enum Value: Sendable {
        case string(String)
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
        case date
        case array([TomlNode])
        case table([TomlEntry])
    }

    var value: Value
    var position: Position

    /// What it is, for a sentence such as "wants a whole number, not …".
    var kind: String {
        switch value {
        case .string: "a string"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .date: "a date or time"
        case .array: "an array"
        case .table: "a table"
        }
    }
}

/// A key of a table, and its value.
struct TomlEntry: Sendable {
    var key: String
    var keyPosition: Position
    var node: TomlNode
}

/// What makes a text no TOML. The position is nil when the parser does not tell one.
struct TomlError: Error {
    var position: Position?
    var message: String
}

/// Parses a text into its root table, the entries of every table in the order of the text.
func parseToml(_ bytes: [UInt8]) throws(TomlError) -> [TomlEntry] {
    var builder = TreeBuilder()
    var error = ctoml_error()
    let result = withUnsafeMutablePointer(to: &builder) { builder in
        bytes.withUnsafeBytes { text in
            ctoml_parse(
                text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count,
                { builder, value in builder!.assumingMemoryBound(to: TreeBuilder.self).pointee.add(value!.pointee) },
                builder, &error)
        }
    }
    guard result == 0 else {
        let message = withUnsafeBytes(of: &error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        throw TomlError(
            position: error.position.line > 0 ? Position(error.position) : nil,
            message: message.isEmpty ? "not enough memory to parse it" : message)
    }
    return builder.root
}

/// Makes a tree of the values visited. The containers that are open now are on a stack.
private struct TreeBuilder {
    private struct Open {
        var value: ctoml_value
        var key: String
        var entries: [TomlEntry] = []
    }

    private(set) var root: [TomlEntry] = []
    private var stack: [Open] = []

    mutating func add(_ value: ctoml_value) {
        let key = text(value.key, value.key_length)
        switch value.kind {
        case CTOML_ARRAY, CTOML_TABLE: stack.append(Open(value: value, key: key))
        case CTOML_END: close()
        case CTOML_STRING: put(.string(text(value.text, value.text_length)), value, key)
        case CTOML_INTEGER: put(.integer(value.integer), value, key)
        case CTOML_REAL: put(.number(value.real), value, key)
        case CTOML_BOOLEAN: put(.boolean(value.boolean), value, key)
        default: put(.date, value, key)
        }
    }

    private mutating func close() {
        let open = stack.removeLast()
        if open.value.kind == CTOML_ARRAY {
            put(.array(open.entries.map(\.node)), open.value, open.key)
            return
        }
        let entries = open.entries.sorted { $0.keyPosition < $1.keyPosition }
        if stack.isEmpty { root = entries } else { put(.table(entries), open.value, open.key) }
    }

    private mutating func put(_ content: TomlNode.Value, _ value: ctoml_value, _ key: String) {
        let node = TomlNode(value: content, position: Position(value.position))
        stack[stack.count - 1].entries.append(TomlEntry(key: key, keyPosition: Position(value.key_position), node: node))
    }

    private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
    }
}

extension Position {
    fileprivate init(_ position: ctoml_position) {
        self.init(line: Int(position.line), column: Int(position.column))
    }
}
