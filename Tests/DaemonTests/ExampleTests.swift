// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// People copy what the documents show.
@Suite("Examples", .enabled(if: Programs.areThere, "shutterctl was not built beside the tests"))
struct ExampleTests {
    private static let root = FileSystem.folder(of: Programs.boards)

    /// Every example of settings is one that `config check` takes; the programs of hooks are not there.
    @Test(arguments: ["README.md", "boards/SETTINGS.md", "deploy/GUIDE.md"]) func examplesOfSettingsAreValid(document: String) throws {
        let scratch = Scratch()
        let text = String(decoding: try FileSystem.wholeFile(Self.root + "/" + document), as: UTF8.self)
        let examples = Self.examples(in: text)
        #expect(!examples.isEmpty)
        for example in examples {
            let settings = example.contains("\nboard = ") || example.hasPrefix("board = ") ? example : "board = \"raspberry-pi-5\"\n" + example
            let file = try scratch.write(settings, to: "example.toml")
            let check = try Child(Programs.control, ["config", "check", file, "--boards", Programs.boards], in: scratch)
            let code = try check.exit()
            let lines = check.outputText.split(separator: "\n")
            let faults = lines.filter { line in !["cannot be run", "(warning)", ": no faults"].contains { line.contains($0) } }
            #expect(!lines.isEmpty && faults.isEmpty && (code == 0 || check.outputText.contains("cannot be run")), "\(lines) in:\n\(settings)")
        }
    }

    /// What stands between ```toml and ```, indented by as much as its fence or not at all.
    private static func examples(in text: String) -> [String] {
        var (examples, current): ([String], [Substring]?) = ([], nil)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let word = line.drop { $0 == " " }
            if word == "```toml" {
                current = []
            } else if word == "```", let lines = current {
                examples.append(lines.joined(separator: "\n"))
                current = nil
            } else {
                current?.append(line)
            }
        }
        return examples
    }
}
