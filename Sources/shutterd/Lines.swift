// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

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

    init(_ settings: Settings, _ trace: Trace?, _ log: Log) throws(Failure) {
        for (name, button) in settings.buttons.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if trace != nil || button.line == .terminal {
                let initial = trace?.initial[name].map { button.level($0) } ?? .inactive
                let line = try started("button.\(name)") { () throws(SystemError) in try SimulatedButton(name: name, initial: initial) }
                all.append(line)
                simulated.append(line)
            } else {
                all.append(try Self.line(name, button, settings, log))
            }
        }
    }

    private static func line(_ name: InputName, _ button: ButtonSettings, _ settings: Settings, _ log: Log) throws(Failure) -> GPIOButton {
        do throws(Fault) {
            let wanted = GPIOButton.Settings(button.line, active: button.active, bias: button.bias)
            return try GPIOButton(name: name, wanted, finder: settings.lineFinder) { log.write(.warning, $0) }
        } catch {
            throw Failure(.configuration, error.reason, "button.\(name): \(error.message)")
        }
    }
}

extension Settings {
    var lineFinder: LineFinder { LineFinder(headerChip: facts.chip) }
}
