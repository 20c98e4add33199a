// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// The byte device of a kernel driver that knows the chain itself, as Raspberry Pi's `ws2812-pio` on a Pi 5: four bytes a
/// pixel, red, green, blue, white; the driver orders them and leaves white out where there is none. A single byte would be a
/// brightness.
final class PixelDevice: RingDriver {
    let count: Int
    private let path: String
    private let file: Descriptor
    private let hasWhite: Bool

    init(_ hardware: RingHardware) throws(Fault) {
        count = hardware.count
        path = hardware.device
        hasWhite = hardware.order.hasWhite
        do throws(SystemError) {
            // Neither made nor cut off: a regular file of that name is a mistake in the configuration, but a test's device.
            file = try Descriptor(open: path, O_WRONLY)
        } catch {
            throw Self.fault(error, count)
        }
    }

    func write(_ pixels: [Colour]) throws(Fault) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * pixels.count)
        for pixel in pixels { PixelBytes(pixel, hasWhite: hasWhite).append(to: &bytes, in: .rgbw) }
        do throws(SystemError) {
            let written = try systemCall("write", path) { bytes.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) } }
            if written != bytes.count { throw SystemError("write", path, code: ENOSPC) }
        } catch {
            throw Self.fault(error, count)
        }
    }

    private static func fault(_ error: SystemError, _ count: Int) -> Fault {
        if error.code == ENOSPC || error.code == EFBIG {
            return Fault("wrong-count", "\(error.subject) has fewer pixels than ring.count = \(count): make num_leds of its overlay and ring.count alike")
        }
        return .device(error, needs: "dtoverlay=ws2812-pio,gpio=18,num_leds=\(count)", group: nil, kind: "a device for pixels")
    }
}
