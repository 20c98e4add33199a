// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Who follows the running frames of a camera, through all its restarts.
final class Subscribers: FrameFeed {
    private struct State {
        var admitted: [any FrameSubscriber] = []
        /// New ones: the camera's thread admits them between two frames, so that none is missed or handed over twice.
        var new: [(subscriber: any FrameSubscriber, instant: Timestamp?)] = []
    }

    private let state = Locked(State())
    /// Wakes the camera's thread.
    private let wake: Mailbox<Void>

    init(wake: Mailbox<Void>) { self.wake = wake }

    func subscribe(_ subscriber: any FrameSubscriber, from instant: Timestamp?) {
        state.withLock { $0.new.append((subscriber, instant)) }
        wake.post(())
    }

    func unsubscribe(_ subscriber: any FrameSubscriber) {
        state.withLock { state in
            state.admitted.removeAll { $0 === subscriber }
            state.new.removeAll { $0.subscriber === subscriber }
        }
    }

    // MARK: The camera's side

    var areThere: Bool { state.withLock { !$0.admitted.isEmpty || !$0.new.isEmpty } }

    var all: [any FrameSubscriber] { state.withLock { $0.admitted } }

    /// Those who were not there before, now admitted.
    func admit() -> [(subscriber: any FrameSubscriber, instant: Timestamp?)] {
        state.withLock { state in
            defer { state.new = [] }
            state.admitted += state.new.map(\.subscriber)
            return state.new
        }
    }
}
