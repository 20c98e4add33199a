// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import TestSupport
import Testing

@testable import LEDRing

private func white(_ light: Float) -> [Colour] { [Colour(red: light, green: light, blue: light)] }

/// A piece of sysfs in a folder of its own, gone with the test. Attributes are plain files: what was written last stays.
private final class Tree {
    private let folder = TemporaryFolder()
    var root: String { folder.path }

    func put(_ path: String, _ text: String) throws {
        try AtomicFile.makeFolders(FileSystem.folder(of: "\(root)/\(path)"))
        try AtomicFile.replace("\(root)/\(path)", with: Array(text.utf8))
    }

    func link(_ path: String, to target: String) throws {
        try AtomicFile.makeFolders(FileSystem.folder(of: "\(root)/\(path)"))
        try systemCall("symlink", path) { symlink(target, "\(root)/\(path)") }
    }

    func text(_ path: String) throws -> String { try Attribute("\(root)/\(path)").read() }

    /// A PWM chip as a driver registers it: the device, and a link in the class. Channels in `exported` are there.
    func chip(_ number: Int, _ device: String, driver: String, channels: Int = 2, exported: [Int] = []) throws {
        let folder = "devices/platform/soc/\(device)/pwm/pwmchip\(number)"
        try put("\(folder)/npwm", "\(channels)\n")
        try put("\(folder)/export", "")
        try put("\(folder)/unexport", "")
        for channel in exported {
            for (name, value) in [("period", "0\n"), ("duty_cycle", "0\n"), ("enable", "0\n")] { try put("\(folder)/pwm\(channel)/\(name)", value) }
        }
        try put("bus/platform/drivers/\(driver)/uevent", "")
        try link("\(folder)/device", to: "../..")
        try link("devices/platform/soc/\(device)/driver", to: "\(root)/bus/platform/drivers/\(driver)")
        try link("class/pwm/pwmchip\(number)", to: "\(root)/\(folder)")
    }
}

/// What a call of an adapter throws.
private func fault<Result>(_ call: () throws(Fault) -> Result) -> Fault? {
    do throws(Fault) {
        _ = try call()
        return nil
    } catch {
        return error
    }
}

@Suite struct PWMTests {
    /// Field case L04: with and without a second chip the channel is the same, whatever their numbers.
    @Test(arguments: [[(0, "fe20c000.pwm")], [(0, "1f0009c000.pwm"), (2, "fe20c000.pwm")], [(0, "fe20c000.pwm"), (2, "1f0009c000.pwm")]])
    func theChannelIsFoundByItsDevice(chips: [(Int, String)]) throws {
        let tree = Tree()
        for (number, device) in chips { try tree.chip(number, device, driver: device == "fe20c000.pwm" ? "pwm-bcm2835" : "rp1-pwm", exported: [1]) }
        for address in ["fe20c000.pwm:1", "/sys/devices/platform/soc/fe20c000.pwm:1", "pwm-bcm2835:1"] {
            let light = try PWMLight(address, sysfs: tree.root)
            let number = chips.first { $0.1 == "fe20c000.pwm" }!.0
            let channel = "devices/platform/soc/fe20c000.pwm/pwm/pwmchip\(number)/pwm1"
            #expect(try tree.text("\(channel)/period") == "500000")
            #expect(try tree.text("\(channel)/enable") == "1")
            try light.write(white(0.2))
            #expect(try tree.text("\(channel)/duty_cycle") == "100000")
            // Only a change is written.
            try tree.put("\(channel)/duty_cycle", "7")
            try light.write(white(0.2))
            #expect(try tree.text("\(channel)/duty_cycle") == "7")
            try light.write([Colour(red: 0, green: 0, blue: 1e-9)])
            #expect(try tree.text("\(channel)/duty_cycle") == "1")
            try light.write([.off])
            #expect(try tree.text("\(channel)/duty_cycle") == "0")
            light.close()
            #expect(try tree.text("\(channel)/enable") == "0")
        }
    }

    @Test func softwarePWMIsOnOrOff() throws {
        let tree = Tree()
        try tree.chip(0, "pwm_gpio@12", driver: "pwm-gpio", channels: 1, exported: [0])
        let hardware = RingHardware(driver: .pwm, device: "pwm-gpio", count: 1)
        #expect(hardware.isOnOff(sysfs: tree.root) && hardware.isSoftwarePWM(sysfs: tree.root))
        let light = try PWMLight(hardware.device, sysfs: tree.root)
        try light.write(white(0.2))
        #expect(try tree.text("devices/platform/soc/pwm_gpio@12/pwm/pwmchip0/pwm0/duty_cycle") == "500000")
    }

    @Test func whatIsWrongIsSaid() throws {
        let tree = Tree()
        #expect(fault { () throws(Fault) in try PWMLight("fe20c000.pwm:0", sysfs: tree.root) }?.message
            == "there is no PWM chip fe20c000.pwm: add dtoverlay=pwm to /boot/firmware/config.txt and reboot, or correct ring.device")
        try tree.chip(0, "1f00098000.pwm", driver: "rp1-pwm", channels: 4)
        try tree.chip(1, "1f0009c000.pwm", driver: "rp1-pwm", channels: 4)
        #expect(fault { () throws(Fault) in try PWMLight("fe20c000.pwm", sysfs: tree.root) }?.reason == "no-device")
        #expect(fault { () throws(Fault) in try PWMLight("rp1-pwm:2", sysfs: tree.root) }?.message
            == "several PWM chips are rp1-pwm: set ring.device to one of 1f00098000.pwm, 1f0009c000.pwm")
        #expect(fault { () throws(Fault) in try PWMLight("1f00098000.pwm:4", sysfs: tree.root) }?.message
            == "1f00098000.pwm has no channel 4, only 0…3: correct ring.device")
        // Exported here, but nothing comes of it: the real kernel would make the channel.
        #expect(fault { () throws(Fault) in try PWMLight("1f00098000.pwm:2", sysfs: tree.root) }?.reason == "no-device")
        #expect(try tree.text("devices/platform/soc/1f00098000.pwm/pwm/pwmchip0/export") == "2")
    }
}

@Suite struct LEDClassTests {
    @Test func anLEDOfOneColour() throws {
        let tree = Tree()
        try tree.put("class/leds/ACT/brightness", "255\n")
        try tree.put("class/leds/ACT/max_brightness", "255\n")
        try tree.put("class/leds/ACT/trigger", "none [mmc0] cpu\n")
        let hardware = RingHardware(driver: .ledClass, device: "ACT", count: 1)
        #expect(!hardware.isOnOff(sysfs: tree.root))
        let led = try hardware.open(lines: { () throws(Fault) in [] }, sysfs: tree.root)
        #expect(try tree.text("class/leds/ACT/trigger") == "none")
        for (light, brightness) in [(Float(1), "255"), (0.5, "128"), (0.0001, "1"), (0, "0")] {
            try led.write([Colour(red: light, green: 0, blue: light / 2)])
            #expect(try tree.text("class/leds/ACT/brightness") == brightness)
        }
        try tree.put("class/leds/ACT/max_brightness", "1\n")
        #expect(hardware.isOnOff(sysfs: tree.root))
    }

    @Test func anLEDOfSeveralColours() throws {
        let tree = Tree()
        let folder = "class/leds/rgb:status"
        for (name, value) in [("brightness", "0"), ("max_brightness", "100"), ("multi_index", "blue red green white amber\n"), ("multi_intensity", "0 0 0 0 0")] {
            try tree.put("\(folder)/\(name)", value)
        }
        let led = try LEDClassLight("rgb:status", sysfs: tree.root)
        try led.write([Colour(red: 1, green: 0.5, blue: 0.25)])
        #expect(try tree.text("\(folder)/multi_intensity") == "0 75 25 25 0")
        #expect(try tree.text("\(folder)/brightness") == "100")
        try led.write([.off])
        #expect(try tree.text("\(folder)/brightness") == "0")
    }

    @Test func anLEDThatIsNotThere() throws {
        let tree = Tree()
        try tree.put("class/leds/PWR/brightness", "1")
        try tree.put("class/leds/ACT/brightness", "1")
        #expect(fault { () throws(Fault) in try LEDClassLight("ACTS", sysfs: tree.root) }?.message
            == "there is no LED ACTS (there: ACT, PWR): set ring.device to the name of an LED in /sys/class/leds")
    }

    @Test(arguments: [RingHardware.Order.grb, .grbw]) func theBytesOfAPixelDevice(order: RingHardware.Order) throws {
        let tree = Tree()
        try tree.put("leds0", "")
        let ring = try RingHardware(driver: .ledClass, device: "\(tree.root)/leds0", count: 2, order: order).open(lines: { () throws(Fault) in [] })
        try ring.write([Colour(red: 1, green: 0.2, blue: 0.4), .off])
        try ring.write([Colour(red: 1, green: 0.2, blue: 0.4), Colour(red: 0, green: 0, blue: 1)])
        let bytes = try FileSystem.wholeFile("\(tree.root)/leds0", atMost: 100)
        #expect(bytes == (order.hasWhite ? [204, 0, 51, 51] : [255, 51, 102, 0]) + [0, 0, 255, 0])
    }
}

@Suite struct SPIFaultTests {
    @Test func aDeviceThatIsNotThere() {
        let hardware = RingHardware(driver: .ws2812, device: "/dev/spidev7.0", count: 24)
        #expect(fault { () throws(Fault) in try SPIRing(hardware) }
            == Fault("no-device", "/dev/spidev7.0 is not there: add dtparam=spi=on to /boot/firmware/config.txt and reboot"))
    }

    @Test func aDeviceThatIsNoSPI() {
        let hardware = RingHardware(driver: .apa102, device: "/dev/null", count: 24)
        let fault = fault { () throws(Fault) in try SPIRing(hardware) }
        #expect(fault?.reason == "wrong-device")
        #expect(fault?.message.hasPrefix("/dev/null is not an SPI device (ioctl: ") == true)
    }

    @Test func theBufferIsRead() throws {
        let tree = Tree()
        #expect(SPIDevice.bufferSize(sysfs: tree.root) == 4096)
        try tree.put("module/spidev/parameters/bufsiz", "2048\n")
        #expect(SPIDevice.bufferSize(sysfs: tree.root) == 2048)
        let hardware = RingHardware(driver: .sk6812, device: "/dev/spidev7.0", count: 60, order: .grbw)
        #expect(fault { () throws(Fault) in try SPIRing(hardware, sysfs: tree.root) }?.message.hasPrefix("60 LEDs need 2176 bytes") == true)
    }

    @Test func nobodyMayUseIt() {
        let fault = Fault.device(SystemError("open", "/dev/spidev0.0", code: EACCES), needs: "dtparam=spi=on", group: "spi", kind: "an SPI device")
        #expect(fault == Fault("permission-denied", "not permitted to use /dev/spidev0.0: add the daemon's user to the group spi, and restart it"))
    }
}
