// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import Testing

struct HelpTests {
    private func expectOneScreen(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "" && lines.count - 1 <= 24, "\(text)")
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    @Test func theOverviewFitsOneScreen() {
        expectOneScreen(Help.overview)
        for verb in VerbTable.verbs where !verb.isHidden { #expect(Help.overview.contains(verb.name.split(separator: " ")[0])) }
    }

    @Test(arguments: VerbTable.verbs.map(\.name)) func eachVerbFitsOneScreen(_ name: String) throws {
        let verb = try #require(VerbTable.verb(named: name))
        let text = Help.about(verb)
        expectOneScreen(text)
        #expect(text.hasPrefix("Usage: shutterctl \(name)"))
        #expect(text.contains(verb.help))
        #expect(verb.help.hasSuffix("."))
    }

    @Test func namesAreUnique() {
        #expect(Set(VerbTable.verbs.map(\.name)).count == VerbTable.verbs.count)
        #expect(Set(VerbTable.verbs.map(\.request)).count == VerbTable.verbs.count)
        let families = VerbTable.verbs.map(\.name).filter { $0.contains(" ") }.map { String($0.prefix { $0 != " " }) }
        #expect(Set(families) == Set(VerbTable.families.keys))
        for verb in VerbTable.verbs {
            let options = (verb.options + VerbTable.globalOptions).map(\.name)
            #expect(Set(options).count == options.count)
        }
    }

    @Test func nothingThatNamesAFileGoesThroughTheGate() {
        for verb in VerbTable.verbs where verb.isAllowedThroughGate {
            #expect(!verb.arguments.contains { $0.kind == .file })
            for option in verb.options + VerbTable.globalOptions where option.kind == .file {
                #expect(caught(Failure.self) { try ParsedCommand([verb.name, "--\(option.name)", "x"], isRemote: true) }?.word == .usage)
            }
        }
    }
}
