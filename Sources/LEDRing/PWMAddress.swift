// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// Where a channel of a PWM chip is: by the device that the chip belongs to. Numbers of chips (`pwmchip2`) follow the order
/// in which drivers were loaded, and change with updates.
///
///     fe20c000.pwm:0                                the device's name, as in the device tree
///     /sys/devices/platform/soc/fe20c000.pwm:0      its whole path
///     pwm-bcm2835:0                                 its driver, where only one device has it
struct PWMAddress: Equatable {
    var device: String
    var channel: Int

    /// Without a channel it is 0.
    init(_ text: String) {
        if let colon = text.lastIndex(of: ":"), let channel = Int(text[text.index(after: colon)...]), channel >= 0 {
            (device, self.channel) = (String(text[..<colon]), channel)
        } else {
            (device, channel) = (text, 0)
        }
    }

    /// A chip as sysfs shows it.
    struct Chip: Equatable {
        /// With all links followed: `/sys/devices/platform/soc/fe20c000.pwm/pwm/pwmchip0`.
        var path: String
        /// `pwm-bcm2835`, or nil where it has none.
        var driver: String?

        /// The name of the device it belongs to.
        var device: String {
            let parts = path.split(separator: "/")
            return parts.count > 2 && parts[parts.count - 2] == "pwm" ? String(parts[parts.count - 3]) : parts.last.map(String.init) ?? ""
        }
        /// Made by a timer of the kernel, not by hardware.
        var isSoftware: Bool { driver == "pwm-gpio" }
    }

    static func chips(sysfs: String) -> [Chip] {
        let folder = "\(sysfs)/class/pwm"
        let names = ((try? FileSystem.names(in: folder)) ?? []).filter { $0.hasPrefix("pwmchip") }.sorted()
        return names.compactMap { name in
            guard let path = Attribute.resolve("\(folder)/\(name)") else { return nil }
            let driver = Attribute.resolve("\(path)/device/driver").flatMap { $0.split(separator: "/").last.map(String.init) }
            return Chip(path: path, driver: driver)
        }
    }

    func chip(sysfs: String) throws(Fault) -> Chip {
        let chips = Self.chips(sysfs: sysfs)
        // A whole path is one below the real /sys, or below the tree of a test.
        let root = Attribute.resolve(sysfs) ?? sysfs
        let path = device.hasPrefix("/sys/") ? root + device.dropFirst("/sys".count) : device
        let fitting = chips.filter { chip in
            device.hasPrefix("/") ? (chip.path + "/").hasPrefix(path + "/") : chip.device == device || chip.driver == device
        }
        if let chip = fitting.first, fitting.count == 1 { return chip }
        let list = chips.map(\.device).joined(separator: ", ")
        if fitting.isEmpty {
            throw Fault(
                "no-device",
                "there is no PWM chip \(device)" + (list.isEmpty ? "" : " (there: \(list))")
                    + ": add dtoverlay=pwm to /boot/firmware/config.txt and reboot, or correct ring.device")
        }
        throw Fault("wrong-device", "several PWM chips are \(device): set ring.device to one of \(fitting.map(\.device).joined(separator: ", "))")
    }
}
