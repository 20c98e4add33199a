// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import GPIO
import Glibc
import LinuxIO
import ShutterCore
import Testing

/// Field case G01: chip numbers have changed twice in two years.
@Suite struct LineFinderTests {
    typealias Chip = FakeGPIO.Chip

    struct Machine: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var header: String
        var path: String
        var links: [String: String] = [:]
        var chips: @Sendable () -> [String: Chip]
    }

    static func brcmstb(_ device: UInt64, _ lines: Int) -> Chip { Chip(device, "gpio-brcmstb@107d50850\(device)", lines: lines) }
    static func rp1(_ device: UInt64) -> Chip { Chip(device, "pinctrl-rp1", lines: 54, names: [2: "GPIO2", 17: "GPIO17"]) }

    static let machines: [Machine] = [
        Machine(testDescription: "Pi 5, first kernels", header: "pinctrl-rp1", path: "/dev/gpiochip4") {
            ["/dev/gpiochip0": brcmstb(0, 32), "/dev/gpiochip1": brcmstb(1, 4), "/dev/gpiochip2": brcmstb(2, 17),
             "/dev/gpiochip3": brcmstb(3, 6), "/dev/gpiochip4": rp1(4)]
        },
        Machine(
            testDescription: "Pi 5, today", header: "pinctrl-rp1", path: "/dev/gpiochip0",
            links: ["/dev/gpiochip4": "/dev/gpiochip0"]
        ) {
            ["/dev/gpiochip0": rp1(0), "/dev/gpiochip10": brcmstb(1, 32), "/dev/gpiochip11": brcmstb(2, 4),
             "/dev/gpiochip12": brcmstb(3, 17), "/dev/gpiochip13": brcmstb(4, 6)]
        },
        Machine(testDescription: "Pi 4", header: "pinctrl-bcm2711", path: "/dev/gpiochip0") {
            ["/dev/gpiochip0": Chip(0, "pinctrl-bcm2711", lines: 58, names: [17: "GPIO17"]),
             "/dev/gpiochip1": Chip(1, "raspberrypi-exp-gpio", lines: 8, names: [0: "BT_ON"])]
        },
        Machine(testDescription: "Pi 3, no names", header: "pinctrl-bcm2835", path: "/dev/gpiochip0") {
            ["/dev/gpiochip0": Chip(0, "pinctrl-bcm2835", lines: 54), "/dev/gpiochip1": Chip(1, "exp-gpio", lines: 8)]
        },
        Machine(testDescription: "Pi 3, half the names of mainline", header: "pinctrl-bcm2835", path: "/dev/gpiochip0") {
            ["/dev/gpiochip0": Chip(0, "pinctrl-bcm2835", lines: 54, names: [0: "ID_SDA", 2: "SDA1", 14: "TXD1"])]
        },
        Machine(
            testDescription: "Pi 5, a foreign chip unreadable", header: "pinctrl-rp1", path: "/dev/gpiochip0",
            links: ["/dev/gpiochip4": "/dev/gpiochip0"]
        ) {
            ["/dev/gpiochip0": rp1(0), "/dev/gpiochip10": Chip(1, "", lines: 0, failure: EACCES)]
        },
        Machine(testDescription: "an expander with the same names", header: "pinctrl-rp1", path: "/dev/gpiochip1") {
            ["/dev/gpiochip0": Chip(0, "mcp23017", lines: 32, names: [1: "GPIO17"]), "/dev/gpiochip1": rp1(1)]
        },
    ]

    static func fake(_ machine: Machine) -> FakeGPIO {
        let fake = FakeGPIO()
        fake.chips = machine.chips()
        fake.links = machine.links
        return fake
    }

    @Test(arguments: machines) func findsTheSameHeaderLine(machine: Machine) throws {
        let finder = LineFinder(Self.fake(machine), headerChip: machine.header)
        for address: LineAddress in [.named("GPIO17"), .offset(chip: machine.header, 17), .offset(chip: machine.path, 17)] {
            let line = try finder.find(address)
            #expect(line.offset == 17)
            #expect(line.label == machine.header)
            #expect(line.path == machine.path || machine.links[machine.path] == line.path)
        }
        // GPIO2 is called SDA1 on some kernels, and is the same line.
        #expect(try finder.find(.named("GPIO2")).offset == 2)
    }

    @Test func bothSpellingsOfAChipWork() throws {
        let finder = LineFinder(FakeGPIO(pi5: ()), headerChip: "pinctrl-rp1")
        let expected = FoundLine(path: "/dev/gpiochip0", offset: 17, label: "pinctrl-rp1")
        #expect(try finder.find(.offset(chip: "gpiochip0", 17)) == expected)
        #expect(try finder.find(.offset(chip: "/dev/gpiochip0", 17)) == expected)
    }

    @Test func aLinkIsTheChipItLeadsTo() throws {
        let finder = LineFinder(Self.fake(Self.machines[1]), headerChip: "pinctrl-rp1")
        #expect(try finder.find(.offset(chip: "/dev/gpiochip4", 17)).label == "pinctrl-rp1")
    }

    struct Refusal: Sendable {
        var machine: Int
        var address: LineAddress
        var kind: LineFault.Kind
        var reason: String
        var words: [String]
    }

    static let refusals: [Refusal] = [
        Refusal(
            machine: 0, address: .offset(chip: "/dev/gpiochip0", 17), kind: .configuration, reason: "wrong-chip",
            words: ["/dev/gpiochip0 is gpio-brcmstb@107d508500 now, not pinctrl-rp1", "pinctrl-rp1 (/dev/gpiochip4, 54 lines)"]),
        Refusal(
            machine: 2, address: .offset(chip: "/dev/gpiochip4", 17), kind: .passing, reason: "no-line",
            words: ["/dev/gpiochip4", "the chips here are pinctrl-bcm2711 (/dev/gpiochip0, 58 lines), raspberrypi-exp-gpio"]),
        Refusal(
            machine: 2, address: .offset(chip: "pinctrl-rp1", 17), kind: .passing, reason: "no-line",
            words: ["no chip has this label", "pinctrl-bcm2711"]),
        Refusal(
            machine: 2, address: .offset(chip: "pinctrl-bcm2711", 58), kind: .configuration, reason: "no-line",
            words: ["has only the lines 0 to 57"]),
        Refusal(machine: 2, address: .named("DOOR"), kind: .passing, reason: "no-line", words: ["no chip has a line of this name"]),
        Refusal(machine: 2, address: .named("GPIO99"), kind: .passing, reason: "no-line", words: ["no chip has a line of this name"]),
        // It may be on the chip that could not be asked.
        Refusal(machine: 5, address: .named("DOOR"), kind: .permission, reason: "permission-denied", words: ["/dev/gpiochip10"]),
        Refusal(
            machine: 5, address: .offset(chip: "/dev/gpiochip10", 1), kind: .permission, reason: "permission-denied", words: ["gpiochip10"]),
    ]

    @Test(arguments: refusals.indices) func refuses(index: Int) throws {
        let refusal = Self.refusals[index]
        let machine = Self.machines[refusal.machine]
        let finder = LineFinder(Self.fake(machine), headerChip: machine.header)
        let fault = try caught(LineFault.self) { () throws(LineFault) in _ = try finder.find(refusal.address) }
        #expect(fault.kind == refusal.kind)
        #expect(fault.fault.reason == refusal.reason)
        for word in refusal.words { #expect(fault.fault.message.contains(word), "\(fault.fault.message)") }
    }

    @Test func aNameFoundTwiceAwayFromTheHeaderIsRefused() throws {
        let fake = FakeGPIO()
        fake.chips = ["/dev/gpiochip0": Chip(0, "a", lines: 4, names: [1: "DOOR"]), "/dev/gpiochip1": Chip(1, "b", lines: 4, names: [2: "DOOR"])]
        let fault = try caught(LineFault.self) { () throws(LineFault) in _ = try LineFinder(fake, headerChip: "pinctrl-rp1").find(.named("DOOR")) }
        #expect(fault.kind == .configuration)
        #expect(fault.fault.message.contains("write one of a:1, b:2"))
    }

    @Test func withoutAnyChipItSaysSo() throws {
        let fault = try caught(LineFault.self) { () throws(LineFault) in _ = try LineFinder(FakeGPIO(), headerChip: "").find(.named("GPIO17")) }
        #expect(fault.fault.message.contains("there are no GPIO chips at all"))
    }
}
