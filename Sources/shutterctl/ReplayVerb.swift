// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

extension Main {
    /// `replay FILE`: what the core would have done, one JSON object a line.
    static func replay(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let settings = try replaySettings(globals)
        let inputs = settings.lines
        let trace = try readTrace(invocation.arguments[0], Set(inputs.map(\.name)))
        let activeHigh = Set(inputs.filter { $0.line.active == .high }.map(\.name))
        let (initial, events) = try trace.replayEvents(activeHigh: activeHigh)
        let mode = invocation.options["mode"].flatMap(Mode.init(rawValue:)) ?? settings.shutter.mode
        let outcome = Replay(settings.pipeline, mode: mode, initial: initial, events: events, end: Timestamp(nanoseconds: trace.end)).run()
        guard !outcome.isCut else {
            throw Failure(.usage, "too-much", "\(invocation.arguments[0]): more than \(Replay.mostCommands) things would be done: cut out the part that matters")
        }
        var lines = outcome.commands.compactMap(EventLine.event)
        lines.append(EventLine.end(outcome))
        // Many lines a write, and no text of them all.
        for start in stride(from: 0, to: lines.count, by: 1000) {
            try Output.write(lines[start..<min(start + 1000, lines.count)].map { JSONValue.object($0).line + "\n" }.joined())
        }
    }

    /// The configuration that is named or the system's; without one the defaults. A replay needs no board.
    private static func replaySettings(_ globals: ParsedCommand.Globals) throws(Failure) -> Settings {
        let file = configurationFile(globals)
        var settings = file == nil ? Settings() : try settings(file, globals, orOnAnyMachine: true).settings
        // A trace may press any of the standard inputs.
        for role in ButtonRole.allCases where settings.buttons[InputName(rawValue: role.rawValue)] == nil {
            settings.buttons[InputName(rawValue: role.rawValue)] = ButtonSettings(role: role)
        }
        if settings.encoders.isEmpty {
            var encoder = EncoderSettings()
            encoder.button = .terminal
            settings.encoders["encoder"] = encoder
        }
        return settings
    }

    private static func readTrace(_ path: String, _ inputs: Set<InputName>) throws(Failure) -> Trace {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try FileSystem.wholeFile(path, atMost: Trace.largestFile + 1) } catch { throw cannotRead(path, error) }
        do throws(TraceFault) {
            return try Trace(bytes, file: path, inputs: inputs)
        } catch {
            throw Failure(.usage, "bad-trace", error.description)
        }
    }
}
