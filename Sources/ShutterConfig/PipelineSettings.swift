// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

extension Settings {
    /// What the core needs to know.
    package var pipeline: Pipeline.Settings {
        let buttons = buttons.sorted { $0.key.rawValue < $1.key.rawValue }.map { name, button in
            Button.Settings(
                name: name, role: button.role, debounce: .init(debounce: button.debounce),
                gestures: .init(hold: button.hold, double: button.double, maxHold: button.maxHold))
        }
        return Pipeline.Settings(
            buttons: buttons,
            shutter: ShutterMachine.Settings(
                photo: gestures.photo, video: gestures.video, busy: shutter.busy,
                // One buffer of the ring stays with the sensor.
                queue: camera.buffers - 1, burst: drive.burstRate.map { .seconds(1) / $0 }, drive: drive.drive,
                longestExposure: camera.maxExposure, stop: service.stop))
    }
}
