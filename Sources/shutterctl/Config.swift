// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl

extension Main {
    /// `config check [FILE]`: the list of all faults is the answer.
    static func checkConfiguration(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let file = configurationFile(invocation, globals)
        let name = file ?? "the defaults"
        do throws(SettingsFaults) {
            let loaded = try load(file, globals)
            if globals.json {
                try? Output.write(Reply.success(["warnings": list(loaded.warnings)]).line + "\n")
            } else {
                try? Output.write(loaded.warnings.map { "\($0) (warning)\n" }.joined() + "\(name): no faults\n")
            }
        } catch {
            let count = error.faults.count
            let failure = Failure(.configuration, "faults", "\(name): \(count) fault\(count == 1 ? "" : "s"); shutterd does not use it until \(count == 1 ? "it is" : "they are") mended")
            guard globals.json else {
                try Output.write(error.description + "\n")
                throw failure
            }
            // The reply of any failure, and the list with it.
            var reply = (try? JSONValue(parsing: Reply.failure(failure).line))?.object ?? [:]
            reply["faults"] = list(error.faults)
            try Output.write(JSONValue.object(reply).line + "\n")
            exit(Output.report(failure, asJSON: false))
        }
    }

    /// `config show [FILE]`: all settings in effect, and where each was set.
    static func showConfiguration(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let loaded = try settings(configurationFile(invocation, globals), globals)
        let text = loaded.text()
        try Output.write(globals.json ? Reply.success(["toml": .string(text)]).line + "\n" : text)
    }

    /// `config init [FILE]`: the file that packages make at first.
    static func makeConfiguration(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let file = invocation.arguments.first ?? globals.config ?? Places.configuration
        let model = deviceTreeModel()
        let board = (try? load(nil, globals))?.settings.board
        do throws(SystemError) {
            try AtomicFile.makeFolders(FileSystem.folder(of: file))
            let made = "\(file).new"
            unlink(made)
            try AtomicFile.replace(made, with: Array(Settings.firstFile(board: board, model: model).utf8))
            defer { unlink(made) }
            try AtomicFile.publish(made, as: file)
            try AtomicFile.syncFolder(of: file)
        } catch {
            if error.code == EEXIST { throw Failure(.cannotCreate, "exists", "\(file) is there already, and stays as it is; move it away first") }
            let cure = error.code == EACCES || error.code == EPERM ? "; as root: sudo shutterctl config init" : ""
            throw Failure(.cannotCreate, "cannot-create", "\(file) cannot be made: \(error.reason)\(cure)")
        }
        let found = board ?? "\(Settings.anyBoard), as no profile fits this machine"
        try Output.write(globals.json ? Reply.success(["path": .string(file), "board": .string(board ?? Settings.anyBoard)]).line + "\n" : "\(file) is made, for the board \(found); next: shutterctl doctor\n")
    }

    /// Settings, or a failure that names the first fault.
    /// - Parameter orOnAnyMachine: whether to go on as a simulation where no board is named and the machine is none that is known,
    ///   for what needs no hardware.
    static func settings(
        _ file: String?, _ globals: ParsedCommand.Globals, orOnAnyMachine: Bool = false
    ) throws(Failure) -> LoadedSettings {
        do throws(SettingsFaults) {
            return try load(file, globals)
        } catch {
            if orOnAnyMachine, deviceTreeModel() == nil, let loaded = try? load(file, globals, board: "simulated") { return loaded }
            let more = error.faults.count - 1
            let rest = more > 0 ? " (and \(more) more; see shutterctl config check)" : ""
            throw Failure(.configuration, "faults", "\(error.faults.first?.description ?? "")\(rest)")
        }
    }

    /// The file that is named, else the system's if it is there.
    static func configurationFile(_ invocation: Invocation, _ globals: ParsedCommand.Globals) -> String? {
        (invocation.verb.name.hasPrefix("config") ? invocation.arguments.first : nil) ?? configurationFile(globals)
    }

    /// The same, for verbs that name no file themselves.
    static func configurationFile(_ globals: ParsedCommand.Globals) -> String? {
        globals.config ?? (FileSystem.isMissing(Places.configuration) ? nil : Places.configuration)
    }

    /// The daemon's socket, as options, environment and then the configuration name it.
    static func socket(_ globals: ParsedCommand.Globals, configured: () -> String?) -> String {
        Places.socket(option: globals.socket, environment: Environment.all, configured: configured) { access($0, F_OK) == 0 }
    }

    /// The socket that the configuration names; nil when there is none, or a faulty one.
    static func configuredSocket(_ globals: ParsedCommand.Globals) -> String? {
        configurationFile(globals).flatMap { try? load($0, globals).settings.control.socket }
    }

    private static func load(
        _ file: String?, _ globals: ParsedCommand.Globals, board: String? = nil
    ) throws(SettingsFaults) -> LoadedSettings {
        let folders = Places.boardFolders(option: globals.boards, executable: Environment.executable)
        return try Settings.load(file: file, boardFolders: folders, model: deviceTreeModel(), board: board, environment: Environment.all)
    }

    private static func list(_ faults: [SettingsFault]) -> JSONValue {
        .array(faults.map { fault in
            ["file": .string(fault.file), "line": .int(Int64(fault.line)), "column": .int(Int64(fault.column)), "message": .string(fault.message)]
        })
    }
}
