// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

// What is told about photos, in the words of the control protocol.

extension Daemon {
    /// `+14.6 ms`
    static func shown(_ lag: Duration) -> String {
        let tenths = (abs(lag.microseconds) + 50) / 100
        return "\(lag < .zero ? "-" : "+")\(tenths / 10).\(tenths % 10) ms"
    }

    static func fields(_ photo: SavedPhoto) -> [String: JSONValue] {
        [
            "path": .string(photo.paths.first ?? ""), "paths": .array(photo.paths.map { .string($0) }),
            "press_ns": .int(photo.press.nanoseconds), "exposure_centre_ns": .int(photo.exposureCentre.nanoseconds),
            "lag_us": .int(photo.lag.microseconds),
        ]
    }
}

extension LineEvent {
    /// When it happened.
    var instant: Timestamp {
        switch self {
        case let .edge(_, instant, _), let .overrun(instant), let .lost(instant), let .found(_, instant): instant
        }
    }
}

extension Failure {
    /// A refusal of the core, in the control protocol's words.
    init(_ refusal: Refusal) {
        let isCamera = ["no-camera", "in-use", "no-frames", "no-memory", "no-plugin", "library-mismatch", "permission-denied", "stuck", "lent"].contains(refusal.reason)
        self.init(isCamera ? .unavailable : .refused, refusal.reason, refusal.message)
    }

    /// A photo that failed after it was accepted.
    init(_ fault: Fault) {
        switch fault.reason {
        case "no-space", "read-only": self.init(.cannotCreate, fault.reason, fault.message)
        case "io": self.init(.io, fault.reason, fault.message)
        case "no-frames", "no-camera", "frame-gone", "stuck": self.init(.unavailable, fault.reason, fault.message)
        default: self.init(.internal, fault.reason, fault.message)
        }
    }
}
