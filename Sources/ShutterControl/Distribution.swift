// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What many measurements of one thing come to, in microseconds.
package struct Distribution: Equatable, Sendable {
    package struct Class: Equatable, Sendable {
        /// From here…
        package var from: Int64
        /// …to below here.
        package var to: Int64
        package var count: Int
    }

    package var count: Int
    package var least: Int64
    package var p50: Int64
    package var p90: Int64
    package var p99: Int64
    package var most: Int64
    /// Of equal width, in order.
    package var classes: [Class]

    /// nil without values. A percentile is the smallest value that so many are not above.
    package init?(_ values: [Int64]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        func percentile(_ share: Int) -> Int64 { sorted[max(0, (sorted.count * share + 99) / 100 - 1)] }
        (count, least, most) = (sorted.count, first, last)
        (p50, p90, p99) = (percentile(50), percentile(90), percentile(99))
        classes = Self.classes(sorted, first, last)
    }

    /// At most a dozen, a round number wide.
    private static func classes(_ sorted: [Int64], _ first: Int64, _ last: Int64) -> [Class] {
        let wanted = max(1, (last - first) / 10)
        var step: Int64 = 1
        search: while true {
            for factor: Int64 in [1, 2, 5] where step * factor >= wanted {
                step *= factor
                break search
            }
            step *= 10
        }
        let start = (first >= 0 ? first : first - step + 1) / step * step
        var classes = (0...((last - start) / step)).map { Class(from: start + $0 * step, to: start + ($0 + 1) * step, count: 0) }
        for value in sorted { classes[Int((value - start) / step)].count += 1 }
        return classes
    }

    package var json: JSONValue {
        .object([
            "count": .int(Int64(count)), "min_us": .int(least), "p50_us": .int(p50), "p90_us": .int(p90), "p99_us": .int(p99), "max_us": .int(most),
            "histogram": .array(classes.map { ["from_us": .int($0.from), "to_us": .int($0.to), "count": .int(Int64($0.count))] }),
        ])
    }

    package init?(_ value: JSONValue?) {
        guard let value, let count = value["count"]?.int, let least = value["min_us"]?.int, let p50 = value["p50_us"]?.int,
            let p90 = value["p90_us"]?.int, let p99 = value["p99_us"]?.int, let most = value["max_us"]?.int
        else { return nil }
        (self.count, self.least, self.p50, self.p90, self.p99, self.most) = (Int(clamping: count), least, p50, p90, p99, most)
        classes = (value["histogram"]?.array ?? []).compactMap { entry in
            guard let from = entry["from_us"]?.int, let to = entry["to_us"]?.int, let count = entry["count"]?.int else { return nil }
            return Class(from: from, to: to, count: Int(clamping: count))
        }
    }
}
