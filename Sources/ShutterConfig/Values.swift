// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Where an input or output line is.
package enum LineAddress: Hashable, Sendable, CustomStringConvertible {
    /// A line by the name the kernel knows it by: `GPIO17`.
    case named(String)
    /// A line by its offset on a chip given by label or path: `pinctrl-rp1:17`, `/dev/gpiochip0:17`.
    case offset(chip: String, UInt32)
    /// Not a line: a key of the terminal.
    case terminal

    /// Reads `GPIO17`, `pinctrl-rp1:17`, `/dev/gpiochip0:17` or `terminal`; nil when it is none of them.
    package init?(_ text: String) {
        if text == "terminal" {
            self = .terminal
            return
        }
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f }
        guard isPlain, !text.isEmpty, text != "none", !isNumber(text) else { return nil }
        guard let colon = text.lastIndex(of: ":") else {
            if text.hasPrefix("/") { return nil }
            self = .named(text)
            return
        }
        let digits = text[text.index(after: colon)...]
        guard colon > text.startIndex, isNumber(digits), let offset = UInt32(digits) else { return nil }
        self = .offset(chip: String(text[..<colon]), offset)
    }

    package var description: String {
        switch self {
        case .named(let name): name
        case .offset(let chip, let offset): "\(chip):\(offset)"
        case .terminal: "terminal"
        }
    }

    /// The number of the line on the 40-pin header, where name or chip tell it.
    var headerNumber: UInt32? {
        switch self {
        case .named(let name): name.hasPrefix("GPIO") ? UInt32(name.dropFirst(4)) : nil
        case .offset(let chip, let offset): chip.hasPrefix("pinctrl-") ? offset : nil
        case .terminal: nil
        }
    }

    /// Whether both are one line, as far as can be told without the hardware. Keys of the terminal are not shared.
    func isSame(as other: LineAddress) -> Bool {
        if self == .terminal || other == .terminal { return false }
        return self == other || (headerNumber != nil && headerNumber == other.headerNumber)
    }
}

extension Kind<LineAddress> {
    static let line = Kind("a line: GPIO17, pinctrl-rp1:17, /dev/gpiochip0:17, or terminal") { node throws(Complaint) in
        guard let line = LineAddress(try readString(node)) else {
            throw Complaint(node, "is no line; write \"GPIO17\", \"pinctrl-rp1:17\", \"/dev/gpiochip0:17\" or \"terminal\"")
        }
        return line
    } show: { quoted($0.description) }
}

extension Kind<[LineAddress]> {
    /// Lines that can be driven.
    static func lines(_ count: ClosedRange<Int>) -> Kind {
        let expected = "\(count.lowerBound)…\(count.upperBound) lines"
        return Kind("an array of \(expected)") { node throws(Complaint) in
            var lines: [LineAddress] = []
            for element in try readArray(node, of: "lines") {
                let line = try Kind<LineAddress>.line.read(element)
                if line == .terminal { throw Complaint(element, "is no line that can be driven") }
                if lines.contains(where: { $0.isSame(as: line) }) { throw Complaint(element, "stands there twice") }
                lines.append(line)
            }
            guard count.contains(lines.count) else { throw Complaint(node, "has \(lines.count) lines; allowed: \(expected)") }
            return lines
        } show: { "[" + $0.map { quoted($0.description) }.joined(separator: ", ") + "]" }
    }
}

/// Width and height in pixels.
package struct ImageSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width)x\(height)" }
}

extension Kind<ImageSize> {
    /// Even, because chroma has half the width and height.
    static func size(_ range: ClosedRange<Int>) -> Kind {
        let expected = "\(range.lowerBound)x\(range.lowerBound)…\(range.upperBound)x\(range.upperBound), even"
        return Kind(expected) { node throws(Complaint) in
            guard case .string(let text) = node.value else {
                throw Complaint(node, "must be a size such as \"1920x1080\", not \(node.kind)")
            }
            let parts = text.split(separator: "x", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ isNumber($0) }),
                let width = Int(parts[0]), let height = Int(parts[1])
            else { throw Complaint(node, "is no size; write WIDTHxHEIGHT in pixels, such as \"1920x1080\"") }
            guard range.contains(width), range.contains(height) else {
                throw Complaint(node, "is out of range; allowed: \(expected)")
            }
            guard width % 2 == 0, height % 2 == 0 else {
                throw Complaint(node, "is odd; the nearest even size is \"\(width & ~1)x\(height & ~1)\"")
            }
            return ImageSize(width: width, height: height)
        } show: { quoted($0.description) }
    }
}

/// Whether there are digits and nothing else: no sign, as Swift's own initialisers take it.
func isNumber(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
