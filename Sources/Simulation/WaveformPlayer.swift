// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Plays a waveform on a simulated button in real time: wakes whoever waits for an edge when it is there. Every edge
/// is stamped with its exact scheduled instant, as a kernel would.
package final class WaveformPlayer: EventSource, @unchecked Sendable {
    /// The waveform is over; all its edges have been delivered before.
    package struct Ended: Equatable, Sendable {
        package var at: Timestamp
    }

    package let waveform: Waveform
    private let button: SimulatedButton
    private let mailbox: Mailbox<Ended>
    private let state = Locked((isStopping: false, hasEnded: false))
    private var thread: Thread?

    package init(_ waveform: Waveform, on button: SimulatedButton) throws(SystemError) {
        self.waveform = waveform
        self.button = button
        mailbox = try Mailbox()
    }

    deinit { stop() }

    package var descriptor: Int32 { mailbox.descriptor }

    package func drain() -> [Ended] { mailbox.drain() }

    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Plays it once, from its first microsecond at `start`.
    package func start(at start: Timestamp = Clock.now) {
        precondition(thread == nil, "a waveform is played once")
        button.follow(waveform, from: start)
        let (waveform, button, mailbox, state) = (waveform, button, mailbox, state)
        thread = Thread(name: "sim-button") {
            func isStopped(until instant: Timestamp) -> Bool {
                state.wait(until: instant) { $0.isStopping ? true : nil } ?? false
            }
            for change in waveform.changes {
                if isStopped(until: start + change.offset) || !button.isFollowing { break }
                button.wake()
            }
            let end = start + waveform.length
            if isStopped(until: end) { return }
            state.withLock { $0.hasEnded = true }
            mailbox.post(Ended(at: end))
        }
    }

    /// Ends it early; no more edges, and no `Ended`.
    package func stop() {
        guard let thread else { return }
        state.update { $0.isStopping = true }
        thread.join()
        self.thread = nil
    }
}
