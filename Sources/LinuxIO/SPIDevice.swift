// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A device on an SPI bus that is only written to: `/dev/spidevB.C`, mode 0, words of 8 bits. See spidev(4) in the kernel's
/// documentation. Calls block until the bus has taken all bytes.
package final class SPIDevice: Sendable {
    package let path: String
    /// Bits a second, as the driver reads them back. The controller may go slower, never faster.
    package let speed: UInt32
    private let file: Descriptor

    package init(_ path: String, speed: UInt32) throws(SystemError) {
        self.path = path
        let file = try Descriptor(open: path, O_RDWR)
        var actual: UInt32 = 0
        try systemCall("ioctl", path) { clinux_spi_setup(file.number, speed, &actual) }
        self.file = file
        self.speed = actual
    }

    /// Sends all bytes in one transfer, or none. Throws EMSGSIZE when they are more than the driver's buffer holds.
    package func send(_ bytes: [UInt8]) throws(SystemError) {
        try systemCall("transfer", path) {
            bytes.withUnsafeBytes { clinux_spi_send(file.number, $0.baseAddress, UInt32($0.count), speed) }
        }
    }

    /// The most bytes that spidev takes in one transfer: its parameter `bufsiz`, 4096 unless someone changed it.
    package static func bufferSize(sysfs: String = "/sys") -> Int {
        let text = (try? Attribute("\(sysfs)/module/spidev/parameters/bufsiz").read()) ?? ""
        return Int(text) ?? 4096
    }
}
