// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ShutterCore

private func ms(_ milliseconds: Double) -> Timestamp { Timestamp(nanoseconds: Int64(milliseconds * 1e6)) }

/// No gamma, full brightness, no budget: light = level.
private func plain(_ count: Int = 24, theme: RingTheme = .flash, reduceMotion: Bool = false) -> RingAnimator {
    RingAnimator(count: count, theme: theme, reduceMotion: reduceMotion, brightness: 1, budget: 1e9, gamma: 1)
}

private func level(_ frame: [Colour]) -> Double { Double(frame.map(\.red).max()!) }

@Suite struct RingAnimatorTests {
    @Test func idleIsDimAndStill() {
        var ring = plain()
        ring.handle(.idle(.photo), at: ms(0))
        #expect(ring.frame(at: ms(0)) == Array(repeating: Colour(red: 0.82, green: 0.82, blue: 0.82), count: 24))
        #expect(ring.deadline == nil)
        ring.handle(.idle(.video), at: ms(10))
        #expect(ring.deadline == ms(10) + RingAnimator.step)
        #expect(ring.frame(at: ms(1000)) == Array(repeating: Colour(red: 0.82, green: 0, blue: 0), count: 24))
        #expect(ring.deadline == nil)
    }

    @Test(arguments: [
        // ms, level: 0.82 → 0.82 × 0.86 by a snappy spring of 0.15 s
        (0.0, 0.820000), (10.0, 0.812059), (25.0, 0.785208), (50.0, 0.741802), (100.0, 0.707499), (150.0, 0.704509), (400.0, 0.7052),
    ]) func pressedDimsBySpring(time: Double, expected: Double) {
        var ring = plain()
        ring.handle(.idle(.photo), at: ms(0))
        ring.handle(.pressed, at: ms(0))
        #expect(abs(level(ring.frame(at: ms(time))) - expected) < 1e-5)
    }

    @Test(arguments: [
        // ms, flash: level 0.9 → 0 by ease-out in 0.4 s, on a circle that grows from 1 to 1.4
        (0.0, 0.9, 1.0), (100.0, 0.559676, 1.151255), (200.0, 0.283821, 1.273857), (300.0, 0.084118, 1.362614), (400.0, 0.0, 1.4),
    ]) func capturedFlashes(time: Double, flash: Double, spread: Double) {
        var ring = plain()
        ring.handle(.captured, at: ms(0))
        #expect(abs(level(ring.frame(at: ms(time))) - flash / spread) < 1e-5)
        _ = ring.frame(at: ms(400))
        #expect(ring.deadline == nil)
    }

    @Test func recordingIsASquareWithItsModeDimmed() {
        var ring = plain()
        ring.handle(.recording, at: ms(0))
        let reds = ring.frame(at: ms(0)).map(\.red)
        let dark: Set = [2, 3, 8, 9, 14, 15, 20, 21]
        for (pixel, red) in reds.enumerated() {
            let expected: Float = dark.contains(pixel) ? 0 : pixel == 0 || pixel == 23 ? 0.42 * 0.4 : 0.42
            #expect(abs(red - expected) < 1e-6, "pixel \(pixel)")
        }
        ring.handle(.recordingSlowly, at: ms(500))
        let slow = ring.frame(at: ms(1000)).map(\.red)
        #expect(slow[10..<14].allSatisfy { $0 == 0 })
        #expect(slow[4..<8].allSatisfy { abs($0 - 0.42) < 1e-6 })
    }

    @Test(arguments: [
        // ms since the hold, size of 60
        (0.0, 60.0), (75.0, 61.93743), (150.0, 67.5), (300.0, 75.0), (450.0, 62.5), (600.0, 50.0), (900.0, 50.0),
    ]) func heldRecordingSwells(time: Double, size: Double) {
        var ring = RingAnimator(count: 24, theme: .keyframe, brightness: 0.5, budget: 1e9, gamma: 1)
        ring.handle(.idle(.photo), at: ms(0))
        ring.handle(.holding, at: ms(0))
        #expect(abs(level(ring.frame(at: ms(time))) - 0.5 * min(1, 0.82 * size / 60)) < 1e-5)
    }

    @Test func releaseSpringsBackToWhite() {
        var ring = plain(theme: .keyframe)
        ring.handle(.holding, at: ms(0))
        _ = ring.frame(at: ms(1000))
        ring.handle(.idle(.photo), at: ms(1000))
        let frame = ring.frame(at: ms(1050))
        #expect(abs(Double(frame[5].red) - 0.82 * (50 + 10 * 0.517425) / 60) < 1e-5)
        #expect(abs(frame[5].green / frame[5].red - 0.517425) < 1e-5)
        #expect(ring.frame(at: ms(2000))[5] == Colour(red: 0.82, green: 0.82, blue: 0.82))
    }

    @Test(arguments: [(0.0, 60.0), (150.0, 58.0), (300.0, 56.0), (450.0, 58.0), (600.0, 60.0)])
    func tapDips(time: Double, size: Double) {
        for cue in [Cue.tapped, .captured] {
            var ring = plain(theme: .keyframe)
            ring.handle(.idle(.photo), at: ms(0))
            ring.handle(cue, at: ms(0))
            #expect(abs(level(ring.frame(at: ms(time))) - 0.82 * size / 60) < 1e-5)
        }
    }

    @Test func reducedMotionChangesAtOnce() {
        var ring = plain(reduceMotion: true)
        ring.handle(.idle(.photo), at: ms(0))
        ring.handle(.pressed, at: ms(100))
        #expect(abs(level(ring.frame(at: ms(100))) - 0.82 * 0.7) < 1e-6)
        #expect(ring.deadline == nil)
        ring.handle(.idle(.photo), at: ms(200))
        ring.handle(.captured, at: ms(200))
        let confirmed = ring.frame(at: ms(200)).map(\.red)
        #expect(confirmed == Array(repeating: 0, count: 6) + Array(repeating: 0.82, count: 18))
        #expect(ring.deadline == ms(500))
        #expect(ring.frame(at: ms(500)).map(\.red) == Array(repeating: 0.82, count: 24))
        for cue in [Cue.starting, .cameraFault, .recording, .stuck, .holding] {
            ring.handle(cue, at: ms(1000))
            _ = ring.frame(at: ms(1000))
            #expect(ring.deadline == nil, "\(cue)")
        }
    }

    @Test func aNewStateStartsFromTheCurrentLight() {
        var ring = plain()
        ring.handle(.idle(.photo), at: ms(0))
        ring.handle(.pressed, at: ms(0))
        let before = ring.frame(at: ms(30))
        ring.handle(.idle(.video), at: ms(30))
        let after = ring.frame(at: ms(30))
        for pixel in 0..<24 { #expect(abs(before[pixel].red - after[pixel].red) < 1e-6 && abs(before[pixel].green - after[pixel].green) < 1e-6) }
    }

    @Test func faultsKeepTheirRhythm() {
        var alone = plain()
        var disturbed = plain()
        alone.handle(.cameraFault, at: ms(0))
        disturbed.handle(.cameraFault, at: ms(0))
        disturbed.handle(.refused, at: ms(1700))
        disturbed.handle(.cameraFault, at: ms(1800))
        #expect(disturbed.frame(at: ms(1800)) != alone.frame(at: ms(1800)))
        for time in stride(from: 2250.0, to: 6000, by: 50) { #expect(disturbed.frame(at: ms(time)) == alone.frame(at: ms(time))) }
        // The next change, not the next frame.
        _ = alone.frame(at: ms(6100))
        #expect(alone.deadline == ms(6500))
    }

    @Test func timeNeverRunsBackwards() {
        var ring = plain()
        ring.handle(.starting, at: ms(0))
        let frame = ring.frame(at: ms(500))
        #expect(ring.frame(at: ms(400)) == frame)
    }

    @Test func anAmpereIsEnoughForTwentyFourWhiteLEDs() {
        var ring = RingAnimator(count: 24, brightness: 1, budget: 1000, gamma: 2.2)
        ring.handle(.idle(.photo), at: ms(0))
        ring.handle(.captured, at: ms(0))
        let frame = ring.frame(at: ms(0))
        let parts = frame.reduce(Float(0)) { $0 + $1.red + $1.green + $1.blue }
        #expect(abs(parts * 20 - 1000) < 0.1)
        #expect(frame.allSatisfy { abs($0.red - 1000 / (24 * 60)) < 1e-5 && $0.red == $0.green })
    }

    @Test func brightnessIsPerceptual() {
        var ring = RingAnimator(count: 24, brightness: 0.4, budget: 500)
        ring.handle(.idle(.photo), at: ms(0))
        #expect(abs(level(ring.frame(at: ms(0))) - 0.086085) < 1e-5)
    }
}
