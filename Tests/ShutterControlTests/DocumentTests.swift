// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterControl
import Testing

/// What is made of the table of verbs for others to read: shells, and man.
@Suite(.serialized) struct DocumentTests {
    private static func has(_ program: String) -> Bool { system("command -v \(program) >/dev/null 2>&1") == 0 }
    static let canRun = Program.path != nil

    /// What a shell prints that was given the completion.
    private func shell(_ command: String, _ shell: String) -> [String] {
        let program = Program.run("completion \(shell) | \(command)")
        #expect(program.code == 0 && program.errors.isEmpty, "\(program.errors)")
        return program.text.split(separator: "\n").map(String.init).sorted()
    }

    @Test(.enabled(if: canRun && has("bash")), arguments: [
        ("shutterctl m", ["mode"]), ("shutterctl mode ''", ["--boards", "--config", "--help", "--json", "--socket", "--version", "photo", "toggle", "video"]),
        ("shutterctl led ''", ["off", "test"]), ("shutterctl --json led test recording-", ["recording-slowly"]),
        ("shutterctl last --c", ["--cat", "--config"]), ("shutterctl --socket x config s", ["show"]), ("shutterctl replay --mode vid", []),
    ]) func bash(_ words: String, _ expected: [String]) {
        let run = "COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _shutterctl; printf \"%s\\n\" \"${COMPREPLY[@]}\""
        #expect(shell("bash -c 'eval \"$(cat)\"; \(run.replacing("'", with: "'\\''"))'", "bash") == expected)
    }

    @Test(.enabled(if: canRun && has("zsh")), arguments: [
        ("''", "''", "status:Show mode, camera, storage and counters."), ("led ''", "''", "off:Switch the ring off, without the daemon."),
        ("mode ''", "''", "toggle"), ("last --", "--", "--cat:write the file itself to stdout"),
    ]) func zsh(_ words: String, _ prefix: String, _ expected: String) {
        let run = "compdef() { : }; _files() { : }; _describe() { print -rl -- ${(P)@[-1]} }; eval \"$(cat)\"; words=(shutterctl \(words)); CURRENT=$#words; PREFIX=\(prefix); _shutterctl"
        #expect(shell("zsh -f -c '\(run.replacing("'", with: "'\\''"))'", "zsh").contains(expected))
    }

    @Test(.enabled(if: canRun && has("fish")), arguments: [
        ("shutterctl mo", "mode\tShow the mode, or change it."), ("shutterctl led ", "off\tSwitch the ring off, without the daemon."),
        ("shutterctl led test rec", "recording"), ("shutterctl last --c", "--cat\twrite the file itself to stdout"),
    ]) func fish(_ words: String, _ expected: String) {
        #expect(shell("fish -c 'source -; complete -C \"\(words)\"'", "fish").contains(expected))
    }

    @Test(.enabled(if: canRun && has("mandoc")), arguments: ["shutterctl", "shutterd", "shutterd.toml"]) func mandocHasNothingToSay(_ page: String) {
        let lint = Program.run("man \(page) | mandoc -T lint -W warning")
        #expect(lint.code == 0, "\(lint.text)")
        let shown = Program.run("man \(page) | mandoc -T utf8 | col -b").text
        switch page {
        case "shutterctl": for verb in VerbTable.verbs where !verb.isHidden { #expect(shown.contains(verb.name)) }
        case "shutterd": #expect(shown.contains("--exit-at-end") && shown.contains("SIGUSR2"))
        default: #expect(shown.contains("debounce") && shown.contains("[button.shutter]"))
        }
    }

    @Test func distributions() throws {
        #expect(Distribution([]) == nil)
        let one = try #require(Distribution([-3120]))
        #expect(one.p50 == -3120 && one.p99 == -3120 && one.classes.map(\.count) == [1])
        let many = try #require(Distribution((-500...499).map { Int64($0) * 10 }))
        #expect(many.count == 1000 && many.least == -5000 && many.most == 4990 && many.p50 == -10 && many.p90 == 3990 && many.p99 == 4890)
        #expect(many.classes.map(\.count).reduce(0, +) == 1000 && many.classes.count <= 13)
        #expect(many.classes.allSatisfy { $0.from < $0.to && $0.from % 1000 == 0 }, "\(many.classes)")
        #expect(Distribution(many.json) == many)
        for values in [[0, 0], [1, 2], [-1, 0], [7, 100_000_000], [-100_000_000, -7]] as [[Int64]] {
            let some = try #require(Distribution(values))
            #expect(some.classes.map(\.count).reduce(0, +) == values.count && some.classes.count <= 13, "\(values)")
            #expect(some.classes.first!.from <= some.least && some.classes.last!.to > some.most, "\(values)")
        }
    }
}
