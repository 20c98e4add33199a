// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

// What is told about photos and clips, in the words of the control protocol.

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
        let word: ErrorWord = switch refusal.reason {
        // A wrong word of `set`.
        case "bad-value", "no-control": .usage
        case let reason: Self.cameraReasons.contains(reason) ? .unavailable : .refused
        }
        self.init(word, refusal.reason, refusal.message)
    }

    /// A photo or clip that failed after it was accepted.
    init(_ fault: Fault) {
        let word: ErrorWord = switch fault.reason {
        case "no-space", "read-only", "missing", "not-a-folder", "not-writable", "numbers-used-up": .cannotCreate
        case "io": .io
        case "stopping": .refused
        case let reason: Self.cameraReasons.contains(reason) ? .unavailable : .internal
        }
        self.init(word, fault.reason, fault.message)
    }

    /// Why there is no frame, whether that was known before the press or not.
    private static let cameraReasons: Set<String> = [
        "camera-stopped", "failed", "format", "frame-gone", "in-use", "lent", "library-mismatch", "no-buffers", "no-camera", "no-frames",
        "no-memory", "no-plugin", "permission-denied", "stuck",
    ]
}
