// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore
import Testing

@Suite struct FeedbackTests {
    static let start = Timestamp(nanoseconds: 5_000_000_000)

    /// Milliseconds since the start, and the level from then on.
    struct Change: Equatable, Sendable {
        var at: Int64
        var level: Level
        init(_ at: Int64, _ level: Level) { (self.at, self.level) = (at, level) }
    }

    /// - Parameter delay: how much later than its deadline each step is taken.
    static func play(_ inputs: [(at: Int64, feedback: Feedback)], delay: Int64 = 0) -> [Change] {
        var player = FeedbackPlayer()
        var changes: [Change] = []
        var rest = inputs[...]
        func note(_ level: Level?, _ now: Timestamp) {
            if let level { changes.append(Change((now - start).microseconds / 1000, level)) }
        }
        while true {
            let due = player.deadline.map { $0 + .milliseconds(delay) }
            let input = rest.first.map { start + .milliseconds($0.at) }
            guard let now = earliest(due, input) else { return changes }
            if now == due {
                note(player.advance(to: now), now)
            } else {
                note(player.handle(rest.removeFirst().feedback, at: now), now)
            }
        }
    }

    @Test func impactIsOnePulse() {
        #expect(Self.play([(0, .impact)]) == [Change(0, .active), Change(30, .inactive)])
    }

    @Test func selectionIsTwoPulses() {
        let expected = [Change(0, .active), Change(15, .inactive), Change(75, .active), Change(90, .inactive)]
        #expect(Self.play([(0, .selection)]) == expected)
    }

    @Test func aLateLoopMakesNoPulseShorter() {
        let expected = [Change(0, .active), Change(65, .inactive), Change(175, .active), Change(240, .inactive)]
        #expect(Self.play([(0, .selection)], delay: 50) == expected)
    }

    @Test func oneWaitsAndMoreAreLeftOut() {
        let expected = [Change(0, .active), Change(30, .inactive), Change(90, .active), Change(120, .inactive)]
        #expect(Self.play([(0, .impact), (5, .impact), (10, .impact), (12, .selection)]) == expected)
        #expect(Self.play([(0, .impact), (200, .impact)]).map(\.at) == [0, 30, 200, 230])
    }
}
