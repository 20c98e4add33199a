// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Photos as fast as they can be saved: every frame of 12 MP is asked for, and what finds no room is refused before it is exposed.
enum BurstBench {
    private static let time = Duration.seconds(6)

    static func run(rate: Int) -> Report {
        progress("burst at \(rate) fps: \(time)")
        var settings = RunningDaemon.Settings.large
        settings.rate = rate
        settings.burstRate = nil
        let daemon = RunningDaemon(settings)
        let control = daemon.connect()
        let watch = daemon.connect()
        guard watch.ask("watch")["ok"] == true else { fail("shutterd cannot be watched") }
        guard control.ask("drive", ["burst"])["ok"] == true else { fail("no burst") }
        let before = daemon.facts.threads.values.reduce(Duration.zero) { $0 + $1.cpu }
        let start = Clock.now
        guard control.ask("press")["ok"] == true else { fail("no press") }
        Clock.sleep(until: start + time)
        let held = tally(control)
        guard control.ask("release")["ok"] == true else { fail("no release") }
        let stopped = Clock.now
        var now = tally(control)
        while now.pending > 0 {
            Clock.sleep(until: Clock.now + .milliseconds(20))
            now = tally(control)
        }
        let drained = Clock.now
        let cpu = daemon.facts.threads.values.reduce(Duration.zero) { $0 + $1.cpu } - before
        var report = Report("burst", "every frame of 4056x3040 at \(rate) fps for \(time)")
        report.add("photos saved while held", Double(held.saved) / (Double((stopped - start).nanoseconds) / 1e9), "a second")
        report.add("frames that found no room, counted", Double(now.skipped), "")
        report.add("failed", Double(now.failed), "", goal: 0)
        report.add("waiting when let go", Double(held.pending), "photos")
        report.add("    saved after", (drained - stopped).milliseconds, "ms")
        report.add("CPU", Double(cpu.nanoseconds) / Double((drained - start).nanoseconds) * 100, "% of a core")
        return report
    }

    private static func tally(_ control: ControlConnection) -> (saved: Int64, pending: Int64, skipped: Int64, failed: Int64) {
        let presses = control.ask("status")["presses"]
        func count(_ name: String) -> Int64 { presses?[name]?.int ?? 0 }
        return (count("saved"), count("pending"), count("skipped"), count("failed"))
    }
}
