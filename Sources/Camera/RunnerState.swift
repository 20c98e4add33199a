// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// What the camera's thread and the loop both look at; guarded by one lock.
struct RunnerState {
    /// As `status` reports it.
    enum Setup {
        case idle, starting, configured
        case failed(Fault)

        var word: String {
            switch self {
            case .idle, .starting: "idle"
            case .configured: "configured"
            case let .failed(fault): fault.reason == "permission-denied" ? "permission-denied" : "failed"
            }
        }

        var fault: Fault? { if case let .failed(fault) = self { fault } else { nil } }
    }

    var setup = Setup.idle
    /// Full-size frames run in it.
    var pool: FramePool?
    var facts: SourceFacts?
    /// Presses that the camera is being woken for.
    var waiting: [(id: CaptureID, instant: Timestamp)] = []
    /// The longest lag of those so far.
    var worstLag: Duration?
    var isStopping = false
    var hasEnded = false
    /// Another program has it, because we were asked for it.
    var isLent = false
    var isFocusing = false
    /// The focus button has changed, and the camera does not know.
    var isFocusNews = false
    /// What the controls are set to, and that the camera does not know.
    var controls = CameraControls()
    var isControlNews = false
    /// The exposure that lasts as long as a press, while it does, and what the camera is to be told of it.
    var exposure: (id: CaptureID, since: Timestamp)?
    var exposureNews: [Bool] = []
    /// The reason that was told last; nil = none yet, empty = it is well.
    var reported: String?

    static let stopped = Fault("camera-stopped", "the camera is not running")
    static let lent = Fault("lent", "the camera is lent to another program; take it back with: shutterctl camera take")
}
