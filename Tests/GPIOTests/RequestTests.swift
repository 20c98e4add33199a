// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import GPIO
import Glibc
import LinuxIO
import ShutterCore
import Testing

/// Field cases G02, G03 and B10: one errno, several causes, each with its own cure.
@Suite struct RequestTests {
    let fake = FakeGPIO(pi5: ())

    func button(_ settings: GPIOButton.Settings = .init(.named("GPIO17"))) throws(Fault) -> GPIOButton {
        try GPIOButton(name: .shutter, settings, finder: LineFinder(fake, headerChip: "pinctrl-rp1")) { _ in }
    }

    @Test(arguments: [LineBias.pullUp, .pullDown, .none, .asIs]) func theRequestCarriesTheBias(bias: LineBias) throws {
        _ = try button(.init(.named("GPIO17"), bias: bias))
        #expect(fake.takeTrace() == ["input /dev/gpiochip0:17 \(bias.rawValue) edges"])
    }

    @Test func aBusyLineNamesItsUser() throws {
        fake.uses[17] = "spi0 CS0"
        fake.answer = { _, _ in EBUSY }
        let line = try button()
        #expect(line.fault?.reason == "in-use")
        #expect(line.fault?.message.hasPrefix("GPIO17 (line 17 of pinctrl-rp1, /dev/gpiochip0) is in use by \"spi0 CS0\"; free the line") == true)
        #expect(line.drain() == [.lost(at: fake.now)])
        #expect(line.level() == nil)
    }

    @Test func anEarlierInstanceIsWaitedFor() throws {
        fake.uses[17] = "shutterd"
        fake.answer = { _, _ in EBUSY }
        let line = try button()
        #expect(line.fault?.message.contains("another shutterd has it: waiting for it to end") == true)
        let start = fake.now
        var events = line.drain()
        // It ends 1.5 s later.
        while fake.now - start < .seconds(10), line.fault != nil {
            fake.now = try #require(line.deadline)
            if fake.now - start >= .milliseconds(1500) {
                fake.uses = [:]
                fake.answer = { _, _ in nil }
            }
            events += line.drain()
        }
        #expect(fake.now - start < .seconds(4))
        #expect(events == [.lost(at: start), .found(.inactive, at: fake.now)])
    }

    /// The kernel calls a line used whose interrupt is taken.
    @Test(arguments: [nil, "", "interrupt"]) func busyEdgesAreToldFromABusyLine(consumer: String?) throws {
        fake.uses[17] = consumer
        fake.answer = { _, withEdges in withEdges ? EBUSY : nil }
        let fault = try button().fault
        #expect(fault?.reason == "no-edges")
        #expect(fault?.message.contains("edge detection is unavailable on this line") == true)
        #expect(fault?.message.contains("in use by") == false)
    }

    @Test(arguments: [ENODEV, ENXIO, EOPNOTSUPP]) func aChipWithoutInterruptsIsToldToo(code: Int32) throws {
        fake.answer = { _, withEdges in withEdges ? code : nil }
        #expect(try button().fault?.reason == "no-edges")
    }

    @Test func aLineThatIsFreeByNowIsTaken() throws {
        var answers: [Int32?] = [EBUSY, nil, nil]
        fake.answer = { _, _ in answers.removeFirst() }
        let line = try button()
        #expect(line.fault == nil)
        #expect(line.drain() == [.found(.inactive, at: fake.now)])
    }

    @Test func aKernelWithoutBiasIsRefused() throws {
        fake.kernel = "4.19.118"
        fake.answer = { bias, _ in bias == .asIs ? nil : EINVAL }
        let fault = try caught(Fault.self) { () throws(Fault) in _ = try button() }
        #expect(fault.reason == "no-bias")
        #expect(fault.message.contains("kernel 4.19.118 refuses bias = \"pull-up\""))
        // The user may know better.
        #expect(try button(.init(.named("GPIO17"), bias: .asIs)).fault == nil)
    }

    @Test func aConfigurationThatCannotWorkIsRefused() throws {
        #expect(throws: Fault.self) { try button(.init(.offset(chip: "pinctrl-rp1", 54))) }
    }

    struct Permission: Sendable {
        var group: String
        var mode: UInt32
        var groups: [String]
        var isRoot = false
        var words: [String]
    }

    static let permissions: [Permission] = [
        Permission(
            group: "gpio", mode: 0o660, groups: ["pi", "video"],
            words: ["/dev/gpiochip0, which is root:gpio 0660; pi is in pi, video", "add the group: sudo usermod -aG gpio pi"]),
        Permission(
            group: "root", mode: 0o600, groups: ["pi", "gpio"],
            words: ["which is root:root 0600; pi is in pi, gpio", "the udev rule is missing", "SUBSYSTEM==\"gpio\", GROUP=\"gpio\", MODE=\"0660\""]),
        Permission(group: "root", mode: 0o660, groups: ["pi"], words: ["the udev rule is missing"]),
        Permission(group: "gpio", mode: 0o660, groups: ["pi", "gpio"], words: ["which should do", "DeviceAllow="]),
        Permission(group: "root", mode: 0o600, groups: ["root"], isRoot: true, words: ["container", "DeviceAllow="]),
    ]

    @Test(arguments: permissions.indices) func permissionIsExplained(index: Int) throws {
        let row = Self.permissions[index]
        fake.chips["/dev/gpiochip0"]?.failure = EACCES
        fake.accesses["/dev/gpiochip0"] = Access(
            path: "/dev/gpiochip0", owner: "root", group: row.group, mode: row.mode, user: row.isRoot ? "root" : "pi",
            userIsRoot: row.isRoot, groups: row.groups)
        let line = try button()
        #expect(line.fault?.reason == "permission-denied")
        for word in row.words { #expect(line.fault?.message.contains(word) == true, "\(line.fault?.message ?? "")") }
        // Not in a tight loop.
        _ = line.drain()
        #expect(line.deadline == fake.now + .seconds(5))
    }
}
