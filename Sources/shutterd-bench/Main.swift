// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterControl

/// Measures what deploy/PROMISES.md tells under "How quick it is", and prints it beside the goals. Not a test: nothing fails.
@main
struct Main {
    private static let benches: [(name: String, help: String, run: @Sendable () -> [Report])] = [
        ("jpeg", "encoding a 12 MP frame, against libjpeg-turbo alone", { [JPEGBench.run()] }),
        ("memory", "resident memory of a running shutterd, without frame buffers", { [MemoryBench.run(.small, withClip: false), MemoryBench.run(.large, withClip: true)] }),
        ("start", "from the start of the process until it is armed", { [StartBench.run(.small), StartBench.run(.large)] }),
        ("idle", "wake-ups and CPU of a running shutterd when nothing moves", { [IdleBench.run(isCold: false), IdleBench.run(isCold: true)] }),
        ("lag", "from the press to the middle of the exposure", { [10, 30, 56].map(LagBench.run) }),
        ("press", "from the edge to the accepted press, quiet and while photos are encoded", { [PressBench.run(.quiet), PressBench.run(.busy)] }),
        ("core", "edges through the core", { [CoreBench.run()] }),
        ("closing", "closing a clip of 5 s and one of 2 h", { [ClosingBench.run()] }),
        ("video", "processor time of a clip, against ffmpeg with the same encoder", { [VideoBench.run()] }),
        ("burst", "every frame of 12 MP as a photo", { [30, 120].map(BurstBench.run) }),
        ("growth", "what many presses leave behind", { [GrowthBench.core(), GrowthBench.daemon()] }),
    ]

    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        let wantsJSON = words.contains("--json")
        words.removeAll { $0 == "--json" }
        let word = words.first ?? "all"
        guard words.count <= 1, word == "all" || benches.contains(where: { $0.name == word }) else {
            let isHelp = words == ["--help"] || words == ["-h"]
            print(help, terminator: "")
            exit(isHelp ? 0 : 64)
        }
        let facts = Machine.facts
        if !wantsJSON {
            for fact in facts { print("\(fact.name)\(String(repeating: " ", count: 10 - fact.name.count))\(fact.value)") }
            print()
        }
        var all: [Report] = []
        for bench in benches where word == "all" || word == bench.name {
            let reports = bench.run()
            all += reports
            if !wantsJSON { for report in reports { print(report.text) } }
            fflush(nil)
        }
        if wantsJSON {
            let machine = JSONValue.object(Dictionary(facts.map { ($0.name, .string($0.value)) }) { first, _ in first })
            print(JSONValue.object(["machine": machine, "benches": .array(all.map(\.json))]).line)
        }
    }

    private static var help: String {
        let rows = benches.map { "  \($0.name)\(String(repeating: " ", count: 8 - $0.name.count))\($0.help)\n" }
        return """
            usage: shutterd-bench [BENCH] [--json]
            Measures what deploy/PROMISES.md promises, and prints it beside the goals; without BENCH, all of it.

            \(rows.joined())
            """
    }
}
