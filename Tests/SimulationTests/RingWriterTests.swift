// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import LEDRing

private let white = Colour(red: 1, green: 1, blue: 1)
private let red = Colour(red: 1, green: 0, blue: 0)

/// Records what it is given; holds every write up, or fails, for as long as the test wants.
private final class RecordingDriver: RingDriver, @unchecked Sendable {
    struct State {
        var frames: [[Colour]] = []
        var isBlocked = false
        var fault: Fault?
        var isClosed = false
    }
    let count = 2
    let state = Locked(State())

    func write(_ pixels: [Colour]) throws(Fault) {
        let fault = state.update { state in
            state.frames.append(pixels)
            return state.fault
        }
        state.wait { $0.isBlocked ? nil : () }
        if let fault { throw fault }
    }

    func close() { state.update { $0.isClosed = true } }

    var frames: [[Colour]] { state.withLock { $0.frames } }

    /// Waits until so many frames have come.
    func wait(for count: Int) { _ = state.wait(until: Clock.now + .seconds(5)) { $0.frames.count >= count ? () : nil } }
}

/// Whether it comes true within 5 s.
private func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = Clock.now + .seconds(5)
    while !condition() {
        if Clock.now > deadline { return false }
        Clock.sleep(until: Clock.now + .milliseconds(2))
    }
    return true
}

@Suite struct RingWriterTests {
    @Test func offAtTheStartAndAtTheEnd() {
        let driver = RecordingDriver()
        let writer = RingWriter(driver)
        driver.wait(for: 1)
        writer.show([white, red])
        driver.wait(for: 2)
        writer.close()
        #expect(driver.frames == [[.off, .off], [white, red], [.off, .off]])
        #expect(driver.state.withLock { $0.isClosed })
    }

    @Test func theNewestFrameWins() {
        let driver = RecordingDriver()
        driver.state.withLock { $0.isBlocked = true }
        let writer = RingWriter(driver)
        driver.wait(for: 1)
        for _ in 0..<100 { writer.show([red, red]) }
        writer.show([white, white])
        driver.state.update { $0.isBlocked = false }
        driver.wait(for: 2)
        #expect(driver.frames == [[.off, .off], [white, white]])
        writer.close()
    }

    @Test func nothingIsSentTwice() {
        let driver = RecordingDriver()
        let writer = RingWriter(driver)
        driver.wait(for: 1)
        writer.show([.off, .off])
        writer.show([red])
        driver.wait(for: 2)
        writer.show([red, .off])
        writer.close()
        #expect(driver.frames == [[.off, .off], [red, .off], [.off, .off]])
    }

    /// `lag --calibrate` stands on it.
    @Test func whenItWasWrittenIsKnown() {
        let driver = RecordingDriver()
        let writer = RingWriter(driver)
        #expect(eventually { writer.lastWrite != nil })
        driver.state.withLock { $0.isBlocked = true }
        let before = Clock.now
        writer.show([white, white])
        driver.wait(for: 2)
        let inside = Clock.now
        // Until it has come back, the last one is the one before.
        #expect(writer.lastWrite.map { $0.ended < before } == true)
        driver.state.update { $0.isBlocked = false }
        #expect(eventually { writer.lastWrite.map { $0.began >= before && $0.began <= inside && $0.ended >= inside } == true })
        writer.close()
    }

    @Test func aFailureIsToldAndTriedAgain() {
        let driver = RecordingDriver()
        driver.state.withLock { $0.fault = Fault("io", "gone") }
        let writer = RingWriter(driver)
        driver.wait(for: 1)
        writer.show([red, red])
        driver.wait(for: 2)
        #expect(eventually { writer.fault?.reason == "io" })
        driver.state.update { $0.fault = nil }
        writer.show([red, red])
        driver.wait(for: 3)
        #expect(eventually { writer.fault == nil })
        writer.close()
    }

    @Test func aHangingBusDoesNotHoldTheStopUp() {
        let driver = RecordingDriver()
        driver.state.withLock { $0.isBlocked = true }
        let writer = RingWriter(driver)
        driver.wait(for: 1)
        let start = Clock.now
        writer.show([red, red])
        writer.close()
        #expect(Clock.now - start < .seconds(3))
        driver.state.update { $0.isBlocked = false }
    }

    @Test func withoutATerminalOnlyWordsArePrinted() throws {
        var ends: [Int32] = [0, 0]
        try systemCall("pipe", "test") { pipe(&ends) }
        let (reader, output) = (Descriptor(adopting: ends[0]), Descriptor(adopting: ends[1]))
        let writer = RingWriter(try TerminalRing(count: 12, output: output.number))
        func printed() throws -> String { String(decoding: try reader.read(upTo: 1000) ?? [], as: UTF8.self) }
        writer.say("idle photo")
        #expect(try printed() == "idle photo\n")
        writer.show(Array(repeating: white, count: 12))
        writer.say("idle photo")
        writer.say("recording")
        #expect(try printed() == "recording\n")
        writer.close()
    }

    @Test(arguments: [(80, 30, "▀"), (20, 5, "●"), (12, 40, "●"), (200, 60, "▀")])
    func aTerminalIsDrawnInPlace(columns: Int, rows: Int, mark: Character) throws {
        let (master, slave) = try openTerminal()
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try systemCall("ioctl", "pty") { ioctl(slave.number, UInt(TIOCSWINSZ), &size) }
        let ring = try TerminalRing(count: 24, output: slave.number, environment: ["TERM": "xterm-256color"])
        func drawn() throws -> String {
            var text = ""
            var polled = pollfd(fd: master.number, events: Int16(POLLIN), revents: 0)
            while poll(&polled, 1, 50) > 0, polled.revents & Int16(POLLIN) != 0 {
                text += String(decoding: try master.read(upTo: 65536) ?? [], as: UTF8.self)
            }
            return text
        }
        try ring.write(Array(repeating: white, count: 24))
        let first = try drawn()
        #expect(first.hasPrefix("\u{1B}[?25l") && first.contains(mark))
        let lines = first.split(separator: "\r\n", omittingEmptySubsequences: false).count
        #expect(lines < rows)
        try ring.write(Array(repeating: red, count: 24))
        #expect(try drawn().hasPrefix("\u{1B}[\(lines - 1)A\r"))
        size.ws_col -= 2
        try systemCall("ioctl", "pty") { ioctl(slave.number, UInt(TIOCSWINSZ), &size) }
        try ring.write(Array(repeating: white, count: 24))
        #expect(try drawn().hasPrefix("\u{1B}[2J\u{1B}[H"))
        ring.close()
        #expect(try drawn().contains("\u{1B}[?25h"))
    }
}
