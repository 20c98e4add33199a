// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// The bytes on MOSI that a chain of WS2812 or SK6812 takes for its colours.
///
/// A bit of an LED is a pulse, and its width is the value. Eight bits on SPI make one pulse; at 6.4 MHz each of them lasts
/// 156.25 ns, and a bit of an LED 1.25 µs:
///
///     bit  SPI        high     low       WS2812B high, low       WS2812B-V5             SK6812 high, low
///     0    11000000   312 ns   938 ns    250…550, 700…1000       220…380, 580…1000      150…450, 750…1050
///     1    11111000   781 ns   469 ns    650…950, 300…600        580…1000, low is free  (high at most 750)
///     1    11110000   625 ns   625 ns    (high at least 650)     580…1000, 580…1000     450…750, 450…750
///
/// so the two families differ in the 1. A Pi divides its clock by an even number and never goes faster than it is asked to:
/// 6.25 MHz in fact on a Pi 3 (250 MHz/40), 4 (500/80) and 5 (200/32), 2.4 % wider, and all of it stays within.
///
/// In front stand zeros, because some controllers leave MOSI high between transfers: without them the first bit would be
/// lengthened and the first LED green. Behind stand 300 µs of low, after which all known revisions show what they took (50 µs for the
/// old ones, 80 µs for the SK6812, 280 µs for the WS2812B-V5).
struct PulseImage {
    enum Chip { case ws2812, sk6812 }

    static let speed: UInt32 = 6_400_000
    /// 20 µs. With it 160 pixels of 24 bits are 4096 bytes, all that spidev takes unless it is told otherwise.
    static let head = 16
    /// 300 µs.
    static let tail = 240
    static let zero: UInt8 = 0b1100_0000

    static func one(_ chip: Chip) -> UInt8 {
        switch chip {
        case .ws2812: 0b1111_1000
        case .sk6812: 0b1111_0000
        }
    }

    let chip: Chip
    let order: RingHardware.Order

    /// Bytes of a whole image.
    static func size(_ count: Int, _ order: RingHardware.Order) -> Int { head + count * (order.hasWhite ? 32 : 24) + tail }

    func bytes(_ pixels: [Colour]) -> [UInt8] {
        var colours: [UInt8] = []
        colours.reserveCapacity(pixels.count * 4)
        for pixel in pixels { PixelBytes(pixel, hasWhite: order.hasWhite).append(to: &colours, in: order) }
        let one = Self.one(chip)
        var image = [UInt8](repeating: 0, count: Self.head)
        image.reserveCapacity(Self.size(pixels.count, order))
        for colour in colours {
            for bit in 0..<8 { image.append(colour & 0x80 >> bit == 0 ? Self.zero : one) }
        }
        image.append(contentsOf: repeatElement(0, count: Self.tail))
        return image
    }
}
