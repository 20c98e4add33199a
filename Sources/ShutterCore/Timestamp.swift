// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// An instant on CLOCK_MONOTONIC, in whole nanoseconds.
///
/// The kernel stamps GPIO edges and camera drivers stamp frames on this clock. Swift's `ContinuousClock`
/// is CLOCK_BOOTTIME on Linux and so cannot be compared with either.
package struct Timestamp: InstantProtocol, Hashable, Sendable {
    /// Nanoseconds since the clock's own zero, usually the start of the machine.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Saturates at the ends of time: stamps come from drivers and from files.
    package func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflowed) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return Timestamp(nanoseconds: overflowed ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// Saturates at ±292 years.
    package func duration(to other: Timestamp) -> Duration {
        let (difference, overflowed) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(overflowed ? (other.nanoseconds < 0 ? .min : .max) : difference)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (left: Timestamp, right: Duration) -> Timestamp { left.advanced(by: right) }
    package static func - (left: Timestamp, right: Duration) -> Timestamp { left.advanced(by: .zero - right) }
    package static func - (left: Timestamp, right: Timestamp) -> Duration { right.duration(to: left) }
}

extension Duration {
    /// The duration in whole nanoseconds, cut towards zero; saturates at ±292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowedAgain) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed || overflowedAgain ? (seconds < 0 ? .min : .max) : sum
    }

    /// The duration in whole microseconds, cut towards zero.
    package var microseconds: Int64 { nanoseconds / 1000 }

    /// The duration in seconds.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}

/// The earlier of two deadlines, where nil means "none".
package func earliest(_ deadlines: Timestamp?...) -> Timestamp? {
    // Asked several times at every edge and every turn of the loop: no arrays in between.
    var earliest: Timestamp?
    for case let deadline? in deadlines where earliest.map({ deadline < $0 }) ?? true { earliest = deadline }
    return earliest
}
