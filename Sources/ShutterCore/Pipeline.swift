// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The whole core: buttons → shutter, in one direction, over time that is handed in.
///
/// Replay rules: inputs and deadlines are taken in the order of their instants; a deadline that falls due comes
/// before the input at the same instant and has its own instant as "now". So a late wake-up changes nothing.
package struct Pipeline: Sendable {
    package struct Settings: Equatable, Sendable {
        package var buttons: [Button.Settings]
        package var shutter: ShutterMachine.Settings
        package var knobs: Knobs.Settings

        package init(
            buttons: [Button.Settings] = [Button.Settings(name: .shutter, role: .shutter)], shutter: ShutterMachine.Settings = .init(),
            knobs: Knobs.Settings = .init()
        ) {
            self.buttons = buttons
            self.shutter = shutter
            self.knobs = knobs
        }
    }

    package enum Input: Sendable {
        case line(InputName, LineEvent)
        case request(RequestID?, ShutterRequest)
        /// What the machine is told by camera, storage, encoder and writers.
        case event(ShutterMachine.Input)
        case knob(Knobs.Input)
    }

    package typealias TimedInput = (at: Timestamp, input: Input)

    package private(set) var buttons: [Button]
    package private(set) var machine: ShutterMachine
    package private(set) var knobs: Knobs
    private var remote: PressRecognizer
    private var signal: PressRecognizer
    /// Contacts of shutters that are not judged yet.
    private var contacts: [InputName: Timestamp] = [:]
    /// What camera and recorder were told last.
    private var anticipated: Timestamp?
    private var anticipatedClip: Timestamp?
    private var now: Timestamp

    /// - Parameter remembered: values of controls from an earlier run.
    package init(_ settings: Settings, mode: Mode, drive: Drive? = nil, remembered: [ControlName: Double] = [:], at start: Timestamp) {
        knobs = Knobs(settings.knobs, remembered: remembered)
        buttons = settings.buttons.map(Button.init)
        machine = ShutterMachine(settings.shutter, mode: mode, drive: drive)
        let gestures = settings.buttons.first { $0.role == .shutter }?.gestures ?? .init()
        remote = PressRecognizer(gestures)
        signal = PressRecognizer(gestures)
        now = start
    }

    /// Other settings for the same buttons, without losing what is under way.
    package mutating func adopt(_ settings: Settings) {
        for index in buttons.indices {
            if let new = settings.buttons.first(where: { $0.name == buttons[index].settings.name }) { buttons[index].adopt(new) }
        }
        let gestures = settings.buttons.first { $0.role == .shutter }?.gestures ?? .init()
        remote.adopt(gestures)
        signal.adopt(gestures)
        machine.adopt(settings.shutter)
    }

    /// When `handle` is to be called next even if nothing happens.
    package var deadline: Timestamp? {
        earliest(buttons.lazy.compactMap(\.deadline).min(), remote.deadline, signal.deadline, machine.deadline, knobs.deadline)
    }

    /// Whether the camera is ready and every button's level is known.
    package var isArmed: Bool { machine.isReady && buttons.allSatisfy { $0.debouncer.level != nil || $0.settings.isOptional } }

    /// Whether no edge is unsettled and no gesture open. A button that is held down is quiet.
    package var isQuiet: Bool {
        buttons.allSatisfy(\.isQuiet) && knobs.encoders.allSatisfy { $0.deadline == nil } && remote.deadline == nil && signal.deadline == nil && machine.deadline == nil
    }

    /// Leaves out the readings up to `end` that would change nothing.
    /// - Parameter levels: the real ones, until then.
    mutating func skipReadings(of levels: [InputName: Level], until end: Timestamp) {
        let change = earliest(end, buttons.lazy.compactMap(\.nextChange).min(), remote.deadline, signal.deadline, machine.deadline, knobs.deadline)
        guard let change else { return }
        for index in buttons.indices {
            if let level = levels[buttons[index].settings.name] { buttons[index].skipReadings(of: level, until: change) }
        }
    }

    /// Takes what happened, and lets time run up to `end`.
    /// - Parameters:
    ///   - inputs: all inputs that are known and not yet handed over, in the order of their arrival.
    ///   - readings: the real levels, read not before `end` and before the inputs were collected. So a line with a
    ///     later edge among the inputs proves by it what its level was.
    package mutating func handle(
        _ inputs: [TimedInput] = [], readings: [InputName: (level: Level, at: Timestamp)] = [:], until end: Timestamp
    ) -> [Command] {
        var commands: [Command] = []
        let sorted = inputs.count < 2
            ? inputs : inputs.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        for (index, next) in sorted.enumerated() {
            let rest = sorted[index...]
            commands += run(to: next.at) { name in
                rest.contains { if case .line(name, _) = $0.input { true } else { false } } ? nil : readings[name]
            }
            now = max(now, next.at)
            commands += settle(take(next.input))
        }
        commands += run(to: end) { readings[$0] }
        now = max(now, end)
        return commands
    }

    /// Fires all deadlines up to `end`, each at its own instant.
    private mutating func run(to end: Timestamp, reading: (InputName) -> (level: Level, at: Timestamp)?) -> [Command] {
        var commands: [Command] = []
        while let due = deadline, due <= end {
            now = max(now, due)
            var fired = knobs.advance(to: now, reading: reading)
            for index in buttons.indices where buttons[index].deadline.map({ $0 <= now }) ?? false {
                let outputs = buttons[index].advance(to: now, reading: reading(buttons[index].settings.name), wanted: machine.wanted)
                fired += pass(outputs, of: buttons[index].settings)
            }
            fired += remote.advance(to: now).flatMap { machine.handle(.press(.control, $0), at: now) }
            fired += signal.advance(to: now).flatMap { machine.handle(.press(.signal, $0), at: now) }
            fired += machine.advance(to: now)
            commands += settle(fired)
        }
        return commands
    }

    /// What follows from what was just decided.
    private mutating func settle(_ commands: [Command]) -> [Command] {
        knobs.accompany(commands, cameraIsReady: machine.isReady, at: now) + anticipate()
    }

    private mutating func take(_ input: Input) -> [Command] {
        switch input {
        case let .line(name, event):
            var commands: [Command] = []
            if let index = buttons.firstIndex(where: { $0.settings.name == name }) {
                let outputs = buttons[index].handle(event, wanted: machine.wanted, at: now)
                commands = pass(outputs, of: buttons[index].settings)
                if buttons[index].settings.isOptional { return commands }
            } else if knobs.owns(name) {
                commands = knobs.handle(event, of: name, at: now)
            } else {
                return []
            }
            switch event {
            case .lost: return commands + machine.handle(.line(name, isThere: false), at: now)
            case .found where machine.isMissing(name): return commands + machine.handle(.line(name, isThere: true), at: now)
            case .found, .edge, .overrun: return commands
            }
        case let .request(id, request):
            return ask(request, id)
        case let .event(event):
            return machine.handle(event, at: now)
        case let .knob(input):
            return knobs.handle(input, at: now)
        }
    }

    private mutating func pass(_ outputs: [Button.Output], of button: Button.Settings) -> [Command] {
        outputs.flatMap { output in
            switch output {
            case let .level(level): tell(level, of: button)
            case let .gesture(gesture): act(on: gesture, of: button)
            }
        }
    }

    private mutating func tell(_ output: Debouncer.Output, of button: Button.Settings) -> [Command] {
        func fact(_ kind: Command.Kind, _ instant: Timestamp) -> Command { Command(kind, instant: instant, decided: now) }
        if button.role == .shutter { machine.waver(button.name, output == .wavering, at: now) }
        switch output {
        case let .contact(instant):
            if button.role == .shutter { contacts[button.name] = instant }
            return []
        case .contactFiltered, .noise:
            contacts[button.name] = nil
            return []
        case let .pressed(instant, _): return [fact(.press(button.name), instant)]
        case let .released(instant): return [fact(.release(button.name), instant)]
        case .heldAtStart: return [fact(.warning(.heldAtStart(button.name)), now)]
        case .unstable: return [fact(.warning(.unstable(button.name)), now)]
        case .wavering, .steady, .aborted: return []
        }
    }

    /// The oldest contact that is still open decides which frame is kept, and from when on a clip may have to be made.
    private mutating func anticipate() -> [Command] {
        let contact = contacts.values.min()
        var commands: [Command] = []
        let photo = machine.mode == .photo ? contact : nil
        if photo != anticipated { commands.append(Command(.anticipate(photo), instant: photo ?? now, decided: now)) }
        let clip = machine.clipMayBegin(at: contact)
        if clip != anticipatedClip { commands.append(Command(.anticipateClip(clip), instant: clip ?? now, decided: now)) }
        anticipated = photo
        anticipatedClip = clip
        return commands
    }

    private mutating func act(on gesture: PressRecognizer.Output, of button: Button.Settings) -> [Command] {
        switch button.role {
        case .shutter:
            // The contact is judged: whatever is to be reserved will have been when `anticipate` is told.
            contacts[button.name] = nil
            return machine.handle(.press(button.name, gesture), at: now)
        case .mode:
            if case .began = gesture { return machine.handle(.request(nil, .toggleMode), at: now) }
            return []
        case .focus, .control, .up, .down:
            return knobs.handle(gesture, of: button, blocked: machine.cameraFault, at: now)
        }
    }

    private mutating func ask(_ request: ShutterRequest, _ id: RequestID?) -> [Command] {
        func reply(_ answer: Answer) -> [Command] {
            id.map { [Command(.reply($0, answer), instant: now, decided: now)] } ?? []
        }
        let down = Debouncer.Output.pressed(instant: now, settled: now)
        let up = Debouncer.Output.released(instant: now)
        switch request {
        case .tap(.signal):
            var commands = play(down, on: \.signal, as: .signal)
            let answer = machine.answer
            commands += play(up, on: \.signal, as: .signal)
            return commands + reply(answer)
        case .tap, .press:
            if remote.isDown { return reply(.refused(.pressed)) }
            var commands = play(down, on: \.remote, as: .control)
            let answer = machine.answer
            switch (request, answer) {
            // What comes of it shows later, at the release at the latest.
            case (.press, .accepted): return commands + reply(.done)
            case (.press, .done), (.press, .mode): return commands + reply(answer)
            // A tap; and a press that is refused is none, so that nobody has to release it.
            default: commands += play(up, on: \.remote, as: .control)
            }
            return commands + reply(answer)
        case .release:
            if !remote.isDown { return reply(.refused(.notPressed)) }
            return play(up, on: \.remote, as: .control) + reply(.done)
        case let .set(name, value):
            let (answer, commands) = knobs.set(name, value, at: now)
            return commands + reply(answer)
        case .mode, .toggleMode, .capture, .recordStart, .recordStop, .drive, .quit:
            return machine.handle(.request(id, request), at: now)
        }
    }

    private mutating func play(
        _ output: Debouncer.Output, on recognizer: WritableKeyPath<Pipeline, PressRecognizer>, as name: InputName
    ) -> [Command] {
        let gestures = self[keyPath: recognizer].handle(output, wanted: machine.wanted, at: now)
        return gestures.flatMap { machine.handle(.press(name, $0), at: now) }
    }
}
