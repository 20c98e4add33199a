// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Where an input or output line is.
package enum LineAddress: Hashable, Sendable {
    /// A line by the name the kernel knows it by: `GPIO17`.
    case named(String)
    /// A line by its offset on a chip given by label or path: `pinctrl-rp1:17`, `/dev/gpiochip0:17`.
    case offset(chip: String, UInt32)
    /// Not a line: a key of the terminal.
    case terminal
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
