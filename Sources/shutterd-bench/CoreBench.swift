// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Edges of a bouncing button through the whole core, from level to command.
enum CoreBench {
    private static let presses = 4_000
    private static let bounces = 8
    private static let rounds = 25

    static func run() -> Report {
        var (perEdge, quiet) = (Samples(), Samples())
        for round in 0...rounds {
            var core = DrivenCore()
            let took = measure { for _ in 0..<presses { core.press(bounces: bounces, for: .milliseconds(60), then: .milliseconds(60)) } }
            guard core.photos == presses else { fail("\(presses) presses, \(core.photos) photos") }
            let idle = core.idleTurn()
            if round == 0 { continue }
            perEdge.add(Double(took.nanoseconds) / Double(core.edges))
            quiet.add(idle)
        }
        var report = Report("core", "\(presses) presses with \(bounces) bounces at each end, median of \(rounds) rounds")
        report.add("one edge", perEdge.median, "ns")
        report.add("    least", perEdge.least, "ns")
        report.add("edges a second", 1e9 / perEdge.median, "")
        report.add("a turn in which nothing is due", quiet.median, "ns")
        report.add("    least", quiet.least, "ns")
        report.notes.append("the least is what other programs on the machine disturb least")
        return report
    }

}

/// The core with a button and a camera that saves every photo at once, in a time of its own.
struct DrivenCore {
    private var pipeline = Pipeline(.init(), mode: .photo, at: Timestamp(nanoseconds: 0))
    private var now = Timestamp(nanoseconds: 0)
    private var level = Level.inactive
    private var sequence: UInt32 = 0
    private(set) var photos = 0
    var edges: Int { Int(sequence) }
    var time: Duration { now - Timestamp(nanoseconds: 0) }

    /// Ready for a press.
    init() {
        let inputs: [Pipeline.TimedInput] = [(now, .line(.shutter, .found(.inactive, at: now))), (now, .event(.camera(nil)))]
        now = now + .milliseconds(100)
        _ = pipeline.handle(inputs, until: now)
    }

    mutating func press(bounces: Int, for length: Duration, then pause: Duration) {
        for rest in [length, pause] {
            for _ in 0...(2 * bounces) {
                now = now + .microseconds(150)
                sequence &+= 1
                level = level == .active ? .inactive : .active
                finish(pipeline.handle([(now, .line(.shutter, .edge(level, at: now, sequence: sequence)))], until: now))
            }
            now = now + rest
            finish(pipeline.handle(until: now))
        }
    }

    private mutating func finish(_ commands: [Command]) {
        for case .capture(let id, _, _) in commands.map(\.kind) {
            photos += 1
            _ = pipeline.handle([(now, .event(.finished(id, isSaved: true)))], until: now)
        }
    }

    /// Nanoseconds for a turn without anything due.
    mutating func idleTurn() -> Double {
        let turns = 20_000
        let took = measure {
            for _ in 0..<turns {
                now = now + .microseconds(1)
                _ = pipeline.handle(until: now)
            }
        }
        return Double(took.nanoseconds) / Double(turns)
    }
}
