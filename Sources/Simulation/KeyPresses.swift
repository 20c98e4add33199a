// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Turns keys into edges of the button. A terminal tells no key-up: a press ends a while after its last key.
package struct KeyPresses {
    package enum Key: Equatable, Sendable {
        /// A tap; while the key repeats, a hold.
        case space
        /// Down until the next `h`; while the key repeats, until it stops.
        case hold
        /// A tap of a worn contact.
        case bounce
    }

    /// A tap, from press to release.
    package static let tap = Duration.milliseconds(80)
    /// From the last repetition of a key to the release.
    package static let afterRepeat = Duration.milliseconds(150)
    /// Two `h` within this are one that repeats: terminals wait about 500 ms before the first repetition.
    package static let repeatDelay = Duration.milliseconds(600)
    /// Levels of a bouncing tap, in µs since the contact.
    package static let bouncing: [(Int64, Level)] = [
        (0, .active), (300, .inactive), (900, .active), (1400, .inactive), (2600, .active),
        (80_000, .inactive), (80_300, .active), (81_100, .inactive), (82_500, .active), (83_200, .inactive),
    ]

    private var waiting: [(level: Level, at: Timestamp)] = []
    private var isDown = false
    /// When `h` was seen last, while it holds the button down.
    private var held: Timestamp?

    package init() {}

    /// When the next edge is due.
    package var deadline: Timestamp? { waiting.first?.at }

    /// The edges that are due by now, oldest first.
    package mutating func advance(to now: Timestamp) -> [(level: Level, at: Timestamp)] {
        let due = waiting.prefix { $0.at <= now }
        waiting.removeFirst(due.count)
        if let last = due.last { isDown = last.level == .active || !waiting.isEmpty }
        if !isDown { held = nil }
        return Array(due)
    }

    /// The edges of a key, beside those that follow later.
    package mutating func handle(_ key: Key, at now: Timestamp) -> [(level: Level, at: Timestamp)] {
        let before = advance(to: now)
        // A bouncing tap is left to end.
        guard waiting.count < 2 else { return before }
        switch key {
        case .space where held != nil:
            release(at: now)
        case .space where isDown:
            release(at: now + Self.afterRepeat)
        case .space:
            press(at: now)
            release(at: now + Self.tap)
        case .bounce where isDown: break
        case .bounce: waiting = Self.bouncing.map { ($0.1, now + .microseconds($0.0)) }
        case .hold:
            if let last = held, now - last < Self.repeatDelay {
                held = now
                release(at: now + Self.afterRepeat)
            } else if held != nil {
                release(at: now)
            } else if !isDown {
                held = now
                press(at: now)
            }
        }
        return before + advance(to: now)
    }

    private mutating func press(at instant: Timestamp) { waiting = [(.active, instant)] }

    private mutating func release(at instant: Timestamp) {
        waiting.removeAll { $0.level == .inactive }
        waiting.append((.inactive, instant))
    }
}
