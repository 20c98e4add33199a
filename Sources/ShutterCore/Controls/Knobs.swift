// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// All that is worked beside the shutter: encoders and buttons for the controls, and the half press. They show on the ring
/// while the shutter itself has nothing to tell.
package struct Knobs: Sendable {
    package struct Settings: Equatable, Sendable {
        package var encoders: [RotaryEncoder.Settings]
        package var controls: ControlsModel.Settings

        package init(encoders: [RotaryEncoder.Settings] = [], controls: ControlsModel.Settings = .init()) {
            self.encoders = encoders
            self.controls = controls
        }
    }

    package enum Input: Equatable, Sendable {
        /// The ranges of the camera's controls, by libcamera's names.
        case abilities([String: ClosedRange<Double>])
        /// The camera keeps its values now, or cannot.
        case locked(Bool)
        /// A knob that counts its detents itself was turned; clockwise is positive.
        case turn(String, Int)
    }

    package private(set) var encoders: [RotaryEncoder]
    package private(set) var controls: ControlsModel
    /// The focus button that is half pressed.
    private var lock: (input: InputName, isLocked: Bool)?
    /// What the shutter has the ring show, and what it shows.
    private var beneath = Cue.off
    private var shown = Cue.off

    package init(_ settings: Settings, remembered: [ControlName: Double] = [:]) {
        encoders = settings.encoders.map(RotaryEncoder.init)
        controls = ControlsModel(settings.controls, remembered: remembered)
    }

    package var deadline: Timestamp? {
        var due = controls.deadline
        for encoder in encoders { due = earliest(due, encoder.deadline) }
        return due
    }

    /// Whether it is a line of an encoder.
    package func owns(_ name: InputName) -> Bool { encoders.contains { $0.settings.a == name || $0.settings.b == name } }

    // MARK: What comes in

    mutating func handle(_ event: LineEvent, of name: InputName, at now: Timestamp) -> [Command] {
        guard let index = encoders.firstIndex(where: { $0.settings.a == name || $0.settings.b == name }) else { return [] }
        return encoders[index].handle(event, of: name).map { turned(encoders[index].settings.name, $0, at: now) } ?? []
    }

    mutating func handle(_ input: Input, at now: Timestamp) -> [Command] {
        switch input {
        case let .abilities(abilities): return told(controls.adopt(abilities), at: now, quietly: true)
        case let .turn(name, detents):
            return detents == 0 ? [] : turned(name, RotaryEncoder.Turn(detents: detents, factor: 1, at: now), at: now)
        case let .locked(isLocked):
            guard let input = lock?.input else { return [] }
            lock = (input, isLocked)
            let failure: [Command] = isLocked ? [] : [command(.cue(.refused), now)]
            return [command(.lock(isLocked ? .locked : .failed), now)] + failure
        }
    }

    /// A gesture of a button for the controls, or of a focus button.
    mutating func handle(_ gesture: PressRecognizer.Output, of button: Button.Settings, blocked: Refusal?, at now: Timestamp) -> [Command] {
        switch (button.role, gesture) {
        case (.control, .began): return told(controls.press(at: now), at: now)
        case (.up, .began): return told(controls.hold(1, at: now), at: now)
        case (.down, .began): return told(controls.hold(-1, at: now), at: now)
        case (.up, .ended), (.down, .ended), (.up, .cancelled), (.down, .cancelled): controls.release()
        case let (.focus, .began(instant, _)):
            if let blocked { return [command(.refused(nil, blocked), now), command(.cue(.refused), now)] }
            guard lock == nil else { return [] }
            lock = (button.name, false)
            return [Command(.lock(.began), instant: instant, decided: now), command(.focus(true), now)]
        case let (.focus, .ended(instant)) where lock?.input == button.name: return unlock(.ended, instant, at: now)
        case let (.focus, .cancelled(instant, reason)) where lock?.input == button.name: return unlock(.cancelled(reason), instant, at: now)
        case (.control, _), (.up, _), (.down, _), (.focus, _), (.shutter, _), (.mode, _): break
        }
        return []
    }

    mutating func set(_ name: ControlName, _ value: String, at now: Timestamp) -> (Answer, [Command]) {
        switch controls.set(name, value) {
        case let .failure(refusal): return (.refused(refusal), [])
        case let .success(output): return (.control(name, controls.value(of: name) ?? 0), told([output], at: now))
        }
    }

    mutating func advance(to now: Timestamp, reading: (InputName) -> (level: Level, at: Timestamp)?) -> [Command] {
        var commands: [Command] = []
        for index in encoders.indices {
            if let turn = encoders[index].advance(to: now, reading: reading) {
                commands += turned(encoders[index].settings.name, turn, at: now)
            }
        }
        return commands + told(controls.advance(to: now), at: now)
    }

    /// What the shutter does ends a half press as it ends a press; and the ring is the shutter's wherever it has more to show
    /// than that it is idle.
    mutating func accompany(_ commands: [Command], cameraIsReady: Bool, at now: Timestamp) -> [Command] {
        var all: [Command] = []
        var place: Int?
        for command in commands {
            switch command.kind {
            case let .cue(cue) where !cue.isMoment: (beneath, place) = (cue, all.count)
            case .mode: all += [command] + unlock(.cancelled(.modeChanged), command.instant, at: now)
            case .exit: all += told(controls.close(), at: now) + unlock(.cancelled(.stopping), now, at: now) + [command]
            default: all.append(command)
            }
        }
        if lock != nil, !cameraIsReady { all += unlock(.cancelled(.cameraLost), now, at: now) }
        let cue = self.cue
        if cue != shown {
            shown = cue
            all.insert(self.command(.cue(cue), now), at: place ?? all.endIndex)
        }
        return all
    }

    // MARK: What goes out

    private var cue: Cue {
        guard case .idle = beneath else { return beneath }
        return controls.cue ?? (lock?.isLocked == true ? .locked : beneath)
    }

    private mutating func unlock(_ phase: LockPhase, _ instant: Timestamp, at now: Timestamp) -> [Command] {
        guard lock != nil else { return [] }
        lock = nil
        return [Command(.lock(phase), instant: instant, decided: now), command(.focus(false), now)]
    }

    private mutating func turned(_ name: String, _ turn: RotaryEncoder.Turn, at now: Timestamp) -> [Command] {
        [Command(.turn(name, turn.detents), instant: turn.at, decided: now)] + told(controls.turn(turn.detents, factor: turn.factor, at: now), at: now)
    }

    /// - Parameter quietly: nobody has touched anything, so nothing is refused to anybody.
    private func told(_ outputs: [ControlsModel.Output], at now: Timestamp, quietly: Bool = false) -> [Command] {
        outputs.flatMap { output in
            switch output {
            case let .session(step, name): [command(.controls(step, name), now)]
            case let .selected(name): [command(.controlSelected(name), now)]
            case let .changed(name, value): [command(.control(name, value), now)]
            case let .refused(refusal): [command(.refused(nil, refusal), now)] + (quietly ? [] : [command(.cue(.refused), now)])
            }
        }
    }

    private func command(_ kind: Command.Kind, _ now: Timestamp) -> Command { Command(kind, instant: now, decided: now) }
}
