// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

/// What `button test` prints.
struct ButtonView {
    private let line: ListenedLine
    private let screen: Screen
    private let asJSON: Bool
    private var isHigh: Bool
    private var hasLive = false

    init(_ line: ListenedLine, isHigh: Bool, screen: Screen, asJSON: Bool) {
        self.line = line
        self.isHigh = isHigh
        self.screen = screen
        self.asJSON = asJSON
    }

    mutating func begin() throws(Failure) {
        if asJSON { return try write(["kind": "level", "level": .string(word(isHigh)), "high": .bool(isHigh), "t_us": 0]) }
        try Output.write(screen.wrapped("\(line.facts), bias \(line.settings.bias.rawValue), active \(line.settings.active.rawValue)", indent: 0) + "\n")
        if line.level(isHigh) == .active {
            try Output.write(screen.coloured(screen.wrapped("It is pressed now. If nobody presses it, `active` or the wiring is inverted.", indent: 0), .yellow) + "\n")
        }
        try Output.write(screen.wrapped("Press for about a second and let go for a second, a few times. Ctrl-C ends it.", indent: 0) + "\n")
        try live(nil)
    }

    mutating func edge(isHigh: Bool, at time: Duration) throws(Failure) {
        self.isHigh = isHigh
        if asJSON {
            try write(["kind": "edge", "level": .string(word(isHigh)), "high": .bool(isHigh), "t_us": .int(time.microseconds)])
        } else {
            try live(nil)
        }
    }

    mutating func show(_ episode: BounceStudy.Episode, _ study: BounceStudy) throws(Failure) {
        if asJSON {
            return try write([
                "kind": .string(episode.kind.rawValue), "edges": .int(Int64(episode.changes.count)), "length_us": .int(episode.length.microseconds),
                "last_reclosure_us": .int(episode.lastReclosure.microseconds), "longest_quiet_us": .int(episode.longestQuiet.microseconds),
            ])
        }
        try clear()
        let count = episode.changes.count
        var facts = "\(episode.kind.rawValue): \(count == 1 ? "one clean edge" : "\(count) edges in \(Self.shown(episode.length))")"
        if episode.lastReclosure > .zero { facts += ", closed again until \(Self.shown(episode.lastReclosure))" }
        try Output.write(screen.wrapped(facts, indent: 2) + "\n")
        if episode.changes.count > 1 { try Output.write("  " + picture(episode) + "\n") }
        try live(study)
    }

    mutating func end(_ study: BounceStudy) throws(Failure) {
        let counts = study.counts
        if asJSON {
            return try write([
                "kind": "end", "edges": .int(Int64(study.edges)), "presses": .int(Int64(study.presses)), "spikes": .int(Int64(study.episodes[.spike] ?? 0)),
                "filtered": .int(Int64(counts.filtered)), "widest_filtered_us": .int(counts.widestFiltered.microseconds),
                "events_lost": .int(Int64(counts.eventsLost)), "longest_reclosure_us": .int(study.longestReclosure.microseconds),
                "longest_quiet_us": .int(study.longestQuiet.microseconds),
                "histogram": .array(zip(BounceStudy.classes, study.histogram).map { ["up_to_us": .int($0.microseconds), "count": .int(Int64($1))] }),
                "debounce_ms": .int(line.settings.debounce.microseconds / 1000), "proposed_debounce_ms": study.proposal.map { .int($0.microseconds / 1000) } ?? .null,
            ])
        }
        try clear()
        var rows = ["", "\(study.edges) edges, \(study.presses) presses, \(study.episodes[.spike] ?? 0) spikes"]
        rows.append("with debounce = \"\(Self.shown(line.settings.debounce, compact: true))\": \(counts.filtered) pulses filtered, the widest \(Self.shown(counts.widestFiltered)); \(counts.eventsLost) edges lost")
        rows.append("longest re-closure: \(Self.shown(study.longestReclosure)) after the first contact; longest pause while bouncing: \(Self.shown(study.longestQuiet))")
        try Output.write(rows.map { screen.wrapped($0, indent: 2) + "\n" }.joined())
        try histogram(study)
        guard let proposal = study.proposal else { return try Output.write("No press was seen.\n") }
        let setting = "debounce = \"\(Self.shown(proposal, compact: true))\""
        let enough = proposal <= line.settings.debounce
        try Output.write(screen.wrapped(enough ? "The present debounce is enough (\(setting) would be)." : "Write \(setting) in [button.\(line.name)].", indent: 2) + "\n")
    }

    // MARK: Pieces

    /// Slices of time: high, low, or both in one slice.
    private func picture(_ episode: BounceStudy.Episode) -> String {
        let scale = " \(Self.shown(episode.length))"
        let width = min(100, (screen.width ?? 80) - 3 - scale.count)
        let start = episode.changes[0].at
        // A little of what was before and comes after.
        let length = max(1, episode.length.nanoseconds)
        let margin = length / 8
        var text = ""
        var level = episode.before
        var rest = episode.changes[...]
        for column in 0..<width {
            let end = start.nanoseconds - margin + (length + 2 * margin) * Int64(column + 1) / Int64(width)
            var isMixed = false
            while let next = rest.first, next.at.nanoseconds < end {
                isMixed = true
                level = next.level
                rest.removeFirst()
            }
            let isHigh = (level == .active) == (line.settings.active == .high)
            text += isMixed ? "│" : isHigh ? "▔" : "▁"
        }
        return text + scale
    }

    private func histogram(_ study: BounceStudy) throws(Failure) {
        guard let most = study.histogram.max(), most > 0 else { return }
        try Output.write("times between the edges of a bounce:\n")
        try Output.write(Bars.text(
            zip(BounceStudy.classes, study.histogram).map { ("≤ " + Self.shown($0, compact: true), $1) }.filter { $0.0 != "≤ 10s" || $0.1 > 0 },
            width: screen.width))
    }

    /// The line that stands at the bottom while nothing else is said.
    private mutating func live(_ study: BounceStudy?) throws(Failure) {
        guard let width = screen.width else { return }
        let text = "\(isHigh ? "high" : "low") → \(word(isHigh))\(study.map { ", \($0.presses) presses, \($0.edges) edges" } ?? "")"
        try Output.write("\r\u{1B}[K" + String(text.prefix(width - 1)))
        hasLive = true
    }

    private mutating func clear() throws(Failure) {
        if hasLive { try Output.write("\r\u{1B}[K") }
        hasLive = false
    }

    private func word(_ isHigh: Bool) -> String { line.level(isHigh) == .active ? "pressed" : "released" }

    private func write(_ fields: [String: JSONValue]) throws(Failure) { try Output.write(JSONValue.object(fields).line + "\n") }

    /// `4.60 ms`, `157 ms`; compact as a configuration has it: `20ms`.
    static func shown(_ time: Duration, compact: Bool = false) -> String {
        let microseconds = time.microseconds
        if compact {
            if microseconds % 1_000_000 == 0, microseconds > 0 { return "\(microseconds / 1_000_000)s" }
            return microseconds % 1000 == 0 ? "\(microseconds / 1000)ms" : "\(microseconds)us"
        }
        if microseconds >= 100_000 { return "\((microseconds + 500) / 1000) ms" }
        let hundredths = (microseconds + 5) / 10
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) ms"
    }
}
