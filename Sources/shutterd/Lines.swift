// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Evdev
import GPIO
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore
import ShutterDaemon
import Simulation

/// The button lines: the kernel's, the terminal's keys, or all played from a trace.
struct ButtonLines {
    private(set) var all: [any ButtonLine] = []
    /// Those that have no hardware.
    private(set) var simulated: [SimulatedButton] = []
    private(set) var knobs: [any TurnSource] = []

    init(_ settings: Settings, _ trace: Trace?, _ log: Log) throws(Failure) {
        for (name, button) in settings.lines {
            if trace != nil || button.line == .terminal {
                let initial = trace?.initial[name].map { button.level($0) } ?? .inactive
                let line = try started(button.place) { () throws(SystemError) in try SimulatedButton(name: name, initial: initial) }
                all.append(line)
                simulated.append(line)
            } else {
                all.append(try Self.line(name, button, settings, log))
            }
        }
        for (name, input) in settings.inputs.sorted(by: { $0.key < $1.key }) where trace == nil {
            let keys = input.keys.map { (Settings.line(of: name, $0), $1) }
            let device = InputDevice(.init(name: name, device: input.device, keys: Dictionary(uniqueKeysWithValues: keys), turn: input.turn))
            all += device.lines
            if let knob = device.knob { knobs.append(knob) }
        }
    }

    private static func line(_ name: InputName, _ button: Settings.InputLine, _ settings: Settings, _ log: Log) throws(Failure) -> GPIOButton {
        do throws(Fault) {
            let wanted = GPIOButton.Settings(button.line, active: button.active, bias: button.bias)
            return try GPIOButton(name: name, place: button.place, wanted, finder: settings.lineFinder) { log.write(.warning, $0) }
        } catch {
            throw Failure(.configuration, error.reason, "\(button.place): \(error.message)")
        }
    }
}

extension Settings {
    var lineFinder: LineFinder { LineFinder(headerChip: facts.chip) }
}
