// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

extension Main {
    /// `doctor`: a line for each thing that was looked at. 69 when one of them is a fault.
    static func examine(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) -> Int32 {
        let machine = Machine(root: invocation.options["root"] ?? "")
        let file = globals.config ?? (machine.exists(Places.configuration) ? machine.path(Places.configuration) : nil)
        let folders = Places.boardFolders(option: globals.boards, executable: Environment.executable)
        func load(_ file: String?, board: String? = nil) -> Result<LoadedSettings, SettingsFaults> {
            do throws(SettingsFaults) {
                return .success(try Settings.load(file: file, boardFolders: folders, model: machine.model, board: board, environment: Environment.all))
            } catch { return .failure(error) }
        }
        let fitting = try? load(nil).get().settings
        let fallback = fitting ?? (try? load(nil, board: "simulated").get().settings)
        let loaded = load(file)
        let socket = socket(globals) { (try? loaded.get())?.settings.control.socket }
        var doctor = Doctor(machine, loaded, hasFile: file != nil, fallback: fallback, fitting: fitting?.board, daemon: machine.isReal ? askDaemon(socket) : .absent)
        let findings = doctor.run()
        let faults = findings.count { $0.state == .fault }
        let warnings = findings.count { $0.state == .warning }
        if globals.json {
            try Output.write(findings.map { $0.json.line + "\n" }.joined())
            try Output.write(JSONValue.object(["faults": .int(Int64(faults)), "warnings": .int(Int64(warnings))]).line + "\n")
        } else {
            let screen = Screen()
            for finding in findings { try Output.write(show(finding, on: screen)) }
            let verdict = faults == 0 ? warnings == 0 ? "all is well" : "no faults, \(warnings) warning\(warnings == 1 ? "" : "s")" : "\(faults) fault\(faults == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s")"
            try Output.write("\(verdict)\n")
        }
        return faults == 0 ? 0 : ErrorWord.unavailable.exitCode
    }

    private static func askDaemon(_ path: String) -> Doctor.DaemonAnswer {
        do throws(Failure) {
            var connection = try Connection(to: path)
            try connection.send(Request("status"))
            guard let line = try connection.line(within: 5) else { throw Failure(.unavailable, "no-answer", "shutterd closes the connection") }
            switch try Reply(line: line) {
            case .success(let fields): return .status(.object(fields))
            case .failure(let failure): throw failure
            }
        } catch {
            return error.reason == "not-running" ? .absent : .failed(error)
        }
    }

    /// `fault    config.txt: …`, and the cure below it, within the width of the screen.
    private static func show(_ finding: Finding, on screen: Screen) -> String {
        let colour: Screen.Colour = switch finding.state {
        case .ok: .green
        case .warning: .yellow
        case .fault: .red
        }
        let word = finding.state.rawValue
        let indent = 9
        var text = screen.coloured(word, colour) + String(repeating: " ", count: indent - word.count)
        text += screen.wrapped("\(finding.check): \(Shown.oneLine(finding.message))", indent: indent) + "\n"
        if let cure = finding.cure {
            text += String(repeating: " ", count: indent) + screen.wrapped("→ \(Shown.oneLine(cure))", indent: indent + 2, first: indent) + "\n"
        }
        return text
    }
}
