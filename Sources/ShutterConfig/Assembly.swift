// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Where a value in effect was set.
package struct Origin: Equatable, Sendable {
    /// The profile's name, or nil for the user's file.
    package var board: String?
    package var file: String
    package var position: Position

    /// `FILE:LINE:COLUMN`
    var place: String { "\(file):\(position.line):\(position.column)" }
}

/// A text that is TOML, and whose it is.
struct Layer {
    var file: String
    /// The profile's name, or nil for the user's file.
    var board: String?
    var entries: [TomlEntry]

    var schema: Schema { board == nil ? .user : .profile }
}

/// Settings as they grow, layer over layer, with all that is wrong on the way.
struct Assembly {
    var settings = Settings()
    /// By the dotted path of a key or named table. What is not here is a default.
    private(set) var origins: [String: Origin] = [:]
    /// Keys whose value could not be read: what they contradict cannot be told.
    private(set) var broken: Set<String> = []
    private(set) var faults: [SettingsFault] = []

    /// Reading stops after so many.
    private static let mostFaults = 200

    private var layer = Layer(file: "", board: nil, entries: [])
    /// Set where the name of a table or key is wrong: values are checked as if it was right, and not kept.
    private var isTrial = false

    mutating func apply(_ layer: Layer) {
        self.layer = layer
        readTable(layer.entries, at: [])
    }

    private mutating func fault(_ position: Position, _ message: String) {
        faults.append(SettingsFault(file: layer.file, position: position, message: message))
    }

    private mutating func readTable(_ entries: [TomlEntry], at table: [String]) {
        for entry in entries {
            // A file that has nothing to do with us should not cost minutes of looking for near words.
            if faults.count >= Self.mostFaults { return }
            let path = table + [entry.key]
            if let key = layer.schema.key(at: path) {
                read(entry, key, path)
            } else if !layer.schema.isTable(path) {
                unknown(entry, in: table)
            } else if case .table(let inner) = entry.node.value {
                if !isName(path) || openNamed(entry, path) {
                    readTable(inner, at: path)
                } else {
                    onTrial { $0.readTable(inner, at: path) }
                }
            } else if isName(path), !entry.node.isTableLike {
                unknown(entry, in: table)
            } else {
                let hint = layer.schema.isTable(path + ["NAME"]) ? "; write \(bracketed(path + ["NAME"]))" : ""
                fault(entry.keyPosition, "\(bracketed(path)) must be a table, not \(entry.node.kind)\(hint)")
            }
        }
    }

    private mutating func read(_ entry: TomlEntry, _ key: Key, _ path: [String]) {
        let dotted = path.joined(separator: ".")
        var changed = settings
        do throws(Complaint) {
            try key.read(entry.node, &changed, path.count > 1 ? path[1] : "")
            if isTrial { return }
            settings = changed
            broken.remove(dotted)
        } catch {
            fault(error.node.position, "\(name(entry.key)) = \(literal(error.node)) \(error.message)")
            if isTrial { return }
            broken.insert(dotted)
        }
        origins[dotted] = Origin(board: layer.board, file: layer.file, position: entry.node.position)
    }

    /// Whether the last part of a table's path is a name of the user's choice.
    private func isName(_ path: [String]) -> Bool {
        !layer.schema.tables(in: path.dropLast()).contains(path.last!)
    }

    /// A `[button.NAME]`, `[hooks.NAME]` or the like: it is there even when nothing is in it. False when the name cannot be.
    private mutating func openNamed(_ entry: TomlEntry, _ path: [String]) -> Bool {
        guard isBare(entry.key), entry.key.utf8.count <= 32 else {
            fault(entry.keyPosition, "the name \(quoted(clipped(entry.key))) must be 1 to 32 letters, digits, - or _")
            return false
        }
        if isTrial { return true }
        origins[path.joined(separator: ".")] = Origin(board: layer.board, file: layer.file, position: entry.keyPosition)
        settings.open(entry.key, in: path[0])
        return true
    }

    private mutating func onTrial(_ body: (inout Assembly) -> Void) {
        let wasTrial = isTrial
        isTrial = true
        body(&self)
        isTrial = wasTrial
    }
}

// MARK: What is not known

extension Assembly {
    private mutating func unknown(_ entry: TomlEntry, in table: [String]) {
        if entry.node.isTableLike { unknownTable(entry, in: table) } else { unknownKey(entry, in: table) }
    }

    private mutating func unknownTable(_ entry: TomlEntry, in parent: [String]) {
        let known = layer.schema.tables(in: parent)
        let name = bracketed(parent + [entry.key])
        var inner: [TomlEntry] = []
        if case .table(let entries) = entry.node.value { inner = entries }
        guard let near = NearestWord.to(entry.key, among: known) else {
            let list = known.map { bracketed(parent + [$0]) }.joined(separator: ", ")
            fault(entry.keyPosition, "unknown table \(name)" + (known.isEmpty ? "" : "; known here: \(list)"))
            for inside in inner.prefix(Self.mostFaults) where !inside.node.isTableLike {
                unknownKey(inside, in: parent + [entry.key])
            }
            return
        }
        fault(entry.keyPosition, "unknown table \(name); did you mean \(bracketed(parent + [near]))?")
        onTrial { $0.readTable(inner, at: parent + [near]) }
    }

    private mutating func unknownKey(_ entry: TomlEntry, in table: [String]) {
        let here = layer.schema.keys(in: table)
        let all = layer.schema.keys
        let place = table.isEmpty ? "at the top" : "in \(bracketed(table))"
        let message: String
        let meant: Key?
        let elsewhere = all.filter { $0.name == entry.key }
        if !elsewhere.isEmpty {
            meant = elsewhere.count == 1 ? elsewhere[0] : nil
            message = "it belongs in \(elsewhere.map { bracketed(Array($0.table)) }.joined(separator: " or "))"
        } else if let near = NearestWord.to(entry.key, among: here.map(\.name)) {
            meant = here.first { $0.name == near }
            message = "did you mean \(quoted(near))?"
        } else if let near = NearestWord.to(entry.key, among: all.map(\.name)) {
            meant = all.first { $0.name == near }
            message = "did you mean \(quoted(near)) in \(bracketed(Array(meant!.table)))?"
        } else {
            meant = nil
            message = here.isEmpty ? "" : "known here: \(here.map(\.name).joined(separator: ", "))"
        }
        fault(entry.keyPosition, "unknown key \(quoted(clipped(entry.key))) \(place)" + (message.isEmpty ? "" : "; \(message)"))
        if let meant { onTrial { $0.read(entry, meant, [entry.key]) } }
    }
}

extension TomlNode {
    /// Whether it was written as `[table]` or `[[table]]`.
    fileprivate var isTableLike: Bool {
        switch value {
        case .table: true
        case .array(let elements): elements.first.map { if case .table = $0.value { true } else { false } } ?? false
        case .string, .integer, .number, .boolean, .date: false
        }
    }
}

/// The path of a table as it stands in a file. A name that is the user's to choose is shown as one that is usual.
private func bracketed(_ path: [String]) -> String {
    let usual = path.first == "button" ? "shutter" : "NAME"
    return "[" + path.map { $0 == "*" ? usual : name($0) }.joined(separator: ".") + "]"
}

/// A part of a key as it stands in a file.
private func name(_ key: String) -> String { isBare(key) ? clipped(key) : quoted(clipped(key)) }

/// Whether a key needs no quotes.
private func isBare(_ key: String) -> Bool {
    !key.isEmpty
        && key.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
}
