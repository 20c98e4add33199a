// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// One key that may stand in a file.
struct Key: Sendable {
    /// Tables and key, such as `photo.size`; a `*` stands for a name that is the user's to choose.
    let path: [String]
    let doc: String
    /// What may stand there.
    let expected: String
    let read: @Sendable (TomlNode, inout Settings, _ name: String) throws(Complaint) -> Void
    /// The value in effect, as TOML.
    let show: @Sendable (Settings, _ name: String) -> String

    init<Value>(
        _ path: String, _ property: WritableKeyPath<Settings, Value> & Sendable, _ kind: Kind<Value>, _ doc: String
    ) {
        self.path = path.split(separator: ".").map(String.init)
        self.doc = doc
        expected = kind.expected
        read = { node, settings, _ throws(Complaint) in settings[keyPath: property] = try kind.read(node) }
        show = { settings, _ in kind.show(settings[keyPath: property]) }
    }

    /// A key of every `[TABLE.NAME]`.
    private init<Table, Value>(
        _ table: String, _ key: String, _ place: @escaping @Sendable (String) -> WritableKeyPath<Settings, Table>,
        _ property: WritableKeyPath<Table, Value> & Sendable, _ kind: Kind<Value>, _ doc: String
    ) {
        path = [table, "*", key]
        self.doc = doc
        expected = kind.expected
        read = { node, settings, name throws(Complaint) in settings[keyPath: place(name)][keyPath: property] = try kind.read(node) }
        show = { settings, name in kind.show(settings[keyPath: place(name)][keyPath: property]) }
    }

    init<Value>(button key: String, _ property: WritableKeyPath<ButtonSettings, Value> & Sendable, _ kind: Kind<Value>, _ doc: String) {
        self.init("button", key, { \Settings[button: $0] }, property, kind, doc)
    }

    init<Value>(encoder key: String, _ property: WritableKeyPath<EncoderSettings, Value> & Sendable, _ kind: Kind<Value>, _ doc: String) {
        self.init("encoder", key, { \Settings[encoder: $0] }, property, kind, doc)
    }

    init<Value>(input key: String, _ property: WritableKeyPath<InputSettings, Value> & Sendable, _ kind: Kind<Value>, _ doc: String) {
        self.init("input", key, { \Settings[input: $0] }, property, kind, doc)
    }

    init<Value>(control key: String, _ property: WritableKeyPath<ControlSetup, Value> & Sendable, _ kind: Kind<Value>, _ doc: String) {
        self.init("controls", key, { \Settings[control: $0] }, property, kind, doc)
    }

    init<Value>(hook key: String, _ property: WritableKeyPath<HookSettings, Value> & Sendable, _ kind: Kind<Value>, _ doc: String) {
        self.init("hooks", key, { \Settings[hook: $0] }, property, kind, doc)
    }

    var name: String { path.last! }
    /// The tables around it.
    var table: ArraySlice<String> { path.dropLast() }
}

extension Settings {
    /// Made when it is first written to. Its role follows from the name; names that tell none get `shutter`
    /// until theirs is read.
    subscript(button name: String) -> ButtonSettings {
        get { buttons[InputName(rawValue: name)] ?? ButtonSettings(role: ButtonRole(rawValue: name) ?? .shutter) }
        set { buttons[InputName(rawValue: name)] = newValue }
    }

    /// Made when it is first written to.
    subscript(hook name: String) -> HookSettings {
        get { hooks[name] ?? HookSettings() }
        set { hooks[name] = newValue }
    }
}

extension Settings {
    /// The names that stand for the `*` of a key's path.
    func names(in table: String) -> [String] {
        switch table {
        case "button": buttons.keys.map(\.rawValue).sorted()
        case "encoder": encoders.keys.sorted()
        case "input": inputs.keys.sorted()
        case "controls": controls.order
        default: hooks.keys.sorted()
        }
    }

    /// A named table is there even when nothing is in it.
    mutating func open(_ name: String, in table: String) {
        switch table {
        case "button": self[button: name] = self[button: name]
        case "encoder": self[encoder: name] = self[encoder: name]
        case "input": self[input: name] = self[input: name]
        case "controls": self[control: name] = self[control: name]
        default: self[hook: name] = self[hook: name]
        }
    }
}

/// All keys that may stand in one sort of file.
struct Schema: Sendable {
    let keys: [Key]

    /// The user's file.
    static let user = Schema(keys: [boardKey] + settingKeys)
    /// A board profile: the same, and facts, but no board.
    static let profile = Schema(keys: factKeys + settingKeys)

    /// The key of a path without `*`.
    func key(at path: [String]) -> Key? {
        keys.first { $0.path.count == path.count && Self.matches($0.path[...], path) }
    }

    /// Whether a path without `*` is that of a table.
    func isTable(_ path: [String]) -> Bool {
        keys.contains { $0.path.count > path.count && Self.matches($0.path.prefix(path.count), path) }
    }

    /// The keys directly in a table.
    func keys(in table: [String]) -> [Key] {
        keys.filter { $0.path.count == table.count + 1 && Self.matches($0.table, table) }
    }

    /// The names of the tables directly in a table.
    func tables(in table: [String]) -> [String] {
        var names: [String] = []
        for key in keys where key.path.count > table.count + 1 && Self.matches(key.path.prefix(table.count), table) {
            let name = key.path[table.count]
            if name != "*", !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func matches(_ pattern: ArraySlice<String>, _ path: [String]) -> Bool {
        zip(pattern, path).allSatisfy { $0 == "*" || $0 == $1 }
    }
}
