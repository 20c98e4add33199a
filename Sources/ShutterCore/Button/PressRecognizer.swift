// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a press ended without its gesture.
package enum CancelReason: String, Sendable {
    case modeChanged = "mode-changed"
    case cameraLost = "camera-lost"
    case buttonLost = "button-lost"
    case storageLow = "storage-low"
    case maxHold = "max-hold"
    case stopping
    /// The press became another gesture (a double).
    case superseded
    /// A second press, where it takes the first one back.
    case pressedAgain = "pressed-again"
    case driveChanged = "drive-changed"
}

/// Turns accepted presses into phases (began, ended, cancelled) and gestures (tap, hold, double).
///
/// Hold time counts from the start of the settled level; a gesture that falls due while the level wavers
/// waits until the wavering is judged, so a release just before the hold time is a tap. A press that lasts that long is no part of a double:
/// where a hold leads nowhere it is a tap then. For noise nothing waits, and `maxHold`
/// waits for nothing.
package struct PressRecognizer: Sendable {
    package struct Settings: Equatable, Sendable {
        package var hold: Duration
        /// The longest time from a release to the next contact that makes a double; nil = no doubles.
        package var double: Duration?
        package var maxHold: Duration?

        package init(hold: Duration = .milliseconds(500), double: Duration? = nil, maxHold: Duration? = nil) {
            self.hold = hold
            self.double = double
            self.maxHold = maxHold
        }
    }

    /// Which gestures lead anywhere in the present mode; the others need not be waited for.
    package struct Wanted: Equatable, Sendable {
        package var hold: Bool
        package var double: Bool

        package init(hold: Bool, double: Bool) {
            self.hold = hold
            self.double = double
        }
    }

    package enum Output: Equatable, Sendable {
        /// With the gestures that may still follow it.
        case began(Timestamp, open: Wanted)
        case ended(Timestamp)
        case tap(Timestamp)
        case hold(Timestamp)
        case double(Timestamp)
        case cancelled(Timestamp, CancelReason)
    }

    private enum State {
        case up
        case down(instant: Timestamp, hold: Timestamp?, limit: Timestamp?, wanted: Wanted)
        /// Acted upon (held, second of a double) or cancelled: only the release is waited for.
        case spent(limit: Timestamp?, instant: Timestamp)
        /// One tap is done; a second contact before `until` makes it a double.
        case between(first: Timestamp, until: Timestamp)
    }

    private var settings: Settings
    private var state = State.up
    private var isWavering = false

    package init(_ settings: Settings) {
        self.settings = settings
    }

    /// Other settings from the next press on.
    package mutating func adopt(_ settings: Settings) { self.settings = settings }

    package var isDown: Bool {
        switch state {
        case .up, .between: false
        case .down, .spent: true
        }
    }

    package var deadline: Timestamp? {
        switch state {
        case .up: nil
        case let .down(_, hold, limit, _): earliest(isWavering ? nil : hold, limit)
        case let .spent(limit, _): limit
        case let .between(_, until): isWavering ? nil : until
        }
    }

    package mutating func handle(_ input: Debouncer.Output, wanted: Wanted, at now: Timestamp) -> [Output] {
        switch input {
        case .contact, .wavering:
            isWavering = true
            return []
        case .contactFiltered, .steady, .noise:
            isWavering = false
            return advance(to: now)
        case let .pressed(instant, settled):
            isWavering = false
            return press(instant, settled: settled, wanted: wanted) + advance(to: now)
        case let .released(instant):
            isWavering = false
            return release(instant) + advance(to: now)
        case .aborted:
            isWavering = false
            defer { state = .up }
            switch state {
            case .up: return []
            case let .down(instant, _, _, _), let .spent(_, instant): return [.cancelled(instant, .buttonLost), .ended(now)]
            case let .between(first, _): return [.tap(first)]
            }
        case .heldAtStart, .unstable:
            return []
        }
    }

    /// Fires the gestures that are due at `now`.
    package mutating func advance(to now: Timestamp) -> [Output] {
        guard let due = deadline, due <= now else { return [] }
        switch state {
        case .up:
            return []
        case let .down(instant, hold, limit, wanted):
            if let limit, limit <= now, isWavering || limit <= hold ?? limit {
                state = .spent(limit: nil, instant: instant)
                return [.cancelled(instant, .maxHold)]
            }
            state = .spent(limit: limit, instant: instant)
            return [wanted.hold ? .hold(instant) : .tap(instant)] + advance(to: now)
        case let .spent(_, instant):
            state = .spent(limit: nil, instant: instant)
            return [.cancelled(instant, .maxHold)]
        case let .between(first, _):
            state = .up
            return [.tap(first)]
        }
    }

    private mutating func press(_ instant: Timestamp, settled: Timestamp, wanted: Wanted) -> [Output] {
        let limit = settings.maxHold.map { settled + $0 }
        if case let .between(first, until) = state {
            if instant <= until {
                state = .spent(limit: limit, instant: instant)
                return [.double(instant)]
            }
            state = .up
            return [.tap(first)] + press(instant, settled: settled, wanted: wanted)
        }
        let open = Wanted(hold: wanted.hold, double: wanted.double && settings.double != nil)
        state = .down(instant: instant, hold: open.hold || open.double ? settled + settings.hold : nil, limit: limit, wanted: open)
        return [.began(instant, open: open)]
    }

    private mutating func release(_ instant: Timestamp) -> [Output] {
        switch state {
        case .up, .between:
            return []
        case .spent:
            state = .up
            return [.ended(instant)]
        case let .down(began, _, _, wanted):
            if wanted.double, let double = settings.double {
                state = .between(first: began, until: instant + double)
                return [.ended(instant)]
            }
            state = .up
            return [.ended(instant), .tap(began)]
        }
    }
}
