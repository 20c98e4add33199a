// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// One number of the picture that moves: by a spring, along curves, or not at all. A new motion starts from where
/// the old one is; springs keep the speed, too.
struct Channel: Equatable, Sendable {
    /// A stretch of a motion along a curve.
    struct Leg: Equatable, Sendable {
        var to: Double
        var duration: Duration
        var curve: Curve
    }

    private enum Motion: Equatable, Sendable {
        case still
        case spring(Spring, distance: Double, velocity: Double)
        case legs([Leg], from: Double)
    }

    private(set) var target: Double
    private var motion = Motion.still
    private var start = Timestamp(nanoseconds: 0)
    /// When it is still again.
    private(set) var end = Timestamp(nanoseconds: .min)

    init(_ value: Double) { target = value }

    func value(at now: Timestamp) -> Double {
        guard now < end else { return target }
        switch motion {
        case .still: return target
        case .spring(let spring, let distance, let velocity):
            return target + spring.swing(distance: distance, velocity: velocity, after: (now - start).seconds).distance
        case .legs(let legs, var from):
            var elapsed = now - start
            for leg in legs {
                if elapsed < leg.duration { return from + (leg.to - from) * leg.curve.progress(elapsed.seconds / leg.duration.seconds) }
                elapsed -= leg.duration
                from = leg.to
            }
            return target
        }
    }

    func isMoving(at now: Timestamp) -> Bool { now < end }

    mutating func set(_ value: Double) { self = Channel(value) }

    mutating func spring(to value: Double, _ spring: Spring, at now: Timestamp) {
        let distance = self.value(at: now) - value
        let velocity = velocity(at: now)
        guard distance != 0 || velocity != 0 else { return set(value) }
        motion = .spring(spring, distance: distance, velocity: velocity)
        (target, start, end) = (value, now, now + spring.rest)
    }

    mutating func run(_ legs: [Leg], at now: Timestamp) {
        motion = .legs(legs, from: value(at: now))
        (target, start) = (legs.last?.to ?? target, now)
        end = now + legs.reduce(.zero) { $0 + $1.duration }
    }

    private func velocity(at now: Timestamp) -> Double {
        guard now < end, case .spring(let spring, let distance, let velocity) = motion else { return 0 }
        return spring.swing(distance: distance, velocity: velocity, after: (now - start).seconds).velocity
    }
}
