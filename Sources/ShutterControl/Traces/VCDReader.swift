// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Reads a value change dump (IEEE 1364, four-state): what sigrok, PulseView and GTKWave write.
///
/// The first level seen of a variable is the one before the trace began; a later, different one is an edge. `x` and `z`
/// say nothing, so the last level stays.
package struct VCDReader {
    private let file: String
    private var tokens: VCDTokens
    private var header: VCDHeader
    private var levels: [InputName: Bool] = [:]
    private var trace = Trace()
    private var now: Int64 = 0

    /// - Parameters:
    ///   - file: how errors name it.
    ///   - inputs: the variables that count, or nil for all one-bit variables.
    package static func read(_ bytes: [UInt8], file: String, inputs: Set<InputName>? = nil) throws(TraceFault) -> Trace {
        guard bytes.count <= Trace.largestFile else {
            throw TraceFault(file: file, line: 0, "larger than \(Trace.largestFile >> 20) MiB: cut out the part that matters")
        }
        var reader = VCDReader(bytes, file, inputs)
        try reader.header.read(&reader.tokens)
        try reader.readChanges()
        guard !reader.levels.isEmpty else {
            throw reader.fault("no input is given a level after $enddefinitions: the file was cut off, or holds only x and z")
        }
        reader.trace.end = reader.now
        return reader.trace
    }

    private init(_ bytes: [UInt8], _ file: String, _ inputs: Set<InputName>?) {
        self.file = file
        tokens = VCDTokens(bytes)
        header = VCDHeader(file: file, wanted: inputs)
    }

    private mutating func readChanges() throws(TraceFault) {
        var open: (name: String, line: Int)?
        while let token = tokens.next() {
            guard let first = token.first else { continue }
            switch first {
            case UInt8(ascii: "#"):
                try advance(token.dropFirst())
            case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "r"), UInt8(ascii: "R"), UInt8(ascii: "s"), UInt8(ascii: "S"):
                guard let code = tokens.next() else { throw cut("the variable's code after \(Shown.bytes(token, limit: 30))") }
                let isBits = first | 0x20 == UInt8(ascii: "b")
                try change(code, isBits ? try bit(of: token) : nil, isVector: true)
            case UInt8(ascii: "$"):
                if token.spells("$end") {
                    guard open != nil else { throw fault("$end without a beginning") }
                    open = nil
                } else if token.spells("$dumpvars") || token.spells("$dumpall") || token.spells("$dumpon") || token.spells("$dumpoff") {
                    if let open { throw fault("\(open.name) of line \(open.line) has no $end") }
                    open = (String(decoding: token, as: UTF8.self), tokens.line)
                } else {
                    try VCDHeader.section(&tokens, Shown.bytes(token, limit: 30), file)
                }
            default:
                guard let level = Self.level(first) else {
                    throw fault("\(Shown.bytes(token, limit: 30)) is neither a time (#120) nor a change (1!)")
                }
                try change(token.dropFirst(), level.known, isVector: false)
            }
        }
        if let open { throw cut("the $end of \(open.name) of line \(open.line)") }
    }

    /// `#120`
    private mutating func advance(_ digits: ArraySlice<UInt8>) throws(TraceFault) {
        if digits.isEmpty, tokens.touchesEnd { throw cut("the time after #") }
        guard let time = digits.decimal, let instant = header.timescale?.nanoseconds(at: time), instant <= Trace.latest else {
            throw fault("#\(String(Shown.bytes(digits, limit: 30).dropFirst().dropLast())) is no time: it is a whole number, and at most 146 years")
        }
        guard instant >= now else {
            throw tokens.touchesEnd ? cut("the rest of the time after #\(time)") : fault("time goes backwards: #\(time) comes after a later one")
        }
        now = instant
    }

    private mutating func change(_ code: ArraySlice<UInt8>, _ high: Bool?, isVector: Bool) throws(TraceFault) {
        guard !code.isEmpty else {
            throw tokens.touchesEnd ? cut("the variable's code") : fault("a change without a variable's code")
        }
        guard let variable = header.variables[code] else {
            throw fault("\(Shown.bytes(code, limit: 30)) is no variable: no $var declares that code")
        }
        if tokens.touchesEnd, header.variables.keys.contains(where: { $0.count > code.count && $0.starts(with: code) }) {
            throw cut("the rest of the code after \(Shown.bytes(code, limit: 30))")
        }
        guard case .bit(let inputs) = variable, let high else { return }
        for input in inputs {
            guard let level = levels.updateValue(high, forKey: input) else {
                trace.initial[input] = high
                continue
            }
            guard level != high else { continue }
            guard trace.events.count < Trace.mostEvents else {
                throw fault("more than \(Trace.mostEvents) edges: cut out the part that matters")
            }
            trace.events.append(TraceEvent(at: now, .edge(input, high: high, sequence: nil)))
        }
    }

    /// The last bit of `b0101`, which is the whole of a one-bit variable; nil when it is not known.
    private func bit(of token: ArraySlice<UInt8>) throws(TraceFault) -> Bool? {
        var last: Bool?
        guard token.count > 1 else { throw fault("a vector without bits") }
        for byte in token.dropFirst() {
            guard let level = Self.level(byte) else { throw fault("\(Shown.bytes(token, limit: 30)) is no vector: its bits are 0, 1, x and z") }
            last = level.known
        }
        return last
    }

    /// A level, known or not; nil for what is none. The letters beyond 0, 1, x, z are VHDL's, which GHDL writes.
    private static func level(_ byte: UInt8) -> (known: Bool?, Void)? {
        switch byte {
        case UInt8(ascii: "0"), UInt8(ascii: "l"), UInt8(ascii: "L"): (false, ())
        case UInt8(ascii: "1"), UInt8(ascii: "h"), UInt8(ascii: "H"): (true, ())
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "z"), UInt8(ascii: "Z"), UInt8(ascii: "u"), UInt8(ascii: "U"),
            UInt8(ascii: "w"), UInt8(ascii: "W"), UInt8(ascii: "-"): (nil, ())
        default: nil
        }
    }

    private func fault(_ message: String) -> TraceFault {
        TraceFault(file: file, line: tokens.line, message)
    }

    private func cut(_ missing: String) -> TraceFault {
        fault("the file was cut off: \(missing) is missing")
    }
}
