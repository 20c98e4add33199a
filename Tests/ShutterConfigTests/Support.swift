// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ShutterConfig
import ShutterCore
import Testing

/// A board with an encoder like that of the Pi 4, a feedback line and a hook.
let piBoard = """
    [board]
    title = "Raspberry Pi 4"
    models = ["Raspberry Pi 4"]
    [board.encoder]
    hardware = true
    max_width = 1920
    max_macroblocks = 8192
    [button.shutter]
    line = "GPIO17"
    """

let simulatedBoard = """
    [board]
    title = "Simulated"
    [button.shutter]
    line = "terminal"
    [ring]
    driver = "terminal"
    [camera]
    source = "simulated"
    [storage]
    root = "~/media"
    """

func boards(_ texts: [(name: String, toml: String)]) -> [BoardText] {
    texts.map { BoardText(name: $0.name, text: SettingsText(file: "\($0.name).toml", bytes: Array($0.toml.utf8))) }
}

let usualBoards = boards([("pi", piBoard), ("simulated", simulatedBoard)])

/// Resolves a user's file `u.toml` on a Pi 4.
func resolve(
    _ toml: String?, board: String? = nil, boards: [BoardText] = usualBoards, model: String? = "Raspberry Pi 4 Model B Rev 1.4\0",
    home: String? = "/home/me"
) throws(SettingsFaults) -> LoadedSettings {
    try Settings.resolve(
        toml.map { SettingsText(file: "u.toml", bytes: Array($0.utf8)) },
        in: Surroundings(boards: boards, model: model, board: board, home: home))
}

/// The lines that `config check` prints; empty when all is well.
func faults(
    _ toml: String?, board: String? = nil, boards: [BoardText] = usualBoards, model: String? = "Raspberry Pi 4 Model B Rev 1.4\0"
) -> [String] {
    do throws(SettingsFaults) {
        _ = try resolve(toml, board: board, boards: boards, model: model)
        return []
    } catch { return error.faults.map(\.description) }
}

/// A text and what is expected of it, for tables.
struct Row: Sendable, CustomTestStringConvertible {
    var toml: String
    var expected: [String]

    init(_ toml: String, _ expected: String...) {
        self.toml = toml
        self.expected = expected
    }

    var testDescription: String { toml.count > 80 ? String(toml.prefix(80)) + "…" : toml }
}
