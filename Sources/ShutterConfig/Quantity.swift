// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Quantities that carry their unit: how they are read and written.
struct Quantity: Sendable {
    /// `duration`, for sentences.
    let name: String
    /// `20ms`, for sentences.
    let example: String
    /// Largest first. The one with factor 1 is the smallest step.
    let units: [(name: String, factor: Int64)]

    static let duration = Quantity(
        name: "duration", example: "20ms",
        units: [("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000), ("us", 1)])

    static let bytes = Quantity(
        name: "size in bytes", example: "200MB",
        units: [
            ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1000), ("B", 1),
        ])

    static let bitrate = Quantity(
        name: "bit rate", example: "10Mbit/s", units: [("Mbit/s", 1_000_000), ("kbit/s", 1000), ("bit/s", 1)])

    static let current = Quantity(name: "current", example: "500mA", units: [("A", 1000), ("mA", 1)])

    private var unitNames: String { units.reversed().map(\.name).joined(separator: ", ") }

    /// The number of smallest steps that a value stands for.
    func read(_ node: TomlNode) throws(Complaint) -> Int64 {
        switch node.value {
        case .integer, .number:
            throw Complaint(node, "has no unit; write a \(name) such as \"\(example)\" (units: \(unitNames))")
        case .string(let text):
            return try read(text, node)
        case .boolean, .date, .array, .table:
            throw Complaint(node, "must be a \(name) such as \"\(example)\", not \(node.kind)")
        }
    }

    private func read(_ text: String, _ node: TomlNode) throws(Complaint) -> Int64 {
        let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "-" || (isFractional && $0 == "/") }
        guard let number = Self.number(digits) else {
            throw Complaint(node, "is no \(name); write one such as \"\(example)\" (units: \(unitNames))")
        }
        let suffix = text.dropFirst(digits.count)
        if suffix.isEmpty {
            throw Complaint(node, "has no unit; write a \(name) such as \"\(example)\" (units: \(unitNames))")
        }
        guard let unit = units.first(where: { $0.name == suffix }) else {
            throw Complaint(node, "has an unknown unit; write a \(name) such as \"\(example)\" (units: \(unitNames))")
        }
        let steps = (number * Double(unit.factor)).rounded()
        if steps == 0 && number != 0 {
            throw Complaint(node, "rounds to nothing; the smallest step is 1\(units.last!.name)")
        }
        // Beyond 2⁵³ a Double no longer tells neighbours apart; no range reaches that far.
        return abs(steps) < 9e15 ? Int64(steps) : (steps < 0 ? .min : .max)
    }

    /// Whether 1/60s may be written, as on a camera's dial.
    private var isFractional: Bool { name == "duration" }

    private static func number(_ text: Substring) -> Double? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = decimal(parts[0]) else { return nil }
        if parts.count == 1 { return first }
        guard parts.count == 2, let second = decimal(parts[1]), second > 0 else { return nil }
        return first / second
    }

    private static func decimal(_ text: Substring) -> Double? {
        text.last != "." && text.first != "." ? Double(text) : nil
    }

    /// The shortest exact way to write a number of smallest steps.
    func show(_ steps: Int64) -> String {
        if steps == 0 { return "0" + (name == "duration" ? "s" : units.last!.name) }
        let unit = units.first { steps % $0.factor == 0 }!
        return "\(steps / unit.factor)\(unit.name)"
    }
}
