// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import ShutterCore

/// SplitMix64: small, seeded, the same everywhere.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A waveform as the lengths of its intervals, in microseconds: released first, then pressed and released in turn.
private typealias Intervals = [Int64]

/// What ought to come of a waveform, by another way than the debouncer's: only intervals of at least `debounce`
/// count, and a press is one that counts after a release that counts.
private func expectedPresses(_ intervals: Intervals, debounce: Int64) -> Int {
    var presses = 0
    var isPressed = false
    for (index, length) in intervals.enumerated() where length >= debounce {
        let isActive = index % 2 == 1
        if isActive, !isPressed { presses += 1 }
        isPressed = isActive
    }
    return presses
}

/// Presses and ends that a recognizer makes of it, straight through button and debouncer.
private func observed(_ intervals: Intervals, debounce: Int64) -> (presses: Int, ends: Int, isPressed: Bool) {
    var button = Button(Button.Settings(
        name: .shutter, role: .shutter, debounce: .init(debounce: .microseconds(debounce)), gestures: .init(hold: .seconds(1))))
    let wanted = PressRecognizer.Wanted(hold: true, double: false)
    var presses = 0
    var ends = 0
    func count(_ outputs: [Button.Output]) {
        for case let .gesture(gesture) in outputs {
            switch gesture {
            case .began: presses += 1
            case .ended, .cancelled: ends += 1
            case .tap, .hold, .double: break
            }
        }
    }
    var time = Timestamp(nanoseconds: 0)
    var level = Level.inactive
    count(button.handle(.found(level, at: time), wanted: wanted, at: time))
    func run(to end: Timestamp, _ button: inout Button) {
        while let due = button.deadline, due <= end {
            count(button.advance(to: due, reading: (level: level, at: due), wanted: wanted))
        }
    }
    for length in intervals.dropLast() {
        time = time + .microseconds(length)
        run(to: time, &button)
        level = level.opposite
        count(button.handle(.edge(level, at: time, sequence: nil), wanted: wanted, at: time))
    }
    run(to: time + .microseconds(intervals.last ?? 0), &button)
    return (presses, ends, button.debouncer.isPressed)
}

private func isRight(_ intervals: Intervals, debounce: Int64) -> Bool {
    let seen = observed(intervals, debounce: debounce)
    return seen.presses == expectedPresses(intervals, debounce: debounce) && seen.ends == seen.presses - (seen.isPressed ? 1 : 0)
}

/// Leaves out pairs of intervals and shortens others as long as the waveform stays wrong.
private func shrink(_ intervals: Intervals, debounce: Int64) -> Intervals {
    var smallest = intervals
    var hasChanged = true
    while hasChanged {
        hasChanged = false
        for index in smallest.indices.dropFirst().reversed() where index + 1 < smallest.count {
            var candidate = smallest
            candidate.removeSubrange(index...(index + 1))
            if !isRight(candidate, debounce: debounce) { (smallest, hasChanged) = (candidate, true) ; break }
        }
        for index in smallest.indices where smallest[index] > 1 {
            var candidate = smallest
            candidate[index] /= 2
            if !isRight(candidate, debounce: debounce) { (smallest, hasChanged) = (candidate, true) }
        }
    }
    return smallest
}

@Suite struct RandomWaveforms {
    /// A million presses in all.
    @Test(arguments: 0..<10) func everyClosureThatHoldsIsOnePress(seed: Int) {
        var random = Seeded(state: UInt64(seed) + 1)
        var presses = 0
        while presses < 100_000 {
            let debounce: Int64 = [1000, 20000, 160_000, 2_000_000].randomElement(using: &random)!
            var intervals: Intervals = [debounce * 2]
            for _ in 0..<500 {
                // Bounces mostly, then a level that holds, some of them just about long enough.
                for _ in 0..<Int.random(in: 0...3, using: &random) * 2 {
                    intervals.append(Int64.random(in: 1..<max(2, debounce / 4), using: &random))
                }
                intervals.append(debounce + Int64.random(in: -2...40, using: &random) * debounce / 20 + Int64.random(in: -1...1, using: &random))
            }
            presses += expectedPresses(intervals, debounce: debounce)
            if !isRight(intervals, debounce: debounce) {
                let smallest = shrink(intervals, debounce: debounce)
                Issue.record("debounce \(debounce) us, intervals \(smallest): saw \(observed(smallest, debounce: debounce)), expected \(expectedPresses(smallest, debounce: debounce))")
                return
            }
        }
    }

    /// However late the loop wakes up, and however many edges it finds then, the commands are those of a loop that is never late.
    @Test(arguments: 0..<20) func aLateLoopDecidesTheSame(seed: Int) {
        var random = Seeded(state: UInt64(seed) + 100)
        var time: Int64 = 0
        var events: [(at: Timestamp, level: Level)] = []
        var level = Level.inactive
        for _ in 0..<200 {
            time += Bool.random(using: &random) ? Int64.random(in: 1...5000, using: &random) : Int64.random(in: 10000...900_000, using: &random)
            level = level.opposite
            events.append((at: us(time), level: level))
        }
        func commands(lateness: (inout Seeded) -> Int64) -> [Command] {
            var random = Seeded(state: UInt64(seed))
            var pipeline = Pipeline(.init(), mode: .photo, at: us(-100_000))
            var commands = pipeline.handle(
                [(at: us(-100_000), input: .event(.camera(nil))), (at: us(-100_000), input: .event(.encoder(nil))),
                 (at: us(-100_000), input: .line(.shutter, .found(.inactive, at: us(-100_000))))], until: us(-100_000))
            var next = 0
            var now = us(-100_000)
            while next < events.count || now < us(time + 2_000_000) {
                let wake = earliest(next < events.count ? events[next].at : nil, pipeline.deadline) ?? us(time + 2_000_000)
                now = max(now, wake) + .microseconds(lateness(&random))
                var batch: [Pipeline.TimedInput] = []
                while next < events.count, events[next].at <= now {
                    batch.append((at: events[next].at, input: .line(.shutter, .edge(events[next].level, at: events[next].at, sequence: UInt32(next + 1)))))
                    next += 1
                }
                let real = next == 0 ? Level.inactive : events[next - 1].level
                commands += pipeline.handle(batch, readings: [.shutter: (level: real, at: now)], until: now)
            }
            return commands.filter {
                switch $0.kind {
                case .anticipate, .anticipateClip: false
                default: true
                }
            }
        }
        let punctual = commands { _ in 0 }
        let late = commands { Int64.random(in: 0...300_000, using: &$0) }
        #expect(punctual.count > 50)
        #expect(punctual == late)
    }
}
