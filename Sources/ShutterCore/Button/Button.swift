// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What an input is for.
package enum ButtonRole: String, Sendable, CaseIterable {
    case shutter
    /// A press changes between photo and video.
    case mode
    /// Half-press.
    case focus
    /// A light press: opens the controls, or goes on to the next one.
    case control
    /// One step of the control, and more while it is held.
    case up, down
}

/// One input from edge to gesture: a debouncer and a recognizer that share their deadlines, so that the level
/// is read at every gesture deadline too.
package struct Button: Sendable {
    package struct Settings: Equatable, Sendable {
        package var name: InputName
        package var role: ButtonRole
        package var debounce: Debouncer.Settings
        package var gestures: PressRecognizer.Settings
        /// Whether it may well be away, as a remote that sleeps.
        package var isOptional: Bool

        package init(
            name: InputName, role: ButtonRole, debounce: Debouncer.Settings = .init(), gestures: PressRecognizer.Settings = .init(),
            isOptional: Bool = false
        ) {
            self.isOptional = isOptional
            self.name = name
            self.role = role
            self.debounce = debounce
            self.gestures = gestures
        }
    }

    package enum Output: Equatable, Sendable {
        case level(Debouncer.Output)
        case gesture(PressRecognizer.Output)
    }

    package private(set) var settings: Settings
    package private(set) var debouncer: Debouncer
    private var recognizer: PressRecognizer

    package init(_ settings: Settings) {
        self.settings = settings
        debouncer = Debouncer(settings.debounce)
        recognizer = PressRecognizer(settings.gestures)
    }

    /// Other times; name and role stay.
    package mutating func adopt(_ settings: Settings) {
        (self.settings.debounce, self.settings.gestures) = (settings.debounce, settings.gestures)
        debouncer.adopt(settings.debounce)
        recognizer.adopt(settings.gestures)
    }

    package var deadline: Timestamp? { earliest(debouncer.deadline, recognizer.deadline) }

    /// Without that of a reading, which changes nothing where the level is known.
    var nextChange: Timestamp? { debouncer.isSteady ? recognizer.deadline : deadline }

    mutating func skipReadings(of level: Level, until end: Timestamp) { debouncer.skipReadings(of: level, until: end) }

    package var isQuiet: Bool { debouncer.isSteady && recognizer.deadline == nil }

    package mutating func handle(_ event: LineEvent, wanted: PressRecognizer.Wanted, at now: Timestamp) -> [Output] {
        pass(debouncer.handle(event), wanted: wanted, at: now)
    }

    package mutating func advance(
        to now: Timestamp, reading: (level: Level, at: Timestamp)?, wanted: PressRecognizer.Wanted
    ) -> [Output] {
        pass(debouncer.advance(to: now, reading: reading), wanted: wanted, at: now) + recognizer.advance(to: now).map(Output.gesture)
    }

    private mutating func pass(_ outputs: [Debouncer.Output], wanted: PressRecognizer.Wanted, at now: Timestamp) -> [Output] {
        outputs.flatMap { output in
            [.level(output)] + recognizer.handle(output, wanted: wanted, at: now).map(Output.gesture)
        }
    }
}
