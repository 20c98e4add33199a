// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What the camera does on a press.
package enum Mode: String, Sendable, CaseIterable, Codable {
    case photo, video

    package var other: Mode { self == .photo ? .video : .photo }
}

/// A named input, as in `[button.NAME]` and in trace files.
package struct InputName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package static let shutter = InputName(rawValue: "shutter")
    package static let mode = InputName(rawValue: "mode")
    package static let focus = InputName(rawValue: "focus")
    package static let up = InputName(rawValue: "up")
    package static let down = InputName(rawValue: "down")
    package var description: String { rawValue }
}

/// The logical level of an input. Electrical words (rising, active-low) stop at the adapters.
package enum Level: String, Sendable {
    case active, inactive

    package var opposite: Level { self == .active ? .inactive : .active }
}

/// One photo or clip on its way from acceptance to its end, unique within this run.
package struct CaptureID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (left: CaptureID, right: CaptureID) -> Bool { left.number < right.number }
    package var description: String { "#\(number)" }
}

/// What asked for a photo or clip, as the sidecar names it.
package enum Trigger: String, Sendable {
    /// A button line.
    case button
    /// `shutterctl`, over the control socket.
    case control
    /// SIGUSR1.
    case signal
    /// The end of a self-timer.
    case timer
    /// A beat of an interval, after its first one.
    case interval
}

/// Why something failed, is not there or is not as it should be: a stable word for programs and a sentence for people.
package struct Fault: Error, Equatable, Sendable {
    /// A word of a fixed list: `no-frames`, `no-camera`, `no-space`, `read-only`, `io`, `encode`, …
    package var reason: String
    /// What, where, why, and what to do.
    package var message: String

    package init(_ reason: String, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
