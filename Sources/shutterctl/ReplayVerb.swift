// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

extension Main {
    /// `replay FILE`: what the core would have done, one JSON object a line whether `--json` is given or not.
    static func replay(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let settings = try replaySettings(invocation, globals)
        let trace = try readTrace(invocation.arguments[0], inputs: Set(settings.buttons.keys))
        let activeHigh = Set(settings.buttons.filter { $0.value.active == .high }.keys)
        let (initial, events) = try trace.replayEvents(activeHigh: activeHigh)
        let mode = invocation.options["mode"].flatMap { Mode(rawValue: $0) } ?? settings.shutter.mode
        let outcome = Replay(settings.pipeline, mode: mode, initial: initial, events: events).run()
        var lines = outcome.commands.compactMap { EventLine.event($0) }
        lines.append(EventLine.end(outcome))
        // A long trace would make one very long text.
        while !lines.isEmpty {
            try Output.write(lines.prefix(1000).map { JSONValue.object($0).line + "\n" }.joined())
            lines.removeFirst(min(1000, lines.count))
        }
    }

    /// As the daemon would have it; without any configuration the defaults, and every button there may be.
    private static func replaySettings(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) -> Settings {
        guard let file = configurationFile(invocation, globals) else {
            var settings = Settings()
            for (name, role) in [(InputName.mode, ButtonRole.mode), (.focus, .focus)] where settings.buttons[name] == nil {
                settings.buttons[name] = ButtonSettings(role: role)
            }
            return settings
        }
        return try self.settings(file, globals, orOnAnyMachine: true).settings
    }

    /// Reads a .vcd or .jsonl file; what is wrong in it is told as `file:line: message`.
    private static func readTrace(_ path: String, inputs: Set<InputName>) throws(Failure) -> Trace {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try readFile(path, limit: Trace.largestFile) } catch { throw cannotRead(path, error) }
        do throws(TraceFault) {
            return try Trace(bytes, file: path, inputs: inputs)
        } catch {
            throw Failure(.usage, "bad-trace", error.description)
        }
    }
}
