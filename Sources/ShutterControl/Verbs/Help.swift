// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What `--help` prints, from the table.
package enum Help {
    /// One screen: at most 24 lines of 80 columns.
    package static var overview: String {
        var rows: [(String, String)] = []
        var seen: Set<String> = []
        for verb in VerbTable.verbs where !verb.isRare && !verb.isHidden {
            let family = VerbTable.firstWord(verb.name)
            guard seen.insert(family).inserted else { continue }
            rows.append(verb.name.contains(" ") ? familyRow(family) : (shortSynopsis(verb), verb.help))
        }
        let options = VerbTable.globalOptions.map(\.synopsis).joined(separator: ", ")
        let rare = VerbTable.verbs.filter(\.isRare).map(\.name).joined(separator: ", ")
        return """
            shutterctl VERB … asks shutterd, the camera, to do something.
            \(table(rows))

            Options: \(options)
            Also: \(rare). VERB --help tells more.

            """
    }

    /// All about one verb.
    package static func about(_ verb: Verb) -> String {
        var parts = ["Usage: shutterctl \(verb.synopsis)\n\n\(verb.help)\(verb.details.isEmpty ? "" : "\n\(verb.details)")"]
        let options = verb.options.filter { !$0.isHidden } + VerbTable.globalOptions.filter { concerns($0.name, verb) }
        parts.append("Options:\n" + table(options.map { ($0.letter.map { "-\($0), " } ?? "") + $0.synopsis }, options.map(\.help)))
        parts.append("Examples:\n" + verb.examples.map { "  \($0)" }.joined(separator: "\n"))
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// Whether a global option means something to a verb.
    private static func concerns(_ option: String, _ verb: Verb) -> Bool {
        switch option {
        case "socket": verb.place != .offline || ["doctor", "ssh-gate"].contains(verb.name)
        case "config", "boards": verb.place == .offline
        case "version": false
        default: true
        }
    }

    private static func familyRow(_ family: String) -> (String, String) {
        let members = VerbTable.verbs.filter { $0.name.hasPrefix(family + " ") }
        let names = members.map { String($0.name.dropFirst(family.count + 1)) }
        return ("\(family) \(names.joined(separator: "|"))", VerbTable.families[family] ?? "")
    }

    private static func shortSynopsis(_ verb: Verb) -> String {
        ([verb.name] + verb.arguments.map(\.synopsis)).joined(separator: " ")
    }

    private static func table(_ left: [String], _ right: [String]) -> String {
        table(Array(zip(left, right)))
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count + 2))\($0.1)" }.joined(separator: "\n")
    }
}
