// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// What many presses leave behind in a running shutterd: memory, descriptors, threads, and time to answer.
enum GrowthBench {
    /// $SHUTTERD_BENCH_PRESSES: as many photos, in ten parts.
    private static let presses = getenv("SHUTTERD_BENCH_PRESSES").flatMap { Int(String(cString: $0)) } ?? 10_000

    static func run() -> Report {
        let daemon = RunningDaemon(.small)
        let control = daemon.connect()
        let facts = daemon.facts
        func press(_ count: Int) -> Samples {
            var times = Samples()
            for _ in 0..<count {
                times.add(measure { if control.ask("capture")["ok"] != true { fail("a photo failed") } })
            }
            return times
        }
        // What is made once is not growth.
        _ = press(200)
        let before = facts.use
        var (first, last) = (Samples(), Samples())
        for part in 1...10 {
            progress("growth: part \(part) of 10 of \(presses) photos")
            last = press(presses / 10)
            if part == 1 { first = last }
        }
        let after = facts.use
        var report = Report("growth", "\(presses) photos of 640x360, one after the other")
        report.add("resident memory", Double(after.resident - before.resident), "KB more", goal: 4096)
        report.add("descriptors", Double(after.descriptors - before.descriptors), "more", goal: 0)
        report.add("threads", Double(after.threads - before.threads), "more", goal: 0)
        report.add("mappings", Double(after.mappings - before.mappings), "more", goal: 16)
        report.add("from request to saved, first tenth, p50", first.median, "ms")
        report.add("    p99", first.p99, "ms")
        report.add("    last tenth, p50", last.median, "ms")
        report.add("    p99", last.p99, "ms")
        report.notes.append("SHUTTERD_BENCH_PRESSES=1000000 for the long way, which takes some hours")
        return report
    }
}
