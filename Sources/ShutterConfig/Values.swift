// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

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
