// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore
import Testing

/// A pipeline over virtual time, whose camera and card the test plays.
private struct Rig {
    var pipeline: Pipeline
    var now = us(0)
    var commands: [Command] = []
    /// Whether photos are saved as soon as they are decided.
    var saves = true

    init(_ change: Drive.Change, queue: Int = 5, burst: Duration? = .milliseconds(200), mode: Mode = .photo, debounce: Duration = .milliseconds(20)) {
        var shutter = ShutterMachine.Settings(queue: queue, burst: burst, longestExposure: .seconds(4))
        shutter.drive = Drive().with(change)
        pipeline = Pipeline(.init(buttons: [Setup(debounce: debounce).button], shutter: shutter), mode: mode, at: us(-1_000_000))
        feed(.event(.sensor(.init(interval: .milliseconds(40), canExpose: true))))
        feed(.event(.camera(nil)))
        feed(.event(.encoder(nil)))
        feed(.line(.shutter, .found(.inactive, at: us(-1_000_000))))
        run(to: us(0))
        commands = []
    }

    mutating func feed(_ input: Pipeline.Input) { take(pipeline.handle([(at: now, input: input)], until: now)) }
    mutating func ask(_ request: ShutterRequest) { feed(.request(RequestID(1), request)) }

    mutating func run(to end: Timestamp) {
        while let due = pipeline.deadline, due <= end {
            now = max(now, due)
            take(pipeline.handle(until: now))
        }
        now = max(now, end)
        take(pipeline.handle(until: now))
    }

    /// Electrically clean, in the past and the future alike: the level settles after 20 ms.
    mutating func press(at instant: Timestamp, for time: Duration = .milliseconds(100)) {
        run(to: instant)
        feed(.line(.shutter, .edge(.active, at: instant, sequence: nil)))
        run(to: instant + time)
        feed(.line(.shutter, .edge(.inactive, at: instant + time, sequence: nil)))
        run(to: instant + time + .milliseconds(20))
    }

    private mutating func take(_ new: [Command]) {
        commands += new
        for command in new {
            if saves, case let .capture(id, _, _) = command.kind { feed(.event(.finished(id, isSaved: true))) }
        }
    }

    var captures: [Command] { commands.filter { if case .capture = $0.kind { true } else { false } } }
    var instants: [Timestamp] { captures.map(\.instant) }
    var cues: [Cue] { commands.compactMap { if case let .cue(cue) = $0.kind, !cue.isMoment { cue } else { nil } } }
    var reasons: [String] { commands.compactMap { if case let .refused(_, refusal) = $0.kind { refusal.reason } else { nil } } }
    var situation: Situation { pipeline.machine.situation }
    var tally: ShutterMachine.Tally { pipeline.machine.tally }
    func has(_ kind: Command.Kind) -> Bool { commands.contains { $0.kind == kind } }
}

private let lost = Refusal("no-camera", "")

@Suite struct DriveTests {
    // MARK: Interval

    /// 86 400 beats of a second, each at its own instant to the nanosecond; what a press brought is the first.
    @Test func aDayWithoutDrift() {
        var rig = Rig(.init(.interval, time: .seconds(1), limit: .length(.seconds(86400))))
        rig.press(at: us(1_234_567))
        rig.run(to: us(90_000_000_000))
        #expect(rig.instants == (0..<86400).map { us(1_234_567) + .seconds($0) })
        // After the first, which waits for the debouncer, each is decided at its beat.
        #expect(rig.captures.dropFirst().allSatisfy { $0.decided == $0.instant })
        #expect(rig.has(.intervalEnd(beats: 86400, skipped: 0, .done)))
        #expect(rig.tally.saved == 86400 && rig.tally.pending == 0 && rig.tally.skipped == 0)
        #expect(rig.situation == .photoIdle && rig.pipeline.deadline == nil)
        let ids = rig.captures.compactMap { if case let .capture(id, _, _) = $0.kind { id } else { nil } }
        #expect(Set(ids).count == 86400, "each has a number of its own")
    }

    /// A wake-up that comes late by half an hour takes nothing off the grid.
    @Test func lateWakeUps() {
        var rig = Rig(.init(.interval, time: .seconds(7), limit: .count(500)))
        rig.press(at: us(0))
        rig.now = rig.now + .seconds(1800)
        rig.run(to: rig.now)
        rig.run(to: us(7_000_000_000))
        #expect(rig.instants.allSatisfy { $0.nanoseconds % 7_000_000_000 == 0 } && rig.instants.last == us(3_493_000_000))
        // Nothing was said to be saved meanwhile: what the queue did not hold is counted.
        #expect(rig.captures.count == 500 - 252 && rig.has(.intervalEnd(beats: 500, skipped: 252, .done)))
    }

    @Test(arguments: [1, 2, 20]) func aCountIsExact(count: Int) {
        var rig = Rig(.init(.interval, time: .milliseconds(100), limit: .count(count)))
        rig.ask(.tap(.control))
        rig.run(to: us(60_000_000))
        #expect(rig.captures.count == count && rig.has(.intervalEnd(beats: count, skipped: 0, .done)))
        // The request is answered with the first photo, also when that is the last.
        #expect(rig.has(.reply(RequestID(1), .accepted(CaptureID(1)))))
        #expect(rig.cues == (count == 1 ? [] : [.waiting, .idle(.photo)]))
    }

    @Test func theGridOutlivesTheCamera() {
        var rig = Rig(.init(.interval, time: .seconds(10)))
        rig.press(at: us(0))
        rig.run(to: us(15_000_000))
        rig.feed(.event(.camera(lost)))
        rig.run(to: us(45_000_000))
        rig.feed(.event(.camera(nil)))
        rig.run(to: us(65_000_000))
        #expect(rig.instants == [0, 10, 50, 60].map { us($0 * 1_000_000) })
        #expect(rig.tally.skipped == 3 && rig.tally.refused == 0 && rig.reasons == ["no-camera", "no-camera", "no-camera"])
        #expect(rig.cues == [.waiting, .cameraFault, .waiting])
        rig.feed(.event(.storage(Refusal("storage-low", ""))))
        rig.run(to: us(75_000_000))
        #expect(rig.reasons.last == "storage-low" && rig.cues.last == .storageLow)
        rig.press(at: us(76_000_000))
        #expect(rig.has(.intervalEnd(beats: 8, skipped: 4, .press)) && rig.situation == .photoIdle)
        #expect(rig.tally.pending == 0)
    }

    /// A beat that finds the queue full is left out and shown; the next one finds it as it is then.
    @Test func slowCards() {
        var rig = Rig(.init(.interval, time: .seconds(1), limit: .count(6)), queue: 2)
        rig.saves = false
        rig.press(at: us(0))
        rig.run(to: us(3_500_000))
        for id in [1, 2] as [UInt64] { rig.feed(.event(.finished(CaptureID(id), isSaved: true))) }
        rig.run(to: us(10_000_000))
        #expect(rig.instants == [0, 1, 4, 5].map { us($0 * 1_000_000) })
        #expect(rig.reasons == ["busy", "busy"] && rig.tally.skipped == 2)
        #expect(rig.has(.intervalEnd(beats: 6, skipped: 2, .done)))
    }

    @Test func whatEndsAnInterval() {
        let ends: [(ShutterRequest, Command.Kind, Situation)] = [
            (.mode(.video), .intervalEnd(beats: 2, skipped: 0, .modeChanged), .videoIdle),
            (.drive(.init(.single)), .intervalEnd(beats: 2, skipped: 0, .driveChanged), .photoIdle),
            (.tap(.control), .intervalEnd(beats: 2, skipped: 0, .press), .photoIdle),
            (.quit, .intervalEnd(beats: 2, skipped: 0, .stopping), .stopping),
        ]
        for (request, end, situation) in ends {
            var rig = Rig(.init(.interval, time: .seconds(1)))
            rig.press(at: us(0))
            rig.run(to: us(1_500_000))
            rig.ask(request)
            rig.run(to: us(9_000_000))
            #expect(rig.has(end) && rig.situation == situation && rig.captures.count == 2, "\(request)")
        }
        var rig = Rig(.init(.interval, time: .seconds(1)))
        rig.press(at: us(0))
        rig.ask(.recordStart)
        #expect(rig.reasons == ["interval"] && rig.situation == .interval)
        rig.ask(.capture)
        #expect(rig.captures.count == 2 && rig.situation == .interval)
    }

    // MARK: Self-timer

    @Test(arguments: [2, 10]) func theTimersPhotoIsOfItsEnd(seconds: Int64) {
        var rig = Rig(.init(.timer, time: .seconds(seconds)))
        rig.press(at: us(500_000), for: .milliseconds(1500))
        #expect(rig.situation == .countingDown && rig.captures.isEmpty)
        #expect(rig.cues == [.countdown(left: .seconds(seconds) - .milliseconds(20), of: .seconds(seconds))], "one cue for all of it")
        rig.run(to: us(30_000_000))
        #expect(rig.instants == [us(500_000 + seconds * 1_000_000)])
        #expect(rig.captures[0].kind == .capture(CaptureID(1), .timer, .photo) && rig.captures[0].decided == rig.captures[0].instant)
        #expect(rig.tally.saved == 1 && rig.tally.pending == 0 && rig.cues.last == .idle(.photo))
    }

    @Test func aSecondPressCancels() {
        var rig = Rig(.init(.timer, time: .seconds(10)))
        rig.press(at: us(0))
        rig.press(at: us(9_900_000))
        rig.run(to: us(30_000_000))
        #expect(rig.captures.isEmpty && rig.has(.cancel(.shutter, .pressedAgain)) && rig.has(.discard(CaptureID(1))))
        #expect(rig.tally.cancelled == 1 && rig.tally.accepted == 1 && rig.situation == .photoIdle)
        // And the third one begins anew.
        rig.press(at: us(31_000_000))
        rig.run(to: us(50_000_000))
        #expect(rig.instants == [us(41_000_000)])
    }

    @Test func whatEndsACountdown() {
        let ends: [(Pipeline.Input, Situation)] = [
            (.event(.camera(lost)), .photoIdle), (.event(.storage(Refusal("storage-low", ""))), .photoIdle),
            (.request(nil, .mode(.video)), .videoIdle), (.request(nil, .drive(.init(.single))), .photoIdle), (.request(nil, .quit), .stopping),
        ]
        for (input, situation) in ends {
            var rig = Rig(.init(.timer, time: .seconds(2)))
            rig.press(at: us(0))
            rig.feed(input)
            rig.run(to: us(9_000_000))
            #expect(rig.captures.isEmpty && rig.tally.cancelled == 1 && rig.tally.pending == 0 && rig.situation == situation, "\(input)")
        }
        // Photos and refusals in between leave it alone.
        var rig = Rig(.init(.timer, time: .seconds(2)))
        rig.press(at: us(0))
        rig.ask(.capture)
        rig.ask(.recordStart)
        rig.ask(.mode(.photo))
        rig.run(to: us(9_000_000))
        #expect(rig.captures.count == 2 && rig.instants.last == us(2_000_000) && rig.reasons == ["counting-down"])
    }

    /// The queue is full at the end: the promise is taken back visibly, and nothing waits for it.
    @Test func noRoomAtTheEnd() {
        var rig = Rig(.init(.timer, time: .seconds(2)), queue: 1)
        rig.saves = false
        rig.press(at: us(0))
        rig.ask(.capture)
        rig.run(to: us(9_000_000))
        #expect(rig.has(.refused(CaptureID(1), .busy)) && rig.tally.refused == 1 && rig.tally.pending == 1)
    }

    // MARK: Burst

    @Test func aBurstAcrossAFullRing() {
        var rig = Rig(.init(.burst), queue: 5)
        rig.saves = false
        rig.press(at: us(0), for: .milliseconds(1900))
        // The first is that of the press; five have room, then one for each that ends.
        #expect(rig.instants == (0..<5).map { us($0 * 200_000) } && rig.tally.skipped == 5)
        #expect(rig.cues == [.bursting, .idle(.photo)])
        for id in 1...5 { rig.feed(.event(.finished(CaptureID(UInt64(id)), isSaved: true))) }
        #expect(rig.tally.pending == 0 && rig.tally.saved == 5)
    }

    @Test func everyFrame() {
        var rig = Rig(.init(.burst), burst: nil)
        rig.press(at: us(0), for: .milliseconds(410))
        #expect(rig.instants == (0...10).map { us($0 * 40_000) })
    }

    @Test func aBurstOfATap() {
        var rig = Rig(.init(.burst))
        rig.press(at: us(0), for: .milliseconds(60))
        #expect(rig.instants == [us(0)])
    }

    /// A burst lasts until the release, however long that takes to be judged; a re-closure leaves its grid as it is.
    @Test func noPhotoAfterTheReleaseWhileItIsJudged() {
        var rig = Rig(.init(.burst), debounce: .seconds(1))
        rig.press(at: us(0), for: .milliseconds(2100))
        rig.run(to: us(4_000_000))
        #expect(rig.instants.last == us(2_000_000) && rig.commands.contains { $0.kind == .release(.shutter) && $0.instant == us(2_100_000) })

        rig = Rig(.init(.burst), debounce: .milliseconds(100))
        for (at, level) in [(0, Level.active), (550_000, .inactive), (610_000, .active), (1_100_000, .inactive)] {
            rig.run(to: us(Int64(at)))
            rig.feed(.line(.shutter, .edge(level, at: us(Int64(at)), sequence: nil)))
        }
        rig.run(to: us(2_000_000))
        #expect(rig.instants == (0...5).map { us($0 * 200_000) })
    }

    // MARK: Bulb

    @Test func anExposureAsLongAsThePress() {
        var rig = Rig(.init(.bulb))
        rig.press(at: us(1_000_000), for: .seconds(3))
        #expect(rig.commands.first { $0.kind == .exposureStart(CaptureID(1)) }?.instant == us(1_000_000))
        #expect(rig.commands.first { $0.kind == .exposureEnd(CaptureID(1)) }?.instant == us(4_000_000))
        #expect(rig.instants == [us(2_500_000)], "its middle")
        #expect(rig.cues == [.exposing, .idle(.photo)])
        // Not longer than the sensor may.
        rig.press(at: us(10_000_000), for: .seconds(9))
        #expect(rig.commands.first { $0.kind == .exposureEnd(CaptureID(2)) }.map { [$0.instant, $0.decided] } == [us(14_000_000), us(14_000_000)])
        #expect(rig.tally.saved == 2 && rig.tally.pending == 0)
    }

    @Test func whatEndsAnExposure() {
        for (input, situation, photos) in [
            (.request(nil, .quit), .stopping, 1), (.event(.camera(lost)), .photoIdle, 0), (.line(.shutter, .lost(at: us(1_000_000))), .photoIdle, 1),
            (.event(.finished(CaptureID(1), isSaved: false)), .photoIdle, 0),
        ] as [(Pipeline.Input, Situation, Int)] {
            var rig = Rig(.init(.bulb))
            rig.feed(.line(.shutter, .edge(.active, at: us(0), sequence: nil)))
            rig.run(to: us(1_000_000))
            rig.feed(input)
            rig.run(to: us(3_000_000))
            #expect(rig.captures.count == photos && rig.situation == situation && rig.tally.pending == 0, "\(input)")
        }
        var rig = Rig(.init(.bulb))
        rig.ask(.press)
        for request in [ShutterRequest.mode(.video), .capture, .recordStart, .drive(.init(.single))] { rig.ask(request) }
        rig.feed(.event(.storage(Refusal("storage-low", ""))))
        #expect(rig.reasons == ["exposing", "exposing", "exposing", "exposing"] && rig.situation == .exposing)
        rig.now = us(500_000)
        rig.ask(.release)
        #expect(rig.instants == [us(250_000)])
    }

    @Test func aCameraThatCannot() {
        var rig = Rig(.init(.single))
        rig.feed(.event(.sensor(.init())))
        rig.ask(.drive(.init(.bulb)))
        #expect(rig.has(.reply(RequestID(1), .refused(.noBulb))) && rig.pipeline.machine.drive.mode == .single)
        var set = Rig(.init(.bulb))
        set.feed(.event(.sensor(.init())))
        set.press(at: us(0))
        #expect(set.reasons == ["no-bulb"] && set.tally.refused == 1 && set.captures.isEmpty)
    }

    // MARK: Setting it

    @Test func whatIsNotSaidStays() {
        var drive = Drive().with(.init(.interval, time: .seconds(3), limit: .count(7)))
        drive = drive.with(.init(.timer, time: .seconds(2))).with(.init(.single)).with(.init(.interval))
        #expect(drive.interval == .seconds(3) && drive.beats == 7 && drive.timer == .seconds(2))
        #expect(drive.with(.init(.interval, time: .seconds(4))).limit == .none)
        #expect(drive.with(.init(.interval, time: .seconds(7), limit: .length(.seconds(60)))).beats == 9)
        var rig = Rig(.init(.single))
        rig.ask(.drive(.init(.burst)))
        rig.ask(.drive(.init(.burst)))
        #expect(rig.commands.filter { $0.kind == .drive(Drive().with(.init(.burst))) }.count == 1, "the same again is no news")
    }

    /// In video mode a press records, whatever the drive; and a clip that runs in photo mode is ended by a press.
    @Test(arguments: Drive.Mode.allCases) func clipsDoNotMind(mode: Drive.Mode) {
        var video = Rig(.init(mode), mode: .video)
        video.press(at: us(0))
        #expect(video.situation == .recording)
        var photo = Rig(.init(mode))
        photo.ask(.recordStart)
        photo.press(at: us(1_000_000))
        #expect(photo.has(.recordStop(CaptureID(1), .press)) && photo.captures.isEmpty && photo.situation == .photoIdle)
    }
}
