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
            let (press, edges) = drive(presses)
            let idle = driveIdle()
            if round == 0 { continue }
            perEdge.add(Double(press.nanoseconds) / Double(edges))
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

    /// A pipeline that is ready for a press.
    private static func armed() -> Pipeline {
        var pipeline = Pipeline(.init(), mode: .photo, at: at(0))
        let inputs: [Pipeline.TimedInput] = [(at(0), .line(.shutter, .found(.inactive, at: at(0)))), (at(0), .event(.camera(nil)))]
        _ = pipeline.handle(inputs, until: at(100_000))
        return pipeline
    }

    private static func drive(_ presses: Int) -> (Duration, edges: Int) {
        var pipeline = armed()
        var (time, sequence, photos): (Int64, UInt32, Int) = (100_000, 0, 0)
        var level = Level.inactive
        let start = Clock.now
        for _ in 0..<presses {
            for _ in 0..<2 {
                for _ in 0...(2 * bounces) {
                    time += 150
                    sequence += 1
                    level = level == .active ? .inactive : .active
                    let input: Pipeline.TimedInput = (at(time), .line(.shutter, .edge(level, at: at(time), sequence: sequence)))
                    photos += finish(pipeline.handle([input], until: at(time)), &pipeline, time)
                }
                time += 60_000
                photos += finish(pipeline.handle(until: at(time)), &pipeline, time)
            }
        }
        let took = Clock.now - start
        guard photos == presses else { fail("\(presses) presses, \(photos) photos") }
        return (took, Int(sequence))
    }

    /// Has every photo saved at once; returns how many there were.
    private static func finish(_ commands: [Command], _ pipeline: inout Pipeline, _ time: Int64) -> Int {
        var photos = 0
        for case .capture(let id, _, _) in commands.map(\.kind) {
            photos += 1
            _ = pipeline.handle([(at(time), .event(.finished(id, isSaved: true)))], until: at(time))
        }
        return photos
    }

    /// Nanoseconds for a turn without anything due.
    private static func driveIdle() -> Double {
        var pipeline = armed()
        let turns = 20_000
        let took = measure {
            for turn in 0..<turns { _ = pipeline.handle(until: at(200_000 + Int64(turn))) }
        }
        return Double(took.nanoseconds) / Double(turns)
    }

    private static func at(_ microseconds: Int64) -> Timestamp { Timestamp(nanoseconds: microseconds * 1000) }
}
