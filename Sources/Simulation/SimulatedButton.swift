// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A button line without hardware: levels come from keys, tests or a waveform.
package final class SimulatedButton: ButtonLine, @unchecked Sendable {
    package let name: InputName
    private let mailbox: Mailbox<LineEvent>
    private let state: Locked<State>

    private struct State {
        var level: Level
        var sequence: UInt32 = 0
        /// While one plays, the level follows the clock and not the player's progress: a re-read never contradicts it.
        var waveform: (shape: Waveform, start: Timestamp)?
    }

    /// The first event is `.found`, as of a line that has just been requested.
    package init(name: InputName = .shutter, initial: Level = .inactive) throws(SystemError) {
        self.name = name
        state = Locked(State(level: initial))
        mailbox = try Mailbox()
        mailbox.post(.found(initial, at: Clock.now))
    }

    package var descriptor: Int32 { mailbox.descriptor }

    package func drain() -> [LineEvent] { mailbox.drain() }

    package func level() -> Level? {
        state.withLock { state in
            guard let (waveform, start) = state.waveform else { return state.level }
            return waveform.level(at: Clock.now - start)
        }
    }

    package func press(at instant: Timestamp = Clock.now) { set(.active, at: instant) }

    package func release(at instant: Timestamp = Clock.now) { set(.inactive, at: instant) }

    /// Puts the line at a level; an edge when that is a change. From any thread.
    package func set(_ level: Level, at instant: Timestamp) {
        state.withLock { state in
            if let (waveform, start) = state.waveform { state.level = waveform.level(at: instant - start) }
            state.waveform = nil
            guard level != state.level else { return }
            state.level = level
            post(level, at: instant, &state)
        }
    }

    /// From now on the level is what the waveform has at this instant; the player delivers the edges.
    func follow(_ waveform: Waveform, from start: Timestamp) {
        state.withLock { state in
            if state.level != waveform.initial { post(waveform.initial, at: start, &state) }
            state.level = waveform.level(at: waveform.length)
            state.waveform = (waveform, start)
        }
    }

    /// An edge of the waveform that is being followed; false once something else has taken the line over.
    func deliver(_ change: LevelChange) -> Bool {
        state.withLock { state in
            guard let start = state.waveform?.start else { return false }
            post(change.level, at: start + change.offset, &state)
            return true
        }
    }

    private func post(_ level: Level, at instant: Timestamp, _ state: inout State) {
        state.sequence &+= 1
        mailbox.post(.edge(level, at: instant, sequence: state.sequence))
    }
}
