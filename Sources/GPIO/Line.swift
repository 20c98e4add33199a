// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A chip that could be asked.
package struct ChipFacts: Equatable, Sendable {
    /// `/dev/gpiochip0`
    package var path: String
    /// `pinctrl-rp1`
    package var label: String
    /// By offset; empty where the kernel gives none.
    package var lineNames: [String]

    package init(path: String, label: String, lineNames: [String]) {
        self.path = path
        self.label = label
        self.lineNames = lineNames
    }
}

/// Who has a line.
package struct LineUse: Equatable, Sendable {
    package var isUsed: Bool
    /// As the user of the line calls itself; may be empty.
    package var consumer: String

    package init(isUsed: Bool, consumer: String) {
        self.isUsed = isUsed
        self.consumer = consumer
    }
}

/// An edge as the kernel tells it.
package struct EdgeRecord: Equatable, Sendable {
    /// Nanoseconds on the kernel's clock for edges, which should be CLOCK_MONOTONIC.
    package var stamp: Int64
    /// Counts the request's edges from 1 on, where the API does.
    package var sequence: UInt32?
    package var isRising: Bool

    package init(stamp: Int64, sequence: UInt32?, isRising: Bool) {
        self.stamp = stamp
        self.sequence = sequence
        self.isRising = isRising
    }
}
