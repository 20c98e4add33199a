// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ShutterCore

private let states: [Cue] = [
    .off, .starting, .idle(.photo), .idle(.video), .pressed, .recording, .recordingSlowly, .holding, .bursting,
    .countdown(left: .seconds(7), of: .seconds(10)), .waiting, .exposing, .value(0.7, zero: 0.5), .choice(1, of: 4), .locked, .stuck, .storageLow,
    .cameraFault, .buttonFault,
]
private let moments: [Cue] = [.captured, .tapped, .refused, .busy]

/// What a colour-blind eye sees of a cue: the lit pixels and the whole light, every 50 ms for five seconds.
private func seen(_ cue: Cue, count: Int, reduceMotion: Bool = false) -> [[Int]] {
    var ring = RingAnimator(count: count, reduceMotion: reduceMotion, brightness: 1, budget: 1e9, gamma: 1)
    ring.handle(.idle(.photo), at: .zero)
    ring.handle(cue, at: .zero)
    return (8..<100).map { step in
        let frame = ring.frame(at: Timestamp(nanoseconds: Int64(step) * 50_000_000 + 1_000_000))
        return frame.map { max($0.red, $0.green, $0.blue) > 0.02 ? 1 : 0 }
            + [Int((frame.reduce(0) { $0 + max($1.red, $1.green, $1.blue) } / Float(count) * 50).rounded())]
    }
}

@Suite struct RingCueTests {
    @Test(arguments: [1, 4, 8, 12, 24, 60], [false, true]) func cuesDifferWithoutColour(count: Int, reduceMotion: Bool) {
        // In the theme `flash` a held recording is a recording; the modes differ by colour alone where there is a ring of it.
        let judged: [Cue] = [
            .starting, .idle(.photo), .recording, .recordingSlowly, .bursting, .countdown(left: .seconds(7), of: .seconds(10)),
            .waiting, .exposing, .value(0.7, zero: 0.5), .choice(1, of: 4), .locked, .stuck, .storageLow, .cameraFault, .buttonFault,
        ]
        let pictures = judged.map { seen($0, count: count, reduceMotion: reduceMotion) }
        for one in judged.indices {
            for two in judged.indices where one < two {
                #expect(pictures[one] != pictures[two], "\(judged[one]) and \(judged[two]) look alike on \(count)")
            }
        }
    }

    @Test(arguments: [1, 8, 24], [false, true]) func momentsDifferWithoutColour(count: Int, reduceMotion: Bool) {
        func beginning(_ cue: Cue) -> [[Int]] {
            var ring = RingAnimator(count: count, reduceMotion: reduceMotion, brightness: 0.5, budget: 1e9, gamma: 1)
            ring.handle(.idle(.photo), at: .zero)
            ring.handle(cue, at: .zero)
            return (0..<30).map { step in
                ring.frame(at: Timestamp(nanoseconds: Int64(step) * 20_000_000)).map { Int(max($0.red, $0.green, $0.blue) * 50) }
            }
        }
        let judged: [Cue] = [.idle(.photo), .captured, .refused, .busy]
        for one in judged.indices {
            for two in judged.indices where one < two { #expect(beginning(judged[one]) != beginning(judged[two])) }
        }
    }

    /// Plain LEDs on lines: the rhythm is all there is, and it is the same at any brightness and on any number of them.
    @Test(arguments: [1, 3, 8], [0.05, 0.4, 1]) func onAndOffTellEveryCue(count: Int, brightness: Double) {
        func rhythm(_ cue: Cue) -> [Bool] {
            var ring = RingAnimator(count: count, isOnOff: true, brightness: brightness, budget: 500)
            ring.handle(.idle(.photo), at: .zero)
            ring.handle(cue, at: .zero)
            return (0..<300).map { step in
                let frame = ring.frame(at: Timestamp(nanoseconds: Int64(step) * 20_000_000)).map { max($0.red, $0.green, $0.blue) > 0 }
                if frame.contains(!frame[0]) { Issue.record("the LEDs differ in \(cue)") }
                return frame[0]
            }
        }
        #expect(rhythm(.idle(.photo)).allSatisfy { $0 })
        #expect(rhythm(.pressed).allSatisfy { !$0 })
        // A photo: dark for 0.3 s, then idle again.
        #expect(rhythm(.captured) == (0..<300).map { $0 >= 15 })
        // What is the same to a user shows the same: every clip, every tap that did its work.
        let same: [Set<Cue>] = [[.recording, .holding], [.captured, .tapped], [.off, .pressed]]
        let all = states + moments
        let rhythms = all.map(rhythm)
        for one in all.indices {
            for two in all.indices where one < two && !same.contains([all[one], all[two]]) {
                #expect(rhythms[one] != rhythms[two], "\(all[one]) and \(all[two]) have the same rhythm")
            }
        }
    }

    /// Once a second, and faster in the last two; the last pause ends when the time does.
    @Test(arguments: [1980, 2000, 4500, 9980, 60_000]) func aCountdownHurriesAtTheEnd(left: Int) {
        let rhythm = Rhythm.countdown(.milliseconds(left), long: (900, 100), short: (250, 150))
        #expect(rhythm.steps.count % 2 == 0 && rhythm.steps.allSatisfy { $0 > 0 })
        #expect(abs(rhythm.steps.reduce(0, +) - left) <= 400 && (left < 2000 || rhythm.steps.reduce(0, +) == left))
        let slow = rhythm.steps.count / 2 - (left < 2000 ? 4 : 5)
        #expect(slow == (max(0, left - 2000) + 900) / 1000 && rhythm.steps.suffix(8) == [250, 150, 250, 150, 250, 150, 250, 150])
    }

    @Test func aSingleLightTellsTheModesApart() {
        #expect(seen(.idle(.photo), count: 1) != seen(.idle(.video), count: 1))
    }

    @Test func everyCountStaysInBounds() {
        for count in 1...340 {
            var ring = RingAnimator(count: count, theme: count % 2 == 0 ? .flash : .keyframe, brightness: 1, budget: 700)
            var now = Timestamp.zero
            for (index, cue) in (states + moments + states).enumerated() {
                ring.handle(cue, at: now)
                ring.handle(moments[index % moments.count], at: now)
                for _ in 0..<3 {
                    let frame = ring.frame(at: now)
                    #expect(frame.count == count)
                    let parts = frame.flatMap { [$0.red, $0.green, $0.blue] }
                    guard parts.allSatisfy({ (0...1).contains($0) }), parts.reduce(0, +) * 20 <= 700.1 else {
                        Issue.record("\(cue) on \(count) is out of bounds")
                        break
                    }
                    now = now + .milliseconds(70)
                }
            }
        }
    }

    /// Between two deadlines the picture must not change.
    @Test(arguments: states + moments, [1, 24]) func deadlinesMissNothing(cue: Cue, count: Int) {
        var ring = RingAnimator(count: count, brightness: 1, budget: 1e9)
        ring.handle(.idle(.photo), at: .zero)
        ring.handle(cue, at: .zero)
        var now = Timestamp.zero
        for _ in 0..<400 {
            let frame = ring.frame(at: now)
            guard let deadline = ring.deadline else {
                #expect(ring.frame(at: now + .seconds(60)) == frame)
                return
            }
            #expect(deadline > now)
            if deadline - now > RingAnimator.step * 2 {
                var later = ring
                #expect(later.frame(at: deadline - .nanoseconds(1)) == frame, "\(cue) changes before \(deadline)")
            }
            now = deadline
        }
    }

    /// WCAG 2.3.1: not more than three flashes in any second.
    @Test(arguments: states + moments, [1, 24]) func nothingFlashesTooFast(cue: Cue, count: Int) {
        var ring = RingAnimator(count: count, brightness: 1, budget: 1e9)
        ring.handle(.idle(.photo), at: .zero)
        ring.handle(cue, at: .zero)
        var rises: [Int64] = []
        var last: Float = 0
        for step in 0..<800 {
            let at = Int64(step) * 10_000_000
            let light = ring.frame(at: Timestamp(nanoseconds: at)).reduce(0) { $0 + $1.red }
            if last < light * 0.3 { rises.append(at) }
            last = light
        }
        for (first, fourth) in zip(rises, rises.dropFirst(3)) { #expect(fourth - first > 999_000_000, "\(cue)") }
    }
}
