// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import GPIO
import Glibc
import LinuxIO
import ShutterCore

/// A kernel that records what it is asked and fails as it is told. Time stands until it is moved.
final class FakeGPIO: GPIOSystem, @unchecked Sendable {
    struct Chip {
        var device: UInt64
        var label: String
        var names: [String]
        /// Of opening it.
        var failure: Int32?

        init(_ device: UInt64, _ label: String, lines: Int, names: [Int: String] = [:], failure: Int32? = nil) {
            self.device = device
            self.label = label
            self.names = (0..<lines).map { names[$0] ?? "" }
            self.failure = failure
        }
    }

    var chips: [String: Chip] = [:]
    var links: [String: String] = [:]
    var uses: [UInt32: String] = [:]
    /// What a request answers: an errno, or nil for success.
    var answer: (_ bias: LineBias, _ withEdges: Bool) -> Int32? = { _, _ in nil }
    var accesses: [String: Access] = [:]
    var kernel = "6.1.0-test"
    var now = Timestamp(nanoseconds: 1_000_000_000_000)
    var line = FakeLine()
    private(set) var trace: [String] = []

    func nodes() -> [ChipNode] {
        chips.map { ChipNode(path: $0.key, device: $0.value.device) }
            + links.map { ChipNode(path: $0.key, device: chips[$0.value]?.device ?? 0, isLink: true) }
    }

    func chip(_ path: String) throws(SystemError) -> ChipFacts {
        guard let chip = chips[links[path] ?? path] else { throw SystemError("open", path, code: ENOENT) }
        if let failure = chip.failure { throw SystemError("open", path, code: failure) }
        return ChipFacts(path: path, label: chip.label, lineNames: chip.names)
    }

    func use(of offset: UInt32, on path: String) throws(SystemError) -> LineUse {
        LineUse(isUsed: uses[offset] != nil, consumer: uses[offset] ?? "")
    }

    func requestInput(_ offset: UInt32, on path: String, bias: LineBias, withEdges: Bool) throws(SystemError) -> any LineHandle {
        trace.append("input \(path):\(offset) \(bias.rawValue)\(withEdges ? " edges" : "")")
        if let code = answer(bias, withEdges) { throw SystemError("request", "\(path) line \(offset)", code: code) }
        return line
    }

    func requestOutput(_ offset: UInt32, on path: String, isHigh: Bool) throws(SystemError) -> any LineHandle {
        trace.append("output \(path):\(offset) \(isHigh ? "high" : "low")")
        if let code = answer(.asIs, false) { throw SystemError("request", "\(path) line \(offset)", code: code) }
        line.isHighNow = isHigh
        return line
    }

    func access(_ path: String) -> Access? { accesses[path] }

    /// What has been asked since the last call.
    func takeTrace() -> [String] {
        defer { trace = [] }
        return trace
    }
}

final class FakeLine: LineHandle {
    var isHighNow = true
    var waiting: [EdgeRecord] = []
    var failure: Int32?
    var descriptor: Int32 { 99 }
    var queueSize = 16

    func isHigh() throws(SystemError) -> Bool {
        if let failure { throw SystemError("read", "line", code: failure) }
        return isHighNow
    }

    func set(_ isHigh: Bool) throws(SystemError) {
        if let failure { throw SystemError("set", "line", code: failure) }
        isHighNow = isHigh
    }

    func read() throws(SystemError) -> [EdgeRecord] {
        if let failure { throw SystemError("read", "line", code: failure) }
        defer { waiting = Array(waiting.dropFirst(queueSize)) }
        return Array(waiting.prefix(queueSize))
    }
}

extension FakeGPIO {
    /// A Pi 5 of today.
    convenience init(pi5: Void) {
        self.init()
        chips["/dev/gpiochip0"] = Chip(0xfe00, "pinctrl-rp1", lines: 54, names: [17: "GPIO17"])
    }
}

struct NothingWasThrown: Error {}

/// The error that `body` throws. (`#require(throws:)` returns it from Swift 6.1 on.)
func caught<E: Error>(_: E.Type, _ body: () throws(E) -> Void) throws -> E {
    do throws(E) { try body() } catch { return error }
    throw NothingWasThrown()
}
