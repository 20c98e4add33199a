// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// `[controls]`, and each `[controls.NAME]`. Zoom and exposure bias are there without being written.
package struct ControlsSettings: Equatable, Sendable {
    /// A session ends this long after the last turn or press.
    package var timeout = Duration.seconds(3)
    /// In the order in which a button goes through them.
    package var order: [String] = [ControlName.zoom.rawValue, ControlName.ev.rawValue]
    package var named: [String: ControlSetup] = [
        ControlName.zoom.rawValue: ControlSetup(), ControlName.ev.rawValue: ControlSetup(),
    ]

    package init() {}
}

/// `[controls.NAME]`. nil = as it is usual for a control of its name and kind.
package struct ControlSetup: Equatable, Sendable {
    /// A control that is off is not there.
    package var isOn = true
    package var least: Double?
    package var most: Double?
    package var step: Double?
    package var initial: Double?
    /// Of a picker; empty = it is a slider.
    package var titles: [String] = []
    /// libcamera's name of what it sets; empty = it is told to hooks and watchers alone.
    package var camera = ""
    /// Of the zoom: the point of the view that stays in the middle, as parts of its width and height.
    package var centre = [0.5, 0.5]
    package var isRemembered = false

    package init() {}
}

/// `[encoder.NAME]`
package struct EncoderSettings: Equatable, Sendable {
    package var a = LineAddress.terminal
    package var b = LineAddress.terminal
    /// Its push button goes through the controls; nil = it has none.
    package var button: LineAddress?
    /// The electrical level of a closed contact.
    package var active = ActiveVoltage.low
    package var bias = LineBias.pullUp
    /// Quarter steps from one detent to the next.
    package var detent = 4
    package var isReversed = false

    package init() {}
}

/// `[input.NAME]`: a device of the kernel's input layer.
package struct InputSettings: Equatable, Sendable {
    /// `/dev/input/…`, or the device's name.
    package var device = ""
    /// Keys that are buttons, by what they are for.
    package var keys: [ButtonRole: [InputKey]] = [:]
    /// The axis that is a knob; nil = none.
    package var turn: InputAxis?

    package init() {}

    package subscript(role: ButtonRole) -> [InputKey] {
        get { keys[role] ?? [] }
        set { keys[role] = newValue.isEmpty ? nil : newValue }
    }
}

extension Settings {
    /// Made when it is first written to.
    subscript(control name: String) -> ControlSetup {
        get { controls.named[name] ?? ControlSetup() }
        set {
            if controls.named.updateValue(newValue, forKey: name) == nil { controls.order.append(name) }
        }
    }

    /// Made when it is first written to.
    subscript(encoder name: String) -> EncoderSettings {
        get { encoders[name] ?? EncoderSettings() }
        set { encoders[name] = newValue }
    }

    /// Made when it is first written to.
    subscript(input name: String) -> InputSettings {
        get { inputs[name] ?? InputSettings() }
        set { inputs[name] = newValue }
    }

    /// A control as it is to be; those that are off, too.
    func control(_ name: String) -> Control {
        let given = self[control: name]
        let known = ControlName(rawValue: name)
        func slider(_ least: Double, _ most: Double, step: Double?, zero: Double?) -> Control.Kind {
            let (least, most) = (given.least ?? least, given.most ?? most)
            // A range that is none is a fault, and nothing to trap on.
            let range = least <= most ? least...most : least...least
            return .slider(range, step: given.step ?? step ?? (range.upperBound - range.lowerBound) / 20, zero: zero ?? given.initial ?? (range.contains(0) ? 0 : least))
        }
        let kind: Control.Kind
        let target: Control.Target
        var initial = given.initial ?? 0
        switch known {
        case .zoom:
            kind = slider(1, 4, step: 0.1, zero: 1)
            target = .zoom(x: given.centre.first ?? 0.5, y: given.centre.last ?? 0.5)
            initial = given.initial ?? 1
        case .ev:
            kind = slider(-3, 3, step: 0.5, zero: 0)
            target = .exposureBias
            initial = given.initial ?? camera.ev
        default:
            kind = given.titles.isEmpty ? slider(-10, 10, step: given.least == nil && given.most == nil ? 1 : nil, zero: nil) : .picker(given.titles)
            target = given.camera.isEmpty ? .told : .camera(given.camera)
            if case let .slider(_, _, zero) = kind { initial = given.initial ?? zero }
        }
        return Control(known, kind, target, initial: initial, isRemembered: given.isRemembered)
    }

    /// Those that are on, in their order.
    package var allControls: [Control] { controls.order.filter { self[control: $0].isOn }.map(control) }

    /// What a key's button is called, among the lines.
    package static func line(of input: String, _ role: ButtonRole) -> InputName { InputName(rawValue: "\(input)_\(role.rawValue)") }

    /// A line that is read, and where it is configured.
    package struct InputLine: Equatable, Sendable {
        package var line: LineAddress
        package var active: ActiveVoltage
        package var bias: LineBias
        /// `button.shutter`, `encoder.dial.a`
        package var place: String
    }

    /// Every line that is read: of buttons, and of encoders with their push buttons.
    package var lines: [(name: InputName, line: InputLine)] {
        var lines = buttons.map { name, button in
            (name: name, line: InputLine(line: button.line, active: button.active, bias: button.bias, place: "button.\(name)"))
        }
        for (name, encoder) in encoders {
            for (end, line) in [("a", encoder.a), ("b", encoder.b), ("button", encoder.button)] {
                guard let line else { continue }
                let place = "encoder.\(name).\(end)"
                lines.append((InputName(rawValue: "\(name)_\(end)"), InputLine(line: line, active: encoder.active, bias: encoder.bias, place: place)))
            }
        }
        return lines.sorted { $0.name.rawValue < $1.name.rawValue }
    }
}

extension Kind<[InputKey]> {
    static let keys = Kind("an array of keys: KEY_ENTER, KEY_VOLUMEUP, or the number that evtest shows") { node throws(Complaint) in
        var keys: [InputKey] = []
        for element in try readArray(node, of: "keys") {
            let word = try readString(element)
            guard let key = InputKey(word) else {
                let hint = NearestWord.to(word, among: InputKey.names).map { "; did you mean \(quoted($0))?" } ?? ""
                throw Complaint(element, "is no key; write its name in linux/input-event-codes.h, such as \"KEY_ENTER\", or its number, as evtest shows them\(hint)")
            }
            if keys.contains(key) { throw Complaint(element, "stands there twice") }
            keys.append(key)
        }
        return keys
    } show: { "[" + $0.map { quoted($0.description) }.joined(separator: ", ") + "]" }
}

extension Kind<[Double]> {
    /// Two parts of a whole.
    static let point = Kind("two numbers from 0 to 1") { node throws(Complaint) in
        let elements = try readArray(node, of: "numbers")
        guard elements.count == 2 else { throw Complaint(node, "has \(elements.count) numbers; write [x, y]") }
        var numbers: [Double] = []
        for element in elements { numbers.append(try Kind<Double>.number(0...1).read(element)) }
        return numbers
    } show: { "[" + $0.map { "\($0)" }.joined(separator: ", ") + "]" }
}
