// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What an input is for.
package enum ButtonRole: String, Sendable, CaseIterable {
    case shutter
    /// A press changes between photo and video.
    case mode
    /// Half-press.
    case focus
}

/// One input from edge to gesture: a debouncer and a recognizer that share their deadlines, so that the level
/// is read at every gesture deadline too.
package struct Button: Sendable {
    package struct Settings: Equatable, Sendable {
        package var name: InputName
        package var role: ButtonRole
        package var debounce: Debouncer.Settings
        package var gestures: PressRecognizer.Settings

        package init(
            name: InputName, role: ButtonRole, debounce: Debouncer.Settings = .init(), gestures: PressRecognizer.Settings = .init()
        ) {
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
