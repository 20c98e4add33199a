// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Something wrong in a settings file, for people: printed as `file:line:column: message`.
package struct SettingsFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// As it was given; empty when no file is to blame.
    package var file: String
    /// Nil when it is about the file as a whole.
    package var position: Position?
    package var message: String

    /// - Parameter message: may quote what somebody wrote; a control character in it would break the line, or the terminal.
    package init(file: String, position: Position? = nil, message: String) {
        self.file = file
        self.position = position
        var line = ""
        for scalar in message.unicodeScalars {
            if scalar.properties.generalCategory == .control { line += scalar.escaped(asASCII: true) } else { line.unicodeScalars.append(scalar) }
        }
        self.message = line
    }

    /// From 1; 0 = the file as a whole.
    package var line: Int { position?.line ?? 0 }
    /// From 1; 0 = the file as a whole.
    package var column: Int { position?.column ?? 0 }

    package var description: String {
        if file.isEmpty { return message }
        return position.map { "\(file):\($0.line):\($0.column): \(message)" } ?? "\(file): \(message)"
    }
}

/// All that is wrong, file by file, in the order of the lines. Never empty.
package struct SettingsFaults: Error, Equatable, Sendable, CustomStringConvertible {
    package var faults: [SettingsFault]

    package init(_ faults: [SettingsFault]) { self.faults = faults }

    package var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// A value in TOML's words, cut when it is long.
func literal(_ node: TomlNode) -> String {
    switch node.value {
    case .string(let text): quoted(clipped(text))
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .date: "(date)"
    case .array(let elements): elements.isEmpty ? "[]" : "[…]"
    case .table: "{…}"
    }
}

/// Text, cut when it is long.
func clipped(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }

/// Text as a TOML string.
func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\t": result += "\\t"
        case _ where scalar.value < 0x20 || scalar.value == 0x7f:
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
