// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// The clocks, and what is to be thought of the wall clock. Tests set them.
package struct MediaClock: Sendable {
    package var now: @Sendable () -> Timestamp
    /// Nanoseconds since 1970.
    package var wall: @Sendable () -> Int64
    package var source: @Sendable () -> ClockSource

    package init(
        now: @escaping @Sendable () -> Timestamp, wall: @escaping @Sendable () -> Int64,
        source: @escaping @Sendable () -> ClockSource
    ) {
        self.now = now
        self.wall = wall
        self.source = source
    }

    package static let system = MediaClock(
        now: { Clock.now }, wall: { Clock.wallNanoseconds }, source: { ClockSource.current(wall: Clock.wallNanoseconds) })

    /// Wall time of a frame's exposure centre: the camera's own word if it can be true, else reckoned back from now.
    func wallTime(of metadata: FrameMetadata) -> Int64 {
        if let told = metadata.frameWallClock, ClockSource.isPlausible(wall: told) { return told }
        return wall() - (now() - metadata.exposureCentre).nanoseconds
    }
}

/// What keeps the wall clock right, as the sidecar names it.
package enum ClockSource: String, Sendable {
    /// Synchronised over the network (or by another source that the kernel was told of).
    case ntp
    /// Battery-backed.
    case rtc
    /// Nothing known: dates may be anything.
    case none

    /// Whether a wall-clock value lies in the years 2020…2099. A Pi without a clock starts in the past, and values
    /// in the wrong unit are off by a factor of 1000.
    static func isPlausible(wall: Int64) -> Bool {
        let start: Int64 = 1_577_836_800_000_000_000  // 2020-01-01
        let end: Int64 = 4_102_444_800_000_000_000  // 2100-01-01
        return (start..<end).contains(wall)
    }

    static func current(wall: Int64) -> ClockSource {
        judge(
            wall: wall,
            isDisciplined: Clock.isDisciplined || AtomicFile.exists("/run/systemd/timesync/synchronized"),
            hasBattery: AtomicFile.exists("/dev/rtc0") || AtomicFile.exists("/sys/class/rtc/rtc0"))
    }

    static func judge(wall: Int64, isDisciplined: Bool, hasBattery: Bool) -> ClockSource {
        guard isPlausible(wall: wall) else { return .none }
        return isDisciplined ? .ntp : hasBattery ? .rtc : .none
    }
}
