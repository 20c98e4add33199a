// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Records clips on threads of its own, from the camera's running frames.
package protocol VideoRecorder: AnyObject, EventSource where Event == ClipEvent {
    /// When `drain` is to be called even if nothing is readable.
    var deadline: Timestamp? { get }
    /// Whether clips are likely: with a pre-roll, frames are encoded and kept from now on.
    func roll(_ isRolling: Bool)
    /// A clip may have begun at this instant: frames are encoded and kept from there on. Nil: it was none, or has been started.
    func anticipate(_ instant: Timestamp?)
    /// Begins a clip. Answered by exactly one `.ended`.
    func start(_ job: ClipJob)
    /// Ends a clip with the last frame at or before the instant. One that has ended by itself is left as it is.
    func stop(_ id: CaptureID, at instant: Timestamp, reason: StopReason)
    /// Whether nothing else is to be done: then what is closed may be put in order.
    func rest(_ isResting: Bool)
    /// The last files are closed and named. Waits for that, but not beyond the deadline.
    func close(until deadline: Timestamp)
    var status: RecorderStatus { get }
}

/// A clip that is to be recorded, and what is known of its press.
package struct ClipJob: Sendable {
    package var id: CaptureID
    /// The instant of the first contact (or of the request).
    package var press: Timestamp
    package var accepted: Timestamp
    package var mode: Mode
    package var trigger: Trigger

    package init(id: CaptureID, press: Timestamp, accepted: Timestamp, mode: Mode, trigger: Trigger) {
        self.id = id
        self.press = press
        self.accepted = accepted
        self.mode = mode
        self.trigger = trigger
    }
}

/// What became of a clip, of the encoder or of the sound.
package enum ClipEvent: Sendable {
    /// Which encoder makes clips, or why none can.
    case encoder(Result<String, Fault>)
    /// Bytes of the clip have reached the disk; slow: they wait for it.
    case progress(CaptureID, isSlow: Bool)
    /// A file of the clip is closed, and the clip goes on in another.
    case file(CaptureID, SavedClip)
    /// The encoder was replaced.
    case restarted(CaptureID, Fault)
    /// No sound comes, or some was lost: clips go on without it. Nil: it comes again.
    case sound(Fault?)
    case ended(CaptureID, Result<SavedClip, Fault>)
    /// The clip of this path is a plain MP4 now, or why it is not.
    case remuxed(String, Fault?)
}

/// A clip whose files survive a power cut, as far as their file system does.
package struct SavedClip: Equatable, Sendable {
    /// Absolute paths, in order; each MP4 before its sidecar.
    package var paths: [String] = []
    package var press: Timestamp
    /// Exposure centres of the first and the last frame.
    package var first: Timestamp?
    package var last: Timestamp?
    package var frames = 0
    /// Frames that are missing in between.
    package var dropped = 0
    package var bytes: UInt64 = 0
    /// MP4 files, also those that are not closed yet.
    package var files = 0
    /// How often the encoder was replaced.
    package var restarts = 0
    /// The longest that writing and syncing a fragment took.
    package var slowestWrite = Duration.zero
    /// A word of `StopReason`, or of the fault that ended it.
    package var ended = ""
    /// Why it is shorter than it was to be.
    package var fault: Fault?

    package init(press: Timestamp) { self.press = press }
}

/// What `status` tells about video.
package struct RecorderStatus: Equatable, Sendable {
    /// FFmpeg's name of the encoder; nil: there is none, or it is still being looked for.
    package var encoder: String?
    package var fault: Fault?
    package var size: String
    /// `idle`, `rolling` (a pre-roll is kept) or `recording`.
    package var state = "idle"
    /// Of the clip being recorded.
    package var name = ""
    package var frames = 0
    package var dropped = 0
    package var bytes: UInt64 = 0
    package var seconds = 0.0
    package var slowestWrite = Duration.zero
    /// How often an encoder was replaced since the start.
    package var restarts = 0
    package var sound = SoundStatus()

    package init(size: String) { self.size = size }
}

/// A device that sound is read from. Used by one thread; a call may block for a moment.
package protocol SoundDevice: AnyObject {
    /// Frames a second; a frame is one sample of each channel.
    var rate: Int { get }
    var channels: Int { get }
    /// Throws when no more can be had from it.
    func read() throws(Fault) -> Sound
}

/// What one call to a `SoundDevice` gave.
package enum Sound: Sendable {
    /// None came in the time that a call waits.
    case nothing
    /// 16 bits a sample, channels interleaved. From: when the first of them was captured.
    case samples([Int16], from: Timestamp)
    /// Some were lost; it goes on.
    case overrun
}

/// What `status` tells about sound.
package struct SoundStatus: Equatable, Sendable {
    package enum State: String, Sendable {
        /// None is wanted by the configuration.
        case off
        /// The microphone is closed: no clip is being recorded, and none is likely.
        case idle
        case opening, running, failed
    }

    package var state = State.off
    package var fault: Fault?
    /// How often samples were lost because they were not taken in time.
    package var overruns = 0

    package init() {}
}
