// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Takes a camera's events to the loop, but for the answers that nobody wants any more.
final class AnswerDesk: Sendable {
    private let mailbox: Mailbox<CameraEvent>
    /// What was asked for, and neither drained nor taken back.
    private let open = Locked(Set<CaptureID>())

    init() throws(SystemError) { mailbox = try Mailbox() }

    var descriptor: Int32 { mailbox.descriptor }

    func post(_ event: CameraEvent) { mailbox.post(event) }

    /// Before it is asked for: exactly one answer will be posted.
    func expect(_ id: CaptureID) { open.withLock { _ = $0.insert(id) } }

    /// An answer that has not been drained will not be, wherever it is on its way.
    func release(_ id: CaptureID) { open.withLock { _ = $0.remove(id) } }

    func drain() -> [CameraEvent] {
        mailbox.drain().filter { event in event.capture.map { id in open.withLock { $0.remove(id) != nil } } ?? true }
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
