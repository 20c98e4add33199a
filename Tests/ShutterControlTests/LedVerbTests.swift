// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Testing

/// `led off` and `led test` as programs: a pixel device is a plain file here.
@Suite(.enabled(if: Program.path != nil)) struct LedVerbTests {
    /// A configuration of the ring, gone with the test.
    private final class Configured {
        let path = "/tmp/shutterctl-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"

        init(_ ring: String) throws {
            let text = "board = \"simulated\"\n[ring]\n\(ring.replacing("PIXELS", with: path + ".leds"))\n[control]\nsocket = \"\(path).sock\"\n"
            try AtomicFile.replace(path + ".toml", with: Array(text.utf8))
            try AtomicFile.replace(path + ".leds", with: [])
        }

        deinit { for end in [".toml", ".leds"] { unlink(path + end) } }

        func run(_ words: String) -> Program.Run {
            let boards = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/boards"
            return Program.run("--config \(path).toml --boards \(boards) \(words)")
        }

        var pixels: [UInt8] { get throws { try FileSystem.wholeFile(path + ".leds", atMost: 10_000) } }
    }

    static let pixels = "driver = \"led-class\"\ndevice = \"PIXELS\"\ncount = 3\nbrightness = 1"

    @Test func offWritesAllPixels() throws {
        let ring = try Configured(Self.pixels)
        #expect(ring.run("led off") == Program.Run(output: [], errors: "", code: 0))
        #expect(try ring.pixels == Array(repeating: 0, count: 12))
        #expect(try Configured("driver = \"none\"").run("led off").code == 0)
    }

    static let failures: [(ring: String, code: Int32, says: String)] = [
        ("driver = \"ws2812-spi\"\ndevice = \"/dev/spidev99.0\"", 69, "add dtparam=spi=on"),
        ("driver = \"ws2812-spi\"\ndevice = \"/dev/null\"", 78, "/dev/null is not an SPI device"),
        ("driver = \"apa102-spi\"\ndevice = \"/dev/spidev99.0\"\ncount = 1024\nbudget = \"2A\"", 78, "spidev.bufsiz=4168"),
        ("driver = \"led-class\"\ndevice = \"nonsuch\"", 69, "there is no LED nonsuch"),
        ("driver = \"pwm\"\ndevice = \"nonsuch\"", 69, "there is no PWM chip nonsuch"),
        ("count = 0", 78, "out of range"),
    ]

    @Test(arguments: failures.indices) func offSaysWhatIsWrong(_ row: Int) throws {
        let (ring, code, says) = Self.failures[row]
        let run = try Configured(ring).run("led off")
        #expect(run.code == code)
        #expect(run.errors.contains(says), "\(run.errors)")
        #expect(run.errors.hasPrefix("shutterctl: ") && run.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test func testLightsTheRingAndLeavesItOff() throws {
        let ring = try Configured(Self.pixels)
        let run = ring.run("--json led test idle-photo")
        #expect(run.code == 0)
        #expect(run.text.hasPrefix("{\"cue\":\"idle-photo\",\"pixels\":[[0.64"))
        #expect(try ring.pixels == Array(repeating: 0, count: 12))
    }

    @Test func testLeavesTheRingToTheDaemon() throws {
        let ring = try Configured(Self.pixels)
        let daemon = try FakeDaemon(answering: [])
        let run = ring.run("--socket \(daemon.socket) led test")
        #expect(run.code == 75)
        #expect(run.errors.contains("stop it first"))
    }
}
