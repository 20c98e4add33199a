// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// kill -9 at any instant: what was promised is there, and nothing half-written stands under a final name.
@Suite("Killed", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct KillTests {
    /// SHUTTERD_KILLS=500 for the long campaign.
    static let kills = ProcessInfo.processInfo.environment["SHUTTERD_KILLS"].flatMap { Int($0) } ?? 80

    @Test func atAnyInstant() throws {
        let scratch = Scratch()
        var record = Record(root: scratch.path + "/media")
        var dice = Dice(UInt64(Self.kills))
        var wave = Wave()
        wave.lead = 2_000_000
        // A press every 10 ms: more than can be saved at times, so that some are refused.
        for press in 0..<6000 {
            wave.set(pressed: true, at: Int64(press) * 10_000_000)
            wave.set(pressed: false, at: Int64(press) * 10_000_000 + 3_000_000)
        }
        let file = try wave.file(in: scratch)
        let settings = TestDaemon.quick.replacing("5ms", with: "1ms") + "[simulation]\nrate = 56\n"
        var promised = 0
        for round in 0..<Self.kills {
            let daemon = try TestDaemon(settings, in: scratch, arguments: ["--input", file])
            // Some die at once, while they take care of what the last one left; the others after so many events.
            let events = Int.random(in: -4...24, using: &dice)
            let rest = Duration.microseconds(Int64.random(in: 0...20_000, using: &dice))
            let saved = try events < 0 ? kill(daemon, after: rest * 3, watching: nil) : watch(daemon, events, then: rest)
            promised += saved.count
            try record.check(promised: saved)
            if round % 10 == 9 { try record.deletePhotos() }
            try #require(record.faults.isEmpty, "round \(round): \(record.faults)")
        }
        let last = try TestDaemon.ready(settings, in: scratch)
        let status = try last.ask("status")
        #expect(status["storage"]?["state"] == "ok", "\(status.line)")
        #expect(try last.stop() == 0)
        try record.check(promised: [])
        let temporaries = try MediaFiles.names(in: record.root).filter { $0.contains("/.") }
        #expect(temporaries.isEmpty)
        let aside = try record.checkLeftovers()
        #expect(record.faults.isEmpty, "\(record.faults)")
        print("\(Self.kills) kills: \(promised) photos promised, \(record.photoCount) there, \(aside) leftovers set aside")
        #expect(promised > Self.kills)
    }

    /// Follows the daemon for so many captures and saved photos, and kills it a moment later.
    private func watch(_ daemon: TestDaemon, _ events: Int, then rest: Duration) throws -> [[String]] {
        #expect(try daemon.notify.wait(for: "READY=1", from: daemon.child), "\(daemon.child.errors)")
        let watcher = try daemon.watcher()
        for _ in 0..<events { try watcher.wait { $0["kind"] == "capture" || $0["kind"] == "saved" } }
        return try kill(daemon, after: rest, watching: watcher)
    }

    /// Returns the paths that the daemon reported as saved.
    private func kill(_ daemon: TestDaemon, after rest: Duration, watching watcher: Watcher?) throws -> [[String]] {
        // Not to wait for anything: any instant will do.
        Clock.sleep(until: Clock.now + rest)
        #expect(!daemon.child.hasEnded, "\(daemon.child.errors)")
        daemon.child.signal(SIGKILL)
        try daemon.child.exit()
        // What was on its way is a promise, too.
        try watcher?.readToEnd()
        return (watcher?.events("saved") ?? []).map { event in (event["paths"]?.array ?? []).compactMap(\.string) }
    }
}

/// All that was ever seen under a final name, over many runs.
private struct Record {
    let root: String
    private(set) var faults: [String] = []
    /// What each name's picture shows.
    private var shown: [String: Int64] = [:]
    private var judged: Set<String> = []
    var photoCount: Int { shown.count }

    init(root: String) { self.root = root }

    mutating func check(promised: [[String]]) throws {
        let names = try MediaFiles.names(in: root)
        let there = Set(names)
        for path in names where !path.contains("/.") {
            if path.hasSuffix(".JPG") {
                try judge(path)
            } else if path.hasSuffix(".JSON") {
                if !there.contains(String(path.dropLast(4)) + "JPG") { faults.append("\(path) has no photo") }
                if judged.insert(path).inserted {
                    let text = String(decoding: try FileSystem.wholeFile(path), as: UTF8.self)
                    if (try? JSONValue(parsing: text)["shutter"]?["press_ns"]?.int) == nil { faults.append("\(path) is damaged") }
                }
            } else {
                faults.append("\(path) is not expected")
            }
        }
        for path in promised.joined() where !there.contains(path) { faults.append("\(path) was promised and is gone") }
    }

    private mutating func judge(_ path: String) throws {
        let bytes = try FileSystem.wholeFile(path)
        guard let code = JPEG.timeCode(bytes)?.nanoseconds else { return faults.append("\(path) is damaged") }
        if let before = shown[path], before != code { faults.append("\(path) was used twice") }
        shown[path] = code
    }

    /// A number of a photo that was only begun belongs to no other. Returns how many were set aside.
    mutating func checkLeftovers() throws -> Int {
        guard try FileSystem.file(root + "/leftovers") != nil else { return 0 }
        let names = try FileSystem.names(in: root + "/leftovers")
        for name in names where name.hasSuffix(".JPG.part") {
            let path = root + "/DCIM/" + name.dropLast(5).replacing("-", with: "/")
            if shown[path] != nil { faults.append("\(path) was begun and used again") }
        }
        return names.count
    }

    /// As a person does who empties the card: numbers go on all the same.
    mutating func deletePhotos() throws {
        for path in try MediaFiles.names(in: root) where !path.contains("/.") { unlink(path) }
    }
}
