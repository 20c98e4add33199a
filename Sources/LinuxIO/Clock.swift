// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import ShutterCore

/// The only file that reads a clock.
package enum Clock {
    /// CLOCK_MONOTONIC now; see clock_gettime(2).
    package static var now: Timestamp {
        Timestamp(nanoseconds: read(CLOCK_MONOTONIC))
    }

    /// Wall time now, nanoseconds since 1970. For names and metadata only: it jumps.
    package static var wallNanoseconds: Int64 {
        read(CLOCK_REALTIME)
    }

    /// Whether something (an NTP client, a PPS source) keeps the wall clock right, as the kernel was told; see adjtimex(2).
    package static var isDisciplined: Bool {
        clinux_clock_is_disciplined() == 1
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { fatalError("clock_gettime: \(errno)") }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Blocks this thread until the instant. Never on the loop's thread.
    package static func sleep(until instant: Timestamp) {
        var time = timespec(tv_sec: Int(instant.nanoseconds / 1_000_000_000), tv_nsec: Int(instant.nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
