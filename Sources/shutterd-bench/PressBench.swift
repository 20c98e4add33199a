// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// From the first contact to the accepted press, beyond the debounce time, as a client of the control socket sees it.
///
/// Presses come in bursts, one frame apart: the first is quiet, from the third on earlier photos are being encoded on
/// two threads.
enum PressBench {
    private static let (bursts, inBurst) = (50, 5)
    private static let debounce = Duration.milliseconds(5)

    static func run(_ size: RunningDaemon.Settings) -> Report {
        var settings = size
        let interval = Duration.nanoseconds(1_000_000_000 / Int64(settings.rate))
        var trace = PressTrace()
        trace.pause(.milliseconds(500))
        for _ in 0..<bursts {
            for _ in 0..<inBurst { trace.press(for: interval / 2, then: interval - interval / 2) }
            trace.pause(.milliseconds(900))
        }
        settings.debounce = debounce
        settings.presses = trace
        let title = "\(settings.width)x\(settings.height) at \(settings.rate) fps, \(bursts) bursts of \(inBurst) presses one frame apart"
        progress("press: \(title)")
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
        return watched.report(title, presses: bursts * inBurst)
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
            for (when, ours, bare) in [("quiet", quiet, bareQuiet), ("two or more photos in work", busy, bareBusy)] {
                report.add("\(when): presses", Double(ours.count), "")
                report.add("    edge → accepted beyond debounce, p50", ours.median, "ms")
                report.add("    p99", ours.p99, "ms")
                report.add("    most", ours.most, "ms")
                report.add("    a bare timer, p50", bare.median, "ms")
                report.add("    p99", bare.p99, "ms")
                report.add("    ours − bare, p99", ours.p99 - bare.p99, "ms", goal: 1)
            }
            report.add("presses refused, one frame after the last", Double(refused), "of \(presses)", goal: 0)
            report.notes.append(
                "both are seen by a client of a socket, whose own wake-up is in each; the bare timer sleeps until an instant and writes 8 bytes")
            return report
        }
    }
}
