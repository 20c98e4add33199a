// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// What somebody typed after `shutterctl`.
package enum ParsedCommand: Equatable, Sendable {
    case run(Invocation, Globals)
    /// Help on one verb, or on all.
    case help(Verb?)
    case version

    /// The options that go with any verb.
    package struct Globals: Equatable, Sendable {
        package var json = false
        package var socket: String?
        package var config: String?
        package var boards: String?
        /// Asked over SSH: it ends when the connection does.
        package var isRemote = false

        package init(json: Bool = false, socket: String? = nil, config: String? = nil, boards: String? = nil) {
            self.json = json
            self.socket = socket
            self.config = config
            self.boards = boards
        }
    }

    /// Parses the words after the program's name. Throws a `usage` failure: one line with the nearest known word and what to do.
    /// - Parameter isRemote: whether no option that names a file is known.
    package init(_ words: [String], isRemote: Bool = false) throws(Failure) {
        func known(_ options: [Verb.Option]) -> [Verb.Option] { isRemote ? options.filter { $0.kind != .file } : options }
        var globals = Globals()
        var options: [String: String] = [:]
        var wanted: (help: Bool, version: Bool) = (false, false)
        func sort(_ scanned: [(name: String, value: String)]) throws(Failure) {
            for (name, value) in scanned {
                switch name {
                case "json": globals.json = true
                case "socket": globals.socket = try Self.notEmpty(name, value)
                case "config": globals.config = try Self.notEmpty(name, value)
                case "boards": globals.boards = try Self.notEmpty(name, value)
                case "help": wanted.help = true
                case "version": wanted.version = true
                default: options[name] = value
                }
            }
        }

        // Up to the verb only the global options are known; after it, the verb's own too.
        var rest = words[...]
        var family = ""
        var found: Verb?
        repeat {
            let scan = try OptionScanner.scan(Array(rest), known(VerbTable.globalOptions), stopsAtOperand: true)
            try sort(scan.options)
            rest = rest.dropFirst(scan.used)
            guard !wanted.version, let word = rest.popFirst() else { break }
            found = VerbTable.verb(named: family + word)
            if found == nil {
                guard family.isEmpty, VerbTable.families[word] != nil else { throw Self.unknownVerb(family, word) }
                family = word + " "
            }
        } while found == nil

        var operands: [String] = []
        if let found {
            let scan = try OptionScanner.scan(Array(rest), known(VerbTable.globalOptions + found.options), stopsAtOperand: false)
            try sort(scan.options)
            operands = scan.operands
        }
        if wanted.version {
            self = .version
        } else if wanted.help {
            self = .help(found)
        } else if let found {
            self = .run(try Invocation(found, arguments: operands, options: options), globals)
        } else {
            throw Self.missingVerb(after: family)
        }
    }

    private static func notEmpty(_ name: String, _ value: String) throws(Failure) -> String {
        guard !value.isEmpty else { throw Failure(.usage, "bad-argument", "--\(name) is empty; see shutterctl --help") }
        return value
    }

    private static func members(of family: String) -> [String] {
        VerbTable.verbs.map(\.name).filter { $0.hasPrefix(family) }.map { String($0.dropFirst(family.count)) }
    }

    private static func missingVerb(after family: String) -> Failure {
        if family.isEmpty { return Failure(.usage, "missing-verb", "say what to do, such as shutterctl status; see shutterctl --help") }
        let choices = members(of: family).joined(separator: ", ")
        return Failure(.usage, "missing-verb", "\(family)needs one of \(choices); see shutterctl --help")
    }

    private static func unknownVerb(_ family: String, _ word: String) -> Failure {
        let known = family.isEmpty ? VerbTable.verbs.map { VerbTable.firstWord($0.name) } : members(of: family)
        let hint = NearestWord.hint(word, among: known)
        let shown = Shown.text(word)
        return Failure(.usage, "unknown-verb", "unknown verb \(family.isEmpty ? "" : "\(family)")\(shown)\(hint.isEmpty ? ";" : hint) see shutterctl --help")
    }
}
