// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A histogram in the terminal, one row a class.
enum Bars {
    /// - Parameter width: columns; nil = 80.
    static func text(_ rows: [(label: String, count: Int)], width: Int?) -> String {
        let labels = rows.map(\.label.count).max() ?? 0
        let counts = rows.map { "\($0.count)".count }.max() ?? 1
        let most = max(1, rows.map(\.count).max() ?? 1)
        let space = max(8, min(60, (width ?? 80) - labels - counts - 6))
        return rows.map { label, count in
            // Eighths of a column, and never nothing for something.
            let eighths = count == 0 ? 0 : max(1, count * space * 8 / most)
            let bar = String(repeating: "█", count: eighths / 8) + (eighths % 8 == 0 ? "" : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8 - 1])
            let number = "\(count)"
            return "  \(String(repeating: " ", count: labels - label.count))\(label) \(String(repeating: " ", count: counts - number.count))\(number)\(bar.isEmpty ? "" : " \(bar)")\n"
        }.joined()
    }
}
