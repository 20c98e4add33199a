// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What the ring is to say. Cues, not pixels, come out of the core; `RingAnimator` draws them.
package enum Cue: Hashable, Sendable {
    // States: each stays until the next state.
    case off
    /// Not ready yet: the camera is being set up.
    case starting
    case idle(Mode)
    /// The button is down and its gesture is not decided.
    case pressed
    /// Bytes of a clip reach the disk.
    case recording
    /// The same, while the disk is slower than the clip.
    case recordingSlowly
    /// A clip that ends with the release.
    case holding
    /// Photos are being taken until the release.
    case bursting
    /// The time a self-timer has left, out of all it was given.
    case countdown(left: Duration, of: Duration)
    /// An interval runs, and its next photo is still to come.
    case waiting
    /// The exposure lasts as long as the press.
    case exposing
    /// A control's value, 0…1, with its zero point.
    case value(Double, zero: Double)
    /// A picker's choice.
    case choice(Int, of: Int)
    /// Exposure, white balance and focus are locked.
    case locked
    /// The button was held beyond `max_hold` and no release has been seen.
    case stuck
    case storageLow
    case cameraFault
    case buttonFault

    // Moments: each plays once, over the state.
    case captured
    /// A press was seen and did what a tap does, where there is no flash (theme `keyframe`).
    case tapped
    case refused
    case busy

    /// Whether the cue plays once over the state instead of replacing it.
    package var isMoment: Bool {
        switch self {
        case .captured, .tapped, .refused, .busy: true
        case .off, .starting, .idle, .pressed, .recording, .recordingSlowly, .holding, .bursting, .countdown, .waiting, .exposing, .value, .choice, .locked,
            .stuck, .storageLow, .cameraFault, .buttonFault: false
        }
    }
}
