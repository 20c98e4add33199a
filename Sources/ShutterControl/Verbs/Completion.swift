// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Completion for shells, from the table of verbs.
package enum Completion {
    package static let shells = ["bash", "zsh", "fish"]

    package static func script(for shell: String) -> String {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        default: fish
        }
    }

    /// What may follow the words of a verb: nil = files, or nothing that is known.
    private enum Next {
        case words([String])
        case files, mediaNames, nothing
    }

    private static func next(_ kind: Verb.Kind) -> Next {
        switch kind {
        case .choice(let words): .words(words)
        case .file: .files
        case .mediaName: .mediaNames
        case .whole, .duration, .text: .nothing
        }
    }

    private static func options(_ verb: Verb?) -> [Verb.Option] {
        ((verb?.options ?? []) + VerbTable.globalOptions).filter { !$0.isHidden }
    }

    private static var verbs: [Verb] { VerbTable.verbs.filter { !$0.isHidden } }

    /// First words, each once.
    private static var firstWords: [(word: String, help: String)] {
        var seen: Set<String> = []
        return verbs.compactMap { verb in
            let word = VerbTable.firstWord(verb.name)
            return seen.insert(word).inserted ? (word, VerbTable.families[word] ?? verb.help) : nil
        }
    }

    private static let namesCommand = "shutterctl list 2>/dev/null | sed 's|.*/||'"

    // MARK: bash

    private static var bash: String {
        let valued = Set((verbs.flatMap(\.options) + VerbTable.globalOptions).filter { $0.value != nil }.flatMap { option in
            ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
        }).sorted().joined(separator: "|")
        var rows = ["        '') words='\(firstWords.map(\.word).joined(separator: " ")) \(dashed(options(nil)))' ;;"]
        for (family, _) in VerbTable.families.sorted(by: { $0.key < $1.key }) {
            let members = verbs.filter { $0.name.hasPrefix(family + " ") }.map { String($0.name.dropFirst(family.count + 1)) }
            rows.append("        '\(family)') words='\(members.joined(separator: " "))' ;;")
        }
        for verb in verbs {
            let own = dashed(options(verb))
            switch verb.arguments.first.map({ next($0.kind) }) ?? .nothing {
            case .words(let choices): rows.append("        '\(verb.name)') words='\(choices.joined(separator: " ")) \(own)' ;;")
            case .files: rows.append("        '\(verb.name)') words='\(own)' files=1 ;;")
            case .mediaNames: rows.append("        '\(verb.name)') words=\"$(\(namesCommand)) \(own)\" ;;")
            case .nothing: rows.append("        '\(verb.name)'*) words='\(own)' ;;")
            }
        }
        return """
            # bash completion for shutterctl: source <(shutterctl completion bash)
            _shutterctl() {
                local cur=${COMP_WORDS[COMP_CWORD]} verb='' words='' files='' word i
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    case $word in
                        \(valued)) ((i++)) ;;
                        -*) ;;
                        *) verb+=${verb:+ }$word ;;
                    esac
                done
                # The value of an option.
                if ((i > COMP_CWORD)); then
                    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
                    return
                fi
                case $verb in
            \(rows.joined(separator: "\n"))
                    *) words='\(dashed(options(nil)))' ;;
                esac
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; [ -z "$files" ] || compgen -f -- "$cur")
            }
            complete -o filenames -F _shutterctl shutterctl

            """
    }

    private static func dashed(_ options: [Verb.Option]) -> String { options.map { "--\($0.name)" }.joined(separator: " ") }

    // MARK: zsh

    private static var zsh: String {
        var rows: [String] = []
        for (family, _) in VerbTable.families.sorted(by: { $0.key < $1.key }) {
            let members = verbs.filter { $0.name.hasPrefix(family + " ") }
                .map { "\(quoted("\($0.name.dropFirst(family.count + 1)):\($0.help)"))" }
            rows.append("        (\(family)) choices=(\(members.joined(separator: " "))) ;;")
        }
        for verb in verbs {
            let pattern = quoted(verb.name)
            let own = options(verb).map { quoted("--\($0.name):\($0.help)") }.joined(separator: " ")
            switch verb.arguments.first.map({ next($0.kind) }) ?? .nothing {
            case .words(let words): rows.append("        (\(pattern)) choices=(\(words.map(quoted).joined(separator: " "))); options=(\(own)) ;;")
            case .files: rows.append("        (\(pattern)) files=1; options=(\(own)) ;;")
            case .mediaNames: rows.append("        (\(pattern)) choices=(${(f)\"$(\(namesCommand))\"}); options=(\(own)) ;;")
            case .nothing: rows.append("        (\(pattern)*) options=(\(own)) ;;")
            }
        }
        let first = firstWords.map { quoted("\($0.word):\($0.help)") }.joined(separator: " ")
        let global = options(nil).map { quoted("--\($0.name):\($0.help)") }.joined(separator: " ")
        return """
            #compdef shutterctl
            # zsh completion for shutterctl: shutterctl completion zsh > "${fpath[1]}/_shutterctl"
            _shutterctl() {
                local verb= word files=
                local -a choices options
                for word in ${words[2,CURRENT-1]}; do
                    [[ $word == -* ]] || verb+=${verb:+ }$word
                done
                options=(\(global))
                case $verb in
                    ('') choices=(\(first)) ;;
            \(rows.joined(separator: "\n"))
                esac
                if [[ $PREFIX == -* ]]; then
                    _describe -o option options
                else
                    (( $#choices )) && _describe word choices
                    [[ -z $files ]] || _files
                fi
            }
            compdef _shutterctl shutterctl 2>/dev/null

            """
    }

    // MARK: fish

    private static var fish: String {
        var lines = [
            "# fish completion for shutterctl: shutterctl completion fish > ~/.config/fish/completions/shutterctl.fish",
            "complete -c shutterctl -f",
        ]
        for (word, help) in firstWords { lines.append("complete -c shutterctl -n __fish_use_subcommand -a \(word) -d \(quoted(help))") }
        for option in options(nil) { lines.append("complete -c shutterctl " + fishOption(option)) }
        for verb in verbs {
            let parts = verb.name.split(separator: " ").map(String.init)
            var condition = parts.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            if parts.count > 1 {
                let siblings = verbs.filter { $0.name.hasPrefix(parts[0] + " ") }.map { String($0.name.dropFirst(parts[0].count + 1)) }
                let open = "__fish_seen_subcommand_from \(parts[0]); and not __fish_seen_subcommand_from \(siblings.joined(separator: " "))"
                lines.append("complete -c shutterctl -n \(quoted(open)) -a \(parts[1]) -d \(quoted(verb.help))")
            }
            for option in verb.options where !option.isHidden { lines.append("complete -c shutterctl -n \(quoted(condition)) \(fishOption(option))") }
            guard let argument = verb.arguments.first else { continue }
            switch next(argument.kind) {
            case .words(let words):
                condition += "; and not __fish_seen_subcommand_from \(words.joined(separator: " "))"
                lines.append("complete -c shutterctl -n \(quoted(condition)) -a \(quoted(words.joined(separator: " ")))")
            case .files: lines.append("complete -c shutterctl -n \(quoted(condition)) -F")
            case .mediaNames: lines.append("complete -c shutterctl -n \(quoted(condition)) -a \"(\(namesCommand))\"")
            case .nothing: break
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishOption(_ option: Verb.Option) -> String {
        let letter = option.letter.map { " -s \($0)" } ?? ""
        let value = option.value == nil ? "" : option.kind == .file ? " -r -F" : " -x"
        return "-l \(option.name)\(letter)\(value) -d \(quoted(option.help))"
    }

    /// For all three shells.
    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "’") + "'" }
}
