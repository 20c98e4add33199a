// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CGpiod
import LinuxIO
import ShutterCore

/// The kernel's GPIO chips: /dev/gpiochip*.
package struct KernelGPIO: GPIOSystem {
    package init() {}

    package func nodes() -> [ChipNode] {
        let names = (try? FileSystem.names(in: "/dev")) ?? []
        return names.filter { $0.hasPrefix("gpiochip") }.compactMap { name in
            FileSystem.device("/dev/\(name)").map { ChipNode(path: "/dev/\(name)", device: $0.number, isLink: $0.isLink) }
        }
    }

    package func chip(_ path: String) throws(SystemError) -> ChipFacts {
        let chip = try Chip(path)
        let facts = try chip.facts()
        var names: [String] = []
        for offset in 0..<facts.lines { names.append(text(try chip.line(offset).name)) }
        return ChipFacts(path: path, label: text(facts.label), lineNames: names)
    }

    package func use(of offset: UInt32, on path: String) throws(SystemError) -> LineUse {
        let facts = try Chip(path).line(offset)
        return LineUse(isUsed: facts.is_used, consumer: text(facts.consumer))
    }

    package func requestInput(
        _ offset: UInt32, on path: String, bias: LineBias, withEdges: Bool
    ) throws(SystemError) -> any LineHandle {
        try KernelLine(input: offset, on: path, bias: bias, withEdges: withEdges)
    }

    package func requestOutput(_ offset: UInt32, on path: String, isHigh: Bool) throws(SystemError) -> any LineHandle {
        try KernelLine(output: offset, on: path, isHigh: isHigh)
    }

    package func access(_ path: String) -> Access? { Access(path) }

    package var kernel: String { Environment.kernel }

    package var now: Timestamp { Clock.now }
}

/// An open chip: cgpiod_chip, closed with the handle.
private final class Chip {
    private let chip: OpaquePointer
    private let path: String

    /// cgpiod_chip_open
    init(_ path: String) throws(SystemError) {
        self.path = path
        var opened: OpaquePointer?
        try check("open", path, cgpiod_chip_open(path, &opened))
        chip = opened!
    }

    deinit { cgpiod_chip_close(chip) }

    /// cgpiod_read_chip
    func facts() throws(SystemError) -> cgpiod_chip_facts {
        var facts = cgpiod_chip_facts()
        try check("ask", path, cgpiod_read_chip(chip, &facts))
        return facts
    }

    /// cgpiod_read_line
    func line(_ offset: UInt32) throws(SystemError) -> cgpiod_line_facts {
        var facts = cgpiod_line_facts()
        try check("ask", "\(path) line \(offset)", cgpiod_read_line(chip, offset, &facts))
        return facts
    }
}

/// A C array of characters, which is a tuple in Swift.
private func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
