// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What the firmware of a Raspberry Pi takes from config.txt: `name=value` lines, under filters such as `[pi4]`.
/// After https://www.raspberrypi.com/documentation/computers/config_txt.html, "Conditional filters".
package struct FirmwareText: Sendable {
    package struct Line: Equatable, Sendable {
        package var file: String
        /// From 1.
        package var number: Int
        package var name: String
        package var value: String
        /// The last filter before it: `[all]`, `[pi4]`.
        package var section: String
        /// Whether it counts on this machine.
        package var counts: Bool
    }

    /// Files that may be included in all: one may include itself.
    private static let mostFiles = 32

    package private(set) var lines: [Line] = []
    /// - Parameters:
    ///   - model: the device tree's; decides which filters let through.
    ///   - include: the text of a file that is included, or nil.
    package init(_ text: String, file: String, model: String, include: (String) -> String? = { _ in nil }) {
        var (filters, left) = (Filters(), Self.mostFiles)
        Self.read(text, file, Self.tags(of: model), &filters, &lines, &left, include)
    }

    /// Whether the line is in effect: for `dtparam=spi=on` the last that says something about spi, else the last value.
    package func has(_ setting: String) -> Bool {
        let (name, value) = Self.split(setting)
        return inEffect(name, value)?.value.lowercased() == value.lowercased()
    }

    /// The line that counts for a name; of `dtparam=audio=on` the last about audio.
    package func inEffect(_ name: String, _ value: String = "") -> Line? {
        let parameter = Self.split(value).name
        return lines.last { $0.counts && $0.name == name && (name != "dtparam" || Self.parameters($0.value).contains(parameter)) }
            .map { line in
                guard name == "dtparam" else { return line }
                var line = line
                line.value = line.value.split(separator: ",").map(String.init).last { Self.split($0).name == parameter } ?? line.value
                if !line.value.contains("=") { line.value += "=on" }
                return line
            }
    }

    /// Lines that say what is wanted, but under a filter that this machine does not pass.
    package func elsewhere(_ setting: String) -> Line? {
        let (name, value) = Self.split(setting)
        return lines.last { !$0.counts && $0.name == name && ($0.value == value || $0.value.split(separator: ",").contains(Substring(value))) }
    }

    private static func parameters(_ value: String) -> [String] { value.split(separator: ",").map { split(String($0)).name } }

    private static func split(_ text: String) -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "=") else { return (trimmed(text), "") }
        return (trimmed(String(text[..<equals])), trimmed(String(text[text.index(after: equals)...])))
    }

    /// Filters of one kind replace each other, those of different kinds add up.
    private struct Filters {
        var model = true
        var others: [String: Bool] = [:]
        var name = "[all]"
        var pass: Bool { model && others.values.allSatisfy { $0 } }
    }

    private static func read(
        _ text: String, _ file: String, _ tags: Set<String>, _ filters: inout Filters, _ lines: inout [Line], _ left: inout Int,
        _ include: (String) -> String?
    ) {
        for (index, raw) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = trimmed(String(raw.prefix { $0 != "#" }))
            if line.hasPrefix("["), line.hasSuffix("]") {
                take(String(line.dropFirst().dropLast()).lowercased(), tags, &filters)
                filters.name = line
            } else if line.hasPrefix("include "), left > 0, filters.pass {
                let name = trimmed(String(line.dropFirst("include ".count)))
                left -= 1
                if let inner = include(name) { read(inner, name, tags, &filters, &lines, &left, include) }
            } else if !line.isEmpty {
                let (name, value) = split(line)
                lines.append(Line(file: file, number: index + 1, name: name, value: value, section: filters.name, counts: filters.pass))
            }
        }
    }

    private static func take(_ filter: String, _ tags: Set<String>, _ filters: inout Filters) {
        switch filter {
        case "all": filters = Filters()
        case "none": filters.model = false
        case _ where filter.hasPrefix("pi") || filter.hasPrefix("cm"): filters.model = tags.contains(filter)
        // What is plugged in or pulled up now cannot be known from here: such lines are not relied on.
        case _ where filter.contains("="): filters.others[split(filter).name] = false
        default: filters.others[filter.hasPrefix("0x") ? "serial" : filter] = false
        }
    }

    /// The model filters that a machine passes.
    static func tags(of model: String) -> Set<String> {
        let name = model.replacing("Raspberry Pi ", with: "")
        let table: [(String, Set<String>)] = [
            ("Zero 2", ["pi0", "pi02"]), ("Zero W", ["pi0", "pi0w"]), ("Zero", ["pi0"]), ("Compute Module 5", ["pi5", "cm5"]),
            ("Compute Module 4S", ["pi4", "cm4s"]), ("Compute Module 4", ["pi4", "cm4"]), ("Compute Module 3", ["pi3"]),
            ("Compute Module", ["pi1", "cm1"]), ("500", ["pi5", "pi500"]), ("5", ["pi5"]), ("400", ["pi4", "pi400"]), ("4", ["pi4"]),
            ("3 Model B Plus", ["pi3", "pi3+"]), ("3 Model A Plus", ["pi3", "pi3+"]), ("3", ["pi3"]), ("2", ["pi2"]), ("Model", ["pi1"]),
        ]
        return table.first { name.hasPrefix($0.0) }?.1 ?? []
    }

    private static func trimmed(_ text: String) -> String {
        var rest = Substring(text)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
