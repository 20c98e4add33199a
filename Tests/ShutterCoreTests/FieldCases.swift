// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import ShutterCore

/// What happened to other people's buttons (`B` cases), with the right outcome.
@Suite struct FieldCases {
    @Test func b01ReleaseBounceIsNoPress() {
        let short = Waveform(initial: 1, changes: [(0, 0), (81000, 1), (81300, 0), (82100, 1), (83500, 0), (84200, 1)])
        #expect(Setup().run(short).trace == ["press@0/20000", "release@81000/104200", "tap@0/104200", "capture@0/104200"])
        let long = Waveform(initial: 1, changes: [(0, 0), (1_000_000, 1), (1_000_800, 0), (1_002_100, 1), (1_004_000, 0), (1_004_600, 1)])
        let outcome = Setup().run(long)
        #expect(outcome.count("press") == 1 && outcome.count("release") == 1)
        #expect(outcome.counts.filtered == 2)
        #expect(outcome.counts.widestFiltered == .microseconds(1900))
    }

    @Test(arguments: [(milliseconds(1000), ["press@5000000/6000000"]), (milliseconds(20), ["press@0/20000", "press@5000000/5020000"])])
    func b02FilteredPulsesChangeNoState(debounce: Duration, presses: [String]) {
        let waveform = Waveform(initial: 0, changes: [(0, 1), (100_000, 0), (5_000_000, 1), (6_500_000, 0)], activeLow: false)
        let outcome = Setup(debounce: debounce).run(waveform)
        #expect(outcome.trace.filter { $0.hasPrefix("press") } == presses)
        #expect(outcome.levels[.shutter] == .inactive)
    }

    @Test func b04LongBounce() {
        let waveform = Waveform(initial: 1, changes: [(0, 0), (30000, 1), (60000, 0), (120_000, 1), (157_000, 0), (1_500_000, 1)])
        let medium = Setup(debounce: milliseconds(160)).run(waveform)
        #expect(medium.trace.filter { $0.hasPrefix("press") } == ["press@0/317000"])
        let long = Setup(debounce: milliseconds(1000)).run(waveform)
        #expect(long.trace.prefix(2) == ["press@0/1157000", "hold@0/1157000"])
        #expect(long.counts.filtered == 2 && long.counts.widestFiltered == .microseconds(60000))
    }

    static let burst: [(Int64, Int)] = [
        (189, 0), (196, 1), (422, 0), (428, 1), (432, 0), (438, 1), (501, 0), (507, 1), (548, 0), (560, 1), (636, 0), (643, 1), (645, 0),
        (650, 1), (653, 0), (672, 1), (674, 0), (696, 1), (702, 0), (713, 1), (717, 0), (3961, 0), (4082, 1), (4084, 0), (4379, 1),
        (4388, 0), (4420, 1), (4423, 0), (4473, 1), (4477, 0), (4485, 1), (4488, 0), (4528, 1), (4533, 0), (4597, 1), (4600, 0),
    ]

    @Test func b05QueueOverflow() {
        let waveform = Waveform(initial: 1, changes: Self.burst)
        let all = waveform.events().enumerated().map { index, event in
            guard case let .edge(name, level, _) = event.kind else { return event }
            return Replay.Event(at: event.at, .edge(name, level, sequence: UInt32(index + 1)))
        }
        // ABI v1 drops the newest and has no sequence; the real level is only seen by reading it.
        let first = all.prefix(16).map { event in
            guard case let .edge(name, level, _) = event.kind else { return event }
            return Replay.Event(at: event.at, .edge(name, level, sequence: nil))
        }
        let oldest = Setup().run(initial: .inactive, first + [Replay.Event(at: us(4600), .level(.shutter, .active))])
        // ABI v2 drops the oldest, which shows in the sequence.
        let newest = Setup().run(initial: .inactive, Array(all.suffix(16)))
        for outcome in [oldest, newest] {
            #expect(outcome.count("press") == 1 && outcome.levels[.shutter] == .active)
            #expect(outcome.counts.eventsLost > 0)
        }
        #expect(newest.counts.eventsLost == 21)
        #expect(newest.trace == ["press@717/24600", "hold@717/804600", "discard@717/804600", "record-start@717/804600"])
    }

    /// B09, where a double is bound: what is pressed for so long is none, and a clip must not wait in memory for the release.
    @Test func b09WithADouble() {
        var setup = Setup(double: milliseconds(300), mode: .video)
        setup.shutter.video.double = .toggleMode
        let stuck = setup.run(Waveform(initial: 1, changes: [(0, 0), (20_000_000, 1)]))
        #expect(stuck.trace == ["press@0/20000", "tap@0/800000", "record-start@0/800000", "release@20000000/20020000"])
    }

    @Test func b07LostRelease() {
        let edge = Replay.Event(at: us(0), .edge(.shutter, .active, sequence: 1))
        let short = Setup().run(initial: .inactive, [edge, Replay.Event(at: us(60000), .level(.shutter, .inactive))])
        #expect(short.trace == ["press@0/20000", "release@220000/240000", "tap@0/240000", "capture@0/240000"])
        #expect(short.levels[.shutter] == .inactive && short.count("hold") == 0)

        var setup = Setup(mode: .video)
        setup.shutter.video.hold = .record
        let long = setup.run(initial: .inactive, [edge, Replay.Event(at: us(3_000_000), .level(.shutter, .inactive))])
        #expect(long.count("record-start") == 1)
        let stop = long.commands.first { if case .recordStop = $0.kind { true } else { false } }
        #expect(stop.map { $0.decided <= us(3_220_000) } == true)
    }

    @Test func b07HoldReadsTheLevel() {
        // The level goes away just before the hold time, with no edge and before the next periodic reading.
        let setup = Setup(hold: milliseconds(250))
        let outcome = setup.run(initial: .inactive, [
            Replay.Event(at: us(0), .edge(.shutter, .active, sequence: 1)), Replay.Event(at: us(240_000), .level(.shutter, .inactive)),
        ])
        #expect(outcome.count("hold") == 0 && outcome.count("capture") == 1)
    }

    @Test func b09FalseClosure() {
        let waveform = Waveform(initial: 1, changes: [(0, 0), (20_000_000, 1)])
        var photo = Setup()
        photo.shutter.photo.hold = .none
        #expect(photo.run(waveform).trace == ["press@0/20000", "capture@0/20000", "release@20000000/20020000", "tap@0/20020000"])

        let held = Setup().run(waveform)
        #expect(held.trace.contains("record-start@0/800000") && held.trace.contains("record-stop(release)@20000000/20020000"))

        let bounded = Setup(maxHold: .seconds(10)).run(waveform)
        #expect(bounded.trace.contains("record-stop(max-hold)@10000000/10000000"))
        #expect(bounded.cues.contains(.stuck))
        #expect(bounded.cues.last == .idle(.photo))
    }

    @Test func b10Hum() {
        let hum = Waveform(initial: 1, changes: (0..<1000).map { (Int64($0) * 10000, $0 % 2) })
        let outcome = Setup().run(hum)
        #expect(outcome.count("press") == 0 && outcome.count("warning") == 1)
    }

    /// Noise that begins during a press: gestures wait for a contact that bounces, but not for what never ends.
    @Test func b10HumWhilePressed() {
        /// Every 10 ms, the first one to a level.
        func noise(from start: Int64, through end: Int64, to level: Int) -> [(Int64, Int)] {
            var changes: [(Int64, Int)] = []
            for instant in stride(from: start, through: end, by: 10_000) { changes.append((instant, changes.count % 2 == 0 ? level : 1 - level)) }
            return changes
        }
        func pressedUntil(_ start: Int64, ends: Int64) -> Waveform {
            Waveform(initial: 1, changes: [(0, 0)] + noise(from: start, through: ends, to: 1))
        }
        let recording = Setup(maxHold: .seconds(2)).run(pressedUntil(1_000_000, ends: 11_000_000))
        #expect(recording.trace.contains("record-start@0/800000") && recording.trace.contains("record-stop(max-hold)@2000000/2000000"))
        #expect(recording.cues.contains(.stuck) && recording.cues.last == .idle(.photo))
        // Before the hold time: it is due once the edges have gone on for longer than any bounce, and the end of it all releases.
        let pressed = Setup().run(pressedUntil(100_000, ends: 11_000_000))
        #expect(pressed.trace.contains("hold@0/1110000") && pressed.trace.contains("record-stop(release)@11000000/11020000") && pressed.count("press") == 1)
        // A first tap whose double may never be judged.
        var doubles = Setup(double: milliseconds(300))
        doubles.shutter.photo.double = .toggleMode
        let tap = doubles.run(Waveform(initial: 1, changes: [(0, 0), (60_000, 1)] + noise(from: 200_000, through: 10_200_000, to: 0)))
        #expect(tap.trace.contains("capture@0/1210000"), "\(tap.trace)")
    }

    /// A line that is requested anew is numbered from 1 again; a number that comes twice is one edge too many, not four billion.
    @Test(arguments: [([7, 1], 6), ([1, 1], 1), ([0, 1], 0), ([4_294_967_295, 1], 1)] as [([UInt32], Int)])
    func numbersThatGoBack(_ numbers: [UInt32], _ lost: Int) {
        let levels: [Level] = numbers == [1, 1] ? [.active, .active] : [.active, .inactive]
        let outcome = Setup().run(initial: .inactive, zip(numbers, levels).enumerated().map {
            Replay.Event(at: us(Int64($0) * 100_000), .edge(.shutter, $1.1, sequence: $1.0))
        })
        #expect(outcome.counts.eventsLost == lost && outcome.count("press") == 1)
    }

    @Test func b11WrongPolarity() {
        let outcome = Setup().run(Waveform(initial: 0, changes: []))
        #expect(outcome.trace.count == 1 && outcome.trace[0].hasPrefix("warning(heldAtStart(shutter))"))
        #expect(outcome.commands.contains { $0.kind == .warning(.heldAtStart(.shutter)) && $0.decided <= us(2_000_000) })
    }

    @Test func b13HeldAtStart() {
        let outcome = Setup().run(Waveform(initial: 0, changes: [(4_000_000, 1), (6_000_000, 0), (6_150_000, 1)]))
        let trace = outcome.trace.filter { !$0.hasPrefix("warning") }
        #expect(trace == ["press@6000000/6020000", "release@6150000/6170000", "tap@6000000/6170000", "capture@6000000/6170000"])
    }

    @Test func b14OneGestureOneAction() {
        let tap = Waveform(initial: 1, changes: [(0, 0), (120_000, 1)])
        #expect(Setup().run(tap).trace.contains("capture@0/140000"))
        var unbound = Setup()
        unbound.shutter.photo.hold = .none
        #expect(unbound.run(tap).trace.contains("capture@0/20000"))

        let held = Waveform(initial: 1, changes: [(0, 0), (2_000_000, 1)])
        var video = Setup(mode: .video)
        video.shutter.video.hold = .record
        let outcome = video.run(held)
        #expect(outcome.trace.contains("record-start@0/20000") && outcome.trace.contains("record-stop(release)@2000000/2020000"))
        #expect(outcome.count("capture") == 0)
        let quick = Setup().run(held)
        #expect(quick.trace.contains("discard@0/800000") && quick.trace.contains("record-start@0/800000"))
        #expect(quick.count("capture") == 0)
    }

    static let impatient = Waveform(
        initial: 1,
        changes: [0, 400, 900, 1400, 1900].flatMap { start -> [(Int64, Int)] in
            let us = Int64(start) * 1000
            return [0, 300, 700, 1200, 1500, 2100].enumerated().map { (us + Int64($0.element), $0.offset % 2) } + [(us + 2500, 0), (us + 120_000, 1)]
        })

    @Test func b15Impatience() {
        var setup = Setup()
        setup.captureTime = milliseconds(2500)
        let queue = setup.run(Self.impatient)
        #expect(queue.commands.compactMap { if case .capture = $0.kind { Int($0.instant.nanoseconds / 1_000_000) } else { nil } } == [0, 400, 900, 1400, 1900])
        #expect(queue.tally.saved == 5 && queue.tally.refused == 0)

        setup.shutter.busy = .ignore
        let ignore = setup.run(Self.impatient)
        #expect(ignore.tally == .init(accepted: 5, saved: 1, refused: 4))
        #expect(ignore.cues.count { $0 == .busy } == 4)

        setup.shutter.busy = .queue
        setup.shutter.queue = 3
        let full = setup.run(Self.impatient)
        #expect(full.tally == .init(accepted: 5, saved: 3, refused: 2))
    }

    @Test(arguments: [(3999, "tap"), (4001, "hold")])
    func holdIsJudgedByContacts(release: Int64, gesture: String) {
        // The wavering just before the hold time is judged before the hold is.
        let waveform = Waveform(initial: 1, changes: [(0, 0), (release * 100, 1)])
        #expect(Setup(hold: milliseconds(400)).run(waveform).count(gesture) == 1)
    }

    @Test func c15PressRightAfterAModeChange() {
        let events = [Replay.Event(at: us(0), .request(.mode(.video)))]
        let outcome = Setup().run(Waveform(initial: 1, changes: [(100_000, 0), (3_000_000, 1)]), also: events)
        #expect(outcome.trace.contains("record-start@100000/120000"))
    }
}

/// A line that goes away, and requests that press.
@Suite struct LineAndRequestCases {
    private func pipeline() -> Pipeline {
        var pipeline = Pipeline(Pipeline.Settings(buttons: [Setup().button]), mode: .photo, at: us(-100_000))
        _ = pipeline.handle(
            [(at: us(-100_000), input: .event(.camera(nil))), (at: us(-100_000), input: .line(.shutter, .found(.inactive, at: us(-100_000))))],
            until: us(-100_000))
        _ = pipeline.handle(readings: [.shutter: (level: .inactive, at: us(0))], until: us(0))
        return pipeline
    }

    @Test(arguments: [LineEvent.lost(at: us(10000)), .found(.inactive, at: us(10000))])
    func b18AContactEndsWithItsLine(event: LineEvent) {
        var pipeline = pipeline()
        let contact = pipeline.handle([(at: us(0), input: .line(.shutter, .edge(.active, at: us(0), sequence: 1)))], until: us(0))
        #expect(contact.map(\.kind) == [.anticipate(us(0))])
        let end = pipeline.handle([(at: us(10000), input: .line(.shutter, event))], until: us(10000))
        #expect(end.map(\.kind).contains(.anticipate(nil)))
    }

    @Test func b18APressIsCancelledWithItsLineAndNoGhostFollows() {
        var pipeline = pipeline()
        _ = pipeline.handle([(at: us(0), input: .line(.shutter, .edge(.active, at: us(0), sequence: 1)))], until: us(0))
        _ = pipeline.handle(readings: [.shutter: (level: .active, at: us(30000))], until: us(30000))
        let lost = pipeline.handle([(at: us(50000), input: .line(.shutter, .lost(at: us(50000))))], until: us(50000)).map(\.kind)
        #expect(lost.contains(.cancel(.shutter, .buttonLost)) && lost.contains(.cue(.buttonFault)))
        // It comes back pressed: nothing happens until it was let go and pressed again.
        let found = pipeline.handle([(at: us(90000), input: .line(.shutter, .found(.active, at: us(90000))))], until: us(90000)).map(\.kind)
        #expect(found == [.warning(.lineFound(.shutter)), .cue(.idle(.photo))])
        let held = pipeline.handle(readings: [.shutter: (level: .active, at: us(1_500_000))], until: us(1_500_000))
        #expect(held.isEmpty)
        #expect(pipeline.machine.tally == .init(accepted: 1, cancelled: 1))
    }

    @Test func aRequestedPressIsAnsweredAtOnce() {
        var pipeline = pipeline()
        let down = pipeline.handle([(at: us(10), input: .request(RequestID(1), .press))], until: us(10)).map(\.kind)
        #expect(down.last == .reply(RequestID(1), .done))
        let again = pipeline.handle([(at: us(20), input: .request(RequestID(2), .press))], until: us(20)).map(\.kind)
        #expect(again == [.reply(RequestID(2), .refused(.pressed))])
        let up = pipeline.handle([(at: us(100_000), input: .request(RequestID(3), .release))], until: us(100_000)).map(\.kind)
        #expect(up.contains(.capture(CaptureID(1), .control, .photo)) && up.last == .reply(RequestID(3), .done))
        let none = pipeline.handle([(at: us(200_000), input: .request(RequestID(4), .release))], until: us(200_000)).map(\.kind)
        #expect(none == [.reply(RequestID(4), .refused(.notPressed))])
    }
}
