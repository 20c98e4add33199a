// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What one press in photo mode leads to. In video mode it stays as it is, without effect.
package struct Drive: Equatable, Sendable {
    package enum Mode: String, CaseIterable, Sendable {
        /// One photo; holds and doubles as they are bound.
        case single
        /// Photos until the release.
        case burst
        /// One photo, some time after the press; a second press cancels it.
        case timer
        /// Photos on a fixed grid that begins with the press; a second press ends it.
        case interval
        /// One exposure, as long as the press.
        case bulb
    }

    /// How long an interval lasts.
    package enum Limit: Equatable, Sendable {
        case none
        /// Beats of the grid, taken or not.
        case count(Int)
        /// Beats before the end of this time.
        case length(Duration)
    }

    package var mode = Mode.single
    /// From the press to the photo.
    package var timer = Duration.seconds(10)
    /// From beat to beat.
    package var interval = Duration.seconds(5)
    package var limit = Limit.none

    package init() {}

    package static let timers = Duration.seconds(1) ... .seconds(60)
    package static let intervals = Duration.milliseconds(100) ... .seconds(86400)
    package static let lengths = Duration.milliseconds(100) ... .seconds(31_536_000)
    package static let counts = 1...10_000_000

    /// The beats of an interval; nil = no end.
    package var beats: Int? {
        switch limit {
        case .none: nil
        case let .count(count): count
        case let .length(length): Int((length.nanoseconds + interval.nanoseconds - 1) / interval.nanoseconds)
        }
    }

    /// What is to be another way. What is nil stays as it was, but a new interval has no limit until one is set with it.
    package struct Change: Equatable, Sendable {
        package var mode: Mode
        /// The timer's or the interval's time.
        package var time: Duration?
        package var limit: Limit?

        package init(_ mode: Mode, time: Duration? = nil, limit: Limit? = nil) {
            self.mode = mode
            self.time = time
            self.limit = limit
        }
    }

    package func with(_ change: Change) -> Drive {
        var drive = self
        drive.mode = change.mode
        switch change.mode {
        case .single, .burst, .bulb: break
        case .timer: drive.timer = change.time ?? timer
        case .interval:
            drive.interval = change.time ?? interval
            drive.limit = change.limit ?? (change.time == nil ? limit : .none)
        }
        return drive
    }
}

/// Photos on a fixed grid. Every beat's instant is reckoned from the first one: nothing drifts.
package struct Series: Equatable, Sendable {
    package var start: Timestamp
    package var period: Duration
    /// nil = without end.
    package var count: Int?
    /// Beats that were due so far, and those of them that could not be taken.
    package var beats = 0
    package var skipped = 0

    /// The instant of the next beat.
    package var next: Timestamp { start + period * beats }
    package var isOver: Bool { count.map { beats >= $0 } ?? false }
}

/// Why an interval ended.
package enum SeriesEnd: String, Sendable {
    /// All beats were due.
    case done
    case press
    case modeChanged = "mode-changed"
    case driveChanged = "drive-changed"
    case stopping
}
