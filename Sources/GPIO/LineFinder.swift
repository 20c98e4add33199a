// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// Where a line is now. Chip numbers change from kernel to kernel and from start to start: never kept for longer than
/// a request.
package struct FoundLine: Equatable, Sendable {
    package var path: String
    package var offset: UInt32
    package var label: String

    package init(path: String, offset: UInt32, label: String) {
        self.path = path
        self.offset = offset
        self.label = label
    }

    /// `GPIO17 (line 17 of pinctrl-rp1, /dev/gpiochip0)`
    package func describe(_ address: LineAddress) -> String { "\(address) (line \(offset) of \(label), \(path))" }
}

/// Finds lines by the names and labels of what is there.
package struct LineFinder: Sendable {
    let system: any GPIOSystem
    private let headerChip: String?

    /// - Parameter headerChip: the label of the chip that has the lines of the board's header; empty when it is not known.
    package init(_ system: any GPIOSystem = KernelGPIO(), headerChip: String) {
        self.system = system
        self.headerChip = headerChip.isEmpty ? nil : headerChip
    }

    package func find(_ address: LineAddress) throws(LineFault) -> FoundLine {
        let survey = Survey(system)
        switch address {
        case .terminal: throw LineFault(.configuration, "no-line", "terminal: is no line of a chip")
        case let .named(name): return try find(name, address, in: survey)
        case let .offset(chip, offset):
            let chip = try find(chip: chip, address, in: survey)
            guard offset < chip.lineNames.count else {
                throw LineFault(
                    .configuration, "no-line",
                    "\(address): \(chip.label) (\(chip.path)) has only the lines 0 to \(chip.lineNames.count - 1); \(survey.list)")
            }
            return chip[offset]
        }
    }

    // MARK: By name

    private func find(_ name: String, _ address: LineAddress, in survey: Survey) throws(LineFault) -> FoundLine {
        let header = headerChip.flatMap { label in survey.chips.first { $0.label == label } }
        if let header, let offset = header.offset(of: name) { return header[offset] }
        // Kernels that name only some of the header's lines, or none, number them all the same.
        let numbered = header.flatMap { header in address.headerNumber.flatMap { $0 < header.lineNames.count ? (header, $0) : nil } }
        if let (header, number) = numbered, header.lineNames[Int(number)].isEmpty { return header[number] }
        let others = survey.chips.compactMap { chip in chip.offset(of: name).map { chip[$0] } }
        if others.count == 1 { return others[0] }
        if others.count > 1 {
            let places = others.map { "\($0.label):\($0.offset)" }.joined(separator: ", ")
            throw LineFault(.configuration, "no-line", "\(address): \(others.count) chips have a line of this name; write one of \(places)")
        }
        if let (header, number) = numbered { return header[number] }
        if let fault = survey.permissionFault(address) { throw fault }
        throw LineFault(.passing, "no-line", "\(address): no chip has a line of this name; \(survey.list)")
    }

    // MARK: By chip

    private func find(chip name: String, _ address: LineAddress, in survey: Survey) throws(LineFault) -> ChipFacts {
        if name.hasPrefix("/") { return try find(path: name, address, in: survey) }
        let fitting = survey.chips.filter { $0.label == name }
        if fitting.count == 1 { return fitting[0] }
        if fitting.count > 1 {
            let paths = fitting.map(\.path).joined(separator: ", ")
            throw LineFault(.configuration, "no-line", "\(address): \(fitting.count) chips have this label (\(paths)); give the line by its name")
        }
        if isNumbered(name) { return try find(path: "/dev/" + name, address, in: survey) }
        if let fault = survey.permissionFault(address) { throw fault }
        throw LineFault(.passing, "no-line", "\(address): no chip has this label; \(survey.list)")
    }

    private func find(path: String, _ address: LineAddress, in survey: Survey) throws(LineFault) -> ChipFacts {
        let chip: ChipFacts
        do throws(SystemError) { chip = try system.chip(path) } catch {
            var fault = LineFault(opening: path, error, system, prefix: "\(address)")
            if fault.kind != .permission { fault.fault.message += "; \(survey.list)" }
            throw fault
        }
        if let headerChip, isNumbered(path), chip.label != headerChip {
            throw LineFault(
                .configuration, "wrong-chip",
                "\(address): \(path) is \(chip.label) now, not \(headerChip), and chip numbers change; write \(chip.label):N if that is the chip that is meant; \(survey.list)")
        }
        return chip
    }

    /// Whether it is a name that the kernel gives out anew at each start.
    private func isNumbered(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("gpiochip") && isNumber(name.dropFirst("gpiochip".count))
    }
}

extension ChipFacts {
    func offset(of name: String) -> UInt32? { lineNames.firstIndex(of: name).map(UInt32.init) }
    subscript(offset: UInt32) -> FoundLine { FoundLine(path: path, offset: offset, label: label) }
}

/// The chips that are there, each once.
private struct Survey {
    let system: any GPIOSystem
    private(set) var chips: [ChipFacts] = []
    private(set) var unreadable: [(path: String, error: SystemError)] = []

    init(_ system: any GPIOSystem) {
        self.system = system
        // gpiochip2 before gpiochip10, and devices before links to them.
        let nodes = system.nodes().sorted {
            ($0.isLink ? 1 : 0, $0.path.utf8.count, $0.path) < ($1.isLink ? 1 : 0, $1.path.utf8.count, $1.path)
        }
        var seen: Set<UInt64> = []
        for node in nodes where seen.insert(node.device).inserted {
            do throws(SystemError) { chips.append(try system.chip(node.path)) } catch { unreadable.append((node.path, error)) }
        }
    }

    /// For messages.
    var list: String {
        var words = chips.map { "\($0.label) (\($0.path), \($0.lineNames.count) lines)" }
        words += unreadable.map { "\($0.path) (\($0.error.reason))" }
        return words.isEmpty ? "there are no GPIO chips at all (/dev/gpiochip*)" : "the chips here are " + words.joined(separator: ", ")
    }

    /// What was not found may be on a chip that could not be asked.
    func permissionFault(_ address: LineAddress) -> LineFault? {
        unreadable.first { $0.error.code == EACCES || $0.error.code == EPERM }.map { path, error in
            LineFault(opening: path, error, system, prefix: "\(address)")
        }
    }
}
