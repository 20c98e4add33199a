// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore
import Testing

@testable import LEDRing

private let white = Colour(red: 1, green: 1, blue: 1)
private let faint = Colour(red: 1e-6, green: 0, blue: 0)

private final class RecordingLine: OutputLine, @unchecked Sendable {
    var levels: [Bool] = []
    var fault: Fault?
    func set(_ isActive: Bool) throws(Fault) {
        if let fault { throw fault }
        levels.append(isActive)
    }
}

@Suite struct LineRingTests {
    @Test func anyLightIsOnAndOnlyChangesAreSet() throws {
        let lines = [RecordingLine(), RecordingLine()]
        let ring = LineRing(lines)
        try ring.write([.off, .off])
        try ring.write([white, .off])
        try ring.write([faint, .off])
        try ring.write([.off, faint])
        #expect(lines.map(\.levels) == [[false, true, false], [false, true]])
    }

    @Test func aLineThatFailedIsSetAgain() throws {
        let line = RecordingLine()
        let ring = LineRing([line])
        try ring.write([white])
        line.fault = Fault("io", "gone")
        #expect(throws: Fault.self) { try ring.write([.off]) }
        line.fault = nil
        try ring.write([white])
        #expect(line.levels == [true, true])
    }
}

/// Fails to open, and to write, as often as the test wants.
private final class FlakyRing: RingDriver, @unchecked Sendable {
    struct State {
        var opensToFail = 0
        var writesToFail = 0
        var opened = 0
        var closed = 0
        var isBlocked = false
        var frames: [[Colour]] = []
    }
    let count = 1
    let state = Locked(State())

    func open() throws(Fault) -> any RingDriver {
        let fails = state.update { state in
            state.opened += 1
            defer { state.opensToFail -= 1 }
            return state.opensToFail > 0
        }
        if fails { throw Fault("no-device", "not there") }
        return self
    }

    func write(_ pixels: [Colour]) throws(Fault) {
        let fails = state.update { state in
            defer { state.writesToFail -= 1 }
            if state.writesToFail <= 0 { state.frames.append(pixels) }
            return state.writesToFail > 0
        }
        state.wait { $0.isBlocked ? nil : () }
        if fails { throw Fault("io", "gone") }
    }

    func close() { state.update { $0.closed += 1 } }

    func wait(_ condition: @escaping (State) -> Bool) -> Bool {
        state.wait(until: Clock.now + .seconds(5)) { condition($0) ? true : nil } ?? false
    }
}

@Suite struct RingRecoveryTests {
    private func writer(_ ring: FlakyRing) -> RingWriter {
        RingWriter(count: 1) { () throws(Fault) in try ring.open() }
    }

    @Test func aRingThatTurnsUpLaterShowsTheNewestFrame() {
        let ring = FlakyRing()
        ring.state.withLock { $0.opensToFail = 3 }
        let writer = writer(ring)
        writer.show([faint])
        writer.show([white])
        #expect(ring.wait { $0.frames.count == 1 })
        #expect(ring.state.withLock { $0.frames } == [[white]])
        #expect(ring.state.withLock { $0.opened } == 4)
        writer.close()
        #expect(ring.state.withLock { $0.frames } == [[white], [.off]])
        // One fault, however often it came, and its end.
        #expect(writer.drain() == [Fault("no-device", "not there"), nil])
    }

    @Test func aRingThatFailsIsOpenedAgain() {
        let ring = FlakyRing()
        let writer = writer(ring)
        #expect(ring.wait { $0.frames.count == 1 })
        ring.state.withLock { $0.writesToFail = 2 }
        writer.show([white])
        #expect(ring.wait { $0.frames.count == 2 })
        #expect(ring.state.withLock { $0.opened } == 3)
        #expect(ring.state.withLock { $0.closed } == 2)
        writer.close()
        #expect(writer.fault == nil)
        #expect(writer.drain() == [Fault("io", "gone"), nil])
    }

    @Test func aRingThatStaysAwayDoesNotHoldTheStopUp() {
        let ring = FlakyRing()
        ring.state.withLock { $0.opensToFail = .max }
        let writer = writer(ring)
        #expect(ring.wait { $0.opened >= 2 })
        let start = Clock.now
        writer.close()
        #expect(Clock.now - start < .milliseconds(400))
        #expect(writer.fault?.reason == "no-device")
    }

    /// Field case L05: who shows frames never waits for the bus, and the frame after the blockade is the newest one.
    @Test func aBlockedBusHoldsNobodyUp() {
        let ring = FlakyRing()
        ring.state.withLock { $0.isBlocked = true }
        let writer = writer(ring)
        #expect(ring.wait { $0.frames.count == 1 })
        let start = Clock.now
        writer.show([white])
        for _ in 0..<1000 { writer.show([faint]) }
        #expect(Clock.now - start < .milliseconds(100))
        ring.state.update { $0.isBlocked = false }
        #expect(ring.wait { $0.frames == [[.off], [faint]] })
        writer.close()
    }
}
