// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// One request on the control socket: `{"verb": "mode", "args": ["video"]}`. Options are words of `args`, such as `--thumbnail`.
package struct Request: Equatable, Sendable {
    package var verb: String
    package var args: [String]

    package init(_ verb: String, _ args: [String] = []) {
        self.verb = verb
        self.args = args
    }

    /// Parses one line. Throws a `usage` failure. Whether the verb exists is for `VerbTable` to say.
    package init(line: String) throws(Failure) {
        try self.init(try JSONValue(parsing: line))
    }

    package init(_ value: JSONValue) throws(Failure) {
        guard let members = value.object else { throw Self.malformed("a request is an object") }
        guard let verb = members["verb"]?.string else { throw Self.malformed("\"verb\" must be a string") }
        var args: [String] = []
        if let given = members["args"] {
            guard let words = given.array else { throw Self.malformed("\"args\" must be an array of strings") }
            for word in words {
                guard let text = word.string else { throw Self.malformed("\"args\" must be an array of strings") }
                args.append(text)
            }
        }
        if let other = members.keys.filter({ $0 != "verb" && $0 != "args" }).min() {
            throw Self.malformed("unknown key \(Shown.text(other))")
        }
        self.init(verb, args)
    }

    /// The request as one line, without the line's end.
    package var line: String {
        JSONValue.object(["verb": .string(verb), "args": .array(args.map { .string($0) })]).line
    }

    private static func malformed(_ what: String) -> Failure {
        Failure(.usage, "bad-request", "\(what), as in {\"verb\": \"mode\", \"args\": [\"video\"]}")
    }
}
