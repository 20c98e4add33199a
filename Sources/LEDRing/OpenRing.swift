// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

extension RingHardware {
    /// Makes the driver and claims the device. Blocks; for the ring's own thread.
    /// - Parameter lines: opens the lines of plain LEDs, as outputs that are off.
    package func open(
        lines: () throws(Fault) -> [any OutputLine], sysfs: String = "/sys"
    ) throws(Fault) -> any RingDriver {
        switch driver {
        case .ws2812, .sk6812, .apa102: try SPIRing(self, sysfs: sysfs)
        case .gpio: LineRing(try lines())
        case .pwm: try PWMLight(device, sysfs: sysfs)
        case .ledClass: device.hasPrefix("/") ? try PixelDevice(self) : try LEDClassLight(device, sysfs: sysfs)
        // A terminal is opened by who owns it.
        case .terminal, .none: NoRing(count: count)
        }
    }

    /// The bytes of a frame in one SPI transfer; nil where there is no SPI.
    package var transferSize: Int? {
        switch driver {
        case .ws2812, .sk6812, .apa102: SPIRing.plan(self).size
        case .gpio, .pwm, .ledClass, .terminal, .none: nil
        }
    }

    /// What is wrong with the PWM chip or the kernel's LED as sysfs shows them, without touching them; nil = nothing.
    package func sysfsFault(sysfs: String) -> Fault? {
        do throws(Fault) {
            switch driver {
            case .pwm: _ = try PWMAddress(device).chip(sysfs: sysfs)
            case .ledClass where !device.hasPrefix("/") && LEDClassLight.most(device, sysfs: sysfs) == nil:
                return Fault("no-device", "there is no LED \(device): set ring.device to the name of an LED in /sys/class/leds")
            case .ws2812, .sk6812, .apa102, .gpio, .ledClass, .terminal, .none: break
            }
            return nil
        } catch { return error }
    }

    /// Whether its lights have no levels between on and off, so that the animator must speak in rhythms alone. Where the hardware
    /// cannot be asked yet, it is taken for better.
    package func isOnOff(sysfs: String = "/sys") -> Bool {
        switch driver {
        case .gpio: true
        case .pwm: isSoftwarePWM(sysfs: sysfs)
        case .ledClass: !device.hasPrefix("/") && LEDClassLight.most(device, sysfs: sysfs) ?? 255 <= 1
        case .ws2812, .sk6812, .apa102, .terminal, .none: false
        }
    }

    /// Whether levels would be timed by the kernel's software.
    package func isSoftwarePWM(sysfs: String = "/sys") -> Bool {
        driver == .pwm && (try? PWMAddress(device).chip(sysfs: sysfs).isSoftware) == true
    }
}
