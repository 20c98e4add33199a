// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Which pixels of a ring are lit, and how much, as told apart without colour. Pixel 0 stands right of the top;
/// they go on clockwise.
enum Shape: Equatable, Sendable {
    /// All of them.
    case ring
    /// Four arcs, the square of a recording: `missing` is the one that is dark. The mark at the top is the mode.
    case square(missing: Int?)
    /// Parts of a turn, from and to.
    case arcs([ClosedRange<Double>])
    /// A quarter that turns, one turn in so long.
    case turning(Duration)
    /// Every other pixel.
    case dots
    /// What is left of a time, from the top clockwise.
    case rest(Duration, of: Duration)
    /// A value from its zero on a faint ring, its zero marked.
    case gauge(Double, zero: Double)
    /// One of several segments.
    case segment(Int, of: Int)

    /// Pixels below which a ring has no shapes, and rhythms take their place.
    static let least = 8

    /// How much a pixel is lit, 0…1. `opening` is how far the gaps of the square have opened, 0…1.
    func weight(pixel: Int, of count: Int, after elapsed: Duration, opening: Double) -> Double {
        let turns = Double(count)
        let middle = (Double(pixel) + 0.5) / turns
        switch self {
        case .ring:
            return 1 - opening * (Self.isGap(pixel, count) ? 1 : Self.isMark(pixel, count) ? 0.6 : 0)
        case .square(let missing):
            let arc = Int((middle * 4 + 0.5).rounded(.down)) % 4
            return arc == missing ? 0 : Shape.ring.weight(pixel: pixel, of: count, after: elapsed, opening: opening)
        case .arcs(let arcs):
            return arcs.contains { $0.contains(middle) } ? 1 : 0
        case .turning(let period):
            let start = elapsed.seconds / period.seconds
            return Self.overlap(Double(pixel) / turns, 1 / turns, start - start.rounded(.down), 0.25) * turns
        case .dots:
            return pixel % 2 == 0 ? 1 : 0
        case .rest(let left, let all):
            return pixel < Self.pixelsLeft(left - elapsed, of: all, count) ? 1 : 0
        case .gauge(let value, let zero):
            let at = min(pixel, count - 1)
            let (from, to) = (Self.pixel(min(value, zero), count), Self.pixel(max(value, zero), count))
            return (from...to).contains(at) ? 1 : 0.15
        case .segment(let chosen, let all):
            let all = max(1, min(all, count))
            let segment = pixel * all / count
            let isFirst = pixel == 0 || (pixel - 1) * all / count != segment
            if isFirst && count >= 2 * all { return 0 }
            return segment == chosen ? 1 : 0.2
        }
    }

    /// When the picture changes next after so long, by itself; `step` is the time from frame to frame of a movement.
    func nextChange(after elapsed: Duration, count: Int, step: Duration) -> Duration? {
        switch self {
        case .ring, .square, .arcs, .dots, .gauge, .segment: return nil
        case .turning: return elapsed + step
        case .rest(let left, let all):
            let lit = Self.pixelsLeft(left - elapsed, of: all, count)
            guard lit > 0 else { return nil }
            // The last of them goes out when less than its share is left.
            let change = left - .nanoseconds(Int64(Double(all.nanoseconds) * Double(lit - 1) / Double(count)))
            return max(change, elapsed + .milliseconds(1))
        }
    }

    private static func pixelsLeft(_ left: Duration, of all: Duration, _ count: Int) -> Int {
        guard left > .zero, all > .zero else { return 0 }
        let part: Double = left.seconds / all.seconds
        return min(count, Int((part * Double(count)).rounded(.up)))
    }

    private static func pixel(_ value: Double, _ count: Int) -> Int {
        guard value > 0 else { return 0 }
        let place: Double = min(value, 1) * Double(count - 1)
        return min(count - 1, Int(place.rounded()))
    }

    /// The dark gaps of the square, on the diagonals.
    private static func isGap(_ pixel: Int, _ count: Int) -> Bool {
        let width = max(1, Int((Double(count) / 16).rounded()))
        for corner in 0..<4 {
            let middle: Double = (Double(corner) + 0.5) / 4 * Double(count)
            let start = Int((middle - Double(width) / 2).rounded())
            if (start..<start + width).contains(pixel) { return true }
        }
        return false
    }

    /// The mode's mark at the top.
    private static func isMark(_ pixel: Int, _ count: Int) -> Bool {
        let half = max(1, count / 24)
        return pixel < half || pixel >= count - half
    }

    /// How much of a stretch of the circle lies in another; both begin within 0..<1.
    private static func overlap(_ start: Double, _ length: Double, _ from: Double, _ reach: Double) -> Double {
        var shared = 0.0
        for turn in [-1.0, 0, 1] {
            let first = max(start, from + turn)
            let last = min(start + length, from + reach + turn)
            shared += max(0, last - first)
        }
        return shared
    }
}
