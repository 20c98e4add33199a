// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import GPIO
import Glibc
import LinuxIO
import ShutterCore
import Testing

@Suite struct GPIOButtonTests {
    let fake = FakeGPIO(pi5: ())

    func button(_ active: ActiveVoltage = .low, say: @escaping (String) -> Void = { _ in }) throws(Fault) -> GPIOButton {
        try GPIOButton(name: .shutter, .init(.named("GPIO17"), active: active), finder: LineFinder(fake, headerChip: "pinctrl-rp1"), say: say)
    }

    func edge(_ isRising: Bool, _ sequence: UInt32? = nil, after: Duration = .zero) -> EdgeRecord {
        EdgeRecord(stamp: (fake.now + after).nanoseconds, sequence: sequence, isRising: isRising)
    }

    @Test(arguments: [ActiveVoltage.low, .high]) func voltagesBecomeLevels(active: ActiveVoltage) throws {
        let line = try button(active)
        #expect(line.drain() == [.found(active == .low ? .inactive : .active, at: fake.now)])
        #expect(line.deadline == nil)
        fake.line.isHighNow = false
        #expect(line.level() == (active == .low ? .active : .inactive))
        fake.line.waiting = [edge(false), edge(true)]
        let levels: [Level] = active == .low ? [.active, .inactive] : [.inactive, .active]
        #expect(line.drain() == levels.map { .edge($0, at: fake.now, sequence: nil) })
    }

    @Test func edgesFromBeforeTheFirstLevelAreLeftOut() throws {
        fake.line.waiting = [edge(false, 1), edge(true, 2)]
        let line = try button()
        #expect(line.drain() == [.found(.inactive, at: fake.now)])
        fake.line.waiting = [edge(false, 3)]
        #expect(line.drain() == [.edge(.active, at: fake.now, sequence: 1)])
    }

    /// Field case B05: without counted edges, a full read may be short of some; with them, the count tells.
    @Test func aFullReadIsAnOverrun() throws {
        let line = try button()
        _ = line.drain()
        fake.line.waiting = (0..<15).map { edge($0 % 2 == 1) }
        #expect(line.drain().count == 15)
        fake.line.waiting = (0..<20).map { edge($0 % 2 == 1) }
        let events = line.drain()
        #expect(events.count == 17)
        #expect(events.last == .overrun(at: fake.now))
        #expect(line.drain().count == 4)
        fake.line.waiting = (0..<16).map { edge($0 % 2 == 1, UInt32($0 + 1)) }
        #expect(line.drain().count == 16)
    }

    /// Field case B05 through the core, both variants: the true level wins, one press, and the loss is counted.
    @Test(arguments: [false, true]) func aBurstEndsInTheTrueLevel(isCounted: Bool) throws {
        let line = try button()
        var debouncer = Debouncer(.init())
        for event in line.drain() { _ = debouncer.handle(event) }
        fake.now = fake.now + .milliseconds(100)
        _ = debouncer.advance(to: fake.now, reading: (line.level()!, fake.now))
        let start = fake.now
        // 39 edges within 5 ms, the last one falling: 16 are kept, the oldest of them or the newest.
        let burst = (0..<39).map { (index: Int) -> EdgeRecord in
            let sequence = isCounted ? UInt32(index + 1) : nil
            return edge(index % 2 == 1, sequence, after: .microseconds(index * 120))
        }
        fake.line.waiting = Array(isCounted ? burst.suffix(16) : burst.prefix(16))
        fake.line.isHighNow = false
        fake.now = start + .milliseconds(50)
        var outputs: [Debouncer.Output] = []
        for event in line.drain() { outputs += debouncer.handle(event) }
        while let due = debouncer.deadline, due < start + .milliseconds(200) {
            fake.now = max(fake.now, due)
            outputs += debouncer.advance(to: due, reading: (line.level()!, fake.now))
        }
        #expect(debouncer.isPressed)
        #expect(outputs.count { if case .pressed = $0 { true } else { false } } == 1)
        #expect(debouncer.counts.eventsLost > 0)
        if isCounted { #expect(debouncer.counts.eventsLost == 23) }
    }

    /// Field case B18: the line goes, and comes back while it is pressed.
    @Test(arguments: [ENODEV, EIO, EBADF]) func anErrorClosesTheLineAndItComesBack(code: Int32) throws {
        let line = try button()
        _ = line.drain()
        fake.now = fake.now + .seconds(60)
        let lost = fake.now
        fake.line.failure = code
        #expect(line.level() == nil)
        #expect(line.drain() == [.lost(at: lost)])
        #expect(line.descriptor == -1)
        #expect(line.fault?.reason == "line-lost")
        #expect(line.fault?.message.contains("GPIO17 (line 17 of pinctrl-rp1, /dev/gpiochip0) is gone") == true)
        fake.chips = [:]
        #expect(line.deadline == lost + .milliseconds(100))
        // The pauses grow.
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let due = try #require(line.deadline)
            pauses.append(due - fake.now)
            fake.now = due
            #expect(line.drain() == [])
        }
        #expect(pauses == [100, 200, 400, 800, 1600, 3200, 5000, 5000].map { .milliseconds($0) })
        #expect(line.fault?.reason == "no-line")
        // Under another number.
        fake.chips["/dev/gpiochip3"] = FakeGPIO.Chip(0xfe03, "pinctrl-rp1", lines: 54)
        fake.line = FakeLine()
        fake.line.isHighNow = false
        _ = fake.takeTrace()
        fake.now = try #require(line.deadline)
        #expect(line.drain() == [.found(.active, at: fake.now)])
        #expect(fake.takeTrace() == ["input /dev/gpiochip3:17 pull-up edges"])
        #expect(line.fault == nil)
        #expect(line.level() == .active)
    }

    @Test func aLineThatFlapsIsNotTriedFaster() throws {
        let line = try button()
        var pauses: [Duration] = []
        for _ in 0..<4 {
            _ = line.drain()
            fake.line.failure = ENODEV
            _ = line.level()
            _ = line.drain()
            fake.line.failure = nil
            let due = try #require(line.deadline)
            pauses.append(due - fake.now)
            fake.now = due
            #expect(line.drain() == [.found(.inactive, at: fake.now)])
        }
        #expect(pauses == [100, 200, 400, 800].map { .milliseconds($0) })
    }

    @Test func aReadThatFailsLosesTheLine() throws {
        let line = try button()
        _ = line.drain()
        fake.line.failure = ENODEV
        #expect(line.drain() == [.lost(at: fake.now)])
        #expect(line.drain() == [])
    }

    /// Kernels before 5.7 stamp with CLOCK_REALTIME.
    @Test(arguments: [1_700_000_000_000_000_000, 0]) func stampsOfAnotherClockAreReplaced(stamp: Int64) throws {
        var said: [String] = []
        let line = try button { said.append($0) }
        _ = line.drain()
        fake.line.waiting = [EdgeRecord(stamp: stamp, sequence: nil, isRising: false), EdgeRecord(stamp: stamp + 5, sequence: nil, isRising: true)]
        #expect(line.drain() == [.edge(.active, at: fake.now, sequence: nil), .edge(.inactive, at: fake.now, sequence: nil)])
        fake.now = fake.now + .seconds(1)
        fake.line.waiting = [EdgeRecord(stamp: stamp + 1_000_000_000, sequence: nil, isRising: false)]
        #expect(line.drain() == [.edge(.active, at: fake.now, sequence: nil)])
        #expect(said.count == 1)
        #expect(said[0].contains("kernel 6.1.0-test stamps edges on another clock"))
    }

    @Test func stampsOfTheRightClockStay() throws {
        let line = try button { Issue.record("said \($0)") }
        _ = line.drain()
        let stamp = fake.now + .milliseconds(3)
        fake.line.waiting = [EdgeRecord(stamp: stamp.nanoseconds, sequence: nil, isRising: false)]
        fake.now = fake.now + .seconds(20)
        #expect(line.drain() == [.edge(.active, at: stamp, sequence: nil)])
    }
}

@Suite struct GPIOOutputTests {
    let fake = FakeGPIO(pi5: ())

    @Test(arguments: [ActiveVoltage.low, .high]) func levelsBecomeVoltages(active: ActiveVoltage) throws {
        do {
            let output = GPIOOutput(.named("GPIO17"), active: active, finder: LineFinder(fake, headerChip: "pinctrl-rp1"))
            try output.set(false)
            #expect(fake.takeTrace() == ["output /dev/gpiochip0:17 \(active == .low ? "high" : "low")"])
            try output.set(true)
            #expect(fake.line.isHighNow == (active == .high))
        }
        // Off when it is let go.
        #expect(fake.line.isHighNow == (active == .low))
    }

    @Test func aLineThatGoesIsRequestedAgain() throws {
        let output = GPIOOutput(.named("GPIO17"), active: .high, finder: LineFinder(fake, headerChip: "pinctrl-rp1"))
        try output.set(true)
        fake.line.failure = ENODEV
        fake.chips = [:]
        #expect(throws: Fault.self) { try output.set(false) }
        fake.chips["/dev/gpiochip3"] = FakeGPIO.Chip(3, "pinctrl-rp1", lines: 54)
        fake.line = FakeLine()
        _ = fake.takeTrace()
        // Not in a tight loop.
        #expect(throws: Fault.self) { try output.set(false) }
        #expect(fake.takeTrace() == [])
        fake.now = fake.now + .seconds(1)
        try output.set(true)
        #expect(fake.takeTrace() == ["output /dev/gpiochip3:17 high"])
    }

    @Test func aBusyLineNamesItsUser() throws {
        fake.uses[17] = "lirc"
        fake.answer = { _, _ in EBUSY }
        let output = GPIOOutput(.named("GPIO17"), active: .high, finder: LineFinder(fake, headerChip: ""))
        let fault = try caught(Fault.self) { () throws(Fault) in _ = try output.set(true) }
        #expect(fault.message.contains("is in use by \"lirc\""))
    }
}
