// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Addressable LEDs on a spidev: each frame is one transfer.
final class SPIRing: RingDriver, @unchecked Sendable {
    let count: Int
    private let device: SPIDevice
    private let image: @Sendable ([Colour]) -> [UInt8]
    private var sent: [UInt8] = []

    /// - Parameter sysfs: where the size of spidev's buffer is to be read.
    init(_ hardware: RingHardware, sysfs: String = "/sys") throws(Fault) {
        let plan = Self.plan(hardware)
        try Self.check(plan.size, hardware.count, buffer: SPIDevice.bufferSize(sysfs: sysfs))
        count = hardware.count
        image = plan.image
        do throws(SystemError) {
            device = try SPIDevice(hardware.device, speed: plan.speed)
        } catch {
            throw .device(error, needs: "dtparam=spi=on", group: "spi", kind: "an SPI device")
        }
        guard Self.isNear(device.speed, plan.speed) else {
            throw Fault(
                "wrong-speed", "\(hardware.device) runs at \(device.speed) Hz instead of \(plan.speed): the LEDs would not understand it; use another SPI controller")
        }
    }

    func write(_ pixels: [Colour]) throws(Fault) {
        let image = image(pixels)
        // The end of a movement is finer than 8 bits.
        guard image != sent else { return }
        sent = []
        do throws(SystemError) { try device.send(image) } catch {
            throw .device(error, needs: "dtparam=spi=on", group: "spi", kind: "an SPI device")
        }
        sent = image
    }

    typealias Plan = (speed: UInt32, size: Int, image: @Sendable ([Colour]) -> [UInt8])

    static func plan(_ hardware: RingHardware) -> Plan {
        let (count, order) = (hardware.count, hardware.order)
        if hardware.driver == .apa102 {
            let image = ClockedImage(order: order)
            return (ClockedImage.speed, ClockedImage.size(count), { image.bytes($0) })
        }
        let image = PulseImage(chip: hardware.driver == .sk6812 ? .sk6812 : .ws2812, order: order)
        return (PulseImage.speed, PulseImage.size(count, order), { image.bytes($0) })
    }

    /// A frame in two transfers has a gap in the middle, which the LEDs take for the end.
    static func check(_ size: Int, _ count: Int, buffer: Int) throws(Fault) {
        guard size > buffer else { return }
        throw Fault(
            "buffer-too-small",
            "\(count) LEDs need \(size) bytes in one SPI transfer, but spidev takes \(buffer): add spidev.bufsiz=\(size) to the line in "
                + "/boot/firmware/cmdline.txt and reboot, or lower ring.count")
    }

    private static func isNear(_ speed: UInt32, _ wanted: UInt32) -> Bool {
        speed <= wanted && speed >= wanted - wanted / 20
    }
}
