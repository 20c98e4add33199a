// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Photos between acceptance and the writer: brings the camera's frame and the machine's decision together, in
/// whichever order they come.
struct Captures {
    /// What the machine decided about a reserved frame.
    private struct Decision {
        var press: Timestamp
        var accepted: Timestamp
        var mode: Mode
        var trigger: Trigger
    }

    private struct Open {
        var frame: Frame?
        var decision: Decision?
    }

    private var open: [CaptureID: Open] = [:]

    var isEmpty: Bool { open.isEmpty }
    func contains(_ id: CaptureID) -> Bool { open[id] != nil }

    mutating func reserve(_ id: CaptureID) { open[id] = Open() }
    mutating func discard(_ id: CaptureID) { open[id] = nil }

    /// The frame is there; returns the job if the photo is decided.
    mutating func reserved(_ id: CaptureID, _ frame: Frame) -> PhotoJob? {
        open[id]?.frame = frame
        return complete(id)
    }

    /// The photo is decided; returns the job if the frame is there.
    mutating func decide(_ id: CaptureID, press: Timestamp, accepted: Timestamp, mode: Mode, trigger: Trigger) -> PhotoJob? {
        open[id]?.decision = Decision(press: press, accepted: accepted, mode: mode, trigger: trigger)
        return complete(id)
    }

    private mutating func complete(_ id: CaptureID) -> PhotoJob? {
        guard let frame = open[id]?.frame, let decision = open[id]?.decision else { return nil }
        open[id] = nil
        return PhotoJob(
            id: id, frame: frame, press: decision.press, accepted: decision.accepted, mode: decision.mode, trigger: decision.trigger)
    }
}
