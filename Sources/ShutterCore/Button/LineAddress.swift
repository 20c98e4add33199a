// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Where an input or output line is.
package enum LineAddress: Hashable, Sendable, CustomStringConvertible {
    /// A line by the name the kernel knows it by, or by its number on the header: `GPIO17`.
    case named(String)
    /// A line by its offset on a chip given by label, name or path: `pinctrl-rp1:17`, `gpiochip0:17`, `/dev/gpiochip0:17`.
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
    package var headerNumber: UInt32? {
        switch self {
        case .named(let name): name.hasPrefix("GPIO") && isNumber(name.dropFirst(4)) ? UInt32(name.dropFirst(4)) : nil
        case .offset(let chip, let offset): chip.hasPrefix("pinctrl-") ? offset : nil
        case .terminal: nil
        }
    }

    /// A chip is named with its folder or without.
    private static func name(_ chip: String) -> Substring { chip.hasPrefix("/dev/") ? chip.dropFirst(5) : chip[...] }

    /// Whether both are one line, as far as can be told without the hardware. Keys of the terminal are not shared.
    package func isSame(as other: LineAddress) -> Bool {
        if self == .terminal || other == .terminal { return false }
        if case let .offset(chip, offset) = self, case let .offset(otherChip, otherOffset) = other, offset == otherOffset,
            Self.name(chip) == Self.name(otherChip) { return true }
        return self == other || (headerNumber != nil && headerNumber == other.headerNumber)
    }
}

/// What holds an input that nothing drives.
package enum LineBias: String, Sendable, CaseIterable {
    case pullUp = "pull-up"
    case pullDown = "pull-down"
    case none
    /// Whatever it is.
    case asIs = "as-is"
}

/// The voltage that means active.
package enum ActiveVoltage: String, Sendable, CaseIterable { case low, high }

/// Whether there are digits and nothing else: no sign, as Swift's own initialisers take it.
package func isNumber(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
