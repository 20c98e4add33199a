// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// What systemd is told; see sd_notify(3).
@Suite("Service", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct ServiceTests {
    @Test func readyArmedAndStopping() throws {
        let daemon = try TestDaemon.ready()
        // From the first moment the ring shows how things are.
        #expect(["starting", "idle-photo"].contains(try daemon.ask("status")["ring"]?.string))
        #expect(try daemon.notify.wait(for: "STATUS=armed", from: daemon.child))
        daemon.child.signal(SIGTERM)
        // service.stop, and what is closed after it.
        #expect(try daemon.notify.wait(for: "EXTEND_TIMEOUT_USEC=30000000", from: daemon.child))
        #expect(try daemon.notify.wait(for: "STOPPING=1", from: daemon.child))
        #expect(try daemon.child.exit() == 0)
    }

    /// The pings come from the loop, and from it alone.
    @Test func aLoopThatStandsStillDoesNotPing() throws {
        let daemon = try TestDaemon.ready(environment: ["WATCHDOG_USEC": "100000"])
        for _ in 0..<3 { #expect(try daemon.notify.wait(for: "WATCHDOG=1", from: daemon.child)) }
        daemon.child.signal(SIGSTOP)
        try daemon.child.waitUntilStopped()
        try daemon.notify.drain()
        #expect(try !daemon.notify.wait(for: "WATCHDOG=1", from: daemon.child, within: .seconds(1)))
        daemon.child.signal(SIGCONT)
        #expect(try daemon.notify.wait(for: "WATCHDOG=1", from: daemon.child))
        #expect(try daemon.stop() == 0)
    }

    @Test func withoutAWatchdogNothingPings() throws {
        let daemon = try TestDaemon.ready()
        #expect(try daemon.notify.wait(for: "STATUS=armed", from: daemon.child))
        #expect(try !daemon.notify.wait(for: "WATCHDOG=1", from: daemon.child, within: .milliseconds(500)))
    }
}
