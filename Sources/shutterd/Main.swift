// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore
import ShutterDaemon

/// Wiring only: options → configuration → parts → loop.
@main
struct Main {
    static func main() {
        do throws(Failure) {
            switch try DaemonOptions(Array(CommandLine.arguments.dropFirst())) {
            case .help: print(DaemonOptions.helpText, terminator: "")
            case .version: print("shutterd \(Version.current)")
            case let .encoder(options): print(try EncoderQuestion.answer(load(options)))
            case let .run(options): try run(options)
            }
        } catch {
            // A configuration's faults have a line each.
            let lines = error.message.split(separator: "\n").map { "shutterd: \(Shown.oneLine(String($0)))\n" }
            _ = Array(lines.joined().utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
            exit(error.word.exitCode)
        }
    }

    private static func run(_ options: DaemonOptions.Values) throws(Failure) {
        // Before any thread, so that all inherit the mask.
        let signals = try started("signals") { () throws(SystemError) in try Signals([SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2]) }
        let settings = try load(options)
        guard settings.control.socket.utf8.count <= 107 else {
            throw Failure(.usage, "bad-argument", "\(Shown.text(settings.control.socket)) is too long for a socket's path (at most 107 bytes): give a shorter --data or --socket")
        }
        let locks = try lock(settings)
        defer { withExtendedLifetime(locks) {} }

        let assembly = try Assembly(settings, options)
        let log = assembly.log
        let stored = stored(settings, log)
        let control = try started("the control socket") { () throws(SystemError) in
            try ControlServer(path: settings.control.socket, group: settings.control.group)
        }
        if let warning = control.warning { log.write(.warning, warning) }
        let daemon = try started("the loop") { () throws(SystemError) in
            try Daemon(settings: settings, stored: stored, parts: assembly.parts, control: control, signals: signals, log: log) {
                do throws(SettingsFaults) { return .success(try read(options)) } catch { return .failure(error) }
            }
        }
        daemon.run()
        assembly.close()
        // A call that never comes back has a thread in it, which must not meet what exit(3) takes down.
        if assembly.camera.hasLeftThread { _exit(daemon.exitCode) }
        if daemon.exitCode != 0 { exit(daemon.exitCode) }
    }

    /// Two daemons on one socket or one state folder would undo each other's work.
    private static func lock(_ settings: Settings) throws(Failure) -> [InstanceLock] {
        let folder = FileSystem.folder(of: settings.control.socket)
        for needed in [folder, settings.storage.state] {
            do throws(SystemError) { try AtomicFile.makeFolders(needed) } catch {
                throw Failure(.cannotCreate, "no-folder", "\(error); create \(needed) for the user that runs shutterd")
            }
        }
        var locks: [InstanceLock] = []
        for path in [settings.control.socket + ".lock", settings.storage.state + "/lock"] {
            do throws(SystemError) {
                locks.append(try InstanceLock(path: path))
            } catch {
                // Nobody can write there, so there is nothing to guard; that the mode is not stored is said when it is set.
                if error.code == EROFS, !locks.isEmpty { continue }
                if error.code == EWOULDBLOCK {
                    throw Failure(.refused, "already-running", "another shutterd is running with \(path); stop it first, or give this one its own --data folder")
                }
                throw Failure(.cannotCreate, "no-lock", "\(error); the user that runs shutterd must be able to write there")
            }
        }
        return locks
    }

    private static func stored(_ settings: Settings, _ log: Log) -> ModeStore.Stored? {
        do throws(Fault) {
            return try ModeStore(folder: settings.storage.state).load()
        } catch {
            log.write(.warning, error.message)
            return nil
        }
    }

    private static func load(_ options: DaemonOptions.Values) throws(Failure) -> Settings {
        do throws(SettingsFaults) {
            return try read(options)
        } catch {
            throw Failure(.configuration, "configuration", error.faults.map(\.description).joined(separator: "\n"))
        }
    }

    private static func read(_ options: DaemonOptions.Values) throws(SettingsFaults) -> Settings {
        let file = options.config ?? (options.board != nil || FileSystem.isMissing(Places.configuration) ? nil : Places.configuration)
        let folders = Places.boardFolders(option: options.boards, executable: Environment.executable)
        var settings = try Settings.load(
            file: file, boardFolders: folders, model: deviceTreeModel(), board: options.board, environment: Environment.all
        ).settings
        if let data = options.data.map(absolute) {
            settings.storage.root = data + "/media"
            settings.storage.state = data
            settings.control.socket = data + "/control.sock"
        }
        if let socket = options.socket { settings.control.socket = absolute(socket) }
        return settings
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }
}

/// Makes a part, or fails with what could not be started.
func started<Part>(_ what: String, _ make: () throws(SystemError) -> Part) throws(Failure) -> Part {
    do throws(SystemError) { return try make() } catch {
        throw Failure(.cannotCreate, "not-started", "\(what): \(error)")
    }
}
