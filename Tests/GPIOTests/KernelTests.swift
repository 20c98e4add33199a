// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import GPIO
import Glibc
import LinuxIO
import ShutterCore
import Testing

/// The folder of a simulated line of the virtual Pi: `…/gpiochip0/sim_gpio20`.
private let simulatedLine = getenv("SHUTTERD_SIM_LINE").map { String(cString: $0) }

/// libgpiod and the kernel themselves.
@Suite(.serialized, .enabled(if: simulatedLine != nil)) struct KernelTests {
    let folder: String
    let offset: UInt32
    let chip: String
    let kernel = KernelGPIO()

    init() throws {
        folder = try #require(simulatedLine)
        offset = try #require(folder.split(separator: "_").last.flatMap { UInt32($0.dropFirst(4)) })
        let name = try #require(folder.split(separator: "/").dropLast().last)
        chip = "/dev/\(name)"
    }

    func pull(_ isUp: Bool) throws {
        let file = try Descriptor(open: folder + "/pull", O_WRONLY)
        try Array((isUp ? "pull-up" : "pull-down").utf8).withUnsafeBytes { try file.writeAll($0, subject: folder) }
    }

    /// Long enough for the simulation to tell of an edge.
    func tick() { Clock.sleep(until: Clock.now + .milliseconds(4)) }

    func button(_ bias: LineBias = .pullUp) throws -> GPIOButton {
        let address = LineAddress.offset(chip: chip, offset)
        return try GPIOButton(name: .shutter, .init(address, bias: bias), finder: LineFinder(headerChip: "")) { Issue.record("said \($0)") }
    }

    @Test func theChipTellsItsFacts() throws {
        #expect(kernel.nodes().contains { $0.path == chip && !$0.isLink })
        let facts = try kernel.chip(chip)
        #expect(facts.label == "pinctrl-bcm2711")
        #expect(facts.lineNames.count == 54)
        #expect(facts.lineNames[Int(offset)] == "GPIO\(offset)")
        #expect(try kernel.use(of: offset, on: chip) == LineUse(isUsed: false, consumer: ""))
    }

    @Test func edgesCarryTheInstant() throws {
        try pull(true)
        let line = try button()
        #expect(line.drain().count == 1)
        #expect(line.level() == .inactive)
        var expected: [Level] = []
        for level in [Level.active, .inactive, .active, .inactive] {
            let before = Clock.now
            try pull(level == .inactive)
            tick()
            #expect(line.level() == level)
            #expect(Poller.wait([.init(line.descriptor)], until: Clock.now + .seconds(1)) == [0])
            let events = line.drain()
            #expect(events.count == 1)
            expected.append(level)
            guard case let .edge(edge, at: instant, sequence: sequence)? = events.first else { continue }
            #expect(edge == level)
            #expect(instant >= before && instant <= Clock.now)
            if let sequence { #expect(sequence == expected.count) }
        }
        #expect(line.drain() == [])
    }

    @Test func theBiasIsSet() throws {
        try pull(true)
        let down = try kernel.requestInput(offset, on: chip, bias: .pullDown, withEdges: true)
        #expect(try !down.isHigh())
        withExtendedLifetime(down) {}
    }

    @Test func aLineIsHeldOnce() throws {
        let line = try button()
        #expect(try kernel.use(of: offset, on: chip) == LineUse(isUsed: true, consumer: "shutterd"))
        let second = try button()
        #expect(second.fault?.reason == "in-use")
        #expect(second.fault?.message.contains("another shutterd has it") == true)
        withExtendedLifetime(line) {}
    }

    /// Field case B05: 1.x keeps the 16 oldest and cannot tell; 2.x counts.
    @Test func aFullQueueShows() throws {
        try pull(true)
        let line = try button()
        _ = line.drain()
        let queue = try kernel.requestInput(offset + 1, on: chip, bias: .asIs, withEdges: true).queueSize
        for index in 0..<(queue + 21) {
            try pull(index % 2 == 1)
            tick()
        }
        let events = line.drain()
        var counts = Debouncer(.init())
        _ = counts.handle(.found(.inactive, at: Clock.now))
        for event in events { _ = counts.handle(event) }
        #expect(events.count == (queue == 16 ? 17 : queue))
        #expect(counts.counts.eventsLost == (queue == 16 ? 1 : 21))
        #expect(line.level() == .active)
    }

    @Test func anOutputDrivesTheLine() throws {
        func value() throws -> String { String(decoding: try FileSystem.wholeFile(folder + "/value").prefix(1), as: UTF8.self) }
        let output = GPIOOutput(.offset(chip: chip, offset), active: .low, finder: LineFinder(headerChip: ""))
        try output.set(false)
        #expect(try value() == "1")
        try output.set(true)
        #expect(try value() == "0")
    }
}
