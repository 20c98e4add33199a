// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ShutterConfig
import Testing

@Suite("The first file")
struct FirstFileTests {
    @Test func namesTheBoard() throws {
        let text = Settings.firstFile(board: "pi", model: "Raspberry Pi 4 Model B Rev 1.4\0")
        #expect(try resolve(text).settings.board == "pi")
        #expect(text.contains("# this is a Raspberry Pi 4 Model B Rev 1.4\n"))
    }

    @Test func saysThatNoBoardFits() throws {
        let all = usualBoards + boards([("generic", "[board]\ntitle = 'x'\n[button.shutter]\nline = 'GPIO17'")])
        for model in [nil, "Banana \"Pi\"\n[x]"] {
            let text = Settings.firstFile(board: nil, model: model)
            #expect(try resolve(text, boards: all, model: model).settings.board == "generic")
            #expect(text.contains("no profile of a board fits"))
        }
    }

    /// Every example in it can be used as it stands.
    @Test func teachesWhatIsRight() throws {
        let text = Settings.firstFile(board: "pi", model: nil)
        let used = text.replacing(/(?m)^# ([a-z]+ = )/) { "\($0.output.1)" }
        #expect(used.split(separator: "\n").count { !$0.hasPrefix("#") } > 20)
        #expect(faults(used) == [])
    }
}
