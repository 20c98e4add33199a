// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

/// What was looked at, how it is, and what cures it.
struct Finding: Equatable {
    enum State: String { case ok, warning, fault }

    var check: String
    var state: State
    /// One sentence.
    var message: String
    /// The command to run or the line to write; nil where nothing is to be done.
    var cure: String?

    var json: JSONValue {
        .object(["check": .string(check), "state": .string(state.rawValue), "message": .string(message), "cure": cure.map { .string($0) } ?? .null])
    }
}

/// `doctor`: looks at a machine as a person would, from the board to the SSH key. Nothing is changed, and no daemon is needed.
struct Doctor {
    let machine: Machine
    /// The user's file, or the board's and the defaults where it cannot be used.
    private(set) var settings = Settings()
    /// What the daemon said, if it runs.
    let daemon: DaemonAnswer
    private(set) var findings: [Finding] = []

    enum DaemonAnswer {
        case status(JSONValue)
        /// Nobody listens.
        case absent
        /// Somebody listens and does not answer as he should.
        case failed(Failure)
    }

    init(_ machine: Machine, _ loaded: Result<LoadedSettings, SettingsFaults>, hasFile: Bool, fallback: Settings?, fitting: String?, daemon: DaemonAnswer) {
        self.machine = machine
        self.daemon = daemon
        checkMachine()
        switch loaded {
        case .success(let loaded):
            settings = loaded.settings
            tell("config", .ok, "board \(settings.board)")
            checkBoard(fitting)
            for warning in loaded.warnings { tell("config", .warning, warning.description, cure: "correct it, then: shutterctl config check") }
        case .failure(let error):
            settings = fallback ?? settings
            // Without one, a board that is not found is all that can be wrong.
            let cure = hasFile ? "correct it, then: shutterctl config check" : "make it: sudo shutterctl config init"
            for fault in error.faults { tell("config", .fault, fault.description, cure: cure) }
        }
    }

    /// In the order in which a person would.
    mutating func run() -> [Finding] {
        checkUser()
        checkLines()
        checkRing()
        checkFirmware()
        checkCamera()
        checkEncoder()
        checkMicrophone()
        checkMemory()
        checkStorage()
        checkClock()
        checkUnit()
        checkDaemon()
        checkGate()
        return findings
    }

    mutating func tell(_ check: String, _ state: Finding.State, _ message: String, cure: String? = nil) {
        findings.append(Finding(check: check, state: state, message: message, cure: cure))
    }

    private mutating func checkMachine() {
        let system = machine.value("PRETTY_NAME", in: "/etc/os-release") ?? "an unknown system"
        guard let model = machine.model else {
            tell("board", .warning, "this machine tells no model; \(system), kernel \(machine.kernel)", cure: "board = \"simulated\" in \(Places.configuration) needs no hardware")
            return
        }
        tell("board", .ok, "\(model), \(system), kernel \(machine.kernel)")
    }

    /// - Parameter fitting: the board that the machine's model tells.
    private mutating func checkBoard(_ fitting: String?) {
        guard let model = machine.model else { return }
        if settings.board == Settings.anyBoard {
            let cure = fitting.map { "write board = \"\($0)\"" } ?? "see that `line` in [button.shutter] and `driver` in [ring] are what is connected"
            tell("board", .warning, "board = \"\(settings.board)\": nothing is known of the lines and SPI of \(model)", cure: "\(cure), in \(Places.configuration)")
        } else if !settings.facts.models.isEmpty, let fitting, fitting != settings.board {
            tell("board", .warning, "the configuration is for the board \(settings.board), and this is a \(model)",
                 cure: "write board = \"\(fitting)\" in \(Places.configuration), or no board at all: then each start finds it")
        }
    }

    private mutating func checkUser() {
        let who = machine.who
        tell("user", .ok, "\(who.origin) \(who.name), in \(who.groups.isEmpty ? "no groups" : who.groups.joined(separator: ", "))")
    }

    /// A device that has to be there and to be the daemon's.
    /// - Returns: whether it can be used.
    @discardableResult
    mutating func checkNode(_ check: String, _ path: String, missing: String, group: String, subsystem: String, quiet: Bool = false) -> Bool {
        guard let access = machine.access(path) else {
            tell(check, .fault, "\(path) is not there", cure: missing)
            return false
        }
        if access.allows {
            if !quiet { tell(check, .ok, "\(path), \(access.owner):\(access.group)") }
            return true
        }
        let (facts, cure) = access.diagnosis(udevGroup: group, subsystem: subsystem)
        tell(check, .fault, facts, cure: cure.text)
        return false
    }
}
