// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Writes a value change dump that sigrok, PulseView and GTKWave read, piece by piece as the changes come.
package struct VCDWriter {
    package enum Unit: Sendable {
        /// What logic analysers cope with best: they hold every unit of time in memory. Times are rounded.
        case microsecond
        case nanosecond

        fileprivate var name: String { self == .microsecond ? "1 us" : "1 ns" }
        fileprivate func count(_ nanoseconds: Int64) -> Int64 {
            let time = max(0, nanoseconds)
            return self == .microsecond ? time / 1000 + (time % 1000 >= 500 ? 1 : 0) : time
        }
    }

    /// What stands before the first change.
    package let header: String
    private let unit: Unit
    private var levels: [InputName: (code: String, high: Bool)] = [:]
    private var written: Int64 = 0

    /// - Parameters:
    ///   - initial: the inputs and their electrical levels at the time 0, in the order in which they shall stand.
    ///   - comment: a line for people; what could end the comment is taken out.
    package init(initial: [(input: InputName, high: Bool)], unit: Unit = .microsecond, comment: String? = nil) {
        self.unit = unit
        var lines = ["$version shutterd \(Version.current) $end"]
        if let comment {
            let words = Shown.oneLine(comment).split(separator: " ").map { $0 == "$end" ? "end" : $0 }
            lines.append("$comment \(words.joined(separator: " ")) $end")
        }
        lines += ["$timescale \(unit.name) $end", "$scope module shutterd $end"]
        var values: [String] = []
        for (position, start) in initial.enumerated() where levels[start.input] == nil {
            let code = Self.code(position)
            levels[start.input] = (code, start.high)
            lines.append("$var wire 1 \(code) \(Self.name(start.input)) $end")
            values.append((start.high ? "1" : "0") + code)
        }
        lines += ["$upscope $end", "$enddefinitions $end", "#0", "$dumpvars"] + values + ["$end"]
        header = lines.joined(separator: "\n") + "\n"
    }

    /// The text of a change, empty if the level is the one that it has. Times must not go backwards; an earlier one is
    /// written as the last one.
    package mutating func change(_ input: InputName, high: Bool, at nanoseconds: Int64) -> String {
        guard let (code, before) = levels[input], before != high else { return "" }
        levels[input] = (code, high)
        return advance(to: nanoseconds) + (high ? "1" : "0") + code + "\n"
    }

    /// The text that ends the dump, so that viewers show how long nothing more happened.
    package mutating func finish(at nanoseconds: Int64) -> String {
        advance(to: nanoseconds)
    }

    /// A whole trace: what stood on the lines. Requests and sequence numbers have no place in a VCD and are left out.
    package static func text(of trace: Trace) -> String {
        let isWhole = trace.events.allSatisfy { $0.at % 1000 == 0 } && trace.end % 1000 == 0
        let initial = trace.initial.sorted { $0.key.rawValue < $1.key.rawValue }.map { (input: $0.key, high: $0.value) }
        var writer = VCDWriter(initial: initial, unit: isWhole ? .microsecond : .nanosecond)
        var text = writer.header
        for event in trace.events {
            switch event.kind {
            case .edge(let input, let high, _), .level(let input, let high):
                text += writer.change(input, high: high, at: event.at)
            case .request:
                break
            }
        }
        return text + writer.finish(at: trace.end)
    }

    private mutating func advance(to nanoseconds: Int64) -> String {
        let time = unit.count(nanoseconds)
        guard time > written else { return "" }
        written = time
        return "#\(time)\n"
    }

    /// Printable characters without a meaning of their own at the start of a line: `a`, `b`, … `z`, `aa`, …
    private static func code(_ position: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(position % 26)))
        return position < 26 ? letter : code(position / 26 - 1) + letter
    }

    private static func name(_ input: InputName) -> String {
        let name = String(input.rawValue.map { $0.isWhitespace ? "_" : $0 })
        return name.isEmpty ? "_" : name
    }
}
