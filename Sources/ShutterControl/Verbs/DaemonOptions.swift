// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The arguments of `shutterd`.
package enum DaemonOptions: Equatable, Sendable {
    case help
    case version
    /// Says which encoder makes clips.
    case encoder(Values)
    case run(Values)

    package struct Values: Equatable, Sendable {
        package var config: String?
        package var boards: String?
        package var board: String?
        package var data: String?
        package var socket: String?
        package var input: String?
        package var exitsAtEnd = false

        package init() {}
    }

    static let table: [Verb.Option] = [
        .init("config", value: "FILE", help: "the configuration (else /etc/shutterd/shutterd.toml)"),
        .init("board", value: "NAME", help: "the board; `simulated` needs no hardware"),
        .init("boards", value: "DIR", help: "where board profiles are"),
        .init("data", value: "DIR", help: "keep photos, state and socket below DIR"),
        .init("socket", value: "PATH", help: "the control socket"),
        .init("input", value: "FILE.vcd", help: "play a waveform on the simulated button"),
        .init("exit-at-end", help: "stop when the waveform and all work are done"),
        .init("encoder", help: "say which encoder makes clips with this configuration, and end"),
        .init("help", letter: "h", help: "show this"),
        .init("version", help: "show the version"),
    ]

    /// Throws a `usage` failure that says which word is wrong.
    package init(_ words: [String]) throws(Failure) {
        let scan = try OptionScanner.scan(words, Self.table, stopsAtOperand: false, program: "shutterd")
        if let operand = scan.operands.first {
            throw Failure(.usage, "unexpected-argument", "\(Shown.text(operand)) is too much: shutterd takes options only; see shutterd --help")
        }
        var values = Values()
        var asksForEncoder = false
        for (name, value) in scan.options {
            switch name {
            case "config": values.config = value
            case "board": values.board = value
            case "boards": values.boards = value
            case "data": values.data = value
            case "socket": values.socket = value
            case "input": values.input = value
            case "exit-at-end": values.exitsAtEnd = true
            case "encoder": asksForEncoder = true
            case "help":
                self = .help
                return
            default:
                self = .version
                return
            }
        }
        if values.exitsAtEnd, values.input == nil {
            throw Failure(.usage, "missing-argument", "--exit-at-end needs --input FILE.vcd")
        }
        self = asksForEncoder ? .encoder(values) : .run(values)
    }

    package static var helpText: String {
        let rows = table.map { option in
            let word = "--\(option.name)\(option.value.map { " \($0)" } ?? "")"
            return "  \(word)\(String(repeating: " ", count: max(1, 20 - word.count)))\(option.help)\n"
        }
        return """
            usage: shutterd [option]…
            The camera itself. In a terminal with --board simulated, the keyboard is the button.

            \(rows.joined())
            """
    }
}
