// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl

/// What `controls` prints for people: one line a control.
enum ControlsText {
    static func text(_ fields: [String: JSONValue]) -> String {
        let controls = (fields["controls"]?.array ?? []).compactMap(\.object)
        let rows = controls.map(row)
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let first = (0..<2).map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count) }
            return Shown.oneLine((first + [row[2]]).joined(separator: "  ")) + "\n"
        }.joined()
    }

    /// Name, value, and what is possible.
    private static func row(_ control: [String: JSONValue]) -> [String] {
        func number(_ name: String) -> String { control[name]?.number.map(shown) ?? "-" }
        let name = control["name"]?.string ?? "-"
        if let message = control["message"]?.string { return [name, "-", message] }
        let titles = (control["titles"]?.array ?? []).compactMap(\.string)
        if !titles.isEmpty { return [name, control["title"]?.string ?? "-", titles.joined(separator: " | ")] }
        return [name, number("value"), "\(number("min")) to \(number("max")) by \(number("step"))"]
    }

    private static func shown(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\((number * 1000).rounded() / 1000)"
    }
}
