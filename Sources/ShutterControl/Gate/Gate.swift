// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// What may be asked over SSH with one key: `command="shutterctl ssh-gate --allow status,mode",restrict`.
package struct Gate: Sendable {
    /// Verbs, or first words of verbs; nil = all that the table lets through.
    private let allowed: Set<String>?

    /// - Parameter allowed: a list such as `status,mode`, or nil.
    ///
    /// Throws a `configuration` failure for a word that is no verb: a key with a misspelt list can do nothing.
    package init(allow list: String?) throws(Failure) {
        guard let list else {
            allowed = nil
            return
        }
        let words = list.split(separator: ",", omittingEmptySubsequences: false).map { String($0.drop { $0 == " " }) }
        for word in words where !Self.names.contains(word) {
            let hint = NearestWord.hint(word, among: Self.names)
            throw Failure(.configuration, "allow-list", "ssh-gate --allow: \(Shown.text(word)) is nothing that may be asked over SSH\(hint); all of \(Self.names.joined(separator: ", ")) may")
        }
        allowed = Set(words)
    }

    /// What may stand in a list.
    package static let names: [String] = {
        var names: [String] = []
        for verb in VerbTable.verbs where verb.isAllowedThroughGate {
            for name in [verb.name, VerbTable.firstWord(verb.name)] where !names.contains(name) { names.append(name) }
        }
        return names
    }()

    /// What a command means; nothing at all means `status`.
    ///
    /// Throws `usage` for what makes no sense and `not-permitted` for what this key may not do.
    package func read(_ command: some Collection<UInt8>) throws(Failure) -> ParsedCommand {
        let words = try GateTokenizer.split(command)
        let parsed = try ParsedCommand(words.isEmpty ? ["status"] : words.map(\.text), isRemote: true)
        guard case .run(let invocation, _) = parsed else {
            try checkQuotes(words, free: [])
            return parsed
        }
        guard invocation.verb.isAllowedThroughGate else {
            throw Failure(.notPermitted, "not-permitted", "\(invocation.verb.name) cannot be asked over SSH; log in on the camera for it")
        }
        guard allows(invocation.verb) else {
            throw Failure(.notPermitted, "not-permitted", "this key may not ask for \(invocation.verb.name), only for: \(allowed?.sorted().joined(separator: ", ") ?? "")")
        }
        try checkQuotes(words, free: Self.freeWords(of: invocation))
        return parsed
    }

    private func allows(_ verb: Verb) -> Bool {
        guard let allowed else { return true }
        return allowed.contains(verb.name) || allowed.contains(VerbTable.firstWord(verb.name))
    }

    /// Quotes are for names and values that somebody chose. A word of our own needs none, and who puts it in quotes is
    /// trying how we split words.
    private func checkQuotes(_ words: [GateTokenizer.Word], free: Set<String>) throws(Failure) {
        guard let word = words.first(where: { $0.isQuoted && !free.contains($0.text) }) else { return }
        throw Failure(.usage, "not-allowed", "\(Shown.text(word.text)) may not stand in quotes: only names and values may")
    }

    private static func freeWords(of invocation: Invocation) -> Set<String> {
        func isFree(_ kind: Verb.Kind?) -> Bool { if case .choice? = kind { false } else { true } }
        let arguments = zip(invocation.verb.arguments, invocation.arguments).filter { isFree($0.0.kind) }.map(\.1)
        let values = invocation.verb.options.filter { $0.value != nil && isFree($0.kind) }.compactMap { invocation.options[$0.name] }
        return Set(arguments + values)
    }

    /// The line of the log: who asked for what, and what became of it.
    /// - Parameters:
    ///   - connection: SSH_CONNECTION; begins with the client's address.
    ///   - failure: nil = it is done.
    package static func audit(user: String, connection: [UInt8]?, command: [UInt8]?, failure: Failure?) -> String {
        let address = connection.map { Shown.bytes($0.prefix { $0 != UInt8(ascii: " ") }) } ?? "nowhere"
        let asked = command.map { Shown.bytes($0, limit: 120) } ?? "nothing"
        return "ssh-gate: user \(user) from \(address) asked for \(asked): \(failure.map { "refused (\($0.reason))" } ?? "allowed")"
    }
}
