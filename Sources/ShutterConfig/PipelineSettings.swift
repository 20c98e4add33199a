// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

extension Settings {
    /// What the core needs to know.
    package var pipeline: Pipeline.Settings {
        var all = buttons.sorted { $0.key.rawValue < $1.key.rawValue }.map { name, button in
            Button.Settings(
                name: name, role: button.role, debounce: .init(debounce: button.debounce),
                gestures: .init(hold: button.hold, double: button.double, maxHold: button.maxHold))
        }
        // As is usual for a push button.
        for (name, encoder) in encoders.sorted(by: { $0.key < $1.key }) where encoder.button != nil {
            all.append(Button.Settings(name: InputName(rawValue: name + "_button"), role: .control))
        }
        // Keys do not bounce any more.
        for (name, input) in inputs.sorted(by: { $0.key < $1.key }) {
            for role in ButtonRole.allCases where !input[role].isEmpty {
                let gestures = role == .shutter ? all.first { $0.role == .shutter }?.gestures : nil
                all.append(Button.Settings(name: Self.line(of: name, role), role: role, debounce: .init(debounce: .milliseconds(1)), gestures: gestures ?? .init(), isOptional: true))
            }
        }
        let knobs = encoders.sorted { $0.key < $1.key }.map { RotaryEncoder.Settings(name: $0, detent: $1.detent, isReversed: $1.isReversed) }
        return Pipeline.Settings(
            buttons: all,
            shutter: ShutterMachine.Settings(
                photo: gestures.photo, video: gestures.video, busy: shutter.busy,
                // One buffer of the ring stays with the sensor.
                queue: camera.buffers - 1, burst: drive.burstRate.map { .seconds(1) / $0 }, drive: drive.drive,
                longestExposure: camera.maxExposure, stop: service.stop),
            knobs: Knobs.Settings(encoders: knobs, controls: .init(controls: allControls, timeout: controls.timeout)))
    }
}
