// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import LinuxIO
import ShutterCore

/// systemd's side: readiness and the watchdog (sd_notify(3)). Does nothing where no systemd asked for it.
package final class ServiceManager {
    /// Half of what the unit's WatchdogSec allows; nil = no watchdog.
    private let interval: Duration?
    private var nextPing: Timestamp?

    package init() {
        var limit: UInt64 = 0
        interval = sd_watchdog_enabled(0, &limit) > 0 ? .microseconds(Int64(limit / 2)) : nil
        nextPing = interval.map { Clock.now + $0 }
    }

    package var deadline: Timestamp? { nextPing }

    /// Whether systemd waits for our word: then it starts a fresh process when this one fails.
    package var isSupervised: Bool { getenv("NOTIFY_SOCKET") != nil }

    package func ready(_ status: String) { sd_notify(0, "READY=1\nSTATUS=\(status)") }
    package func tell(_ status: String) { sd_notify(0, "STATUS=\(status)") }
    package func stopping() { sd_notify(0, "STOPPING=1") }
    /// We were told to stop, and it may take as long: longer than the unit's TimeoutStopSec where exposures are.
    package func stopping(within time: Duration) { sd_notify(0, "STOPPING=1\nEXTEND_TIMEOUT_USEC=\(time.microseconds)") }

    /// Pings when it is time and everything that should move does; otherwise systemd restarts us.
    package func advance(to now: Timestamp, isHealthy: () -> Bool) {
        guard let interval, let due = nextPing, due <= now else { return }
        nextPing = now + interval
        if isHealthy() { sd_notify(0, "WATCHDOG=1") }
    }
}
