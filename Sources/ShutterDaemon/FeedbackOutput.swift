// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Puts what the player says on its line. Every call returns the fault of a line that cannot be set.
final class FeedbackOutput {
    private let line: (any OutputLine)?
    private var player = FeedbackPlayer()

    init(_ line: (any OutputLine)?) { self.line = line }

    var deadline: Timestamp? { player.deadline }

    func play(_ feedback: Feedback, at now: Timestamp) -> Fault? {
        line == nil ? nil : set(player.handle(feedback, at: now))
    }

    func advance(to now: Timestamp) -> Fault? { set(player.advance(to: now)) }

    func close() { _ = set(.inactive) }

    private func set(_ level: Level?) -> Fault? {
        guard let line, let level else { return nil }
        do throws(Fault) { try line.set(level == .active) } catch { return error }
        return nil
    }
}
