// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A button line without hardware: levels come from keys, tests or a waveform.
///
/// As with a kernel's line, an edge can be drained from the instant the level changes: both follow the clock, and
/// not the progress of the thread that plays the waveform.
package final class SimulatedButton: ButtonLine, @unchecked Sendable {
    package let name: InputName
    private let wakeUps: Mailbox<Void>
    private let state: Locked<State>

    private struct State {
        var level: Level
        var sequence: UInt32 = 0
        var waiting: [LineEvent] = []
        var playing: Playing?

        mutating func change(to level: Level, at instant: Timestamp) {
            guard level != self.level else { return }
            self.level = level
            sequence &+= 1
            waiting.append(.edge(level, at: instant, sequence: sequence))
        }

        /// Brings the line to where the waveform has it at `now`.
        mutating func catchUp(to now: Timestamp) {
            while let change = playing?.next, let start = playing?.start, start + change.offset <= now {
                playing?.position += 1
                self.change(to: change.level, at: start + change.offset)
            }
        }
    }

    private struct Playing {
        var waveform: Waveform
        var start: Timestamp
        var position = 0
        var next: LevelChange? { position < waveform.changes.count ? waveform.changes[position] : nil }
    }

    /// The first event is `.found`, as of a line that has just been requested.
    package init(name: InputName = .shutter, initial: Level = .inactive) throws(SystemError) {
        self.name = name
        state = Locked(State(level: initial, waiting: [.found(initial, at: Clock.now)]))
        wakeUps = try Mailbox()
        wakeUps.post(())
    }

    package var descriptor: Int32 { wakeUps.descriptor }

    package func drain() -> [LineEvent] {
        _ = wakeUps.drain()
        return state.withLock { state in
            state.catchUp(to: Clock.now)
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    package func level() -> Level? {
        state.withLock { state in
            state.catchUp(to: Clock.now)
            return state.level
        }
    }

    package func press(at instant: Timestamp = Clock.now) { set(.active, at: instant) }

    package func release(at instant: Timestamp = Clock.now) { set(.inactive, at: instant) }

    /// Puts the line at a level; an edge when that is a change. From any thread. Ends a waveform.
    package func set(_ level: Level, at instant: Timestamp) {
        state.withLock { state in
            state.catchUp(to: instant)
            state.playing = nil
            state.change(to: level, at: instant)
        }
        wake()
    }

    /// The line is found at a level, as if it had been requested at that instant.
    package func find(_ level: Level, at instant: Timestamp) {
        state.withLock { state in
            state.level = level
            state.waiting.append(.found(level, at: instant))
        }
        wake()
    }

    /// From now on the line follows the waveform; the player wakes whoever waits for its edges.
    func follow(_ waveform: Waveform, from start: Timestamp) {
        state.withLock { state in
            state.change(to: waveform.initial, at: start)
            state.playing = Playing(waveform: waveform, start: start)
        }
        wake()
    }

    /// Whether a waveform is still in charge of the line.
    var isFollowing: Bool { state.withLock { $0.playing != nil } }

    func wake() { wakeUps.post(()) }
}
