// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next attempt at something that failed: each time twice as long, up to a limit.
package struct BackOff: Equatable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var following: Duration

    package init(first: Duration = .milliseconds(100), longest: Duration = .seconds(5)) {
        self.first = first
        self.longest = longest
        following = first
    }

    package mutating func next() -> Duration {
        defer { following = min(following * 2, longest) }
        return following
    }

    package mutating func reset() { following = first }
}
