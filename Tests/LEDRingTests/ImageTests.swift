// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore
import Testing

@testable import LEDRing

/// An LED's view of the wire: pulses and their widths, and what the datasheets say of them. Knows nothing of the encoder.
enum PulseReader {
    /// Nanoseconds.
    struct Timing {
        var zeroHigh: ClosedRange<Double>
        var zeroLow: ClosedRange<Double>
        var oneHigh: ClosedRange<Double>
        var oneLow: ClosedRange<Double>
        var reset: Double
    }

    static let ws2812b = Timing(zeroHigh: 250...550, zeroLow: 700...1000, oneHigh: 650...950, oneLow: 300...600, reset: 50_000)
    /// Its 1 may stay low as long as it likes, if below the reset.
    static let ws2812bV5 = Timing(zeroHigh: 220...380, zeroLow: 580...1000, oneHigh: 580...1000, oneLow: 220...5000, reset: 280_000)
    static let sk6812 = Timing(zeroHigh: 150...450, zeroLow: 750...1050, oneHigh: 450...750, oneLow: 450...750, reset: 80_000)

    struct Misread: Error { var what: String }

    /// The bytes that the pulses mean. The low after the last bit of the chain is the reset, and is not judged as that bit's.
    static func bytes(_ image: [UInt8], hertz: Double, _ timing: Timing) throws -> [UInt8] {
        let tick = 1e9 / hertz
        var runs: [(isHigh: Bool, ticks: Int)] = []
        for byte in image {
            for bit in 0..<8 {
                let isHigh = byte & 0x80 >> bit != 0
                if runs.last?.isHigh == isHigh { runs[runs.count - 1].ticks += 1 } else { runs.append((isHigh, 1)) }
            }
        }
        guard runs.first?.isHigh == false else { throw Misread(what: "the first bit has no low before it") }
        guard let last = runs.last, !last.isHigh, Double(last.ticks) * tick >= timing.reset else { throw Misread(what: "no reset") }
        runs.removeFirst()
        var bits: [Bool] = []
        for pulse in stride(from: 0, to: runs.count, by: 2) {
            let (high, low) = (Double(runs[pulse].ticks) * tick, Double(runs[pulse + 1].ticks) * tick)
            let isLast = pulse + 2 == runs.count
            if timing.zeroHigh.contains(high), isLast || timing.zeroLow.contains(low) {
                bits.append(false)
            } else if timing.oneHigh.contains(high), isLast || timing.oneLow.contains(low) {
                bits.append(true)
            } else {
                throw Misread(what: "bit \(bits.count): \(high) ns high, \(low) ns low")
            }
        }
        guard bits.count % 8 == 0 else { throw Misread(what: "\(bits.count) bits") }
        return stride(from: 0, to: bits.count, by: 8).map { first in
            (0..<8).reduce(UInt8(0)) { $0 << 1 | (bits[first + $1] ? 1 : 0) }
        }
    }
}

private func level(_ byte: UInt8) -> Float { Float(byte) / 255 }

private func colour(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Colour {
    Colour(red: level(red), green: level(green), blue: level(blue))
}

@Suite struct PulseImageTests {
    /// Field case L02.
    @Test(arguments: [1, 16, 24, 160], [UInt8(0), 0xFF, 0xA5])
    func theBytesOfAnImage(count: Int, value: UInt8) {
        let image = PulseImage(chip: .ws2812, order: .grb).bytes(Array(repeating: colour(value, value, value), count: count))
        #expect(image.count == 16 + 24 * count + 240)
        #expect(image.prefix(16).allSatisfy { $0 == 0 })
        // 240 bytes at 6.4 MHz are 300 µs; the last bit is 0.
        #expect(image.suffix(240).allSatisfy { $0 == 0 })
        let (zero, one): (UInt8, UInt8) = (0b1100_0000, 0b1111_1000)
        let bits: [UInt8] =
            switch value {
            case 0: Array(repeating: zero, count: 8)
            case 0xFF: Array(repeating: one, count: 8)
            default: [one, zero, one, zero, zero, one, zero, one]
            }
        #expect(Array(image[16..<16 + 24 * count]) == (0..<3 * count).flatMap { _ in bits })
    }

    @Test func oneHundredAndSixtyPixelsFitIntoTheUsualBuffer() throws {
        #expect(PulseImage.size(160, .grb) == 4096)
        #expect(PulseImage.size(161, .grb) == 4120)
        #expect(PulseImage.size(120, .grbw) == 4096)
        try SPIRing.check(PulseImage.size(160, .grb), 160, buffer: 4096)
        try SPIRing.check(PulseImage.size(161, .grb), 161, buffer: 65536)
        do throws(Fault) {
            try SPIRing.check(PulseImage.size(161, .grb), 161, buffer: 4096)
            Issue.record("161 pixels in 4096 bytes")
        } catch {
            #expect(error.reason == "buffer-too-small")
            #expect(error.message == "161 LEDs need 4120 bytes in one SPI transfer, but spidev takes 4096: add spidev.bufsiz=4120 to the line in "
                + "/boot/firmware/cmdline.txt and reboot, or lower ring.count")
        }
    }

    /// 6.25 MHz is what a Pi 3, 4 and 5 make of 6.4.
    @Test(arguments: [6_400_000.0, 6_250_000.0], RingHardware.Order.allCases)
    func theLEDsReadTheirColours(hertz: Double, order: RingHardware.Order) throws {
        let pixels = [colour(0x01, 0x80, 0xFF), colour(0, 0, 0), colour(0xFF, 0xFF, 0xFF), colour(0xA5, 0x5A, 0x3C)]
        let parts: [[Character: UInt8]] =
            order.hasWhite
            ? [["R": 0, "G": 0x7F, "B": 0xFE, "W": 1], ["R": 0, "G": 0, "B": 0, "W": 0], ["R": 0, "G": 0, "B": 0, "W": 0xFF],
               ["R": 0x69, "G": 0x1E, "B": 0, "W": 0x3C]]
            : [["R": 1, "G": 0x80, "B": 0xFF], ["R": 0, "G": 0, "B": 0], ["R": 0xFF, "G": 0xFF, "B": 0xFF], ["R": 0xA5, "G": 0x5A, "B": 0x3C]]
        let expected = parts.flatMap { part in order.rawValue.map { part[$0]! } }
        let chips: [(PulseImage.Chip, [PulseReader.Timing])] = [
            (.ws2812, [PulseReader.ws2812b, PulseReader.ws2812bV5]), (.sk6812, [PulseReader.sk6812]),
        ]
        for (chip, timings) in chips {
            let image = PulseImage(chip: chip, order: order).bytes(pixels)
            for timing in timings { #expect(try PulseReader.bytes(image, hertz: hertz, timing) == expected) }
        }
    }

    @Test func theReaderNoticesABadImage() {
        var image = PulseImage(chip: .ws2812, order: .grb).bytes([colour(1, 2, 3)])
        #expect(throws: PulseReader.Misread.self) { try PulseReader.bytes(Array(image.dropFirst(16)), hertz: 6.4e6, PulseReader.ws2812b) }
        #expect(throws: PulseReader.Misread.self) { try PulseReader.bytes(Array(image.dropLast(230)), hertz: 6.4e6, PulseReader.ws2812b) }
        // At the speed of a core clock that was not fixed, no chip understands it.
        #expect(throws: PulseReader.Misread.self) { try PulseReader.bytes(image, hertz: 10e6, PulseReader.ws2812b) }
        image[20] = 0b1110_0111
        #expect(throws: PulseReader.Misread.self) { try PulseReader.bytes(image, hertz: 6.4e6, PulseReader.ws2812b) }
    }

    @Test func faintIsNotOff() {
        #expect(PixelBytes(Colour(red: 0.0004, green: 0.0003, blue: 0)) == PixelBytes(red: 1, green: 0, blue: 0))
        #expect(PixelBytes(Colour(red: 0.0003, green: 0.0003, blue: 0.0004), hasWhite: true) == PixelBytes(red: 0, green: 0, blue: 0, white: 1))
        #expect(PixelBytes(.off) == PixelBytes(red: 0, green: 0, blue: 0))
        #expect(PixelBytes(Colour(red: 2, green: -1, blue: 0)) == PixelBytes(red: 255, green: 0, blue: 0))
    }
}

@Suite struct ClockedImageTests {
    /// What a chain of APA102 reads: per pixel the light of each byte, 0…1.
    static func read(_ image: [UInt8], count: Int, order: RingHardware.Order) -> [[Character: Float]]? {
        // The data reaches the last pixel n/2 clocks late.
        guard image.count * 8 >= 32 + 32 * count + (count + 1) / 2, image.prefix(4).allSatisfy({ $0 == 0 }) else { return nil }
        var pixels: [[Character: Float]] = []
        for pixel in 0..<count {
            let bytes = image[4 + 4 * pixel..<8 + 4 * pixel].map { $0 }
            guard bytes[0] & 0xE0 == 0xE0 else { return nil }
            let current = Float(bytes[0] & 0x1F) / 31
            pixels.append(Dictionary(uniqueKeysWithValues: zip(order.rawValue, bytes[1...].map { Float($0) / 255 * current })))
        }
        return pixels
    }

    @Test(arguments: [1, 16, 24, 160, 1000])
    func theLEDsReadTheirColours(count: Int) throws {
        // From full light to a thousandth of it.
        let pixels = (0..<count).map { index in
            let light = Float(1) / Float(1 + index * 7 % 1000)
            return Colour(red: light, green: light / 2, blue: light / 3)
        }
        let image = ClockedImage(order: .bgr).bytes(pixels)
        #expect(image.count == ClockedImage.size(count))
        let seen = try #require(Self.read(image, count: count, order: .bgr))
        for (pixel, light) in zip(pixels, seen) {
            for (wanted, got) in [(pixel.red, light["R"]!), (pixel.green, light["G"]!), (pixel.blue, light["B"]!)] {
                // Half a step of 255 at the pixel's own current, which is at most a 31st above its light.
                let step = (pixel.red + 1 / 31) / 255
                #expect(abs(wanted - got) <= step * 0.51)
            }
        }
        #expect(image.suffix(4 + (count + 15) / 16).allSatisfy { $0 == 0 })
    }

    @Test func theBytesOfAnImage() {
        let pixels = [Colour(red: 1, green: 0, blue: 0.5), .off, Colour(red: 1 / 31, green: 0, blue: 0)]
        #expect(ClockedImage(order: .bgr).bytes(pixels) == [
            0, 0, 0, 0, 0xFF, 128, 0, 255, 0xE1, 0, 0, 0, 0xE1, 0, 0, 255, 0, 0, 0, 0, 0,
        ])
    }
}
