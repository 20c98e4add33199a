// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Which frame is the photo of an instant.
package enum FrameChoice: String, Sendable, CaseIterable {
    /// The frame whose exposure is centred nearest to the instant: |lag| ≤ half a frame interval.
    case nearest
    /// The first frame whose exposure began at or after the instant: never shows the time before the press.
    case firstAfter = "first-after"

    /// The verdict on a wanted instant, given the frames of the ring.
    package enum Verdict: Equatable, Sendable {
        /// The frame at this index is the one.
        case take(Int)
        /// A better one may still come.
        case wait
    }

    /// Judges the frames in the ring, oldest first.
    ///
    /// `nearest` is decided once a frame centred at or after the instant is there: later ones are only further away.
    package func judge(_ frames: [FrameMetadata], wanted: Timestamp) -> Verdict {
        switch self {
        case .nearest:
            guard let last = frames.last, last.exposureCentre >= wanted else { return .wait }
            let distances = frames.map { abs(($0.exposureCentre - wanted).nanoseconds) }
            return .take(distances.indices.min { distances[$0] < distances[$1] }!)
        case .firstAfter:
            guard let index = frames.firstIndex(where: { $0.sensorTimestamp - $0.exposureTime >= wanted }) else { return .wait }
            return .take(index)
        }
    }
}
