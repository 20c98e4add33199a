// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LEDRing
import LinuxIO
import ShutterConfig
import ShutterCore

extension Doctor {
    private var needsSPI: Bool { settings.ring.hardware.transferSize != nil }

    mutating func checkRing() {
        let ring = settings.ring
        switch ring.driver {
        case .ws2812, .sk6812, .apa102:
            checkNode("ring", ring.device, missing: "write dtparam=spi=on to \(firmwarePath) and reboot", group: "spi", subsystem: "spidev")
            checkTransfer()
        case .pwm, .ledClass:
            if let fault = ring.hardware.sysfsFault(sysfs: machine.path("/sys")) {
                let (message, cure) = Self.split(fault.message.replacing(": add", with: "; add").replacing(": set", with: "; set"))
                tell("ring", .fault, message, cure: cure)
            } else {
                tell("ring", .ok, "\(ring.device), \(ring.driver.rawValue)")
            }
            if ring.driver == .pwm, let audio = firmware?.inEffect("dtparam", "audio=on"), audio.value == "audio=on" {
                tell("ring", .warning, "the analogue audio output uses the same PWM (\(audio.file), line \(audio.number))",
                     cure: "write dtparam=audio=off to \(firmwarePath) and reboot, or use another driver")
            }
        case .gpio: break  // with the lines
        case .terminal, .none: tell("ring", .ok, ring.driver.rawValue)
        }
    }

    private mutating func checkTransfer() {
        guard let needed = settings.ring.hardware.transferSize, machine.exists(settings.ring.device) else { return }
        let size = SPIDevice.bufferSize(sysfs: machine.path("/sys"))
        if needed > size {
            tell("ring", .fault, "\(settings.ring.count) LEDs need \(needed) bytes in one transfer, and spidev takes \(size)",
                 cure: "add spidev.bufsiz=\(needed) to the line in \(firmwareFolder)/cmdline.txt and reboot")
        } else {
            tell("ring", .ok, "\(settings.ring.count) LEDs in \(needed) of \(size) bytes a transfer")
        }
    }

    // MARK: config.txt

    private var firmwareFolder: String { machine.exists("/boot/firmware/config.txt") || !machine.exists("/boot/config.txt") ? "/boot/firmware" : "/boot" }
    private var firmwarePath: String { firmwareFolder + "/config.txt" }

    private var firmware: FirmwareText? {
        let folder = firmwareFolder
        return machine.text(firmwarePath).map { text in
            FirmwareText(text, file: firmwarePath, model: machine.model ?? "") { machine.text("\(folder)/\($0)") }
        }
    }

    /// What the ring on SPI needs of this model: the SPI clock is made from the core's, which must not change with the load.
    mutating func checkFirmware() {
        guard needsSPI, !settings.facts.configText.isEmpty else { return }
        guard let firmware else {
            tell("config.txt", .warning, "\(firmwarePath) cannot be read, so what the ring needs there is unknown: \(settings.facts.configText.joined(separator: ", "))")
            return
        }
        for setting in settings.facts.configText { check(setting, firmware) }
    }

    private mutating func check(_ setting: String, _ firmware: FirmwareText) {
        if firmware.has(setting) {
            tell("config.txt", .ok, "\(setting) (\(place(firmware.inEffect(name(setting), value(setting)))))")
            if !setting.hasPrefix("dtparam") { checkActive(setting) }
            return
        }
        let because: String
        if let other = firmware.elsewhere(setting) {
            because = "\(setting) stands under \(other.section), which does not count on this model (\(place(other)))"
        } else if let other = firmware.inEffect(name(setting), value(setting)) {
            because = "\(other.name)=\(other.value) is in effect, not \(setting) (\(place(other)))"
        } else {
            because = "\(setting) is missing"
        }
        let why = setting.hasPrefix("dtparam") ? "without it there is no SPI" : "without it the ring flashes in wrong colours when the core clock changes"
        tell("config.txt", .fault, "\(because): \(why)", cure: "write \(setting) under [all] at the end of \(firmwarePath), and reboot")
    }

    /// What the firmware really has, where it can be asked.
    private mutating func checkActive(_ setting: String) {
        guard let answer = machine.output(of: "/usr/bin/vcgencmd", "get_config \(name(setting))") else { return }
        // Both in MHz: core_freq=250
        if answer == setting {
            tell("clock", .ok, "the firmware has \(answer)")
        } else {
            tell("clock", .fault, "the firmware has \(answer), although config.txt says \(setting)", cure: "reboot; if it stays so, look for a later \(name(setting)) in an included file")
        }
    }

    private func place(_ line: FirmwareText.Line?) -> String { line.map { "\($0.file), line \($0.number)" } ?? "" }
    private func name(_ setting: String) -> String { String(setting.prefix { $0 != "=" }) }
    private func value(_ setting: String) -> String { String(setting.drop { $0 != "=" }.dropFirst()) }
}
