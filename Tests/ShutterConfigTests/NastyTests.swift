// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
@testable import ShutterConfig
import TestSupport
import Testing

// Texts that nobody writes on purpose, and files that are none.

/// Bytes, and where the one fault is; nil when they are read well. What the parser says is its own.
private struct Nasty: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var beginning: String?

    init(_ name: String, _ bytes: [UInt8], _ beginning: String?) {
        (self.name, self.bytes, self.beginning) = (name, bytes, beginning)
    }

    init(_ name: String, _ text: String, _ beginning: String?) { self.init(name, Array(text.utf8), beginning) }

    var testDescription: String { name }
}

private let nastyRows: [Nasty] = [
    Nasty("empty", "", nil),
    Nasty("only a byte order mark", [0xEF, 0xBB, 0xBF], nil),
    Nasty("byte order mark and CRLF", [0xEF, 0xBB, 0xBF] + Array("ring.count = 3\r\n".utf8), nil),
    Nasty("only a comment, no newline", "# x", nil),
    Nasty("NUL in a string", "photo.make = \"a\0b\"", "u.toml:1:16: "),
    Nasty("NUL outside", "\0", "u.toml:1:1: "),
    Nasty("invalid UTF-8 in a string", Array("photo.make = \"".utf8) + [0xFF, 0x22], "u.toml:1:"),
    Nasty("invalid UTF-8 in a comment", Array("\n# ".utf8) + [0xE4], "u.toml:2:"),
    Nasty("Latin-1", Array("photo.make = 'K".utf8) + [0xE4, 0x27], "u.toml:1:"),
    Nasty("UTF-16", [0xFF, 0xFE, 0x61, 0], "u.toml:1:1: "),
    Nasty("a surrogate", "photo.make = \"\\uD800\"", "u.toml:1:"),
    Nasty("cut in a string", "photo.make = \"abc", "u.toml:1:"),
    Nasty("cut after the sign", "photo.make =", "u.toml:1:"),
    Nasty("cut in a header", "[photo", "u.toml:1:"),
    Nasty("no value", "ring\n", "u.toml:1:"),
    Nasty("two values", "ring.count = 1 2", "u.toml:1:"),
    Nasty("a number that is too large", "ring.count = 99999999999999999999", "u.toml:1:"),
    Nasty("a date that cannot be", "ring.count = 2024-02-31", "u.toml:1:"),
    Nasty("a header that begins with no key", "[=]", "u.toml:1:2: "),
    Nasty("a header that begins with a dot", "[.x]", "u.toml:1:2: "),
    Nasty("é where a number ends", "ring.count = 1é", "u.toml:1:"),
    Nasty("é where a value begins", "ring.count = é", "u.toml:1:"),
    Nasty("é after a line that goes on", "photo.make = \"\"\"a \\\n é\"\"\"", nil),
    Nasty("one key twice", "[ring]\ncount = 1\ncount = 2", "u.toml:3:"),
    Nasty("one table twice", "[ring]\n[ring]", "u.toml:2:"),
    Nasty("a dotted key twice", "ring.count = 1\n[ring]\ncount = 2", "u.toml:2:"),
    Nasty("a table over a value", "board = 'pi'\n[board.x]", "u.toml:2:"),
    Nasty("arrays in arrays", "photo.formats = " + String(repeating: "[", count: 100_000), "u.toml:1:"),
    Nasty("closed arrays in arrays", "x = " + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000), "u.toml:1:"),
    Nasty("a key of a thousand parts", "a" + String(repeating: ".a", count: 1000) + " = 1", "u.toml:1:1: more than 255 dots in one line"),
    Nasty("a header of a hundred thousand parts", "[a" + String(repeating: ".a", count: 100_000) + "]", "u.toml:1:1: more than 255 dots"),
    Nasty("a key of two hundred parts", "ring" + String(repeating: ".a", count: 200) + " = 1", "u.toml:1:6: unknown table [ring.a]"),
    Nasty("a long value", "shutter.mode = '" + String(repeating: "é", count: 10_000) + "'", "u.toml:1:16: mode = \"ééé"),
    Nasty("a long key", String(repeating: "k", count: 10_000) + " = 1", "u.toml:1:1: unknown key \"kkk"),
]

@Test("nasty texts", arguments: nastyRows)
private func nasty(row: Nasty) {
    do throws(SettingsFaults) {
        _ = try Settings.resolve(
            SettingsText(file: "u.toml", bytes: row.bytes), in: Surroundings(boards: usualBoards, model: "Raspberry Pi 4"))
        #expect(row.beginning == nil)
    } catch {
        #expect(error.faults.count == 1, "\(error)")
        #expect(row.beginning.map { error.description.hasPrefix($0) } == true, "\(error.description.prefix(200))")
        #expect(error.description.utf8.count < 1000)
    }
}

@Test("a file of a hundred thousand typos does not take all day, and its faults are not endless")
func manyTypos() {
    let lines = (0..<60_000).map { "brightnes\($0) = 1" }.joined(separator: "\n")
    #expect((200...210).contains(faults("[ring]\n" + lines).count))
    #expect((200...210).contains(faults("[nix]\n" + lines).count))
}

@Test("no damage to a good file makes it trap")
func damaged() throws {
    let good = Array(try resolve("[hooks.a]\nevent = 'fault'\nrun = ['/bin/true']\n").text().utf8)
    // A linear congruential generator (Knuth's MMIX), so that every run is the same.
    var state: UInt64 = 1
    func random(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
    let pieces = ["0", "-", "\"", "'", "[", "]", ".", "=", "\n", "x", "off", "{", "}", "9999999999", "\u{0}", "é"].map { Array($0.utf8) }
    for _ in 0..<500 {
        var bytes = good
        for _ in 0...random(below: 3) {
            let start = random(below: bytes.count)
            bytes.replaceSubrange(start..<min(bytes.count, start + random(below: 8)), with: pieces[random(below: pieces.count)])
        }
        do throws(SettingsFaults) {
            _ = try Settings.resolve(SettingsText(file: "u.toml", bytes: bytes), in: Surroundings(boards: usualBoards))
        } catch { #expect(!error.faults.isEmpty) }
    }
}

@Suite("files") struct Files {
    /// Removed at the end of each test.
    private final class Folder {
        private let folder = TemporaryFolder()
        var path: String { folder.path }
        func write(_ name: String, _ bytes: [UInt8]) {
            let file = fopen("\(path)/\(name)", "w")!
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
    }

    private let folder = Folder()

    private func load(_ file: String?, model: String? = nil) throws(SettingsFaults) -> LoadedSettings {
        mkdir("\(folder.path)/boards", 0o755)
        folder.write("boards/pi.toml", Array(piBoard.utf8))
        folder.write("boards/.hidden.toml", Array("not = toml = at all".utf8))
        folder.write("boards/note.txt", Array("nor is this".utf8))
        return try Settings.load(
            file: file.map { "\(folder.path)/\($0)" }, boardFolders: ["/nonexistent", "\(folder.path)/boards"], model: model,
            environment: ["HOME": "/root"])
    }

    private func fault(_ file: String) -> String {
        do throws(SettingsFaults) {
            _ = try load(file, model: "Raspberry Pi 4 Model B")
            return ""
        } catch { return String(error.description.dropFirst(folder.path.count + 1)) }
    }

    @Test func well() throws {
        folder.write("u.toml", Array("ring.count = 12".utf8))
        #expect(try load("u.toml", model: "Raspberry Pi 4 Model B").settings.ring.count == 12)
        #expect(try load(nil, model: "Raspberry Pi 4 Model B").settings.ring.count == 24)
    }

    @Test func missing() { #expect(fault("u.toml") == "u.toml: cannot be opened: No such file or directory") }

    @Test func folderInsteadOfFile() { #expect(fault("boards") == "boards: cannot be read: Is a directory") }

    @Test func large() {
        folder.write("u.toml", [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20))
        #expect(fault("u.toml") == "")
        folder.write("u.toml", [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20 + 1))
        #expect(fault("u.toml") == "u.toml: is larger than 1 MiB; this is no settings file")
    }

    @Test func unreadable() {
        folder.write("u.toml", [])
        chmod("\(folder.path)/u.toml", 0)
        // Root may read everything.
        if geteuid() != 0 { #expect(fault("u.toml") == "u.toml: cannot be opened: Permission denied") }
    }

    @Test func model() {
        folder.write("u.toml", Array("Raspberry Pi 5 Model B Rev 1.0\0".utf8))
        #expect(deviceTreeModel(path: "\(folder.path)/u.toml") == "Raspberry Pi 5 Model B Rev 1.0")
        #expect(deviceTreeModel(path: "/nonexistent") == nil)
    }

    @Test("every profile that is delivered is well", arguments: [
        ("raspberry-pi-5", "Raspberry Pi 5 Model B Rev 1.0"), ("raspberry-pi-5", "Raspberry Pi 500 Rev 1.0"),
        ("raspberry-pi-5", "Raspberry Pi Compute Module 5 Rev 1.0"), ("raspberry-pi-4", "Raspberry Pi 4 Model B Rev 1.5"),
        ("raspberry-pi-4", "Raspberry Pi 400 Rev 1.0"), ("raspberry-pi-4", "Raspberry Pi Compute Module 4 Rev 1.1"),
        ("raspberry-pi-3", "Raspberry Pi 3 Model B Plus Rev 1.3"), ("raspberry-pi-zero-2-w", "Raspberry Pi Zero 2 W Rev 1.0"),
    ])
    func delivered(name: String, model: String) throws {
        let folder = String(#filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }) + "/boards"
        let loaded = try Settings.load(file: nil, boardFolders: [folder], model: model, environment: [:])
        #expect(loaded.settings.board == name)
        #expect(loaded.warnings.isEmpty)
        let simulated = try Settings.load(
            file: nil, boardFolders: [folder], model: model, board: "simulated", environment: ["HOME": "/home/me"])
        #expect(simulated.settings.camera.source == .simulated)
        #expect(simulated.settings.control.socket == "/home/me/.local/share/shutterd/control.sock")
        #expect(simulated.warnings.isEmpty)
    }
}
