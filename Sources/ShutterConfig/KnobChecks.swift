// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

// What may not be together, of encoders, input devices and controls.

extension Checker {
    mutating func checkKnobs() {
        checkControls()
        for name in settings.names(in: "encoder") { checkEncoder(name) }
        for name in settings.names(in: "input") { checkInput(name) }
    }

    /// The model itself says which controls can be together, and why not.
    private mutating func checkControls() {
        var model = ControlsModel(.init())
        for name in settings.controls.order where settings[control: name].isOn {
            let table = "controls.\(name)"
            let given = settings[control: name]
            let isKnown = [ControlName.zoom, .ev].contains(ControlName(rawValue: name))
            require(!isKnown || given.titles.isEmpty, "\(table).titles", "makes a picker of what is a slider")
            require(!isKnown || given.camera.isEmpty, "\(table).camera", "is another control than that of [\(table)]; give it a name of its own")
            require(name == ControlName.zoom.rawValue || given.centre == [0.5, 0.5], "\(table).centre", "is for [controls.zoom] alone")
            if name == ControlName.zoom.rawValue, let least = given.least { require(least >= 1, "\(table).min", "is wider than the whole view; the least zoom is 1") }
            if name == ControlName.ev.rawValue, let initial = given.initial {
                require(initial == settings.camera.ev || settings.camera.ev == 0, "\(table).default", "contradicts", "camera.ev")
            }
            if !given.titles.isEmpty {
                for (key, value) in [("min", given.least), ("max", given.most), ("step", given.step)] {
                    require(value == nil, "\(table).\(key)", "is for a slider, and [\(table)] is a picker")
                }
            }
            if let least = given.least, let most = given.most { require(least < most, "\(table).max", "must be more than", "\(table).min") }
            if !isKnown, given.camera.isEmpty, !settings.hooks.values.contains(where: { $0.event == .controlChanged }) {
                warn(origins[table], "[\(table)] sets nothing: give it camera = \"NAME\" of a control of libcamera's, or a hook with event = \"control-changed\"")
            }
            let hasBrokenKey = broken.contains { $0.hasPrefix(table + ".") }
            do throws(Refusal) { try model.add(settings.control(name)) } catch {
                if !hasBrokenKey, given.least ?? 0 <= given.most ?? .infinity { blame(origins[table], "[\(table)]: \(error.message)") }
            }
        }
    }

    private mutating func checkEncoder(_ name: String) {
        let table = "encoder.\(name)"
        for key in ["a", "b"] where isComplete && origins["\(table).\(key)"] == nil {
            blame(origins[table], "[\(table)] has no line \(key); set \(key) = \"GPIO5\" or where it is")
        }
        for end in ["a", "b", "button"] {
            let line = InputName(rawValue: "\(name)_\(end)")
            if settings.buttons[line] != nil { blame(origins["button.\(line)"], "[button.\(line)] has the name of a line of [\(table)]") }
        }
    }

    private mutating func checkInput(_ name: String) {
        let table = "input.\(name)"
        let input = settings[input: name]
        if input.device.isEmpty {
            blame(origins[table], "[\(table)] has no device; set device = \"/dev/input/by-id/…\", or the name that `cat /proc/bus/input/devices` shows")
        } else {
            require(!input.device.hasPrefix("/") || input.device.hasPrefix("/dev/"), "\(table).device", "is no device file; begin it with /dev/input/")
        }
        if input.keys.isEmpty, input.turn == nil, !broken.contains(where: { $0.hasPrefix(table + ".") }) {
            blame(origins[table], "[\(table)] is bound to nothing; set shutter = [\"KEY_VOLUMEUP\"], or up, down, control, focus, mode or turn")
        }
        var seen: [InputKey: String] = [:]
        for role in ButtonRole.allCases {
            let key = "\(table).\(role.rawValue)"
            for one in input[role] {
                if let other = seen[one] { require(false, key, "has \(one), as has", other) }
                seen[one] = key
            }
            let line = Settings.line(of: name, role)
            if !input[role].isEmpty, settings.buttons[line] != nil { blame(origins["button.\(line)"], "[button.\(line)] has the name of a line of [\(table)]") }
        }
    }
}
