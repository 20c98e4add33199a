// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The controls and their values, and the life of a session in which somebody works them:
///
///     inactive ──first turn, light press──▶ active ──turn──▶ full view ──1 s without a turn──▶ active ──time-out──▶ inactive
///
/// Knows neither lines nor camera: it is told of turns and presses, and tells what has changed.
package struct ControlsModel: Sendable {
    /// As many as fit a knob: whoever goes through them with a button must find one.
    package static let most = 8
    /// The full view is left after so long without a turn.
    package static let settling = Duration.seconds(1)
    /// A button that is held steps again after this, and then as often as that.
    package static let firstRepeat = Duration.milliseconds(500)
    package static let nextRepeat = Duration.milliseconds(100)

    package struct Settings: Equatable, Sendable {
        package var controls: [Control]
        /// A session ends this long after the last turn or press.
        package var timeout: Duration

        package init(controls: [Control] = [], timeout: Duration = .seconds(3)) {
            self.controls = controls
            self.timeout = timeout
        }
    }

    package enum Phase: String, Sendable { case inactive, active, fullView = "full-view" }

    /// The four events of a session, as `watch` names them.
    package enum Step: String, Sendable {
        case active
        case fullView = "full-view"
        case leftFullView = "left-full-view"
        case inactive
    }

    package enum Output: Equatable, Sendable {
        case session(Step, ControlName)
        /// Another control is the one that turns change.
        case selected(ControlName)
        case changed(ControlName, Double)
        case refused(Refusal)
    }

    package struct Entry: Equatable, Sendable {
        package var control: Control
        package var value: Double
        /// The control's own range, or the part of it that the camera can do.
        package var limits: ClosedRange<Double>
        /// Why it cannot be used now; nil = it can.
        package var refusal: Refusal?
    }

    private var timeout: Duration
    package private(set) var entries: [Entry] = []
    package private(set) var phase = Phase.inactive
    private var selected = 0
    private var lastTurn = Timestamp(nanoseconds: 0)
    private var lastTouch = Timestamp(nanoseconds: 0)
    /// The direction of a button that is held, and when it steps again.
    private var held: (direction: Int, due: Timestamp, count: Int)?
    /// What the camera can do; nil = it is not known yet.
    private var abilities: [String: ClosedRange<Double>]?

    /// - Parameters:
    ///   - settings: controls that are refused are left out; the configuration is checked before.
    ///   - remembered: values of an earlier run.
    package init(_ settings: Settings, remembered: [ControlName: Double] = [:]) {
        timeout = settings.timeout
        for control in settings.controls {
            guard refusal(adding: control) == nil else { continue }
            append(control, value: control.isRemembered ? remembered[control.name] : nil)
        }
    }

    // MARK: Which controls there are

    /// Why a control cannot be added; nil = it can.
    package func refusal(adding control: Control) -> Refusal? {
        if let fault = control.fault { return Refusal("bad-control", "the control \(control.name) \(fault)") }
        if entries.count >= Self.most {
            return Refusal("too-many", "the control \(control.name) is one too many: there may be \(Self.most)")
        }
        if entries.contains(where: { $0.control.name == control.name }) {
            return Refusal("duplicate", "there is already a control named \(control.name)")
        }
        if let name = control.target.cameraName, let other = entries.first(where: { $0.control.target.cameraName == name }) {
            return Refusal("duplicate", "the controls \(other.control.name) and \(control.name) both set the camera's \(name)")
        }
        return nil
    }

    package mutating func add(_ control: Control) throws(Refusal) {
        if let refusal = refusal(adding: control) { throw refusal }
        append(control, value: nil)
    }

    package mutating func remove(_ name: ControlName) {
        guard let index = entries.firstIndex(where: { $0.control.name == name }) else { return }
        entries.remove(at: index)
        if index < selected || selected == entries.count { selected = max(0, selected - 1) }
    }

    private mutating func append(_ control: Control, value: Double?) {
        var entry = Entry(control: control, value: control.initial, limits: control.range)
        if let value, value.isFinite { entry.value = control.nearest(to: value, within: control.range) }
        entries.append(entry)
        judge(entries.count - 1)
    }

    /// The camera tells what it can do: the ranges of its controls by libcamera's names; that of `ScalerCrop` is the zoom's.
    /// Values are brought into what is possible. Returns those that are news.
    package mutating func adopt(_ abilities: [String: ClosedRange<Double>]) -> [Output] {
        self.abilities = abilities
        let before = entries
        for index in entries.indices { judge(index) }
        var outputs: [Output] = []
        for (old, new) in zip(before, entries) {
            if new.value != old.value { outputs.append(.changed(new.control.name, new.value)) }
            if let refusal = new.refusal, refusal != old.refusal { outputs.append(.refused(refusal)) }
        }
        return outputs
    }

    private mutating func judge(_ index: Int) {
        let control = entries[index].control
        entries[index].limits = control.range
        entries[index].refusal = nil
        guard let name = control.target.cameraName, let abilities else { return }
        guard let able = abilities[name] else {
            let hint = NearestWord.to(name, among: abilities.keys.sorted()).map { "; the nearest is \($0)" } ?? ""
            let what = control.target == .camera(name) ? "" : " (\(name))"
            let kind = control.target == .camera(name) ? "no control \(name)" : "no \(control.name)\(what)"
            entries[index].refusal = Refusal("unsupported", "the control \(control.name) does nothing: this camera has \(kind)\(hint)")
            return
        }
        guard able.overlaps(control.range), able.lowerBound < able.upperBound else {
            entries[index].refusal = Refusal(
                "unsupported",
                "the control \(control.name) does nothing: this camera's \(name) takes \(shown(able.lowerBound)) to \(shown(able.upperBound))")
            return
        }
        entries[index].limits = control.range.clamped(to: able)
        entries[index].value = control.nearest(to: entries[index].value, within: entries[index].limits)
    }

    // MARK: Values

    /// What the camera is to be set to.
    package var cameraControls: CameraControls {
        var wanted = CameraControls()
        for entry in entries where entry.refusal == nil {
            switch entry.control.target {
            case let .zoom(x, y): (wanted.zoom, wanted.x, wanted.y) = (entry.value, x, y)
            case .exposureBias: wanted.exposureBias = entry.value
            case let .camera(name): wanted.others[name] = entry.value
            case .told: break
            }
        }
        return wanted
    }

    package var remembered: [ControlName: Double] {
        Dictionary(uniqueKeysWithValues: entries.filter(\.control.isRemembered).map { ($0.control.name, $0.value) })
    }

    /// Sets a value from outside: the nearest that is possible. A picker takes a title or its position.
    package mutating func set(_ name: ControlName, _ text: String) -> Result<Output, Refusal> {
        guard let index = entries.firstIndex(where: { $0.control.name == name }) else {
            let names = entries.map(\.control.name.rawValue)
            let hint = NearestWord.to(name.rawValue, among: names).map { "did you mean \($0)?" } ?? "there are \(names.joined(separator: ", "))"
            return .failure(Refusal("no-control", "there is no control named \(name); \(names.isEmpty ? "there are none" : hint)"))
        }
        if let refusal = entries[index].refusal { return .failure(refusal) }
        let control = entries[index].control
        var number = Double(text).flatMap { $0.isFinite ? $0 : nil }
        if case let .picker(titles) = control.kind {
            if let position = titles.firstIndex(of: text) { number = Double(position) }
            guard let number, number == number.rounded(), control.range.contains(number) else {
                return .failure(Refusal("bad-value", "\(name) is one of \(titles.joined(separator: ", ")), or a position from 0 to \(titles.count - 1)"))
            }
        }
        guard let number else { return .failure(Refusal("bad-value", "\(name) takes a number from \(shown(entries[index].limits.lowerBound)) to \(shown(entries[index].limits.upperBound))")) }
        entries[index].value = control.nearest(to: number, within: entries[index].limits)
        return .success(.changed(name, entries[index].value))
    }

    package func value(of name: ControlName) -> Double? { entries.first { $0.control.name == name }?.value }

    /// The control that turns change; nil = there is none that can be used.
    package var current: Entry? {
        guard entries.indices.contains(selected) else { return nil }
        return entries[selected].refusal == nil ? entries[selected] : nil
    }

    // MARK: The session

    package var deadline: Timestamp? {
        let ends: Timestamp? = switch phase {
        case .inactive: nil
        case .active: lastTouch + timeout
        case .fullView: min(lastTurn + Self.settling, lastTouch + timeout)
        }
        return earliest(held?.due, ends)
    }

    /// The knob was turned by so many detents, clockwise or back, each worth `factor` steps.
    package mutating func turn(_ detents: Int, factor: Int = 1, at now: Timestamp) -> [Output] {
        guard detents != 0 else { return [] }
        guard find(from: selected) else { return [.refused(nothing)] }
        var outputs = wake(at: now)
        lastTurn = now
        let (control, limits) = (entries[selected].control, entries[selected].limits)
        if phase == .active {
            phase = .fullView
            outputs.append(.session(.fullView, control.name))
        }
        let steps = if case .picker = control.kind { detents } else { detents * max(1, factor) }
        let value = control.nearest(to: entries[selected].value + Double(steps) * control.step, within: limits)
        if value != entries[selected].value {
            entries[selected].value = value
            outputs.append(.changed(control.name, value))
        }
        return outputs
    }

    /// A light press: opens the session, or goes on to the next control.
    package mutating func press(at now: Timestamp) -> [Output] {
        let wasActive = phase != .inactive
        guard find(from: wasActive ? selected + 1 : selected) else { return [.refused(nothing)] }
        return wake(at: now) + (wasActive ? [.selected(entries[selected].control.name)] : [])
    }

    /// A button for one direction goes down; it repeats until `release`.
    package mutating func hold(_ direction: Int, at now: Timestamp) -> [Output] {
        held = (direction, now + Self.firstRepeat, 0)
        return turn(direction, at: now)
    }

    package mutating func release() { held = nil }

    package mutating func advance(to now: Timestamp) -> [Output] {
        var outputs: [Output] = []
        if let (direction, due, count) = held, due <= now {
            let turned = turn(direction, factor: count < 10 ? 1 : 4, at: now)
            // At the end of the range there is nothing to repeat.
            let isAtEnd = !turned.contains { if case .changed = $0 { true } else { false } }
            held = isAtEnd ? nil : (direction, due + Self.nextRepeat, count + 1)
            outputs += turned
        }
        if phase == .fullView, lastTurn + Self.settling <= now { outputs += leave(to: .active) }
        if phase != .inactive, lastTouch + timeout <= now { outputs += leave(to: .inactive) }
        return outputs
    }

    /// Ends the session at once.
    package mutating func close() -> [Output] {
        held = nil
        return leave(to: .inactive)
    }

    private mutating func leave(to end: Phase) -> [Output] {
        guard phase != .inactive, entries.indices.contains(selected) else {
            phase = .inactive
            return []
        }
        let name = entries[selected].control.name
        var outputs: [Output] = []
        if phase == .fullView { outputs.append(.session(.leftFullView, name)) }
        if end == .inactive { outputs.append(.session(.inactive, name)) }
        phase = end
        return outputs
    }

    private mutating func wake(at now: Timestamp) -> [Output] {
        lastTouch = now
        guard phase == .inactive else { return [] }
        phase = .active
        return [.session(.active, entries[selected].control.name)]
    }

    /// Selects the first control that can be used, from a position on and round.
    private mutating func find(from start: Int) -> Bool {
        for offset in entries.indices where entries[(start + offset) % entries.count].refusal == nil {
            selected = (start + offset) % entries.count
            return true
        }
        return false
    }

    private var nothing: Refusal {
        entries.first?.refusal ?? Refusal("no-control", "there is no control to turn; see [controls.NAME] of the configuration")
    }

    /// What the ring shows of the session; nil = nothing.
    package var cue: Cue? {
        guard phase != .inactive, let current else { return nil }
        switch current.control.kind {
        case let .picker(titles): return .choice(Int(current.value), of: titles.count)
        case let .slider(_, _, zero):
            let (low, high) = (current.limits.lowerBound, current.limits.upperBound)
            func part(_ value: Double) -> Double { min(max((value - low) / (high - low), 0), 1) }
            return .value(part(current.value), zero: part(zero))
        }
    }

    private func shown(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\((number * 1000).rounded() / 1000)"
    }
}
