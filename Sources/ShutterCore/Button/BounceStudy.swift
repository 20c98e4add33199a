// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Looks at how a switch bounces, for a person who presses it for about a second and lets go for a second.
///
/// Edges that come within `apart` of each other are one change of the switch. Within it, the longest time that the level
/// stood still is what a debounce time has to outlast.
package struct BounceStudy: Sendable {
    /// A level that was reached, and when.
    package struct Change: Equatable, Sendable {
        package var level: Level
        package var at: Timestamp

        package init(_ level: Level, at: Timestamp) {
            self.level = level
            self.at = at
        }
    }

    /// What came of one change.
    package struct Episode: Equatable, Sendable {
        package enum Kind: String, Sendable {
            case press, release
            /// Pressed and released within `apart`.
            case tap
            /// Too short for a finger: noise, or a switch that is shaken.
            case spike
        }

        package var kind: Kind
        /// The level before it.
        package var before: Level
        package var changes: [Change]
        /// From the first contact to the last time that the contact closed again; zero when it closed once.
        package var lastReclosure: Duration
        /// The longest time that the level stood still before it was settled.
        package var longestQuiet: Duration

        /// From the first edge to the last.
        package var length: Duration { (changes.last?.at ?? changes[0].at) - changes[0].at }
    }

    /// Upper ends of the histogram's classes.
    package static let classes: [Duration] = [
        .microseconds(100), .microseconds(300), .milliseconds(1), .milliseconds(3), .milliseconds(10), .milliseconds(30), .milliseconds(100),
        .seconds(10),
    ]

    /// Two changes of a switch are further apart than this.
    package static let apart = Duration.milliseconds(400)
    /// No finger is faster.
    private static let shortest = Duration.milliseconds(10)

    private var debouncer: Debouncer
    private var before: Level?
    private var changes: [Change] = []
    private var last: Level?
    package private(set) var edges = 0
    package private(set) var episodes: [Episode.Kind: Int] = [:]
    package private(set) var longestReclosure = Duration.zero
    package private(set) var longestQuiet = Duration.zero
    /// Times between two edges of one change, by `classes`.
    package private(set) var histogram = [Int](repeating: 0, count: classes.count)

    /// - Parameter debounce: as configured, to tell what that would filter out.
    package init(debounce: Duration) {
        debouncer = Debouncer(.init(debounce: debounce))
    }

    /// What the configured debounce time filters out, and what was lost.
    package var counts: Debouncer.Counts { debouncer.counts }
    package var presses: Int { (episodes[.press] ?? 0) + (episodes[.tap] ?? 0) }
    package var deadline: Timestamp? { changes.last.map { $0.at + Self.apart } }

    /// A debounce time that outlasts all that was seen, by half; nil until something was.
    package var proposal: Duration? {
        guard presses > 0 else { return nil }
        let wanted = longestQuiet.nanoseconds * 3 / 2
        let step: Int64 = 5_000_000
        return min(.seconds(2), max(.milliseconds(5), .nanoseconds((wanted + step - 1) / step * step)))
    }

    /// How the line stands at the beginning.
    package mutating func begin(_ level: Level, at instant: Timestamp) {
        (before, last) = (level, level)
        _ = debouncer.handle(.found(level, at: instant))
    }

    /// Takes an edge; returns the change before it, if that has ended.
    package mutating func edge(to level: Level, at instant: Timestamp, sequence: UInt32? = nil) -> Episode? {
        let ended = advance(to: instant)
        edges += 1
        while let due = debouncer.deadline, due <= instant { _ = debouncer.advance(to: due, reading: nil) }
        _ = debouncer.handle(.edge(level, at: instant, sequence: sequence))
        guard level != last else { return ended }
        last = level
        changes.append(Change(level, at: instant))
        return ended
    }

    /// Time passes; returns the change that has ended by now.
    package mutating func advance(to now: Timestamp) -> Episode? {
        while let due = debouncer.deadline, due <= now { _ = debouncer.advance(to: due, reading: nil) }
        guard let deadline, deadline <= now else { return nil }
        return finish()
    }

    /// Ends what is open.
    package mutating func finish() -> Episode? {
        guard let before, let end = changes.last else { return nil }
        let episode = Self.judge(changes, before: before)
        (self.before, changes) = (end.level, [])
        episodes[episode.kind, default: 0] += 1
        if episode.kind != .spike {
            longestReclosure = max(longestReclosure, episode.lastReclosure)
            longestQuiet = max(longestQuiet, episode.longestQuiet)
        }
        for (one, next) in zip(episode.changes, episode.changes.dropFirst()) where next.at - one.at < Self.apart {
            histogram[Self.classes.firstIndex { next.at - one.at <= $0 } ?? Self.classes.count - 1] += 1
        }
        return episode
    }

    private static func judge(_ changes: [Change], before: Level) -> Episode {
        guard changes.last?.level == before else {
            let kind = before == .inactive ? Episode.Kind.press : .release
            return Episode(kind: kind, before: before, changes: changes, lastReclosure: reclosure(changes), longestQuiet: quiet(changes))
        }
        // It ends as it began: the longest time at the other level was meant, unless it is too short to be.
        let away = zip(changes, changes.dropFirst()).enumerated().filter { $0.element.0.level != before }
        guard let held = away.max(by: { $0.element.1.at - $0.element.0.at < $1.element.1.at - $1.element.0.at }),
            held.element.1.at - held.element.0.at >= shortest
        else { return Episode(kind: .spike, before: before, changes: changes, lastReclosure: .zero, longestQuiet: .zero) }
        let (first, second) = (Array(changes[...held.offset]), Array(changes[(held.offset + 1)...]))
        return Episode(
            kind: .tap, before: before, changes: changes, lastReclosure: max(reclosure(first), reclosure(second)),
            longestQuiet: max(quiet(first), quiet(second)))
    }

    private static func reclosure(_ changes: [Change]) -> Duration {
        changes.dropFirst().last { $0.level == .active }.map { $0.at - changes[0].at } ?? .zero
    }

    private static func quiet(_ changes: [Change]) -> Duration {
        zip(changes, changes.dropFirst()).map { $1.at - $0.at }.max() ?? .zero
    }
}
