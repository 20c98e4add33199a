// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// SwiftUI's spring of unit mass: it swings to its target with this stiffness and damping.
struct Spring: Equatable, Sendable {
    /// Radians a second, undamped.
    var frequency: Double
    /// 1 does not overshoot; below that, it does.
    var damping: Double

    /// `.snappy`: a duration, and a bounce of 0.15.
    static func snappy(_ duration: Duration) -> Spring {
        Spring(frequency: 2 * .pi / duration.seconds, damping: 1 - 0.15)
    }

    /// `.spring(response:)`, with its damping fraction of 0.825.
    static func response(_ response: Duration) -> Spring {
        Spring(frequency: 2 * .pi / response.seconds, damping: 0.825)
    }

    /// How far it is from its target, and how fast, so many seconds after it was that far and that fast.
    func swing(distance: Double, velocity: Double, after seconds: Double) -> (distance: Double, velocity: Double) {
        let decay = frequency * damping
        let turn = frequency * (1 - damping * damping).squareRoot()
        // x = e^(−decay t) (a cos turn t + b sin turn t)
        let wave = exponential(-decay * seconds, turn * seconds)
        let a = distance
        let b = (velocity + decay * distance) / turn
        return (a * wave.re + b * wave.im, (b * turn - decay * a) * wave.re - (a * turn + decay * b) * wave.im)
    }

    /// After this no eye sees it move: less than a thousandth of the way is left.
    var rest: Duration { .nanoseconds(Int64(8 / (frequency * damping) * 1e9)) }
}
