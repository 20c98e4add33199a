// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Takes a camera's events to the loop, but for the answers that nobody wants any more.
final class AnswerDesk: Sendable {
    private struct State {
        /// Answers that wait to be drained, and those of them that were taken back meanwhile.
        var answered: Set<CaptureID> = []
        var released: Set<CaptureID> = []
    }

    private let mailbox: Mailbox<CameraEvent>
    private let state = Locked(State())

    init() throws(SystemError) { mailbox = try Mailbox() }

    var descriptor: Int32 { mailbox.descriptor }

    func post(_ event: CameraEvent) { mailbox.post(event) }

    func post(_ id: CaptureID, _ answer: CameraEvent) {
        state.withLock { _ = $0.answered.insert(id) }
        mailbox.post(answer)
    }

    /// An answer that has not been drained will not be.
    func release(_ id: CaptureID) {
        state.withLock { if $0.answered.contains(id) { $0.released.insert(id) } }
    }

    func drain() -> [CameraEvent] {
        let events = mailbox.drain()
        let released = state.withLock { state in
            let released = state.released
            for case let id? in events.map(\.capture) {
                state.answered.remove(id)
                state.released.remove(id)
            }
            return released
        }
        return events.filter { event in event.capture.map { !released.contains($0) } ?? true }
    }
}

extension CameraEvent {
    /// The reservation that the event answers.
    fileprivate var capture: CaptureID? {
        switch self {
        case .reserved(let id, _), .reservationFailed(let id, _): id
        case .ready, .lost, .hopeless, .locked: nil
        }
    }
}
