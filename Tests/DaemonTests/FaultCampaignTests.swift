// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// A real daemon takes photos and a clip, and one of its calls on its files fails. Whichever that is: the daemon lives, says what was
/// not saved and why, has whatever it said is saved, and the next photo is one again.
@Suite("Fault campaign", .serialized, .enabled(if: Programs.areThere && Programs.hasFaults && Clip.areProgramsThere, "the programs, the fault library or ffmpeg are missing"))
struct FaultCampaignTests {
    /// SHUTTERD_FAULTS=all for every call with every errno, which takes half an hour and prints a table; else each so many-th.
    static let isWhole = ProcessInfo.processInfo.environment["SHUTTERD_FAULTS"] == "all"

    @Test func eachCallFailsOnce() throws {
        let reference = try Use.run(nil)
        #expect(reference.faults.isEmpty && reference.outcome == "all saved", "\(reference)")
        var runs: [(call: Int, error: String)] = []
        for (index, call) in reference.calls.enumerated() {
            for error in Self.errors(of: call.name) { runs.append((index + 1, error)) }
        }
        if !Self.isWhole { runs = runs.enumerated().filter { $0.offset % (runs.count / 25) == 7 }.map(\.element) }
        var table: [String: [String: Int]] = [:]
        for run in runs {
            let use = try Use.run(run)
            let hit = use.calls.count >= run.call ? use.calls[run.call - 1] : nil
            #expect(use.faults.isEmpty, "call \(run.call), \(run.error), \(hit.map { "\($0.name) \($0.path)" } ?? "never made"): \(use.faults)")
            table[hit.map { "\($0.name) \(Self.name(of: run.error))" } ?? "(never made)", default: [:]][use.outcome, default: 0] += 1
        }
        print("\(reference.calls.count) calls in one use, \(runs.count) runs with one that fails")
        for (row, outcomes) in table.sorted(by: { $0.key < $1.key }) {
            print("| \(row) | \(outcomes.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")) |")
        }
    }

    /// Signals come at any time: each call that can be interrupted is, three times.
    @Test func eachCallIsInterrupted() throws {
        let use = try Use.run(nil, environment: ["FAULT_STORM": "3"])
        #expect(use.faults.isEmpty && use.outcome == "all saved", "\(use)")
    }

    private static func errors(of call: String) -> [String] {
        let numbers: [Int32] =
            switch call {
            case "open": [EIO, ENOSPC, EROFS, EACCES, EMFILE]
            case "write": [EIO, ENOSPC, EDQUOT]
            case "fsync", "fdatasync": [EIO, ENOSPC, EROFS]
            case "rename", "link": [EIO, ENOSPC, EROFS, EINVAL]
            case "mkdir", "unlink": [EIO, ENOSPC, EROFS, EACCES]
            case "opendir": [EIO, EACCES, EMFILE]
            case "access", "stat", "statfs": [EIO, EACCES]
            default: [EIO]
            }
        return numbers.map { "\($0)" } + (call == "write" || call == "read" ? ["short"] : [])
    }

    private static func name(of error: String) -> String {
        let names = [EIO: "EIO", ENOSPC: "ENOSPC", EROFS: "EROFS", EACCES: "EACCES", EMFILE: "EMFILE", EDQUOT: "EDQUOT", EINVAL: "EINVAL"]
        return Int32(error).flatMap { names[$0] } ?? error
    }
}

/// One life of a daemon: three photos and a clip, then another life without faults.
private struct Use {
    var calls: [(name: String, path: String)] = []
    /// Promises that were broken.
    var faults: [String] = []
    /// What the fault came to, in words.
    var outcome = ""
    /// What was reported as saved.
    private var promised: Set<String> = []
    private var refusals: [String] = []

    static func run(_ fault: (call: Int, error: String)?, environment: [String: String] = [:]) throws -> Use {
        var use = Use()
        let scratch = Scratch()
        let log = scratch.fresh("calls")
        let data = scratch.path + "/data"
        let settings = """
            [button.shutter]
            debounce = "5ms"
            [gestures.photo]
            hold = "none"
            [photo]
            size = "320x180"
            thumbnail = "160x120"
            [video]
            size = "320x180"
            bitrate = "500kbit/s"
            [storage]
            root = "\(data)/media"
            state = "\(data)/state"
            reserve = "1MB"
            [control]
            socket = "\(scratch.path)/control.sock"
            """
        var variables = ["LD_PRELOAD": Programs.faults, "FAULT_ROOT": data, "FAULT_LOG": log].merging(environment) { $1 }
        if let fault { variables.merge(["FAULT_CALL": "\(fault.call)", "FAULT_ERROR": fault.error]) { $1 } }
        let first = try TestDaemon(settings, in: scratch, environment: variables, isPlaced: false)
        if try first.notify.wait(for: "READY=1", from: first.child) {
            try use.live(first)
        } else {
            let code = try first.child.exit()
            if ![73, 74].contains(code) || !first.child.errors.contains(data) { use.faults.append("it ended with \(code) and said: \(first.child.errors)") }
            use.refusals.append("does not start, and says why")
        }
        let text = String(decoding: try FileSystem.wholeFile(log), as: UTF8.self)
        use.calls = text.split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 2)
            return (name: String(words[1]), path: String(words[2].replacing(data, with: "")))
        }
        try use.liveAgain(settings, scratch)
        try use.judgeFiles(data + "/media", scratch)
        use.outcome = use.refusals.isEmpty ? "all saved" : use.refusals.joined(separator: " + ")
        return use
    }

    /// Photo, clip, photo, photo; each is saved or fails with a reason, and the last ones are saved.
    private mutating func live(_ daemon: TestDaemon) throws {
        try daemon.armed()
        let watcher = try daemon.watcher()
        try photo(daemon)
        _ = try daemon.ask("mode", ["video"])
        if try isDone(try daemon.ask("record", ["start"]), "clip") {
            try watcher.wait { $0["cue"] == "recording" || $0["kind"] == "failed" }
            // Not to wait for anything: so that there is a fragment in the middle.
            Clock.sleep(until: Clock.now + .milliseconds(700))
            let answer = try daemon.ask("record", ["stop"])
            if answer["reason"] != "not-recording" { _ = try isDone(answer, "clip") }
        }
        _ = try daemon.ask("mode", ["photo"])
        _ = try daemon.ask("list")
        try photo(daemon)
        // Whatever it was, it has passed, and whoever presses again finds out: without a restart, and sooner than by the look at the
        // card that is due anyway. On a machine that is not very busy, within a second.
        let limit = Clock.now + .seconds(8)
        while true {
            let answer = try daemon.ask("capture")
            if answer["ok"] == true {
                promise(answer)
                break
            }
            if Clock.now > limit {
                faults.append("no photo any more: \(answer.line)")
                break
            }
            Clock.sleep(until: Clock.now + .milliseconds(50))
        }
        let presses = try daemon.ask("status")["presses"]
        func count(_ name: String) -> Int64 { presses?[name]?.int ?? -1000 }
        if count("accepted") != count("saved") + count("failed") + count("cancelled") + count("refused") { faults.append("counters: \(presses?.line ?? "none")") }
        let code = try daemon.stop()
        if code != 0 { faults.append("it ended with \(code) and said: \(daemon.child.errors)") }
        try watcher.readToEnd()
        for event in watcher.events("saved") { promise(event) }
    }

    private mutating func photo(_ daemon: TestDaemon) throws { _ = try isDone(try daemon.ask("capture"), "photo") }

    private mutating func isDone(_ answer: JSONValue, _ what: String) throws -> Bool {
        if answer["ok"] == true {
            promise(answer)
            return true
        }
        guard let reason = answer["reason"]?.string, let message = answer["message"]?.string, !message.isEmpty else {
            faults.append("no reason: \(answer.line)")
            return false
        }
        refusals.append("\(what): \(reason)")
        return false
    }

    private mutating func promise(_ answer: JSONValue) {
        for path in answer["paths"]?.array ?? [] { if let path = path.string { promised.insert(path) } }
    }

    private mutating func liveAgain(_ settings: String, _ scratch: Scratch) throws {
        let next = try TestDaemon.ready(settings, in: scratch, isPlaced: false)
        try next.armed()
        let answer = try next.ask("capture")
        if answer["ok"] != true { faults.append("after the next start: \(answer.line)") }
        promise(answer)
        let code = try next.stop()
        if code != 0 { faults.append("the next one ended with \(code) and said: \(next.child.errors)") }
    }

    /// All that was promised is there; all that has a final name is whole; nothing is begun.
    private mutating func judgeFiles(_ root: String, _ scratch: Scratch) throws {
        let names = try MediaFiles.names(in: root)
        for path in promised where !names.contains(path) { faults.append("\(path) was promised and is gone") }
        for path in names {
            let isWhole: Bool
            if path.contains("/.") {
                isWhole = false
            } else if path.hasSuffix(".JPG") {
                isWhole = JPEG.timeCode(try FileSystem.wholeFile(path)) != nil
            } else if path.hasSuffix(".JSON") {
                isWhole = (try? JSONValue(parsing: String(decoding: try FileSystem.wholeFile(path), as: UTF8.self))["shutter"]) != nil
            } else {
                isWhole = (try? Clip(path, in: scratch))?.codes.isEmpty == false
            }
            if !isWhole { faults.append("\(path) is not whole") }
        }
    }
}
