// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Simulation

private func ms(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

@Suite struct ButtonTests {
    /// Keys with their times in ms, and the edges that come of them: positive = press, negative = release.
    @Test(arguments: [
        ([(KeyPresses.Key.space, Int64(10))], [Int64(10), -90]),
        ([(.space, 10), (.space, 300)], [10, -90, 300, -380]),
        // Space held: the terminal repeats after 500 ms, every 33 ms.
        ([(.space, 10), (.space, 510), (.space, 543), (.space, 576), (.space, 609)], [10, -90, 510, -759]),
        // `h` once, and once more to let go.
        ([(.hold, 10), (.hold, 2000)], [10, -2000]),
        ([(.hold, 10), (.space, 2000)], [10, -2000]),
        // `h` held.
        ([(.hold, 10), (.hold, 510), (.hold, 543), (.hold, 576)], [10, -726]),
        ([(.hold, 10), (.hold, 510), (.hold, 543), (.hold, 2000), (.hold, 3000)], [10, -693, 2000, -3000]),
    ]) func keysBecomeEdges(keys: [(KeyPresses.Key, Int64)], expected: [Int64]) {
        var presses = KeyPresses()
        var edges: [Int64] = []
        func add(_ new: [(level: Level, at: Timestamp)]) {
            edges += new.map { $0.at.nanoseconds / 1_000_000 * ($0.level == .active ? 1 : -1) }
        }
        for (key, time) in keys {
            add(presses.advance(to: ms(time)))
            add(presses.handle(key, at: ms(time)))
        }
        add(presses.advance(to: ms(60_000)))
        #expect(edges == expected)
        #expect(presses.deadline == nil)
    }

    @Test func aBouncingTapBounces() {
        var presses = KeyPresses()
        var edges = presses.handle(.bounce, at: ms(10))
        edges += presses.handle(.space, at: ms(20))
        edges += presses.advance(to: ms(1000))
        #expect(edges.map(\.level) == KeyPresses.bouncing.map(\.1))
        #expect(edges.last?.at == ms(10) + .microseconds(83_200))
    }

    @Test func theButtonReportsChangesOnly() throws {
        let button = try SimulatedButton()
        guard case .found(.inactive, _)? = button.drain().first else { Issue.record("not found"); return }
        button.press(at: ms(1))
        button.press(at: ms(2))
        #expect(button.level() == .active)
        button.release(at: ms(3))
        #expect(button.drain() == [.edge(.active, at: ms(1), sequence: 1), .edge(.inactive, at: ms(3), sequence: 2)])
        #expect(button.level() == .inactive)
    }

    @Test func waveformsAreOrderedAndReal() {
        let waveform = Waveform(changes: [
            LevelChange(microseconds: 500, .inactive), LevelChange(microseconds: 100, .active),
            LevelChange(microseconds: 50, .inactive), LevelChange(microseconds: 200, .active),
        ], length: .milliseconds(2))
        #expect(waveform.changes == [LevelChange(microseconds: 100, .active), LevelChange(microseconds: 500, .inactive)])
        #expect(waveform.length == .milliseconds(2))
        let levels = [-1, 0, 99, 100, 499, 500, 9999].map { waveform.level(at: .microseconds($0)) }
        #expect(levels == [.inactive, .inactive, .inactive, .active, .active, .inactive, .inactive])
    }

    /// Field case B01 (a), played: exact stamps, in order, the level never behind.
    @Test func aPlayedWaveformIsStampedExactly() throws {
        let button = try SimulatedButton()
        let changes: [(Int64, Level)] = [
            (0, .active), (81_000, .inactive), (81_300, .active), (82_100, .inactive), (83_500, .active), (84_200, .inactive),
        ]
        let player = try WaveformPlayer(Waveform(changes: changes.map { LevelChange(microseconds: $0.0, $0.1) }, length: .milliseconds(100)), on: button)
        let start = Clock.now + .milliseconds(20)
        player.start(at: start)
        #expect(!player.hasEnded)
        Clock.sleep(until: start + .milliseconds(10))
        let level = button.level()
        // Unless this machine held us up until after the release.
        if Clock.now - start < .milliseconds(80) { #expect(level == .active) }
        var polled = pollfd(fd: player.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&polled, 1, 5000) == 1)
        #expect(player.drain() == [WaveformPlayer.Ended(at: start + .milliseconds(100))] && player.hasEnded)
        let expected = changes.enumerated().map { index, change in
            LineEvent.edge(change.1, at: start + .microseconds(change.0), sequence: UInt32(index + 1))
        }
        #expect(Array(button.drain().dropFirst()) == expected)
        #expect(button.level() == .inactive)
    }

    @Test func aHandOnTheButtonEndsTheWaveform() throws {
        let button = try SimulatedButton()
        let player = try WaveformPlayer(Waveform(changes: [LevelChange(microseconds: 0, .active), LevelChange(.seconds(60), .inactive)]), on: button)
        let start = Clock.now
        player.start(at: start)
        Clock.sleep(until: start + .milliseconds(100))
        button.release(at: Clock.now)
        #expect(button.level() == .inactive)
        player.stop()
        #expect(!player.hasEnded && player.drain().isEmpty)
        #expect(button.drain().count == 3)
    }

    @Test func keysOfATerminalWorkTheButton() throws {
        let (master, slave) = try openTerminal()
        let before = attributes(slave.number)
        let button = try SimulatedButton()
        let keys = try TerminalKeys(input: slave.number, buttons: [button])
        #expect(attributes(slave.number) & tcflag_t(ICANON | ECHO) == 0)
        let start = Clock.now
        _ = write(master.number, " mq", 3)
        var events: [TerminalKeys.Event] = []
        while events.count < 2, Clock.now - start < .seconds(5) {
            var polled = pollfd(fd: keys.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, 1000)
            events += keys.drain()
        }
        #expect(events == [.mode, .quit])
        var edges: [(Level, Timestamp)] = []
        while edges.count < 2, Clock.now - start < .seconds(5) {
            var polled = pollfd(fd: button.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, 1000)
            edges += button.drain().compactMap { if case .edge(let level, let at, _) = $0 { (level, at) } else { nil } }
        }
        #expect(edges.map(\.0) == [.active, .inactive])
        if edges.count == 2 { #expect(edges[1].1 - edges[0].1 == KeyPresses.tap) }
        keys.close()
        #expect(attributes(slave.number) == before)
    }
}

private func attributes(_ number: Int32) -> tcflag_t {
    var mode = termios()
    tcgetattr(number, &mode)
    return mode.c_lflag
}

/// Both ends of a pseudo-terminal. posix_openpt(3) and its kin are not in Swift's Glibc.
func openTerminal() throws -> (Descriptor, Descriptor) {
    let master = try Descriptor(open: "/dev/ptmx", O_RDWR | O_NOCTTY)
    var isLocked: Int32 = 0
    let (TIOCSPTLCK, TIOCGPTN): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    try systemCall("ioctl", "pty") { ioctl(master.number, TIOCSPTLCK, &isLocked) }
    var number: UInt32 = 0
    try systemCall("ioctl", "pty") { ioctl(master.number, TIOCGPTN, &number) }
    return (master, try Descriptor(open: "/dev/pts/\(number)", O_RDWR | O_NOCTTY))
}
