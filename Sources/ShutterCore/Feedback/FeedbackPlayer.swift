// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What can be felt or heard: the pulses of a vibration motor or piezo.
///
/// Here an instant is when something really happens: each step is counted from the one before, so that a pulse is
/// never shorter than it should be, however late the loop.
package struct FeedbackPlayer: Equatable, Sendable {
    private struct Step: Equatable {
        var isOn: Bool
        var length: Duration
    }

    private static let gap = Duration.milliseconds(60)

    private static func steps(_ feedback: Feedback) -> [Step] {
        switch feedback {
        case .impact: [pulse(.milliseconds(30))]
        case .selection: [pulse(.milliseconds(15)), Step(isOn: false, length: gap), pulse(.milliseconds(15))]
        }
    }

    private static func pulse(_ length: Duration) -> Step { Step(isOn: true, length: length) }

    /// The present step first.
    private var steps: [Step] = []
    /// How many feedbacks the steps are of.
    private var waiting = 0
    private var stepEnd: Timestamp?

    package init() {}

    /// When the line changes next.
    package var deadline: Timestamp? { stepEnd }

    /// Plays a feedback, after the present one. More than one waiting one says nothing more, and is left out.
    /// - Returns: the line's new level, if it changes now.
    package mutating func handle(_ feedback: Feedback, at now: Timestamp) -> Level? {
        guard waiting < 2 else { return nil }
        waiting += 1
        if !steps.isEmpty {
            steps.append(Step(isOn: false, length: Self.gap))
            steps += Self.steps(feedback)
            return nil
        }
        steps = Self.steps(feedback)
        return begin(at: now)
    }

    /// Takes the next step if it is due.
    package mutating func advance(to now: Timestamp) -> Level? {
        guard let stepEnd, stepEnd <= now else { return nil }
        steps.removeFirst()
        return begin(at: now)
    }

    private mutating func begin(at now: Timestamp) -> Level? {
        stepEnd = steps.first.map { now + $0.length }
        if steps.isEmpty { waiting = 0 }
        return steps.first?.isOn ?? false ? .active : .inactive
    }
}
