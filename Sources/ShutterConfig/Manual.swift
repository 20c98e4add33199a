// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Every key that may stand in a file, for a manual: table by table, in the order of the schema.
    package static var reference: [(table: String, keys: [(name: String, expected: String, preset: String, doc: String)])] {
        var tables: [(table: String, keys: [(name: String, expected: String, preset: String, doc: String)])] = []
        let presets = Settings()
        for key in Schema.user.keys {
            let table = key.table.map { $0 == "*" ? (key.path[0] == "button" ? "shutter" : "NAME") : $0 }.joined(separator: ".")
            let row = (name: key.name, expected: key.expected, preset: key.show(presets, key.path[0] == "button" ? "shutter" : "NAME"), doc: key.doc)
            if let index = tables.firstIndex(where: { $0.table == table }) { tables[index].keys.append(row) } else { tables.append((table, [row])) }
        }
        return tables
    }
}
