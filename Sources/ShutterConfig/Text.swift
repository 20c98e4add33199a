// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

extension LoadedSettings {
    /// All settings in effect as TOML, each with where it was set: `default`, `board NAME` or `FILE:LINE`.
    /// Read again it gives the same settings.
    ///
    /// - Parameter isExplained: also what each key does and what may stand there.
    package func text(isExplained: Bool = false) -> String {
        var lines: [String] = []
        var table = ""
        for (key, path) in concreteKeys {
            let own = path.dropLast().joined(separator: ".")
            if own != table {
                lines += ["", "[\(own)]"]
                table = own
            }
            if isExplained { lines.append("# \(key.doc) (\(key.expected))") }
            let setting = "\(key.name) = \(key.show(settings, path.count > 1 ? path[1] : ""))"
            let padding = String(repeating: " ", count: max(1, 44 - setting.count))
            lines.append(setting + padding + "# " + origin(of: path))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func origin(of path: [String]) -> String {
        guard let origin = origins[path.joined(separator: ".")] else { return "default" }
        if let board = origin.board { return "board \(board)" }
        // A file's name may hold anything; a comment ends with the line.
        let file = String(origin.file.map { $0.isNewline || ($0.asciiValue ?? 0x20) < 0x20 ? "?" : $0 })
        return "\(file):\(origin.position.line)"
    }

    /// Every key with its names filled in. Keys of one table stand together.
    private var concreteKeys: [(key: Key, path: [String])] {
        var result: [(Key, [String])] = []
        var shown: Set<[String]> = []
        for key in Schema.user.keys where !shown.contains(Array(key.table)) {
            let keys = Schema.user.keys.filter { $0.table == key.table }
            shown.insert(Array(key.table))
            guard key.path.contains("*") else {
                result += keys.map { ($0, $0.path) }
                continue
            }
            for name in settings.names(in: key.path[0]) {
                result += keys.map { key in (key, key.path.map { $0 == "*" ? name : $0 }) }
            }
        }
        return result
    }
}
