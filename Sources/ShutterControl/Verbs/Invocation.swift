// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// A verb with the words that were given to it, checked against its row of the table.
package struct Invocation: Equatable, Sendable {
    package var verb: Verb
    package var arguments: [String]
    /// The verb's own options by name; the value of a switch is empty.
    package var options: [String: String]

    /// Throws a `usage` failure that says which word is wrong and what would be right.
    package init(_ verb: Verb, arguments: [String] = [], options: [String: String] = [:]) throws(Failure) {
        self.verb = verb
        self.arguments = arguments
        self.options = options
        for (position, argument) in verb.arguments.enumerated() {
            if position < arguments.count {
                try Self.check(arguments[position], argument.kind, argument.name, of: verb)
            } else if !argument.isOptional {
                throw Failure(.usage, "missing-argument", "\(verb.name): \(argument.name) is missing\(argument.choices(", one of ")); usage: shutterctl \(verb.synopsis)")
            }
        }
        if arguments.count > verb.arguments.count {
            let extra = Shown.text(arguments[verb.arguments.count])
            throw Failure(.usage, "unexpected-argument", "\(verb.name): \(extra) is too much; usage: shutterctl \(verb.synopsis)")
        }
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            guard let option = verb.options.first(where: { $0.name == name }) else {
                let hint = NearestWord.to(name, among: verb.options.map(\.name)).map { "; did you mean --\($0)?" } ?? ""
                throw Failure(.usage, "unknown-option", "\(verb.name): unknown option \(Shown.text("--" + name))\(hint)")
            }
            if (option.value == nil) != value.isEmpty {
                throw Failure(.usage, "bad-argument", "\(verb.name): --\(name) takes \(option.value == nil ? "no" : "a") value")
            }
            if let kind = option.kind { try Self.check(value, kind, "--\(name)", of: verb) }
        }
    }

    /// Reads a request as the daemon gets it. Throws a `usage` failure, also for verbs that are not the daemon's to do.
    package init(_ request: Request) throws(Failure) {
        guard let verb = VerbTable.verbs.first(where: { $0.request == request.verb }) else {
            let hint = NearestWord.hint(request.verb, among: VerbTable.verbs.filter { $0.place != .offline }.map(\.request))
            throw Failure(.usage, "unknown-verb", "unknown verb \(Shown.text(request.verb))\(hint)")
        }
        guard verb.place != .offline else {
            throw Failure(.usage, "unknown-verb", "\(verb.name) is done by shutterctl, not by the daemon")
        }
        var arguments: [String] = []
        var options: [String: String] = [:]
        var onlyArguments = false
        for word in request.args {
            if onlyArguments || !word.hasPrefix("--") {
                arguments.append(word)
            } else if word == "--" {
                onlyArguments = true
            } else {
                let name = word.dropFirst(2).prefix { $0 != "=" }
                options[String(name)] = String(word.dropFirst(2 + name.count + 1))
            }
        }
        try self.init(verb, arguments: arguments, options: options)
    }

    /// What is sent to the daemon.
    package var request: Request {
        let switches = options.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? "--\($0.key)" : "--\($0.key)=\($0.value)" }
        let needsEnd = arguments.contains { $0.hasPrefix("--") }
        return Request(verb.request, switches + (needsEnd ? ["--"] : []) + arguments)
    }

    /// Whether the words of this invocation only look: `mode`, `drive` and `lag` without any do.
    package var onlyReads: Bool {
        verb.access == .read || (["mode", "drive", "lag"].contains(verb.name) && arguments.isEmpty && options.isEmpty)
    }

    private static func check(_ word: String, _ kind: Verb.Kind, _ name: String, of verb: Verb) throws(Failure) {
        switch kind {
        case .choice(let words):
            guard !words.contains(word) else { return }
            let hint = NearestWord.hint(word, among: words)
            let cure = hint.isEmpty ? "; one of \(words.joined(separator: ", "))" : hint
            throw Failure(.usage, "bad-argument", "\(verb.name): \(Shown.text(word)) is no \(name)\(cure)")
        case .mediaName:
            let isBare = !word.isEmpty && word.utf8.count <= 255 && !word.hasPrefix(".") && !word.hasPrefix("-")
                && word.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
            guard isBare else {
                throw Failure(.usage, "bad-argument", "\(verb.name): \(Shown.text(word)) is not a bare file name such as IMG_0001.JPG")
            }
        case .whole(let range):
            guard !isNumber(word) || !(Int(word).map(range.contains) ?? false) else { return }
            throw Failure(.usage, "bad-argument", "\(verb.name): \(Shown.text(word)) is no \(name); a whole number from \(range.lowerBound) to \(range.upperBound)")
        case .duration:
            guard DurationText.parse(word) == nil else { return }
            throw Failure(.usage, "bad-argument", "\(verb.name): \(Shown.text(word)) is no \(name); a number and its unit, such as 10s, 500ms or 5m")
        case .file, .text:
            guard !word.isEmpty else { throw Failure(.usage, "bad-argument", "\(verb.name): \(name) is empty") }
        }
    }
}

extension Verb.Argument {
    func choices(_ prefix: String) -> String {
        if case .choice(let words) = kind { prefix + words.joined(separator: ", ") } else { "" }
    }
}
