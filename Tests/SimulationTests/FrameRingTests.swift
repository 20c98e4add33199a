// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore
import Testing

@testable import Simulation

private func ms(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

/// A sensor in virtual time over a `FrameRing`; what is lent stays lent until the test gives it back.
struct VirtualSensor {
    var ring: FrameRing
    let timing: FrameTiming
    var index: UInt64 = 0
    var answers: [FrameRing.Answer] = []
    /// What the sensor has to fill, in order.
    var queued: [Int] = []

    init(rate: Double, exposure: Duration? = nil, buffers: Int = 6, choice: FrameChoice = .nearest, offset: Duration = .zero) {
        timing = FrameTiming(rate: rate, exposure: exposure)
        ring = FrameRing(buffers: buffers, interval: timing.interval, choice: choice, offset: offset)
    }

    /// When the next frame completes.
    var next: Timestamp { Timestamp(nanoseconds: 0) + timing.complete(index) }

    mutating func frame() {
        refill()
        defer {
            index += 1
            refill()
        }
        guard !queued.isEmpty else { return }
        let buffer = queued.removeFirst()
        let end = Timestamp(nanoseconds: 0) + timing.end(index)
        answers += ring.complete(buffer, FrameMetadata(sequence: index, sensorTimestamp: end, exposureTime: timing.exposure))
    }

    private mutating func refill() {
        while let buffer = ring.acquire() { queued.append(buffer) }
    }

    /// Stops the sensor: all its buffers come back.
    mutating func stop() {
        queued = []
        answers += ring.stop(Fault("camera-stopped", "stopped"))
    }

    mutating func run(until instant: Timestamp) {
        while next <= instant { frame() }
    }

    mutating func reserve(_ id: UInt64, at instant: Timestamp, now: Timestamp) {
        run(until: now)
        answers += ring.reserve(CaptureID(id), at: instant, now: now)
    }

    /// Returns what was lent or copied so far, and forgets it.
    mutating func finish() -> [(id: CaptureID, centre: Timestamp?)] {
        defer { answers = [] }
        return answers.map { answer in
            switch answer {
            case .lend(let id, let buffer, let metadata):
                ring.giveBack(buffer)
                return (id, metadata.exposureCentre)
            case .copy(let id, let buffer, let metadata):
                ring.giveBack(buffer)
                ring.giveBackCopy()
                return (id, metadata.exposureCentre)
            case .fail(let id, _): return (id, nil)
            }
        }
    }
}

@Suite struct FrameRingTests {
    /// Whatever the instant, and however long debounce and gesture took: half an interval at most.
    @Test(arguments: [10.0, 30, 56]) func everyPressGetsItsFrame(rate: Double) {
        var random = SystemRandomNumberGenerator()
        for number in 0..<200 {
            var sensor = VirtualSensor(rate: rate)
            let press = Timestamp(nanoseconds: .random(in: 500_000_000...3_000_000_000, using: &random))
            sensor.run(until: press)
            sensor.ring.anticipate(press)
            let decided = press + .milliseconds(.random(in: 20...1500, using: &random))
            sensor.reserve(UInt64(number), at: press, now: decided)
            sensor.ring.anticipate(nil)
            sensor.run(until: decided + .seconds(1))
            let photos = sensor.finish()
            #expect(photos.count == 1)
            let lag = photos[0].centre.map { abs(($0 - press).nanoseconds) }
            #expect((lag ?? .max) <= sensor.timing.interval.nanoseconds / 2 + 1, "press at \(press.nanoseconds)")
            #expect(sensor.ring.lentInAll == sensor.ring.returnedInAll && sensor.ring.lentNow == 0)
        }
    }

    @Test(arguments: [
        // C07: exposures of 100 ms that end at 100, 200, 300, … ms; the press is at 250 ms.
        (FrameChoice.nearest, Int64(0), Int64(250)), (.firstAfter, 0, 350),
        // The wanted instant is shifted by the reaction time.
        (.nearest, -100, 150), (.nearest, 60, 350), (.firstAfter, -60, 250),
    ]) func thePhotoIsOfThePress(choice: FrameChoice, offset: Int64, centre: Int64) {
        var sensor = VirtualSensor(rate: 10, exposure: .milliseconds(100), choice: choice, offset: .milliseconds(offset))
        sensor.reserve(1, at: ms(250), now: ms(270))
        sensor.run(until: ms(1000))
        #expect(sensor.finish().map(\.centre) == [ms(centre)])
    }

    /// C07 with exposures of 10 s.
    @Test func longExposuresToo() {
        var sensor = VirtualSensor(rate: 0.1, exposure: .seconds(10))
        sensor.reserve(1, at: ms(16_000), now: ms(16_020))
        #expect(sensor.answers.isEmpty && sensor.ring.deadline == ms(16_020 + 32_000))
        sensor.run(until: ms(40_000))
        #expect(sensor.finish().map(\.centre) == [ms(15_000)])
    }

    /// C05: a writer blocked for 3 s with all that it may have; the sensor goes on and the account is even.
    @Test func aBlockedWriterDoesNotStopTheSensor() {
        var sensor = VirtualSensor(rate: 30)
        for press in 0..<8 { sensor.reserve(UInt64(press), at: ms(500 + Int64(press) * 200), now: ms(520 + Int64(press) * 200)) }
        sensor.run(until: ms(5000))
        let lent = sensor.answers.filter { if case .lend = $0 { true } else { false } }
        // Copies are pinned until they are made, and these never are: the ring keeps one buffer going, and refuses the rest.
        #expect(lent.count == 2 && sensor.ring.copied == 3 && sensor.answers.count == 8)
        #expect(sensor.ring.dropped == 0)
        let before = sensor.ring.completed
        sensor.run(until: ms(6000))
        #expect(sensor.ring.completed == before + 30)
        _ = sensor.finish()
        #expect(sensor.ring.lentInAll == 5 && sensor.ring.returnedInAll == 5 && sensor.ring.lentNow == 0)
    }

    /// Photos that wait for a busy machine take no more than half of the past: more buffers always are a longer one.
    @Test(arguments: [(3, 2), (4, 2), (6, 2), (8, 3), (16, 7), (32, 15)]) func pressesThatAreSeenLateGetTheirFrame(buffers: Int, past: Int64) {
        var sensor = VirtualSensor(rate: 10, buffers: buffers)
        for press in 0..<Int64(buffers) {
            sensor.reserve(UInt64(press), at: ms(5000 + press * 100), now: ms(5080 + press * 100))
            // Copies are made at once; what is lent stays so.
            for case let .copy(_, buffer, _) in sensor.answers { sensor.ring.giveBack(buffer) }
            sensor.answers = []
        }
        let end = 5000 + Int64(buffers) * 100
        sensor.run(until: ms(end + 1000))
        let newest = sensor.ring.frames.last!.exposureCentre
        for age in 0..<past {
            let wanted = newest - .milliseconds(100 * age)
            #expect(sensor.ring.frames.contains { $0.exposureCentre == wanted }, "\(age)")
        }
        #expect(sensor.ring.dropped == 0 && sensor.ring.lentNow == buffers - sensor.ring.depth - Int(past))
    }

    /// C05: 1000 starts and stops with photos under way.
    @Test func nothingLeaksOverStartsAndStops() {
        var sensor = VirtualSensor(rate: 30)
        var outcomes = 0
        for number in 0..<1000 {
            let now = sensor.next
            for _ in 0..<Int.random(in: 0...7) { sensor.frame() }
            sensor.answers += sensor.ring.reserve(CaptureID(UInt64(number)), at: now, now: now)
            if number % 3 == 0 { sensor.frame() }
            sensor.stop()
            outcomes += sensor.finish().count
        }
        #expect(outcomes == 1000)
        #expect(sensor.ring.lentInAll == sensor.ring.returnedInAll && sensor.ring.lentNow == 0)
        // All six are there again: two for the sensor, and four in the ring before the first is needed again.
        for _ in 0..<4 { sensor.frame() }
        #expect(sensor.queued.count == 2 && sensor.ring.frames.count == 4)
    }

    /// B15: five presses while one capture takes 2.5 s: each gets the frame of its own instant.
    @Test func pressesWhileBusyGetTheirOwnFrames() {
        var sensor = VirtualSensor(rate: 30)
        let presses: [Int64] = [500, 900, 1400, 1900, 2400]
        var copies = 0
        for (number, press) in presses.enumerated() {
            sensor.reserve(UInt64(number), at: ms(press), now: ms(press + 20))
            sensor.run(until: ms(press + 120))
            // The camera's thread makes copies at once; the encoder keeps what was lent.
            if case .copy(_, let buffer, _) = sensor.answers[number] {
                sensor.ring.giveBack(buffer)
                copies += 1
            }
        }
        #expect(sensor.answers.count == 5 && copies == 3 && sensor.ring.dropped == 0)
        for (answer, press) in zip(sensor.answers, presses) {
            guard case .lend(_, _, let metadata) = answer else {
                guard case .copy(_, _, let metadata) = answer else { Issue.record("\(answer)"); continue }
                #expect(abs((metadata.exposureCentre - ms(press)).nanoseconds) <= 16_666_667)
                continue
            }
            #expect(abs((metadata.exposureCentre - ms(press)).nanoseconds) <= 16_666_667)
        }
    }

    @Test func twoPressesWithinAFrameShareIt() {
        var sensor = VirtualSensor(rate: 10)
        sensor.reserve(1, at: ms(495), now: ms(620))
        sensor.reserve(2, at: ms(510), now: ms(640))
        sensor.run(until: ms(3000))
        #expect(sensor.ring.lentNow == 1)
        let photos = sensor.finish()
        #expect(photos.map(\.centre) == [ms(501), ms(501)])
        #expect(sensor.ring.lentNow == 0)
    }

    @Test func aFrameThatHasLeftIsNotFaked() {
        var sensor = VirtualSensor(rate: 30)
        sensor.reserve(1, at: ms(500), now: ms(3000))
        guard case .fail(_, let fault)? = sensor.answers.first else { Issue.record("a lie"); return }
        #expect(fault.reason == "frame-gone")
    }

    @Test(arguments: [(Int64(-30), true), (-100, false)]) func beforeTheFirstFrame(press: Int64, isTaken: Bool) {
        var sensor = VirtualSensor(rate: 30)
        sensor.reserve(1, at: ms(press), now: ms(100))
        let photos = sensor.finish()
        #expect(photos.count == 1 && (photos[0].centre != nil) == isTaken)
    }

    @Test func aSilentSensorIsNoticed() {
        var sensor = VirtualSensor(rate: 30)
        sensor.reserve(1, at: ms(990), now: ms(1000))
        // 2 s and three intervals.
        let deadline = ms(3000) + sensor.timing.interval * 3
        #expect(sensor.ring.deadline == deadline)
        #expect(sensor.ring.expire(deadline - .nanoseconds(1)) == [])
        guard case .fail(CaptureID(1), let fault)? = sensor.ring.expire(deadline).first else { Issue.record("no answer"); return }
        #expect(fault.reason == "no-frames" && sensor.ring.deadline == nil)
    }

    @Test func releaseTakesAnUndecidedReservationBack() {
        var sensor = VirtualSensor(rate: 30)
        sensor.reserve(1, at: ms(500), now: ms(500))
        sensor.ring.release(CaptureID(1))
        sensor.run(until: ms(4000))
        #expect(sensor.answers.isEmpty && sensor.ring.deadline == nil)
    }

    @Test func twoBuffersAreEnough() {
        var sensor = VirtualSensor(rate: 30, buffers: 2)
        sensor.reserve(1, at: ms(500), now: ms(500))
        sensor.run(until: ms(1000))
        #expect(sensor.answers.count == 1 && sensor.ring.copied == 1)
        sensor.run(until: ms(2000))
        #expect(sensor.ring.dropped == 0)
    }
}
