// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// When each frame of a steady camera is exposed and complete. Counted from the start, so nothing drifts.
package struct FrameTiming: Equatable, Sendable {
    /// Frames a second.
    package let rate: Double
    package let exposure: Duration
    /// From the end of the exposure until the frame is complete.
    package let readout: Duration

    package init(rate: Double, exposure: Duration? = nil) {
        self.rate = rate
        let interval = Duration.nanoseconds(Int64(1e9 / rate))
        self.exposure = min(exposure ?? .milliseconds(2), exposure == nil ? interval / 2 : interval)
        readout = min(interval / 8, .milliseconds(4))
    }

    package var interval: Duration { .nanoseconds(Int64((1e9 / rate).rounded())) }

    /// From the camera's start until frame `index` begins its exposure.
    package func begin(_ index: UInt64) -> Duration { .nanoseconds(Int64((Double(index) * 1e9 / rate).rounded())) }

    /// From the camera's start until the exposure ends: libcamera's SensorTimestamp.
    package func end(_ index: UInt64) -> Duration { begin(index) + exposure }

    /// From the camera's start until the frame can be had.
    package func complete(_ index: UInt64) -> Duration { end(index) + readout }

    /// The first frame that completes at or after a time since the start.
    package func firstComplete(after time: Duration) -> UInt64 {
        var index = UInt64(max(0, (time - exposure - readout).seconds * rate))
        while complete(index) < time { index += 1 }
        return index
    }
}
