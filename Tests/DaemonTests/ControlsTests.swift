// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// The camera's controls, over the socket and from lines, down to the pixels and the EXIF.
@Suite("Controls", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct ControlsTests {
    static let settings = TestDaemon.quick + """

        [controls.zoom]
        remember = true
        [controls.brightness]
        camera = "Brightness"
        min = -1
        max = 1
        step = 0.1
        [controls.contrast]
        camera = "Contrast"
        min = 0
        max = 2
        default = 1
        [controls.look]
        titles = ["plain", "warm", "cold"]
        """

    @Test func setAndList() throws {
        let daemon = try TestDaemon.ready(Self.settings)
        try daemon.armed()
        #expect(try daemon.control(["set", "zoom", "2.04"]).outputText == "2\n")
        #expect(try daemon.control(["set", "ev", "-1"]).outputText == "-1\n")
        #expect(try daemon.control(["set", "look", "cold"]).outputText == "2\n")
        let list = try daemon.control(["controls"]).outputText
        #expect(list == """
            zoom        2     1 to 4 by 0.1
            ev          -1    -3 to 3 by 0.5
            brightness  0     -1 to 1 by 0.1
            contrast    -     the control contrast does nothing: this camera has no control Contrast
            look        cold  plain | warm | cold

            """)
        let json = try JSONValue(parsing: try daemon.control(["controls", "--json"]).outputText)
        #expect(json["controls"]?.array?.compactMap { $0["name"]?.string } == ["zoom", "ev", "brightness", "contrast", "look"])
        for (words, code, message) in [
            (["set", "zom", "1"], Int32(64), "did you mean zoom?"), (["set", "zoom", "much"], 64, "takes a number from 1 to 4"),
            (["set", "contrast", "1"], 75, "no control Contrast"), (["set", "look", "hot"], 64, "plain, warm, cold"), (["set", "zoom"], 64, "VALUE is missing"),
        ] {
            let child = try daemon.control(words)
            #expect(try child.exit() == code && child.errors.contains(message), "\(words): \(child.errors)")
        }
        #expect(try daemon.control(["ssh-gate"], through: ["/usr/bin/env", "SSH_ORIGINAL_COMMAND=set ev 1.5"]).outputText == "1.5\n")
        #expect(try daemon.stop() == 0)
    }

    /// The picture and its EXIF are as was set, and a restart remembers what it is to remember.
    @Test func thePictureIsAsWasSet() throws {
        let scratch = Scratch()
        var daemon = try TestDaemon.ready(Self.settings, in: scratch)
        try daemon.armed()
        func photo() throws -> (rgb: [UInt8], sidecar: JSONValue, bytes: [UInt8]) {
            // Frames from before a change are photos of the time before it.
            let frames = try #require(try daemon.ask("status")["camera"]?["frames"]?.int)
            let limit = Clock.now + patience
            while try daemon.ask("status")["camera"]?["frames"]?.int ?? 0 < frames + 12, Clock.now < limit { Clock.sleep(until: Clock.now + .milliseconds(20)) }
            let path = try #require(try daemon.ask("capture")["path"]?.string)
            let bytes = try FileSystem.wholeFile(path)
            let sidecar = try FileSystem.wholeFile(String(path.dropLast(3)) + "JSON")
            return (try #require(JPEG.decode(bytes)).rgb, try JSONValue(parsing: String(decoding: sidecar, as: UTF8.self)), bytes)
        }
        let plain = try photo()
        _ = try daemon.ask("set", ["zoom", "2"])
        let zoomed = try photo()
        #expect(zoomed.sidecar["ScalerCrop"] == "(160, 90)/320x180", "\(zoomed.sidecar.line)")
        // The lower half, where nothing but the counter moves: each pixel is the one at half the way from the middle.
        var near = 0
        for y in stride(from: 200, to: 300, by: 4) {
            for x in stride(from: 20, to: 500, by: 4) {
                let (one, other) = (Int(zoomed.rgb[(y * 640 + x) * 3]), Int(plain.rgb[((90 + y / 2) * 640 + 160 + x / 2) * 3]))
                if abs(one - other) < 24 { near += 1 }
            }
        }
        #expect(near > 25 * 120 * 8 / 10, "\(near) of \(25 * 120)")
        _ = try daemon.ask("set", ["ev", "-2"])
        let dark = try photo()
        func mean(_ rgb: [UInt8]) -> Double { Double(rgb[(40 * 640 * 3)...].reduce(0) { $0 + Int($1) }) / Double(rgb.count - 40 * 640 * 3) }
        // Two stops are 0.53 of the code, at a gamma of 2.2.
        #expect((0.48...0.58).contains(mean(dark.rgb) / mean(zoomed.rgb)), "\(mean(dark.rgb)) / \(mean(zoomed.rgb))")
        #expect(try Exif.rational(dark.bytes, tag: 0xA404) == 2)
        #expect(try Exif.rational(dark.bytes, tag: 0x9204) == -2)
        #expect(try daemon.stop() == 0)
        daemon = try TestDaemon.ready(Self.settings, in: scratch)
        try daemon.armed()
        let again = try daemon.ask("controls")["controls"]?.array ?? []
        #expect(again.first { $0["name"] == "zoom" }?["value"]?.number == 2 && again.first { $0["name"] == "ev" }?["value"]?.number == 0)
        #expect(try photo().sidecar["ScalerCrop"] == "(160, 90)/320x180")
        #expect(try daemon.stop() == 0)
    }
}

enum Exif {
    /// The value of a rational tag of the Exif IFD, read by hand; the two kinds of rationals differ in their sign alone.
    static func rational(_ jpeg: [UInt8], tag: UInt16) throws -> Double {
        let start = try #require((0..<4000).first { Array(jpeg[$0..<$0 + 6]) == Array("Exif".utf8) + [0, 0] }) + 6
        let isLittle = jpeg[start] == UInt8(ascii: "I")
        func number(_ at: Int, _ count: Int) -> Int {
            let bytes = jpeg[start + at..<start + at + count].map(Int.init)
            return (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | $1 }
        }
        func entry(_ folder: Int, _ tag: UInt16) -> Int? {
            (0..<number(folder, 2)).map { folder + 2 + $0 * 12 }.first { number($0, 2) == Int(tag) }
        }
        let exif = try #require(entry(number(4, 4), 0x8769))
        let place = number(try #require(entry(number(exif + 8, 4), tag), "no tag \(tag)") + 8, 4)
        return Double(Int32(truncatingIfNeeded: number(place, 4))) / Double(Int32(truncatingIfNeeded: number(place + 4, 4)))
    }
}
