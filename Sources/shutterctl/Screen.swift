// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// What stdout is like: how wide, and whether in colour. Without a terminal there is neither a width nor a colour.
struct Screen {
    enum Colour: Int { case red = 31, green = 32, yellow = 33 }

    /// Columns; nil = as long as it gets.
    let width: Int?
    let hasColour: Bool

    init() {
        let size = TerminalMode.size(1)
        let isTerminal = Output.standard.isTerminal
        width = isTerminal ? max(20, size?.columns ?? 80) : nil
        // https://no-color.org
        let wantsNone = Environment.bytes("NO_COLOR").map { !$0.isEmpty } ?? false
        hasColour = isTerminal && !wantsNone && Environment.bytes("TERM") != Array("dumb".utf8)
    }

    func coloured(_ text: String, _ colour: Colour) -> String {
        hasColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Broken between words; further lines are indented. `first`: the columns already used on the first line.
    func wrapped(_ text: String, indent: Int, first: Int? = nil) -> String {
        guard let width, width > indent + 20 else { return text }
        var lines = [""]
        var left = width - (first ?? indent)
        for word in text.split(separator: " ") {
            let needed = word.count + (lines[lines.count - 1].isEmpty ? 0 : 1)
            if needed <= left || lines[lines.count - 1].isEmpty {
                lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
                left -= needed
            } else {
                lines.append(String(word))
                left = width - indent - word.count
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
