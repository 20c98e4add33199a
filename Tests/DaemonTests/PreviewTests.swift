// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

@Suite("Preview", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct PreviewTests {
    /// `shutterctl preview`, under way, until it has printed so much.
    private func start(_ daemon: TestDaemon, _ words: [String] = [], until count: Int = 200_000, environment: [String: String] = [:]) throws -> Child {
        let child = try Child(Programs.control, ["preview", "--socket", daemon.socket] + words, environment: environment, in: daemon.scratch)
        let limit = Clock.now + patience
        while child.output.count < count {
            if child.hasEnded || Clock.now > limit { throw Late("\(count) bytes of preview; it said: \(child.errors)") }
            Clock.sleep(until: Clock.now + .milliseconds(20))
        }
        return child
    }

    private func pictures(_ bytes: [UInt8]) -> [[UInt8]] {
        var pictures: [[UInt8]] = []
        var start = 0
        for index in bytes.indices.dropFirst() where bytes[index - 1] == 0xFF && bytes[index] == 0xD9 {
            pictures.append(Array(bytes[start...index]))
            start = index + 1
        }
        return pictures
    }

    @Test func itIsAStreamOfWholePictures() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let child = try start(daemon)
        child.signal(SIGTERM)
        try child.exit()
        let codes = pictures(child.output).map { JPEG.timeCode($0) }
        #expect(codes.count > 5 && codes.allSatisfy { $0 != nil })
        let instants = codes.compactMap(\.self)
        // At most ten a second.
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(95) }, "\(instants)")
        // Nobody looks any more, so nothing is lent.
        let limit = Clock.now + patience
        while try daemon.ask("status")["camera"]?["lent"] != 0, Clock.now < limit {}
        #expect(try daemon.ask("status")["camera"]?["lent"] == 0)
    }

    @Test(.enabled(if: Shell.succeeds("command -v ffprobe"))) func ffprobeReadsIt() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let line = "\(Programs.control) --socket \(daemon.socket) preview | ffprobe -v error -show_entries stream=codec_name,width,height -of csv=p=0"
        for format in ["-f mjpeg", ""] {
            let child = try Child("/bin/sh", ["-c", "\(line) \(format) -"], in: daemon.scratch)
            try child.exit()
            #expect(child.outputText == "mjpeg,640,360\n", "\(format): \(child.outputText) \(child.errors)")
        }
    }

    /// Photos go first: three that look on change nothing.
    @Test func photosAreNotLater() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let children = try [start(daemon), start(daemon, ["--pixels"]), start(daemon)]
        for _ in 0..<20 { #expect(try daemon.ask("capture")["ok"] == true) }
        let photos = try Photo.all(in: daemon.media)
        #expect(photos.count == 20)
        // Half of 1/30 s: the nearest frame was there each time.
        for photo in photos { #expect(abs(photo.lag) <= 16_667 && photo.timeCode == photo.exposureCentre, "\(photo)") }
        #expect(try daemon.ask("status")["camera"]?["dropped"] == 0)
        for child in children { #expect(!child.hasEnded) }
        #expect(try daemon.stop() == 0)
        for child in children { #expect(try child.exit() == 69 && child.errors.contains("shutterd ended")) }
    }

    @Test func drawnWithoutATerminal() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let colours = try start(daemon, ["--terminal", "--columns", "40"], until: 20_000, environment: ["NO_COLOR": ""])
        colours.signal(SIGTERM)
        try colours.exit()
        let lines = colours.outputText.split(separator: "\n")
        #expect(lines[0].hasPrefix("\u{1B}[38;2;") && lines[0].count { $0 == "▀" } == 40, "\(lines[0])")
        // 40 wide and 16:9 is 22 pixels, two in a line; then back up.
        #expect(lines[11].hasPrefix("\u{1B}[11A\r") , "\(lines[11].prefix(20))")
        let letters = try start(daemon, ["--terminal", "--columns", "40"], until: 2000, environment: ["NO_COLOR": "1"])
        letters.signal(SIGTERM)
        try letters.exit()
        #expect(!letters.outputText.contains("\u{1B}[38") && letters.outputText.split(separator: "\n")[0].count == 40)
    }

    /// Who does not read on costs nothing, and nobody else waits for him.
    @Test func whoStandsStillHoldsNobodyUp() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let deaf = try daemon.client()
        #expect(try deaf.ask("preview")["ok"] == true)
        let child = try start(daemon, until: 600_000)
        child.signal(SIGTERM)
        try child.exit()
        #expect(try daemon.ask("status")["ok"] == true)
        withExtendedLifetime(deaf) {}
    }

    @Test(.enabled(if: SSHServer.isPossible)) func overSSH() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let server = try SSHServer(socket: daemon.socket)
        let client = try server.start("preview")
        let limit = Clock.now + patience
        while client.output.count < 100_000, !client.hasEnded, Clock.now < limit { Clock.sleep(until: Clock.now + .milliseconds(20)) }
        client.signal(SIGKILL)
        let code = try client.exit()
        let codes = pictures(client.output).map { JPEG.timeCode($0) }
        #expect(codes.count >= 2 && codes.allSatisfy { $0 != nil }, "\(client.output.count) bytes; \(code) \(client.errors) \(server.errors) \(daemon.child.errors)")
        try server.waitForNoGates()
        #expect(try daemon.ask("status")["ok"] == true)
    }

    @Test func beforeTheCameraIsThere() throws {
        let daemon = try TestDaemon.ready()
        let early = try daemon.ask("preview")
        // It may be ready by now.
        #expect(early["ok"] == true || early["error"] == "unavailable", "\(early.line)")
    }
}
