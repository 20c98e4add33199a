// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A light that goes on and off by itself, again and again. No rhythm flashes more than three times in a second.
struct Rhythm: Equatable, Sendable {
    /// Milliseconds on, off, on, off, …; empty is steady. Ends with "off", or the next round follows seamlessly.
    var steps: [Int]

    init(_ steps: Int...) { self.steps = steps }
    init(_ steps: [Int]) { self.steps = steps }

    static let steady = Rhythm()

    /// So many winks, then a pause. Milliseconds.
    static func winks(_ count: Int, on: Int, off: Int, pause: Int) -> Rhythm {
        Rhythm((1...max(1, count)).flatMap { [on, $0 == count ? pause : off] })
    }

    /// A second a beat, faster in the last two seconds, ending with the time that is left. Milliseconds on and off.
    static func countdown(_ left: Duration, long: (on: Int, off: Int), short: (on: Int, off: Int)) -> Rhythm {
        let left = Int(max(0, left.nanoseconds) / 1_000_000)
        let slow = max(0, left - 2000)
        var steps: [Int] = []
        // What is no full beat comes first, so that the others end when they should.
        let rest = slow % (long.on + long.off)
        if rest > long.off { steps += [rest - long.off, long.off] }
        for _ in 0..<slow / (long.on + long.off) { steps += [long.on, long.off] }
        if !steps.isEmpty, rest <= long.off { steps[0] += rest }
        for _ in 0..<max(1, (left - slow) / (short.on + short.off)) { steps += [short.on, short.off] }
        return Rhythm(steps)
    }

    func isOn(after elapsed: Duration) -> Bool { step(after: elapsed)?.isOn ?? true }

    /// From the start to the next change, or nil when there is none.
    func nextChange(after elapsed: Duration) -> Duration? { step(after: elapsed)?.end }

    private func step(after elapsed: Duration) -> (isOn: Bool, end: Duration)? {
        let period = Int64(steps.reduce(0, +)) * 1_000_000
        guard period > 0 else { return nil }
        let elapsed = max(0, elapsed.nanoseconds)
        var end = elapsed / period * period
        for (index, step) in steps.enumerated() {
            end += Int64(step) * 1_000_000
            if elapsed < end { return (index % 2 == 0, .nanoseconds(end)) }
        }
        return nil
    }
}
