// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// A single LED on a PWM channel, through sysfs. The hardware's timer does all of it: no load makes it flicker.
final class PWMLight: RingDriver, @unchecked Sendable {
    /// Nanoseconds. 2 kHz: nobody sees or films a flicker, and the 100 ns steps of a Pi's PWM still make 5000 levels.
    static let period = 500_000

    let count = 1
    private let address: PWMAddress
    private let chip: PWMAddress.Chip
    private let isOurs: Bool
    private var duty: Int?

    /// - Parameter sysfs: where sysfs is.
    init(_ device: String, sysfs: String = "/sys") throws(Fault) {
        let address = PWMAddress(device)
        let chip = try address.chip(sysfs: sysfs)
        self.address = address
        self.chip = chip
        let channels = (try? Attribute("\(chip.path)/npwm").read()).flatMap { Int($0) } ?? 0
        guard address.channel < channels else {
            throw Fault("wrong-device", "\(chip.device) has no channel \(address.channel), only 0…\(channels - 1): correct ring.device")
        }
        isOurs = !Attribute("\(chip.path)/pwm\(address.channel)/period").exists
        do throws(SystemError) {
            if isOurs { try Attribute("\(chip.path)/export").write("\(address.channel)") }
            // The kernel refuses a duty that is longer than the period, whichever is written first.
            if let old = Int(try channel("duty_cycle").read()), old > 0 { try channel("duty_cycle").write("0") }
            try channel("period").write("\(Self.period)")
            try channel("duty_cycle").write("0")
            try channel("enable").write("1")
        } catch {
            throw fault(error)
        }
    }

    func write(_ pixels: [Colour]) throws(Fault) {
        let duty = duty(pixels[0])
        guard duty != self.duty else { return }
        self.duty = nil
        do throws(SystemError) { try channel("duty_cycle").write("\(duty)") } catch { throw fault(error) }
        self.duty = duty
    }

    func close() {
        try? channel("duty_cycle").write("0")
        try? channel("enable").write("0")
        if isOurs { try? Attribute("\(chip.path)/unexport").write("\(address.channel)") }
    }

    /// The strongest part: an LED of one colour shows red as bright as white. Software PWM flickers under load, so it is on or off.
    private func duty(_ colour: Colour) -> Int {
        let light = min(max(colour.red, colour.green, colour.blue, 0), 1)
        if light == 0 { return 0 }
        return chip.isSoftware ? Self.period : max(1, Int(Double(light) * Double(Self.period)))
    }

    private func channel(_ name: String) -> Attribute { Attribute("\(chip.path)/pwm\(address.channel)/\(name)") }

    private func fault(_ error: SystemError) -> Fault {
        if error.code == EBUSY {
            return Fault(
                "in-use",
                "PWM channel \(address.channel) of \(chip.device) is used by a kernel driver, mostly analogue audio: set dtparam=audio=off in "
                    + "/boot/firmware/config.txt and reboot, or give ring.device another channel")
        }
        return .device(error, needs: "dtoverlay=pwm", group: "gpio", kind: "a PWM channel")
    }
}
