// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl

/// What one benchmark has found, as a table for people or as JSON.
struct Report {
    /// The word it is asked for by.
    let name: String
    let title: String
    private(set) var rows: [Row] = []
    /// Sentences below the table: how a number came about.
    var notes: [String] = []

    struct Row {
        var what: String
        var value: Double
        var unit: String
        /// The value must not be above it.
        var goal: Double?

        var isMet: Bool? { goal.map { value <= $0 } }
    }

    init(_ name: String, _ title: String) {
        self.name = name
        self.title = title
    }

    mutating func add(_ what: String, _ value: Double, _ unit: String, goal: Double? = nil) {
        rows.append(Row(what: what, value: value, unit: unit, goal: goal))
    }

    var text: String {
        let width = rows.map(\.what.count).max() ?? 0
        var lines = ["\(name): \(title)"]
        for row in rows {
            let number = Self.shown(row.value)
            var line = "  " + row.what + Self.spaces(width - row.what.count + max(1, 12 - number.count)) + number
            if row.goal != nil || !row.unit.isEmpty { line += " \(row.unit)" }
            if let goal = row.goal, let isMet = row.isMet {
                line += Self.spaces(max(1, 10 - row.unit.count)) + "goal ≤ \(Self.shown(goal)): \(isMet ? "met" : "MISSED")"
            }
            lines.append(line)
        }
        return (lines + notes.map { "  (\($0))" }).joined(separator: "\n") + "\n"
    }

    var json: JSONValue {
        .object([
            "name": .string(name), "title": .string(title), "notes": .array(notes.map { .string($0) }),
            "rows": .array(rows.map { row in
                .object([
                    "what": .string(row.what), "value": .double(row.value), "unit": .string(row.unit),
                    "goal": row.goal.map { .double($0) } ?? .null, "met": row.isMet.map { .bool($0) } ?? .null,
                ])
            }),
        ])
    }

    /// Four significant digits, but all those before the point.
    private static func shown(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let size = abs(value)
        let digits = size >= 1000 || value == value.rounded() ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3
        let scale = [1.0, 10, 100, 1000][digits]
        let rounded = Int64((size * scale).rounded())
        let sign = value < 0 && rounded > 0 ? "-" : ""
        guard digits > 0 else { return sign + "\(rounded)" }
        let rest = "\(rounded % Int64(scale))"
        return sign + "\(rounded / Int64(scale))." + String(repeating: "0", count: digits - rest.count) + rest
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
