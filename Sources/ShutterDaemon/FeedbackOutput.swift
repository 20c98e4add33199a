// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Puts what the player says on its line. Every call returns the fault of a line that cannot be set.
///
/// The player is told the real time, not the turn's: what can be felt is how long the line is on.
final class FeedbackOutput {
    private let line: (any OutputLine)?
    private var player = FeedbackPlayer()

    init(_ line: (any OutputLine)?) { self.line = line }

    var deadline: Timestamp? { player.deadline }

    /// Requests the line, which takes longer than setting it.
    func open() -> Fault? { set(.inactive) }

    func play(_ feedback: Feedback) -> Fault? {
        line == nil ? nil : set(player.handle(feedback, at: Clock.now))
    }

    func advance() -> Fault? {
        player.deadline == nil ? nil : set(player.advance(to: Clock.now))
    }

    func close() { _ = set(.inactive) }

    private func set(_ level: Level?) -> Fault? {
        guard let line, let level else { return nil }
        do throws(Fault) { try line.set(level == .active) } catch { return error }
        return nil
    }
}
