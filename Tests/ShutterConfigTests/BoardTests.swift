// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ShutterConfig
import ShutterCore
import Testing

private let models = boards([
    ("pi-5", "[board]\nmodels = ['Raspberry Pi 5', 'Raspberry Pi 500']\n[button.shutter]\nline = 'GPIO17'"),
    ("pi-3", "[board]\nmodels = ['Raspberry Pi 3']\n[button.shutter]\nline = 'GPIO17'"),
    ("pi-3-plus", "[board]\nmodels = ['Raspberry Pi 3 Model B Plus']\n[button.shutter]\nline = 'GPIO17'"),
    ("simulated", simulatedBoard),
])

private let advice = "(known: pi-3, pi-3-plus, pi-5, simulated; board = \"simulated\" needs no hardware)"

@Test(
    "the board is found by the model",
    arguments: [
        ("Raspberry Pi 5 Model B Rev 1.0", "pi-5"),
        ("Raspberry Pi 5 Model B Rev 1.0\0", "pi-5"),
        ("Raspberry Pi 500 Rev 1.0", "pi-5"),
        ("Raspberry Pi 5", "pi-5"),
        ("Raspberry Pi 3 Model B Rev 1.2", "pi-3"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "pi-3-plus"),
    ])
func found(model: String, board: String) throws {
    #expect(try resolve(nil, boards: models, model: model).settings.board == board)
    #expect(try resolve("board = 'simulated'", boards: models, model: model).settings.board == "simulated")
    #expect(try resolve("board = 'pi-5'", board: "simulated", boards: models, model: model).settings.board == "simulated")
}

@Test("no board")
func noBoard() {
    #expect(
        faults("", boards: models, model: "Raspberry Pi 50") == [
            "u.toml: board is not set, and no board profile fits the model \"Raspberry Pi 50\" \(advice)"
        ])
    #expect(faults(nil, boards: models, model: nil) == ["board is not set, and this machine tells no model \(advice)"])
    #expect(
        faults("board = 'pi5'", boards: models) == [
            "u.toml:1:9: unknown board \"pi5\"; did you mean \"pi-5\"? \(advice)"
        ])
    #expect(faults("board = ''", boards: models) == ["u.toml:1:9: unknown board \"\" \(advice)"])
    #expect(faults(nil, board: "x", boards: models) == ["unknown board \"x\" \(advice)"])
    #expect(
        faults(nil, boards: []) == [
            "board is not set, and no board profile fits the model \"Raspberry Pi 4 Model B Rev 1.4\" "
                + "(no board profiles were found; board = \"simulated\" needs no hardware)"
        ])
    // The rest of the file is still read.
    #expect(
        faults("board = 'nix'\nring.count = 0", boards: models) == [
            "u.toml:1:9: unknown board \"nix\" \(advice)", "u.toml:2:14: count = 0 is out of range; allowed: 1…1024",
        ])
}

@Test("faults name the file they are in")
func whichFile() {
    let bad = boards([("b", "[board]\ntitel = 'B'\n[photo]\nquality = 0\n[button.shutter]\nline = 'GPIO5'\nhold = '10ms'")])
    #expect(
        faults("[photo]\nsize = '3x3'", board: "b", boards: bad) == [
            "b.toml:2:1: unknown key \"titel\" in [board]; did you mean \"title\"?",
            "b.toml:4:11: quality = 0 is out of range; allowed: 1…100",
            "b.toml:7:8: button.shutter.hold = \"10ms\" must be longer than button.shutter.debounce = \"20ms\" (the default)",
            "u.toml:2:8: size = \"3x3\" is out of range; allowed: 16x16…16384x16384, even",
        ])
    let noLine = boards([("b", "[board]\ntitle = 'B'")])
    #expect(
        faults("", board: "b", boards: noLine) == ["u.toml: [button.shutter] has no line; set line = \"GPIO17\" or where the button is"])
    #expect(
        faults(nil, board: "b", boards: noLine) == ["b.toml: [button.shutter] has no line; set line = \"GPIO17\" or where the button is"])
    #expect(
        faults(nil, board: "b", boards: boards([("b", "board = 'c'\n[button.shutter]\nline = 'GPIO5'")])) == ["b.toml:1:1: [board] must be a table, not a string"])
    #expect(
        faults("", boards: boards([("b", "x = ")]), model: "y").map { $0.prefix(11) } == ["b.toml:1:5:", "u.toml: boa"])
}

@Test("HOME")
func home() throws {
    #expect(try resolve("board = 'simulated'", home: "/").settings.storage.root == "/media")
    #expect(try resolve("board = 'simulated'", home: "/home/me").settings.storage.root == "/home/me/media")
    do throws(SettingsFaults) {
        _ = try resolve("board = 'simulated'", home: nil)
        Issue.record("no fault")
    } catch {
        #expect(error.description == "simulated.toml:10:8: storage.root = \"~/media\" begins in the home folder, but HOME is not set")
    }
}
