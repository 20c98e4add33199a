// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl
import ShutterCore

/// SplitMix64: the same numbers in every run.
struct Dice: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// What is played on the buttons, which are active-low; times in ns.
struct Wave {
    private var events: [TraceEvent] = []
    private var initial: [InputName: Bool]
    /// So long nothing happens before the first event and after the last.
    var lead: Int64 = 1_000_000_000
    var tail: Int64 = 100_000_000

    init(inputs: [InputName] = [.shutter], pressed: Set<InputName> = []) {
        initial = Dictionary(uniqueKeysWithValues: inputs.map { ($0, !pressed.contains($0)) })
    }

    /// The level of a button from a time on.
    mutating func set(_ input: InputName = .shutter, pressed: Bool, at time: Int64) {
        events.append(TraceEvent(at: time, .edge(input, high: !pressed, sequence: nil)))
    }

    /// Changes at so many us, beginning with a press.
    mutating func toggle(_ input: InputName = .shutter, us: [Int64]) {
        for (index, time) in us.enumerated() { set(input, pressed: index % 2 == 0, at: time * 1000) }
    }

    /// As a VCD, in a file.
    func file(in folder: Scratch) throws -> String {
        let shifted = events.sorted { $0.at < $1.at }.map { TraceEvent(at: $0.at + lead, $0.kind) }
        let trace = Trace(initial: initial, events: shifted, end: (shifted.last?.at ?? lead) + tail)
        let path = folder.fresh("wave") + ".vcd"
        try AtomicFile.replace(path, with: Array(VCDWriter.text(of: trace).utf8))
        return path
    }
}
