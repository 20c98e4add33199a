// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// A text and the name it has in messages.
package struct SettingsText: Sendable {
    /// Usually the path.
    package var file: String
    package var bytes: [UInt8]

    package init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
    }
}

/// A board profile: `raspberry-pi-5.toml` is the profile `raspberry-pi-5`.
package struct BoardText: Sendable {
    package var name: String
    package var text: SettingsText

    package init(name: String, text: SettingsText) {
        self.name = name
        self.text = text
    }
}

/// What the settings depend on besides the user's file. Nothing is read from outside of it.
package struct Surroundings: Sendable {
    /// The first of two with one name counts.
    package var boards: [BoardText]
    /// The device tree's model, such as `Raspberry Pi 5 Model B Rev 1.0`; nil where there is none.
    package var model: String?
    /// The board of the command line; goes before the one in the file.
    package var board: String?
    /// What `~/` stands for: HOME.
    package var home: String?
    /// What is wrong with a program that is to be run, as the end of a sentence; nil = nothing.
    package var complaint: @Sendable (_ program: String) -> String?

    package init(
        boards: [BoardText], model: String? = nil, board: String? = nil, home: String? = nil,
        complaint: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.boards = boards
        self.model = model
        self.board = board
        self.home = home
        self.complaint = complaint
    }
}

/// Settings that are valid, and where each of them comes from.
package struct LoadedSettings: Equatable, Sendable {
    package var settings: Settings
    /// By dotted path (`photo.size`). What is not here is a default.
    package var origins: [String: Origin]
    /// What works, but hardly as it is meant.
    package var warnings: [SettingsFault]

    package init(settings: Settings, origins: [String: Origin] = [:], warnings: [SettingsFault] = []) {
        self.settings = settings
        self.origins = origins
        self.warnings = warnings
    }
}

extension Settings {
    /// Settings from a user's file laid over a board profile laid over the defaults.
    ///
    /// - Parameter user: nil = there is no file, and all of it is as the board and the defaults have it.
    /// - Throws: everything that is wrong, in one go.
    package static func resolve(_ user: SettingsText?, in surroundings: Surroundings) throws(SettingsFaults) -> LoadedSettings {
        var faults: [SettingsFault] = []
        let userLayer = user.flatMap { parse($0, board: nil, &faults) }
        let choice = Board.choose(userLayer, surroundings, userFile: user?.file ?? "")
        // A file that cannot be read may well name a board.
        if user == nil || userLayer != nil { faults += choice.faults }
        let profileLayer = choice.board.flatMap { parse($0.text, board: $0.name, &faults) }

        var assembly = Assembly()
        for layer in [profileLayer, userLayer] { if let layer { assembly.apply(layer) } }
        assembly.finish(board: choice.board?.name ?? "", home: surroundings.home)
        faults += assembly.faults

        // Without one of the layers, what is missing in it would be blamed on the other.
        let isComplete = profileLayer != nil && (user == nil || userLayer != nil)
        var checker = Checker(assembly, file: user?.file ?? choice.board?.text.file ?? "", isComplete: isComplete, complaint: surroundings.complaint)
        checker.checkAll()
        faults += checker.faults
        guard faults.isEmpty else { throw SettingsFaults(inOrder(faults)) }
        return LoadedSettings(settings: assembly.settings, origins: assembly.origins, warnings: inOrder(checker.warnings))
    }

    private static func parse(_ text: SettingsText, board: String?, _ faults: inout [SettingsFault]) -> Layer? {
        do throws(TomlError) {
            return Layer(file: text.file, board: board, entries: try parseToml(text.bytes))
        } catch {
            faults.append(SettingsFault(file: text.file, position: error.position, message: error.message))
            return nil
        }
    }

    /// File by file, line by line; what is about a whole file first.
    private static func inOrder(_ faults: [SettingsFault]) -> [SettingsFault] {
        faults.sorted { ($0.file, $0.line, $0.column, $0.message) < ($1.file, $1.line, $1.column, $1.message) }
    }
}

extension Assembly {
    /// Fills in what follows from the rest.
    mutating func finish(board: String, home: String?) {
        settings.board = board
        for (name, button) in settings.buttons where button.active == .high && origins["button.\(name).bias"] == nil {
            settings.buttons[name]?.bias = .pullDown
        }
        for (name, encoder) in settings.encoders where encoder.active == .high && origins["encoder.\(name).bias"] == nil {
            settings.encoders[name]?.bias = .pullDown
        }
        finishRing()
        if origins["photo.quality"] == nil { settings.photo.quality = settings.photo.prioritize.jpegQuality }
        guard let home, home.hasPrefix("/") else { return }
        for path in [\Settings.storage.root, \Settings.storage.state, \Settings.control.socket]
        where settings[keyPath: path].hasPrefix("~/") {
            settings[keyPath: path] = (home == "/" ? "" : home) + settings[keyPath: path].dropFirst()
        }
    }

    /// A single LED on a line may stand as the device, the board knows its PWM, and each chip has its own usual order.
    private mutating func finishRing() {
        let ring = settings.ring
        if ring.driver == .gpio, ring.lines.isEmpty, let line = LineAddress(ring.device), line != .terminal {
            settings.ring.lines = [line]
        }
        if ring.driver == .pwm, origins["ring.device"].map({ $0.board != nil }) ?? true, !settings.facts.pwm.isEmpty {
            settings.ring.device = settings.facts.pwm
        }
        guard origins["ring.order"] == nil else { return }
        switch ring.driver {
        case .apa102: settings.ring.order = .bgr
        case .sk6812: settings.ring.order = .grbw
        case .ws2812, .gpio, .pwm, .ledClass, .terminal, .none: break
        }
    }
}
