// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A person's or program's wish that does not come from a button line.
package enum ShutterRequest: Equatable, Sendable {
    case mode(Mode)
    case toggleMode
    /// A press and its release at once, with all that a tap does in the present mode.
    case tap(Trigger)
    case press
    case release
    /// A photo of this instant, whatever the mode.
    case capture
    case recordStart
    case recordStop
    /// A control to a value, as it was written.
    case set(ControlName, String)
    case drive(Drive.Change)
    /// Finish what is under way and stop.
    case quit
}

/// Correlates a request with its reply.
package struct RequestID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// Why something is not done now. The words are part of the control protocol.
package struct Refusal: Error, Equatable, Sendable {
    package var reason: String
    /// What to do about it, for people.
    package var message: String

    package init(_ reason: String, _ message: String) {
        self.reason = reason
        self.message = message
    }

    package init(_ fault: Fault) {
        self.init(fault.reason, fault.message)
    }

    package static let recording = Refusal("recording", "a clip is being recorded; stop it first")
    package static let notRecording = Refusal("not-recording", "no clip is being recorded")
    package static let busy = Refusal("busy", "earlier photos are still being saved; press again in a moment")
    package static let pressed = Refusal("pressed", "the shutter is being pressed; release it first")
    package static let notPressed = Refusal("not-pressed", "the shutter is not being pressed over the control socket")
    package static let starting = Refusal("starting", "the camera is not ready yet; press again in a moment")
    package static let countingDown = Refusal("counting-down", "the self-timer runs; press again to cancel it")
    package static let intervalOn = Refusal("interval", "an interval runs; press, or `shutterctl drive single`, to end it")
    package static let exposing = Refusal("exposing", "an exposure lasts as long as the press; release it first")
    package static let noBulb = Refusal("no-bulb", "this camera cannot end an exposure when told to (or rests between presses, see [camera] lag); set [camera] exposure instead")
    package static let stopping = Refusal("stopping", "the daemon is stopping")
}

/// What a request is replied with.
package enum Answer: Equatable, Sendable {
    /// The mode is now this.
    case mode(Mode)
    /// The drive mode is now this.
    case drive(Drive)
    /// Accepted; the photo or clip of this number will be told of when it ends.
    case accepted(CaptureID)
    /// The control has this value now: the nearest to what was asked for.
    case control(ControlName, Double)
    /// Done, with nothing more to come.
    case done
    case refused(Refusal)
}

/// What is worth telling a person, without stopping anything.
package enum Warning: Equatable, Sendable {
    case heldAtStart(InputName)
    case unstable(InputName)
    case heldTooLong(InputName)
    /// A hold is bound to `record`, but nothing can record: the photo was kept instead.
    case holdCannotRecord(Refusal)
    case lineLost(InputName)
    case lineFound(InputName)
}

/// What a vibration motor or piezo tells the finger.
package enum Feedback: String, Sendable {
    /// A photo was taken: one 30 ms pulse.
    case impact
    /// A clip began or ended: two pulses of 15 ms.
    case selection
}

/// One thing to do or to tell, in the imperative or the past tense, with the instant it belongs to and the
/// instant it was decided.
package struct Command: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        // Facts, for logs, `watch` and `replay`.
        case press(InputName)
        case release(InputName)
        case tap(InputName)
        case hold(InputName)
        case double(InputName)
        case cancel(InputName, CancelReason)
        case warning(Warning)
        case refused(CaptureID?, Refusal)
        /// An encoder was turned by so many detents, clockwise is positive.
        case turn(String, Int)
        /// A session of the controls begins, ends, or fills the view.
        case controls(ControlsModel.Step, ControlName)
        /// Turns change this control from now on.
        case controlSelected(ControlName)
        /// Exposure, white balance and focus are kept as they are, while a focus button is half pressed.
        case lock(LockPhase)
        /// A self-timer of this time began.
        case countdown(Duration)
        case intervalStart(Duration, beats: Int?)
        case intervalEnd(beats: Int, skipped: Int, SeriesEnd)

        // The camera and the encoder.
        /// Keep the frame of this instant until the contact is judged; nil = let go.
        case anticipate(Timestamp?)
        /// A clip may begin at this instant: keep the frames from there on; nil = let go.
        case anticipateClip(Timestamp?)
        /// Lock exposure, white balance and focus, or unlock them.
        case focus(Bool)
        /// A control has another value: set the camera to it.
        case control(ControlName, Double)
        case reserve(CaptureID)
        case capture(CaptureID, Trigger, Mode)
        case discard(CaptureID)
        case recordStart(CaptureID, Trigger)
        case recordStop(CaptureID, StopReason)
        /// Begin an exposure, and end it: the frame of this photo.
        case exposureStart(CaptureID)
        case exposureEnd(CaptureID)

        // Everything else.
        case mode(Mode)
        case drive(Drive)
        case cue(Cue)
        case feedback(Feedback)
        case reply(RequestID, Answer)
        /// All is finished: leave.
        case exit
    }

    /// The instant it is attributed to: the first contact of a press, for its photo.
    package var instant: Timestamp
    /// The instant it was decided.
    package var decided: Timestamp
    package var kind: Kind

    package init(_ kind: Kind, instant: Timestamp, decided: Timestamp) {
        self.kind = kind
        self.instant = instant
        self.decided = decided
    }
}

/// What a half press has come to.
package enum LockPhase: Equatable, Sendable {
    case began
    /// The camera keeps its values from here on.
    case locked
    /// It cannot: the lens found no focus.
    case failed
    case ended
    case cancelled(CancelReason)
}

/// Why a clip was closed.
package enum StopReason: String, Sendable {
    case press, release, request, stopping
    case maxHold = "max-hold"
    case cameraLost = "camera-lost"
    case storageLow = "storage-low"
    case buttonLost = "button-lost"
}
