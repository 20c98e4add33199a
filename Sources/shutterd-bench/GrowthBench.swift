// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// What many presses leave behind: memory, descriptors, threads, and time to answer.
enum GrowthBench {
    /// $SHUTTERD_BENCH_PRESSES: as many photos, in ten parts.
    private static let presses = getenv("SHUTTERD_BENCH_PRESSES").flatMap { Int(String(cString: $0)) } ?? 10_000

    /// In a running shutterd, at the pace that it keeps.
    static func daemon() -> Report {
        // A frame every 4 ms, and small: what grows, grows with each photo, and not with its size.
        var settings = RunningDaemon.Settings.small
        (settings.width, settings.height, settings.rate) = (320, 240, 240)
        let daemon = RunningDaemon(settings)
        // Three at once are what the memory of frames always has room for.
        let clients = (0..<3).map { _ in daemon.connect() }
        let facts = daemon.facts
        var (others, reason) = (0, "")
        func press(_ count: Int) -> Samples {
            var times = Samples()
            for _ in 0..<count / clients.count {
                times.add(
                    measure {
                        for client in clients { client.begin("capture") }
                        for client in clients {
                            let answer = client.answer
                            if answer["ok"] == true { continue }
                            others += 1
                            reason = answer["message"]?.string ?? answer["reason"]?.string ?? "no reason"
                        }
                    })
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
            daemon.removePhotos()
        }
        let after = facts.use
        var report = Report("growth", "\(presses / 10 / clients.count * clients.count * 10) photos of \(settings.width)x\(settings.height), \(clients.count) at a time, one after the other")
        report.add("refused or failed", Double(others), "", goal: 0)
        if others > 0 { report.notes.append("the last of them: \(reason)") }
        report.add("resident memory", Double(after.resident - before.resident), "KB more", goal: 4096)
        report.add("descriptors", Double(after.descriptors - before.descriptors), "more", goal: 0)
        report.add("threads", Double(after.threads - before.threads), "more", goal: 0)
        report.add("mappings", Double(after.mappings - before.mappings), "more", goal: 16)
        report.add("from the requests to the last saved, first tenth, p50", first.median, "ms")
        report.add("    p99", first.p99, "ms")
        report.add("    last tenth, p50", last.median, "ms")
        report.add("    p99", last.p99, "ms")
        report.notes.append("SHUTTERD_BENCH_PRESSES=1000000 and a TMPDIR in memory for the long way, which takes an hour")
        return report
    }

    /// In the core by itself, in 24 hours of its time.
    static func core() -> Report {
        let (presses, bounces) = (1_000_000, 8)
        progress("growth: \(presses) presses in 24 hours of the core's time")
        let period = Duration.seconds(24 * 3600) / presses
        // Both ends bounce, for 150 us each time.
        let rest = (period - .microseconds(150) * (2 * (2 * bounces + 1))) / 2
        var core = DrivenCore()
        func tenth() -> (edge: Double, resident: Int) {
            let before = core.edges
            let took = measure { for _ in 0..<presses / 10 { core.press(bounces: bounces, for: rest, then: rest) } }
            return (Double(took.nanoseconds) / Double(core.edges - before), ProcessFacts().use.resident)
        }
        let first = tenth()
        var last = first
        for _ in 2...10 { last = tenth() }
        guard core.photos == presses else { fail("\(presses) presses, \(core.photos) photos") }
        var report = Report("growth", "\(presses) presses with \(bounces) bounces at each end, in \(Int(core.time.seconds / 3600)) hours of the core's own time")
        report.add("photos", Double(core.photos), "")
        report.add("resident memory, after the first tenth and the last", Double(last.resident - first.resident), "KB more", goal: 512)
        report.add("one edge, first tenth", first.edge, "ns")
        report.add("    last tenth", last.edge, "ns")
        return report
    }
}
