// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What the machine is set up with, is told, and counts.
extension ShutterMachine {
    package enum HoldBinding: String, Sendable, CaseIterable { case record, burst, none }
    package enum DoubleBinding: String, Sendable, CaseIterable {
        case toggleMode = "toggle-mode"
        case none
    }

    /// What the gestures of a mode do.
    package struct Gestures: Equatable, Sendable {
        package var hold: HoldBinding
        package var double: DoubleBinding

        package init(hold: HoldBinding, double: DoubleBinding = .none) {
            self.hold = hold
            self.double = double
        }
    }

    /// What a press does while earlier photos are still being saved.
    package enum Busy: String, Sendable, CaseIterable { case queue, ignore }

    package struct Settings: Equatable, Sendable {
        package var photo: Gestures
        package var video: Gestures
        package var busy: Busy
        /// Photos that may be on their way at once.
        package var queue: Int
        /// From one photo of a burst to the next; nil = every frame.
        package var burst: Duration?
        /// The first start's drive mode.
        package var drive: Drive
        /// Of an exposure that lasts as long as the press.
        package var longestExposure: Duration
        /// From SIGTERM to the end, at most.
        package var stop: Duration

        package init(
            photo: Gestures = Gestures(hold: .record), video: Gestures = Gestures(hold: .none), busy: Busy = .queue,
            queue: Int = 5, burst: Duration? = .milliseconds(200), drive: Drive = Drive(), longestExposure: Duration = .seconds(10),
            stop: Duration = .seconds(20)
        ) {
            self.photo = photo
            self.video = video
            self.busy = busy
            self.queue = queue
            self.burst = burst
            self.drive = drive
            self.longestExposure = longestExposure
            self.stop = stop
        }
    }

    /// What the camera is like.
    package struct Sensor: Equatable, Sendable {
        /// From one frame to the next.
        package var interval: Duration
        /// Whether it can expose for as long as it is told to.
        package var canExpose: Bool

        package init(interval: Duration = .seconds(1) / 30, canExpose: Bool = false) {
            self.interval = interval
            self.canExpose = canExpose
        }
    }

    package enum Input: Sendable {
        case press(InputName, PressRecognizer.Output)
        case request(RequestID?, ShutterRequest)
        /// nil = the camera is ready.
        case camera(Refusal?)
        /// nil = photos and clips may be saved.
        case storage(Refusal?)
        case sensor(Sensor)
        case encoder(Refusal?)
        case line(InputName, isThere: Bool)
        /// The photo or clip reached its end.
        case finished(CaptureID, isSaved: Bool)
        /// Bytes of a clip reached the disk.
        case clipProgress(CaptureID, isSlow: Bool)
    }

    /// Every accepted press or request, and how it ended.
    package struct Tally: Equatable, Sendable {
        package var accepted = 0
        package var saved = 0
        package var refused = 0
        package var failed = 0
        package var cancelled = 0
        /// Beats of bursts and intervals at which no photo could be taken.
        package var skipped = 0

        package init(accepted: Int = 0, saved: Int = 0, refused: Int = 0, failed: Int = 0, cancelled: Int = 0, skipped: Int = 0) {
            self.accepted = accepted
            self.saved = saved
            self.refused = refused
            self.failed = failed
            self.cancelled = cancelled
            self.skipped = skipped
        }

        package var pending: Int { accepted - saved - refused - failed - cancelled }
    }
}
