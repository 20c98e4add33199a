// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// `shutterctl replay` says of a waveform what the daemon does when it happens.
@Suite("Replay is live", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct ReplayTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What is set in [button.shutter], [gestures.photo] and [shutter].
        var button = ""
        var gestures = "hold = \"none\""
        var shutter = ""
        var pressed: Set<InputName> = []
        /// In us; the first one is a press, or the release of what is pressed from the start.
        var changes: [Int64] = []
        var modeChanges: [Int64] = []
        var tail: Int64 = 100_000_000
        /// Kinds that must be among the events, so that equal does not mean empty.
        var has: [String]
    }

    static let cases = [
        Case(testDescription: "bounce", changes: [0, 180, 420, 600, 3961, 81_000, 81_300, 82_100, 83_500, 84_200], has: ["press", "tap", "capture"]),
        Case(testDescription: "noise that is no press", changes: [0, 3000, 50_000, 52_000, 200_000, 260_000], has: ["press"]),
        Case(testDescription: "a long hold that does nothing", changes: [0, 900_000], has: ["capture", "release"]),
        Case(testDescription: "a hold that bursts", button: "hold = \"300ms\"", gestures: "hold = \"burst\"", changes: [0, 1_250_000],
             has: ["hold", "capture", "release"]),
        Case(testDescription: "a tap where a hold bursts", button: "hold = \"300ms\"", gestures: "hold = \"burst\"", changes: [0, 120_000, 400_000, 699_000],
             has: ["tap", "capture", "release"]),
        Case(testDescription: "doubles", button: "double = \"300ms\"", gestures: "hold = \"none\"\ndouble = \"toggle-mode\"",
             changes: [0, 60_000, 1_000_000, 1_060_000, 1_200_000, 1_260_000], has: ["double", "mode", "discard"]),
        Case(testDescription: "a tap where a double toggles", button: "double = \"300ms\"", gestures: "hold = \"none\"\ndouble = \"toggle-mode\"",
             changes: [0, 60_000], has: ["tap", "capture"]),
        Case(testDescription: "long bounce", button: "debounce = \"160ms\"", changes: [0, 30_000, 60_000, 120_000, 157_000, 1_500_000], has: ["press", "capture"]),
        Case(testDescription: "longest hold", button: "max_hold = \"700ms\"", gestures: "hold = \"burst\"", changes: [0, 1_000_000, 1_300_000, 1_400_000],
             has: ["cancel", "warning", "capture"]),
        Case(testDescription: "held at the start", pressed: [.shutter], changes: [2_500_000, 2_600_000, 2_700_000], tail: 500_000_000,
             has: ["warning", "press", "capture"]),
        Case(testDescription: "the mode button", changes: [0, 60_000, 1_600_000, 1_660_000], modeChanges: [400_000, 500_000, 1_200_000, 1_300_000],
             has: ["mode", "capture"]),
        Case(testDescription: "the mode button during a press", button: "hold = \"300ms\"", gestures: "hold = \"burst\"", changes: [0, 250_000], modeChanges: [100_000, 200_000],
             has: ["cancel", "mode", "discard"]),
        Case(testDescription: "both buttons pressed from the start", pressed: [.shutter, .mode], changes: [100_000, 200_000, 300_000], modeChanges: [100_000, 700_000, 800_000],
             has: ["press", "mode", "capture"]),
        Case(testDescription: "a self-timer", shutter: "[drive]\nmode = \"timer\"\ntimer = \"1s\"", changes: [0, 60_000], tail: 1_500_000_000,
             has: ["countdown", "capture", "cue"]),
        Case(testDescription: "a self-timer taken back", shutter: "[drive]\nmode = \"timer\"\ntimer = \"1s\"", changes: [0, 60_000, 500_000, 560_000], tail: 1_000_000_000,
             has: ["countdown", "cancel", "discard"]),
        Case(testDescription: "an interval", shutter: "[drive]\nmode = \"interval\"\ninterval = \"300ms\"\ncount = 4", changes: [0, 60_000], tail: 1_500_000_000,
             has: ["interval-start", "capture", "interval-end"]),
        Case(testDescription: "an interval ended by a press", shutter: "[drive]\nmode = \"interval\"\ninterval = \"300ms\"", changes: [0, 60_000, 700_000, 760_000],
             has: ["interval-start", "capture", "interval-end"]),
        Case(testDescription: "a burst as drive mode", shutter: "[drive]\nmode = \"burst\"", changes: [0, 50_000, 300_000, 950_000], has: ["capture", "release"]),
        Case(testDescription: "an exposure as long as the press", shutter: "[drive]\nmode = \"bulb\"", changes: [0, 400_000], has: ["exposure-start", "exposure-end", "capture"]),
        Case(testDescription: "hum", changes: (0..<300).map { $0 * 4000 }, tail: 300_000_000, has: ["warning"]),
    ]

    /// What both tell. Cues of the start and the end are the program's, not the waveform's.
    private static let kinds: Set<String> = ["press", "release", "tap", "hold", "double", "cancel", "capture", "discard", "mode", "refused", "cue", "warning", "countdown", "interval-start", "interval-end", "exposure-start", "exposure-end"]

    private func told(_ events: [JSONValue]) -> [JSONValue] {
        func isCue(_ event: JSONValue) -> Bool { event["kind"] == "cue" }
        var told = Array(events.filter { Self.kinds.contains($0["kind"]?.string ?? "") }.drop(while: isCue))
        if told.last?["cue"] == "off" { told.removeLast() }
        return told
    }

    /// All but the times, and the times.
    private func split(_ event: JSONValue) -> (fields: JSONValue, at: [Int64]) {
        var fields = event.object ?? [:]
        let times = ["t_us", "at_us"].compactMap { fields.removeValue(forKey: $0)?.int }
        return (.object(fields), times)
    }

    @Test(arguments: cases) func tellTheSame(_ one: Case) throws {
        let scratch = Scratch()
        var wave = Wave(inputs: [.shutter, .mode], pressed: one.pressed)
        for (input, changes) in [(InputName.shutter, one.changes), (.mode, one.modeChanges)] {
            for (index, time) in changes.enumerated() {
                wave.set(input, pressed: index % 2 == (one.pressed.contains(input) ? 1 : 0), at: time * 1000)
            }
        }
        wave.tail = one.tail
        let file = try wave.file(in: scratch)
        let settings = """
            [button.shutter]
            \(one.button)
            [gestures.photo]
            \(one.gestures)
            [shutter]
            \(one.shutter)
            [photo]
            size = "640x360"
            [camera]
            buffers = 16
            """
        let daemon = try TestDaemon.ready(settings, in: scratch, arguments: ["--input", file, "--exit-at-end"])
        let watcher = try daemon.watcher()
        try watcher.readToEnd()
        #expect(try daemon.child.exit() == 0)

        let config = try scratch.write("board = \"simulated\"\n" + settings, to: "replay.toml")
        let replay = try Child(
            Programs.control, ["replay", "--json", "--config", config, "--boards", Programs.boards, file], environment: ["HOME": scratch.path], in: scratch)
        #expect(try replay.exit() == 0, "\(replay.errors)")
        let expected = told(try replay.outputText.split(separator: "\n").map { try JSONValue(parsing: String($0)) })
        let live = told(watcher.seen)

        func text(_ events: [JSONValue]) -> String { events.map(\.line).joined(separator: "\n") }
        try #require(
            live.map { split($0).fields } == expected.map { split($0).fields }, "live:\n\(text(live))\nreplay:\n\(text(expected))")
        let offsets = zip(live, expected).flatMap { zip(split($0).at, split($1).at).map { $0 - $1 } }
        let (least, most) = (offsets.min() ?? 0, offsets.max() ?? 0)
        #expect(most - least <= 1, "offsets \(offsets)\nlive:\n\(text(live))\nreplay:\n\(text(expected))")
        for kind in one.has { #expect(expected.contains { $0["kind"]?.string == kind }, "no \(kind) in\n\(text(expected))") }
    }
}
