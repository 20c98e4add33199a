// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// The light of a ring that the synthetic sensor sees: how bright it was when. From any thread.
package final class SimulatedLight: Sendable {
    /// Changes that are remembered; older ones are beyond any exposure.
    private static let most = 512

    private struct Change {
        var at: Timestamp
        /// Linear, 0…1.
        var level: Double
    }

    private let changes = Locked<[Change]>([])

    package init() {}

    /// It is so bright from now on: the mean of all pixels, linear.
    package func set(_ pixels: [Colour]) {
        let sum = pixels.reduce(0) { $0 + Double($1.red + $1.green + $1.blue) }
        changes.withLock { changes in
            changes.append(Change(at: Clock.now, level: sum / Double(max(1, 3 * pixels.count))))
            if changes.count > Self.most { changes.removeFirst(Self.most / 2) }
        }
    }

    /// The mean over an exposure, linear, 0…1.
    func mean(from begin: Timestamp, to end: Timestamp) -> Double {
        guard end > begin else { return 0 }
        let changes = changes.withLock { $0 }
        var sum = 0.0
        for (index, change) in changes.enumerated() {
            let from = max(begin, change.at)
            let to = index + 1 < changes.count ? min(end, changes[index + 1].at) : end
            if to > from { sum += change.level * (to - from).seconds }
        }
        return min(sum / (end - begin).seconds, 1)
    }
}
