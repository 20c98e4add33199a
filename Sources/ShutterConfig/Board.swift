// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// The choice of the board profile.
enum Board {
    /// The profile that is asked for, or that fits the machine; or why there is none.
    static func choose(
        _ user: Layer?, _ surroundings: Surroundings, userFile: String
    ) -> (board: BoardText?, faults: [SettingsFault]) {
        if let name = surroundings.board { return named(name, surroundings.boards, file: "", position: nil) }
        if let entry = user?.entries.first(where: { $0.key == "board" }) {
            // What is not a string is reported when the file is read.
            guard case .string(let name) = entry.node.value else { return (nil, []) }
            return named(name, surroundings.boards, file: userFile, position: entry.node.position)
        }
        return fitting(surroundings, file: userFile)
    }

    private static func named(
        _ name: String, _ boards: [BoardText], file: String, position: Position?
    ) -> (BoardText?, [SettingsFault]) {
        if let board = boards.first(where: { $0.name == name }) { return (board, []) }
        let hint = NearestWord.to(name, among: boards.map(\.name)).map { "; did you mean \(quoted($0))?" } ?? ""
        let message = "unknown board \(quoted(name))\(hint) \(advice(boards))"
        return (nil, [SettingsFault(file: file, position: position, message: message)])
    }

    private static func fitting(_ surroundings: Surroundings, file: String) -> (BoardText?, [SettingsFault]) {
        let model = surroundings.model.map(clean) ?? ""
        var best: (length: Int, board: BoardText)?
        var faults: [SettingsFault] = []
        var seen: Set<String> = []
        for board in surroundings.boards where seen.insert(board.name).inserted {
            do throws(TomlError) {
                let models = models(in: try parseToml(board.text.bytes))
                for beginning in models where isBeginning(beginning, of: model) && beginning.count > best?.length ?? 0 {
                    best = (beginning.count, board)
                }
            } catch {
                // Only of interest if no other fits.
                faults.append(SettingsFault(file: board.text.file, position: error.position, message: error.message))
            }
        }
        if let best { return (best.board, []) }
        let reason = model.isEmpty ? "this machine tells no model" : "no board profile fits the model \(quoted(model))"
        let message = "board is not set, and \(reason) \(advice(surroundings.boards))"
        return (nil, [SettingsFault(file: file, message: message)] + faults)
    }

    private static func advice(_ boards: [BoardText]) -> String {
        let names = Set(boards.map(\.name)).sorted()
        let known = names.isEmpty ? "no board profiles were found" : "known: \(names.joined(separator: ", "))"
        return "(\(known); board = \"simulated\" needs no hardware)"
    }

    /// Errors in the profile's own table are reported when it is read.
    private static func models(in profile: [TomlEntry]) -> [String] {
        guard case .table(let facts)? = profile.first(where: { $0.key == "board" })?.node.value,
            case .array(let models)? = facts.first(where: { $0.key == "models" })?.node.value
        else { return [] }
        return models.compactMap { if case .string(let model) = $0.value { model } else { nil } }
    }

    /// Whole words only: `Raspberry Pi 5` is no beginning of `Raspberry Pi 500`.
    private static func isBeginning(_ words: String, of model: String) -> Bool {
        !words.isEmpty && (model == words || model.hasPrefix(words + " "))
    }

    /// The device tree's strings end with NUL.
    static func clean(_ model: String) -> String {
        let text = String(model.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
        return text.split(separator: " ").joined(separator: " ")
    }
}
