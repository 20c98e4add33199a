// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

/// Draws pictures over each other: as sixels where the terminal has them, else two pixels to a character, in 24-bit colour.
/// Without colour it is shades of characters.
struct PreviewCanvas {
    private enum Look { case sixels, blocks, letters }

    private let look: Look
    private let columns: Int?
    private var isFirst = true
    /// Rows that were drawn last, to go back over.
    private var rows = 0
    private let terminal: TerminalMode?

    /// - Parameter columns: the width where stdout tells none: over SSH without a terminal of its own.
    init(columns: Int?) throws(Failure) {
        self.columns = columns
        let screen = Screen()
        let hasTerminal = Output.standard.isTerminal
        var terminal: TerminalMode?
        if hasTerminal, isatty(STDIN_FILENO) == 1 {
            do throws(SystemError) { terminal = try TerminalMode(STDIN_FILENO) } catch {
                throw Failure(.io, "terminal", "\(error)")
            }
        }
        self.terminal = terminal
        let wantsNoColour = Environment.bytes("NO_COLOR").map { !$0.isEmpty } ?? false
        look = wantsNoColour || (hasTerminal && !screen.hasColour) ? .letters : terminal != nil && Self.hasSixels() ? .sixels : .blocks
        if hasTerminal { try Output.write("\u{1B}[?25l") }
    }

    mutating func draw(_ picture: Pixmap) throws(Failure) {
        let size = TerminalMode.size(STDOUT_FILENO)
        let width = min(columns ?? size?.columns ?? 80, 400)
        let height = max(4, (size?.rows ?? 24) - 1)
        var text = isFirst ? "" : rows > 0 ? "\u{1B}[\(rows)A\r" : "\r"
        if isFirst, Output.standard.isTerminal { text += "\u{1B}[2J\u{1B}[H" }
        isFirst = false
        switch look {
        case .sixels:
            text += "\u{1B}[H" + Sixels.text(picture)
            rows = 0
        case .blocks, .letters:
            // A character is twice as high as it is wide.
            var (columns, lines) = (width, width * picture.height / picture.width / 2)
            if lines > height { (columns, lines) = (height * 2 * picture.width / picture.height, height) }
            (columns, lines) = (max(1, min(columns, picture.width)), max(1, min(lines, picture.height / 2)))
            text += look == .blocks ? Self.blocks(picture, columns, lines) : Self.letters(picture, columns, lines)
            rows = lines
        }
        try Output.write(text)
    }

    private static func span(_ index: Int, of count: Int, over length: Int) -> Range<Int> {
        let start = index * length / count
        return start..<max(start + 1, (index + 1) * length / count)
    }

    /// `▀`: the upper pixel is its colour, the lower its background.
    private static func blocks(_ picture: Pixmap, _ columns: Int, _ lines: Int) -> String {
        var text = ""
        for line in 0..<lines {
            var last: (upper: (red: Int, green: Int, blue: Int), lower: (red: Int, green: Int, blue: Int))?
            for column in 0..<columns {
                let x = span(column, of: columns, over: picture.width)
                let upper = picture.mean(x, span(2 * line, of: 2 * lines, over: picture.height))
                let lower = picture.mean(x, span(2 * line + 1, of: 2 * lines, over: picture.height))
                if last == nil || last!.upper != upper { text += "\u{1B}[38;2;\(upper.red);\(upper.green);\(upper.blue)m" }
                if last == nil || last!.lower != lower { text += "\u{1B}[48;2;\(lower.red);\(lower.green);\(lower.blue)m" }
                last = (upper, lower)
                text += "▀"
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }

    private static func letters(_ picture: Pixmap, _ columns: Int, _ lines: Int) -> String {
        let ramp = Array(" .:-=+*#%@")
        var text = ""
        for line in 0..<lines {
            for column in 0..<columns {
                let colour = picture.mean(span(column, of: columns, over: picture.width), span(line, of: lines, over: picture.height))
                let light = (colour.red * 299 + colour.green * 587 + colour.blue * 114) / 1000
                text.append(ramp[light * ramp.count / 256])
            }
            text += "\n"
        }
        return text
    }

    /// Asks the terminal for its primary attributes: 4 among them is sixel graphics. See ctlseqs, "Send Device Attributes".
    private static func hasSixels() -> Bool {
        guard (try? Output.write("\u{1B}[c")) != nil else { return false }
        let input = Descriptor(adopting: dup(STDIN_FILENO))
        var answer: [UInt8] = []
        let limit = Clock.now + .milliseconds(300)
        while !answer.contains(UInt8(ascii: "c")), input.waitToRead(until: limit) == .ready {
            guard let more = try? input.read(upTo: 64), !more.isEmpty else { break }
            answer += more
        }
        let text = String(decoding: answer, as: UTF8.self)
        guard let start = text.firstIndex(of: "?"), let end = text.lastIndex(of: "c"), start < end else { return false }
        return text[text.index(after: start)..<end].split(separator: ";").contains("4")
    }
}

/// Sixel graphics (DEC STD 070): six rows of one colour at a time.
enum Sixels {
    /// 6 × 6 × 6 colours, dithered in order.
    static func text(_ picture: Pixmap) -> String {
        let threshold = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
        var indices = [UInt8](repeating: 0, count: picture.width * picture.height)
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                let at = picture.bytes.startIndex + (row * picture.width + column) * 3
                let bias = threshold[row % 4 * 4 + column % 4] * 51 / 16
                func level(_ value: UInt8) -> Int { min(5, (Int(value) + bias) / 51) }
                indices[row * picture.width + column] = UInt8(level(picture.bytes[at]) * 36 + level(picture.bytes[at + 1]) * 6 + level(picture.bytes[at + 2]))
            }
        }
        var text = "\u{1B}P0;1q\"1;1;\(picture.width);\(picture.height)"
        for colour in 0..<216 { text += "#\(colour);2;\(colour / 36 * 20);\(colour / 6 % 6 * 20);\(colour % 6 * 20)" }
        for band in stride(from: 0, to: picture.height, by: 6) {
            let rows = band..<min(band + 6, picture.height)
            var used: [UInt8: [UInt8]] = [:]
            for row in rows {
                for column in 0..<picture.width {
                    used[indices[row * picture.width + column], default: [UInt8](repeating: 0, count: picture.width)][column] |= 1 << (row - band)
                }
            }
            for (colour, bits) in used.sorted(by: { $0.key < $1.key }) {
                text += "#\(colour)"
                var column = 0
                while column < bits.count {
                    let value = bits[column]
                    let run = bits[column...].prefix { $0 == value }.count
                    let character = String(UnicodeScalar(value + 63))
                    text += run > 3 ? "!\(run)\(character)" : String(repeating: character, count: run)
                    column += run
                }
                text += "$"
            }
            text += "-"
        }
        return text + "\u{1B}\\"
    }
}
