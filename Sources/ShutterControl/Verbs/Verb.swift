// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that can be asked for: a row of `VerbTable`, from which arguments are parsed and help is written.
package struct Verb: Equatable, Sendable {
    /// What a positional argument may be.
    package enum Kind: Equatable, Sendable {
        /// One of these words.
        case choice([String])
        /// The bare name of a saved file, such as `IMG_0001.JPG`: never a path.
        case mediaName
        /// A path on this machine.
        case file
        /// A whole number.
        case whole(ClosedRange<Int>)
        /// A number and its unit: `10s`.
        case duration
        /// Whatever its owner says.
        case text
    }

    package struct Argument: Equatable, Sendable {
        package var name: String
        package var kind: Kind
        package var isOptional: Bool

        package init(_ name: String, _ kind: Kind, optional: Bool = false) {
            self.name = name
            self.kind = kind
            isOptional = optional
        }
    }

    package struct Option: Equatable, Sendable {
        /// Without the dashes.
        package var name: String
        package var letter: Character?
        /// The name of its value in help, or nil when it is a switch.
        package var value: String?
        /// What the value may be, if the option has one.
        package var kind: Kind?
        package var help: String
        /// Not in help: for tests, and for those who know.
        package var isHidden: Bool

        package init(_ name: String, letter: Character? = nil, value: String? = nil, kind: Kind? = nil, isHidden: Bool = false, help: String) {
            self.isHidden = isHidden
            self.name = name
            self.letter = letter
            self.value = value
            self.kind = kind
            self.help = help
        }
    }

    /// Whether it only looks or changes something. The daemon checks the peer against it.
    package enum Access: String, Equatable, Sendable { case read, write }

    /// Who does it.
    package enum Place: Equatable, Sendable {
        /// shutterd, which answers once and within this many seconds.
        case daemon(seconds: Int)
        /// shutterd, which sends line after line until one side ends.
        case stream
        /// shutterctl alone.
        case offline
    }

    /// What stands on stdout without `--json`.
    package enum Output: Equatable, Sendable {
        /// Nothing: the exit code says it.
        case nothing
        /// All fields, as aligned `key: value` lines.
        case fields
        /// One field's value.
        case value(String)
        /// `path`, or each of `paths`, or of the `entries`.
        case paths
        /// The bytes of the file at `path`.
        case contents
        /// One line an event.
        case events
    }

    /// As typed; two words for a member of a family, such as `config check`.
    package var name: String
    /// The word in a request, where it is not the name.
    package var request: String
    package var arguments: [Argument]
    package var options: [Option]
    package var access: Access
    package var place: Place
    /// Whether it may be asked for through the SSH gate.
    package var isAllowedThroughGate: Bool
    package var output: Output
    /// Whether it is for those who install a camera: the list of verbs has only its name.
    package var isRare: Bool
    /// Not in help: for those who make packages.
    package var isHidden: Bool
    /// One sentence, at most 50 characters, so that the list of verbs stays within 80 columns.
    package var help: String
    /// What else is to be known, in lines of at most 78 characters; may be empty.
    package var details: String
    package var examples: [String]

    package init(
        _ name: String, request: String? = nil, takes arguments: [Argument] = [], options: [Option] = [], _ access: Access,
        by place: Place = .daemon(seconds: 30), gate: Bool, output: Output, isRare: Bool = false, isHidden: Bool = false, help: String, details: String = "", examples: [String]
    ) {
        self.name = name
        self.request = request ?? name
        self.arguments = arguments
        self.options = options
        self.access = access
        self.place = place
        isAllowedThroughGate = gate
        self.output = output
        self.isRare = isRare
        self.isHidden = isHidden
        self.help = help
        self.details = details
        self.examples = examples
    }

    /// How it is written: `mode [photo|video|toggle]`.
    package var synopsis: String {
        ([name] + arguments.map(\.synopsis) + options.filter { !$0.isHidden }.map { "[\($0.synopsis)]" }).joined(separator: " ")
    }
}

extension Verb.Argument {
    var synopsis: String {
        // A long list would not fit on a line; a wrong word is answered with all of them.
        var word = name
        if case .choice(let words) = kind, words.joined().count <= 20 { word = words.joined(separator: "|") }
        return isOptional ? "[\(word)]" : word
    }
}

extension Verb.Option {
    var synopsis: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
