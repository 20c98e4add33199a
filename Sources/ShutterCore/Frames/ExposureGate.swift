// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Which frames may become photos: judged by what the camera reports of them, never by what was asked of it.
///
/// Controls take effect some frames late, and automatic exposure takes time. So after a start, frames that are not as
/// they should be are left out, but only for so long: a shutter must always give a picture. From then on they are
/// taken, and marked.
package struct ExposureGate: Sendable {
    /// What was asked for; nil = automatic.
    package struct Wish: Equatable, Sendable {
        package var exposure: Duration?
        /// Analogue gain: ISO / 100.
        package var gain: Double?

        package init(exposure: Duration? = nil, gain: Double? = nil) {
            self.exposure = exposure
            self.gain = gain
        }
    }

    package enum Verdict: Equatable, Sendable {
        case take(ExposureDoubt?)
        case leaveOut
    }

    /// How far a value may be from what was asked for: sensors know lines, not microseconds.
    private static let tolerance = 0.05

    package let wish: Wish
    private var limit: Timestamp?

    package init(_ wish: Wish = Wish()) { self.wish = wish }

    /// The sensor starts; it delivers a frame each `interval`, once exposures are as they were asked for.
    package mutating func start(at now: Timestamp, interval: Duration) {
        limit = now + .milliseconds(1500) + interval * 6
    }

    package mutating func judge(_ metadata: FrameMetadata, at now: Timestamp) -> Verdict {
        let doubt = doubt(about: metadata)
        guard let limit else { return .take(doubt) }
        if doubt != nil, now < limit { return .leaveOut }
        self.limit = nil
        return .take(doubt)
    }

    private func doubt(about metadata: FrameMetadata) -> ExposureDoubt? {
        if let exposure = wish.exposure, !Self.isNear(metadata.exposureTime.seconds, exposure.seconds) { return .notConfirmed }
        if let gain = wish.gain, !Self.isNear(metadata.analogueGain, gain) { return .notConfirmed }
        if wish.exposure == nil || wish.gain == nil {
            // Newer versions of libcamera report a state, older ones whether it is locked; some cameras neither.
            switch (metadata.controls["AeState"], metadata.controls["AeLocked"]) {
            case (.integer(1)?, _), (nil, .boolean(false)?): return .notConverged
            default: break
            }
        }
        return nil
    }

    private static func isNear(_ value: Double?, _ wanted: Double) -> Bool {
        value.map { abs($0 - wanted) <= wanted * tolerance * 1.000_001 } ?? false
    }
}

/// Why the exposure of a photo may not be what it should be.
package enum ExposureDoubt: String, Sendable {
    /// The camera does not confirm the values that were asked for.
    case notConfirmed = "not-confirmed"
    /// Automatic exposure was still searching.
    case notConverged = "not-converged"
}
