// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import ShutterCore

/// Reference values: closed forms in Python, the spring also by Runge-Kutta.
@Suite struct RingMotionTests {
    @Test func functionsAgreeWithGlibc() {
        for step in 0...400 {
            let decay = -Double(step) / 40
            let turn = Double(step) / 13
            let wave = exponential(decay, turn)
            #expect(abs(wave.re - exp(decay) * cos(turn)) < 1e-12)
            #expect(abs(wave.im - exp(decay) * sin(turn)) < 1e-12)
            let base = Double(step) / 400
            #expect(abs(power(base, 2.2) - pow(base, 2.2)) < 1e-12)
            if step > 0 { #expect(abs(logarithm(base) - log(base)) < 1e-12) }
        }
        #expect(power(0, 2.2) == 0)
        #expect(abs(power(1, 2.2) - 1) < 1e-15)
    }

    @Test(arguments: [
        // seconds, .snappy(0.15), .spring(response: 0.2)
        (0.0, 0.0, 0.0), (0.01, 0.069173, 0.041490), (0.025, 0.303069, 0.199639), (0.05, 0.681166, 0.517425),
        (0.075, 0.894509, 0.763055), (0.1, 0.979975, 0.908178), (0.15, 1.006020, 1.004417), (0.2, 1.001484, 1.008402),
    ]) func springsSwingAsInSwiftUI(seconds: Double, snappy: Double, response: Double) {
        let one = Spring.snappy(.milliseconds(150)).swing(distance: 1, velocity: 0, after: seconds)
        let two = Spring.response(.milliseconds(200)).swing(distance: 1, velocity: 0, after: seconds)
        #expect(abs(1 - one.distance - snappy) < 1e-6)
        #expect(abs(1 - two.distance - response) < 1e-6)
    }

    @Test(arguments: [
        (0.0, 0.0, 0.0), (0.1, 0.160572, 0.019722), (0.25, 0.378138, 0.129162), (0.5, 0.684643, 0.5),
        (0.75, 0.906535, 0.870838), (0.9, 0.982973, 0.980278), (1.0, 1.0, 1.0),
    ]) func curvesAreThoseOfCSS(time: Double, easeOut: Double, easeInOut: Double) {
        #expect(abs(Curve.easeOut.progress(time) - easeOut) < 1e-6)
        #expect(abs(Curve.easeInOut.progress(time) - easeInOut) < 1e-6)
    }

    @Test func aSpringTakesPlaceAndSpeedOver() {
        var channel = Channel(0)
        channel.spring(to: 1, .snappy(.milliseconds(150)), at: .zero)
        let turn = Timestamp(nanoseconds: 30_000_000)
        let value = channel.value(at: turn)
        let before = channel.value(at: turn - .microseconds(10))
        channel.spring(to: 0, .snappy(.milliseconds(150)), at: turn)
        #expect(channel.value(at: turn) == value)
        let speed = (value - before) / 1e-5
        #expect(abs((channel.value(at: turn + .microseconds(10)) - value) / 1e-5 - speed) < abs(speed) * 0.02)
        #expect(channel.value(at: turn + .seconds(1)) == 0)
    }

    @Test(arguments: [
        (0, true, 500), (499, true, 500), (500, false, 600), (599, false, 600), (600, true, 1100), (6000, true, 6500),
    ]) func rhythmsGoRound(elapsed: Int, isOn: Bool, next: Int) {
        let rhythm = Rhythm(500, 100)
        #expect(rhythm.isOn(after: .milliseconds(elapsed)) == isOn)
        #expect(rhythm.nextChange(after: .milliseconds(elapsed)) == .milliseconds(next))
    }
}

extension Timestamp {
    static let zero = Timestamp(nanoseconds: 0)
}
