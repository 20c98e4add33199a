// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// A ring on a terminal, in 24-bit colour, redrawn in place: a circle where there is room, else one line. Without a
/// terminal, or with NO_COLOR, only the words that are said are printed, one line each.
package final class TerminalRing: RingDriver, @unchecked Sendable {
    package let count: Int
    private let output: Descriptor
    private let keys: String
    private let isPlain: Bool
    private var frame: [Colour]
    private var text = ""
    private var picture: RingPicture?
    /// Columns and rows when it was drawn last, and the lines that took.
    private var drawn: (size: Size, lines: Int)?

    private struct Size: Equatable {
        var columns: Int
        var rows: Int
    }

    /// - Parameters:
    ///   - output: the terminal; duplicated, so the caller keeps its own.
    ///   - keys: the line that says what can be pressed.
    ///   - environment: NO_COLOR and TERM count.
    package init(
        count: Int, output: Int32 = STDOUT_FILENO, keys: String = "space press/hold · m mode · q quit", environment: [String: String] = Environment.all
    ) throws(SystemError) {
        self.count = count
        self.keys = keys
        self.output = Descriptor(adopting: try systemCall("dup", "terminal") { fcntl(output, F_DUPFD_CLOEXEC, 3) })
        frame = Array(repeating: .off, count: count)
        isPlain = isatty(output) != 1 || environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    }

    package func write(_ pixels: [Colour]) throws(Fault) {
        frame = pixels
        if !isPlain { try draw() }
    }

    package func say(_ text: String) {
        guard text != self.text else { return }
        self.text = text
        do throws(Fault) {
            if isPlain { try send(text + "\n") } else { try draw() }
        } catch {
            // A terminal that is gone is no reason to stop; `write` reports it.
        }
    }

    package func close() {
        guard !isPlain, drawn != nil else { return }
        try? send("\u{1B}[?25h\u{1B}[0m\r\n")
        drawn = nil
    }

    private func draw() throws(Fault) {
        let size = terminalSize
        // The picture takes half as many lines as it has dots; two lines of text and one of air go below.
        let room = min(28, size.columns - 2, 2 * (size.rows - 4)) & ~1
        var lines = room >= 12 ? circle(room, indent: min(6, (size.columns - room) / 2)) : [strip(size.columns)]
        lines.append("")
        lines.append(cut("  " + text, size.columns, "1"))
        lines.append(cut("  " + keys, size.columns, "2"))

        var out = ""
        if let drawn {
            // After a resize nobody knows where the lines have gone: begin with a clean screen.
            out += drawn.size == size ? (drawn.lines > 1 ? "\u{1B}[\(drawn.lines - 1)A\r" : "\r") : "\u{1B}[2J\u{1B}[H"
        } else {
            out += "\u{1B}[?25l"
        }
        out += lines.map { $0 + "\u{1B}[0m\u{1B}[K" }.joined(separator: "\r\n")
        try send(out)
        drawn = (size, lines.count)
    }

    /// Two dots in each cell: the upper half block has one colour for each.
    private func circle(_ room: Int, indent: Int) -> [String] {
        if picture?.size != room { picture = RingPicture(size: room, pixels: count) }
        let dots = picture!.draw(frame)
        return stride(from: 0, to: room, by: 2).map { row in
            var line = String(repeating: " ", count: indent)
            var style = ""
            for column in 0..<room {
                let upper = dots[row * room + column]
                let lower = dots[(row + 1) * room + column]
                let (next, cell): (String, String) =
                    switch (upper, lower) {
                    case (nil, nil): ("0", " ")
                    case (let upper?, nil): ("0;38;2;\(upper.sgr)", "▀")
                    case (nil, let lower?): ("0;38;2;\(lower.sgr)", "▄")
                    case (let upper?, let lower?): ("0;38;2;\(upper.sgr);48;2;\(lower.sgr)", "▀")
                    }
                if next != style { line += "\u{1B}[\(next)m" }
                style = next
                line += cell
            }
            return line
        }
    }

    /// The ring cut open at the top and laid flat.
    private func strip(_ columns: Int) -> String {
        let room = max(1, min(count, columns - 4))
        return "  " + (0..<room).map { "\u{1B}[38;2;\(Shade(led: frame[$0 * count / room]).sgr)m●" }.joined()
    }

    private func cut(_ line: String, _ columns: Int, _ style: String) -> String {
        "\u{1B}[\(style)m" + line.prefix(max(0, columns - 1))
    }

    private var terminalSize: Size {
        let (columns, rows) = TerminalMode.size(output.number) ?? (80, 24)
        return Size(columns: columns, rows: rows)
    }

    private func send(_ text: String) throws(Fault) {
        var text = text
        do throws(SystemError) {
            var failure: SystemError?
            text.withUTF8 { utf8 in
                do throws(SystemError) { try output.writeAll(UnsafeRawBufferPointer(utf8), subject: "terminal") } catch { failure = error }
            }
            if let failure { throw failure }
        } catch {
            throw Fault("io", "cannot draw the ring: \(error)")
        }
    }
}
