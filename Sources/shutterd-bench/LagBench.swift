// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// |exposure centre − press| of photos at random instants, in halves of a frame interval.
enum LagBench {
    private static let presses = 200

    static func run(rate: Int) -> Report {
        progress("lag at \(rate) fps: \(presses) presses")
        var random = Random()
        var trace = PressTrace()
        trace.pause(.milliseconds(500))
        for _ in 0..<presses { trace.press(for: .milliseconds(30), then: .microseconds(.random(in: 50_000...120_000, using: &random))) }
        var settings = RunningDaemon.Settings.small
        settings.rate = rate
        settings.presses = trace
        let daemon = RunningDaemon(settings)
        let control = daemon.connect()
        guard control.ask("watch")["ok"] == true else { fail("shutterd cannot be watched") }

        let half = 1e9 / Double(rate) / 2
        var (lags, signed) = (Samples(), Samples())
        var failed = 0
        let deadline = Clock.now + trace.end + .seconds(10)
        while lags.count + failed < presses, let (event, _) = control.line(until: deadline) {
            switch event["kind"]?.string {
            case "saved":
                guard let press = event["press_ns"]?.int, let centre = event["exposure_centre_ns"]?.int else { fail("a photo without its instants") }
                lags.add(abs(Double(centre - press)) / half)
                signed.add(Double(centre - press) / 1e6)
            case "failed", "refused": failed += 1
            default: break
            }
        }
        var report = Report("lag", "\(presses) presses at random instants, \(rate) fps; 1 = half a frame interval = \((half / 1e4).rounded() / 100) ms")
        report.add("photos", Double(lags.count), "")
        report.add("refused, failed or missing", Double(presses - lags.count), "", goal: 0)
        report.add("|exposure centre − press| median", lags.median, "half intervals")
        report.add("    p90", lags.percentile(90), "half intervals")
        report.add("    p99", lags.p99, "half intervals")
        report.add("    most", lags.most, "half intervals", goal: 1)
        report.add("exposure centre − press, least", signed.least, "ms")
        report.add("    most", signed.most, "ms")
        return report
    }
}
