// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// A change of a line, so long after the waveform's start.
package struct LevelChange: Equatable, Sendable {
    package var offset: Duration
    package var level: Level

    package init(_ offset: Duration, _ level: Level) {
        self.offset = offset
        self.level = level
    }

    package init(microseconds: Int64, _ level: Level) {
        self.init(.microseconds(microseconds), level)
    }
}

/// What a line did, from its level before the start.
package struct Waveform: Equatable, Sendable {
    package var initial: Level
    /// Only real changes, in order of time.
    package private(set) var changes: [LevelChange] = []
    /// From the start to the end; not before the last change.
    package private(set) var length: Duration

    /// - Parameter length: of the whole recording, where that goes on after the last change.
    package init(initial: Level = .inactive, changes: [LevelChange], length: Duration = .zero) {
        self.initial = initial
        var level = initial
        for change in changes.sorted(by: { $0.offset < $1.offset }) where change.level != level {
            self.changes.append(change)
            level = change.level
        }
        self.length = max(length, changes.map(\.offset).max() ?? .zero)
    }

    /// The level at a time since the start.
    package func level(at offset: Duration) -> Level {
        changes.last { $0.offset <= offset }?.level ?? initial
    }
}
