// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// From the first contact to the accepted press, beyond the debounce time, as a client of the control socket sees it.
enum PressBench {
    /// The presses that one shutterd is given.
    struct Load {
        var settings: RunningDaemon.Settings
        var bursts: Int
        /// One frame apart.
        var inBurst: Int
        var pause: Duration

        /// Each press after the photo of the last one is saved.
        static let quiet = Load(settings: .small, bursts: 600, inBurst: 1, pause: .milliseconds(40))
        /// From the third press on, photos are being encoded on two threads.
        static let busy = Load(settings: .fast, bursts: 80, inBurst: 5, pause: .milliseconds(400))
    }

    private static let debounce = Duration.milliseconds(4)

    static func run(_ load: Load) -> Report {
        var settings = load.settings
        let interval = Duration.nanoseconds(1_000_000_000 / Int64(settings.rate))
        var trace = PressTrace()
        trace.pause(.milliseconds(500))
        for _ in 0..<load.bursts {
            for _ in 0..<load.inBurst { trace.press(for: interval / 2, then: interval - interval / 2) }
            trace.pause(load.pause)
        }
        settings.debounce = debounce
        settings.presses = trace
        let size = "\(settings.width)x\(settings.height) at \(settings.rate) fps"
        let title = load.inBurst == 1
            ? "\(size), \(load.bursts) single presses" : "\(size), \(load.bursts) bursts of \(load.inBurst) presses, one frame apart"
        progress("press: \(title)")
        let isUndisturbed = watchUndisturbed()
        let daemon = RunningDaemon(settings)
        let control = daemon.connect()
        guard control.ask("watch")["ok"] == true else { fail("shutterd cannot be watched") }
        let timer = BareTimer(every: .milliseconds(17))
        defer { timer.stop() }

        var watched = Watched()
        let deadline = Clock.now + trace.end + .seconds(2)
        while Clock.now < deadline {
            let ready = Poller.wait([Poller.Interest(control.descriptor), Poller.Interest(timer.descriptor)], until: deadline)
            let now = Clock.now
            if ready.contains(1) {
                // Compared under the same load: with photos in work, or without.
                for due in timer.drain() { watched.tell(bare: now - due) }
            }
            if ready.contains(0) {
                while let (event, at) = control.line(until: now) {
                    watched.tell(kind: event["kind"]?.string ?? "", instant: event["t_us"]?.int ?? 0, at: at, debounce: debounce)
                }
            }
        }
        var report = watched.report(title, presses: load.bursts * load.inBurst)
        // Events that are still on their way come first.
        while let (event, _) = control.line(until: Clock.now + .milliseconds(50)) {
            watched.tell(kind: event["kind"]?.string ?? "", instant: 0, at: Clock.now, debounce: debounce)
        }
        let camera = daemon.connect().ask("status")["camera"]
        report.add("frames dropped", Double(camera?["dropped"]?.int ?? 0), "of \(camera?["frames"]?.int ?? 0)", goal: 0)
        report.add("frames copied out of the ring", Double(camera?["copied"]?.int ?? 0), "")
        report.notes.append(
            "seen by a client of a socket\(isUndisturbed ? " with real-time priority" : ", whose own wake-up is in it"); "
                + "the bare timer is a thread of ordinary priority that sleeps until an instant and writes 8 bytes to a socket")
        return report
    }

    /// Gives this thread real-time priority, where that is permitted, and nothing that it starts: sched_setscheduler(2).
    private static func watchUndisturbed() -> Bool {
        // SCHED_RESET_ON_FORK is behind _GNU_SOURCE.
        let resetOnFork: Int32 = 0x4000_0000
        var priority = sched_param(sched_priority: 1)
        return sched_setscheduler(0, SCHED_RR | resetOnFork, &priority) == 0
    }

    /// What has been seen so far.
    private struct Watched {
        var (quiet, busy, bareQuiet, bareBusy) = (Samples(), Samples(), Samples(), Samples())
        var refused = 0
        private var inWork = 0

        private var isBusy: Bool { inWork >= 2 }

        mutating func tell(bare late: Duration) {
            if isBusy { bareBusy.add(late) } else if inWork == 0 { bareQuiet.add(late) }
        }

        mutating func tell(kind: String, instant: Int64, at: Timestamp, debounce: Duration) {
            switch kind {
            case "press":
                let late = at - (Timestamp(nanoseconds: instant * 1000) + debounce)
                if isBusy { busy.add(late) } else if inWork == 0 { quiet.add(late) }
            case "capture": inWork += 1
            case "saved", "failed": inWork -= 1
            case "refused": refused += 1
            default: break
            }
        }

        func report(_ title: String, presses: Int) -> Report {
            var report = Report("press", title)
            let parts = [("no photo in work", quiet, bareQuiet), ("two or more photos in work", busy, bareBusy)]
            for (when, ours, bare) in parts where ours.count >= 100 {
                report.add("\(when): presses", Double(ours.count), "")
                report.add("    edge → accepted beyond debounce, p50", ours.median, "ms")
                report.add("    p99", ours.p99, "ms")
                report.add("    most", ours.most, "ms")
                report.add("    a bare timer, p50", bare.median, "ms")
                report.add("    p99", bare.p99, "ms")
                report.add("    ours − bare, p99", ours.p99 - bare.p99, "ms", goal: 1)
            }
            report.add("presses refused", Double(refused), "of \(presses)", goal: 0)
            return report
        }
    }
}

extension RunningDaemon.Settings {
    /// Presses one frame apart give more photos than two cores can encode.
    fileprivate static let fast: RunningDaemon.Settings = {
        var settings = large
        settings.rate = 56
        return settings
    }()
}
