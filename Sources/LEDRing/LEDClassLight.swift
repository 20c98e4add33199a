// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// An LED that the kernel has a driver for, `/sys/class/leds/NAME`: of one colour, or of several (`multi_intensity`).
final class LEDClassLight: RingDriver, @unchecked Sendable {
    let count = 1
    private let folder: String
    private let most: Int
    /// Colour names in the order of `multi_intensity`; empty for an LED of one colour.
    private let parts: [String]
    private var shown: [Int]?

    /// - Parameter sysfs: where sysfs is.
    init(_ name: String, sysfs: String = "/sys") throws(Fault) {
        folder = "\(sysfs)/class/leds/\(name)"
        guard !name.contains("/"), Attribute("\(folder)/brightness").exists else {
            let names = ((try? FileSystem.names(in: "\(sysfs)/class/leds")) ?? []).sorted()
            throw Fault(
                "no-device",
                "there is no LED \(name)" + (names.isEmpty ? "" : " (there: \(names.joined(separator: ", ")))")
                    + ": set ring.device to the name of an LED in /sys/class/leds")
        }
        most = Self.most(name, sysfs: sysfs) ?? 255
        do throws(SystemError) {
            let index = Attribute("\(folder)/multi_index")
            parts = index.exists ? try index.read().split(separator: " ").map(String.init) : []
            // Else the card's or the CPU's activity is drawn over ours.
            let trigger = Attribute("\(folder)/trigger")
            if trigger.exists { try trigger.write("none") }
        } catch {
            throw Self.fault(error)
        }
    }

    /// What stands for full light; nil when it cannot be read. 1 is an LED that can only be on or off.
    static func most(_ name: String, sysfs: String = "/sys") -> Int? {
        (try? Attribute("\(sysfs)/class/leds/\(name)/max_brightness").read()).flatMap { Int($0) }
    }

    func write(_ pixels: [Colour]) throws(Fault) {
        let levels = parts.isEmpty ? [max(pixels[0].red, pixels[0].green, pixels[0].blue)] : mixed(pixels[0])
        let values = levels.map { $0 > 0 ? max(1, Int(min($0, 1) * Float(most) + 0.5)) : 0 }
        guard values != shown else { return }
        shown = nil
        do throws(SystemError) {
            let isOff = !values.contains { $0 > 0 }
            if parts.isEmpty || isOff {
                try Attribute("\(folder)/brightness").write("\(values[0])")
            } else {
                // Each intensity is scaled by the brightness, so that stays at its most.
                try Attribute("\(folder)/multi_intensity").write(values.map(String.init).joined(separator: " "))
                try Attribute("\(folder)/brightness").write("\(most)")
            }
        } catch {
            throw Self.fault(error)
        }
        shown = values
    }

    /// The colour in the LED's own parts. White takes what the others have in common; colours that we do not mix stay dark.
    private func mixed(_ colour: Colour) -> [Float] {
        let white = parts.contains("white") ? min(colour.red, colour.green, colour.blue) : 0
        return parts.map { part in
            switch part {
            case "red": colour.red - white
            case "green": colour.green - white
            case "blue": colour.blue - white
            case "white": white
            default: 0
            }
        }
    }

    private static func fault(_ error: SystemError) -> Fault {
        .device(error, needs: "the overlay of this LED", group: nil, kind: "an LED")
    }
}
