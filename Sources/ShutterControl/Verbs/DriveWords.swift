// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Durations on the command line, as they are typed and shown: a number and one of the configuration's units, without sign or fraction bar.
enum DurationText {
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
    ]

    /// `10s`, `1.5m`, `500ms`; nil when it is none. Saturates at a century, which no range reaches.
    static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        guard digits.first != ".", digits.last != ".", let number = Double(digits),
            let unit: (name: String, nanoseconds: Int64) = units.first(where: { $0.name == text.dropFirst(digits.count) })
        else { return nil }
        return .nanoseconds(Int64(min((number * Double(unit.nanoseconds)).rounded(), 4e18)))
    }

    /// The shortest exact way to write it.
    static func show(_ duration: Duration) -> String {
        let unit: (name: String, nanoseconds: Int64) = units.first(where: { duration.nanoseconds % $0.nanoseconds == 0 && duration > .zero }) ?? units[2]
        return "\(duration.nanoseconds / unit.nanoseconds)\(unit.name)"
    }
}

extension Drive {
    /// What to type for it after `shutterctl drive`: `interval 5s --count 20`.
    package var words: String {
        switch (mode, limit) {
        case (.single, _), (.burst, _), (.bulb, _): mode.rawValue
        case (.timer, _): "timer \(DurationText.show(timer))"
        case (.interval, .none): "interval \(DurationText.show(interval))"
        case let (.interval, .count(count)): "interval \(DurationText.show(interval)) --count \(count)"
        case let (.interval, .length(length)): "interval \(DurationText.show(interval)) --for \(DurationText.show(length))"
        }
    }
}

extension Drive.Change {
    /// Reads the words of `drive`, which have been checked one by one; a `usage` failure when they do not go together.
    init(_ invocation: Invocation) throws(Failure) {
        func wrong(_ what: String) -> Failure { Failure(.usage, "bad-argument", "drive: \(what); usage: shutterctl \(invocation.verb.synopsis)") }
        guard let mode = invocation.arguments.first.flatMap(Drive.Mode.init(rawValue:)) else { throw wrong("MODE is missing") }
        let time = invocation.arguments.dropFirst().first.flatMap(DurationText.parse)
        let count = invocation.options["count"].flatMap { Int($0) }
        let length = invocation.options["for"].flatMap(DurationText.parse)
        if let time {
            switch mode {
            case .single, .burst, .bulb: throw wrong("\(mode.rawValue) takes no time")
            case .timer where !Drive.timers.contains(time): throw wrong("a timer is 1s to 60s")
            case .interval where !Drive.intervals.contains(time): throw wrong("an interval is 100ms to 24h")
            case .timer, .interval: break
            }
        }
        if count != nil || length != nil, mode != .interval { throw wrong("--count and --for are of an interval") }
        if count != nil, length != nil { throw wrong("--count and --for are two ends; give one") }
        if let length, !Drive.lengths.contains(length) { throw wrong("--for is 100ms to 8760h") }
        self.init(mode, time: time, limit: count.map { .count($0) } ?? length.map { .length($0) })
    }
}
