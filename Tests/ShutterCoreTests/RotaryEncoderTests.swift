// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import ShutterCore

private let a = InputName(rawValue: "encoder_a")
private let b = InputName(rawValue: "encoder_b")

/// A knob as the kernel tells of it: edges of both lines, and the levels that a reading would find.
private struct Knob {
    var encoder: RotaryEncoder
    var levels = [a: Level.inactive, b: Level.inactive]
    private var sequences: [InputName: UInt32] = [a: 0, b: 0]
    private(set) var now = us(0)
    private(set) var detents = 0
    private(set) var factors: [Int] = []
    private var phase = 0
    /// The line that changed last.
    private(set) var last = a

    init(detent: Int = 4, isReversed: Bool = false) {
        encoder = RotaryEncoder(.init(name: "encoder", detent: detent, isReversed: isReversed))
        for name in [a, b] { take(encoder.handle(.found(.inactive, at: now), of: name)) }
    }

    private mutating func take(_ turn: RotaryEncoder.Turn?) {
        guard let turn else { return }
        detents += turn.detents
        factors.append(turn.factor)
    }

    mutating func wait(_ microseconds: Int64) {
        let end = now + .microseconds(microseconds)
        while let due = encoder.deadline, due <= end { read(at: due) }
        now = end
    }

    mutating func read(at due: Timestamp) {
        let levels = levels
        take(encoder.advance(to: due) { name in levels[name].map { (level: $0, at: due) } })
    }

    /// One line changes; the edge may be lost, with or without a count of it.
    mutating func change(_ name: InputName, isLost: Bool = false, isCounted: Bool = true) {
        levels[name] = levels[name]?.opposite
        if isCounted { sequences[name]! += 1 }
        if !isLost { take(encoder.handle(.edge(levels[name]!, at: now, sequence: isCounted ? sequences[name] : nil), of: name)) }
    }

    /// One quarter step: which line changes follows from where the knob stands.
    mutating func quarter(_ direction: Int, isLost: Bool = false) {
        let isFirst = direction > 0 ? phase % 2 == 0 : phase % 2 == 1
        phase = (phase + direction + 4) % 4
        last = isFirst ? a : b
        change(last, isLost: isLost)
    }

    mutating func turn(_ quarters: Int, every microseconds: Int64) {
        for _ in 0..<abs(quarters) {
            wait(microseconds)
            quarter(quarters.signum())
        }
    }
}

@Suite struct EncoderTests {
    @Test(arguments: [(4, 40, 10), (4, -40, -10), (2, 40, 20), (2, -7, -3), (4, 3, 0)])
    func cleanTurns(detent: Int, quarters: Int, detents: Int) {
        var knob = Knob(detent: detent)
        knob.turn(quarters, every: 20_000)
        #expect(knob.detents == detents && knob.encoder.position == detents && knob.encoder.eventsLost == 0)
        #expect(knob.factors.allSatisfy { $0 == 1 } || detent == 2)
    }

    @Test func reversedWiringTurnsTheOtherWay() {
        var knob = Knob(isReversed: true)
        knob.turn(12, every: 20_000)
        #expect(knob.detents == -3)
    }

    @Test func turnedBackHalfWayNothingHasHappened() {
        var knob = Knob()
        knob.turn(3, every: 10_000)
        knob.turn(-3, every: 10_000)
        #expect(knob.detents == 0 && knob.factors.isEmpty)
        knob.turn(2, every: 10_000)
        knob.turn(-6, every: 10_000)
        #expect(knob.detents == -1)
    }

    @Test func bounceMovesNothing() {
        var knob = Knob()
        for _ in 0..<4 {
            knob.wait(5000)
            knob.quarter(1)
            // The line that has just changed bounces, eleven times.
            let line = knob.levels[a] == knob.levels[b] ? b : a
            for _ in 0..<22 {
                knob.wait(70)
                knob.change(line)
            }
        }
        #expect(knob.detents == 1 && knob.factors.count == 1)
    }

    @Test func tremblingAtADetentDoesNothing() {
        var knob = Knob()
        knob.turn(4, every: 5000)
        for _ in 0..<50 {
            knob.turn(1, every: 3000)
            knob.turn(-2, every: 3000)
            knob.turn(1, every: 3000)
        }
        #expect(knob.factors.count == 1)
    }

    @Test(arguments: [(20_000, 1), (10_000, 2), (5_000, 4), (2_000, 8)])
    func theFasterTheMore(quarter: Int64, factor: Int) {
        var knob = Knob()
        knob.turn(40, every: quarter)
        #expect(knob.detents == 10)
        #expect(knob.factors == [1] + Array(repeating: factor, count: 9))
        // The other way it begins slowly again.
        knob.turn(-4, every: quarter)
        #expect(knob.factors.last == 1)
    }

    /// Of a fast turn any edges may be lost, counted or not: nothing ever comes out backwards.
    @Test func lostEdgesNeverRunBackwards() {
        for seed in 0..<200 {
            var random = SplitMix(seed: UInt64(seed))
            var knob = Knob()
            knob.turn(8, every: 1500)
            for _ in 0..<400 {
                knob.wait(1500)
                knob.quarter(1, isLost: random.next(below: 100) < 30)
            }
            knob.wait(50_000)
            #expect(knob.factors.count >= 2 && knob.encoder.eventsLost > 0)
            #expect(knob.encoder.position == knob.detents)
            #expect(knob.detents <= 110, "more than there was: \(knob.detents)")
            #expect(knob.detents >= 2)
        }
    }

    /// Of a slow one nothing is missed: the levels are read again.
    @Test func aSlowTurnSurvivesLostEdges() {
        var random = SplitMix(seed: 7)
        var knob = Knob()
        var wasLost = false
        for _ in 0..<4000 {
            knob.wait(8000)
            wasLost = !wasLost && random.next(below: 10) < 4
            knob.quarter(1, isLost: wasLost)
        }
        knob.turn(4, every: 8000)
        knob.wait(10_000)
        #expect(knob.detents == 1001)
    }

    @Test func nothingTurnsWhileALineIsAway() {
        var knob = Knob()
        knob.turn(2, every: 5000)
        _ = knob.encoder.handle(.lost(at: knob.now), of: a)
        #expect(!knob.encoder.isKnown)
        for _ in 0..<6 { knob.quarter(1, isLost: true) }
        #expect(knob.detents == 0)
        for name in [a, b] { _ = knob.encoder.handle(.found(knob.levels[name]!, at: knob.now), of: name) }
        knob.turn(4, every: 5000)
        #expect(knob.detents == 1)
    }

    /// A million quarter steps, to and fro at any speed, with bounce, spikes on the still line, and edges that only a reading
    /// tells: the end is where the knob is.
    @Test func aMillionRandomStepsEndAtTheTruePosition() {
        var random = SplitMix(seed: 1)
        var knob = Knob()
        var truth = 0
        var direction = 1
        for _ in 0..<1_000_000 {
            if random.next(below: 20) == 0 { direction = -direction }
            let noise = random.next(below: 100)
            let isLost = noise < 3
            // What only a reading tells takes its time; all else may be as fast as it likes.
            knob.wait(isLost ? 120_000 : Int64(300 + random.next(below: 30_000)))
            knob.quarter(direction)
            truth += direction
            if isLost {
                // It bounces, and the last edges are lost: a full queue keeps the oldest.
                for round in 0..<4 {
                    knob.wait(60)
                    knob.change(knob.last, isLost: round > 0)
                }
                knob.wait(120_000)
            } else if noise < 40 {
                let line = random.next(below: 2) == 0 ? a : b
                for _ in 0..<(2 * (1 + random.next(below: 4))) {
                    knob.wait(Int64(10 + random.next(below: 50)))
                    knob.change(line)
                }
            }
        }
        knob.wait(200_000)
        // Back to the last detent that was reached, which is less than one away.
        #expect(abs(Double(truth) / 4 - Double(knob.encoder.position)) < 1)
        #expect(knob.encoder.position == knob.detents && knob.encoder.eventsLost > 10_000)
        // And on to a detent: there it is exact.
        while truth % 4 != 0 {
            knob.turn(1, every: 20_000)
            truth += 1
        }
        knob.wait(20_000)
        #expect(knob.encoder.position == truth / 4)
    }
}

/// The same numbers on every machine.
struct SplitMix {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }
}
