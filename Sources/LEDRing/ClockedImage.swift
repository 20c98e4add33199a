// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// The bytes that a chain of APA102 (or SK9822) takes for its colours: 32 zeros, four bytes a pixel, and clocks for the end.
///
/// Each pixel has, besides its three bytes, a current of 1…31 thirty-firsts. The smallest one that the strongest part
/// fits into is taken, so that dim colours still have most of their 8 bits: a light of 1/31 is 255, not 8.
struct ClockedImage {
    /// Far below the 20 MHz and more that the chips take: wires on a breadboard do not.
    static let speed: UInt32 = 4_000_000

    let order: RingHardware.Order

    /// Bytes of a whole image.
    static func size(_ count: Int) -> Int { 4 + 4 * count + end(count) }

    /// Every pixel hands the data on half a clock late, so n pixels need n/2 clocks more; SK9822 wants 32 zeros before it
    /// shows anything. Zeros, because ones would be a white pixel to one more LED on the chain.
    private static func end(_ count: Int) -> Int { 4 + (count + 15) / 16 }

    func bytes(_ pixels: [Colour]) -> [UInt8] {
        var image: [UInt8] = [0, 0, 0, 0]
        image.reserveCapacity(Self.size(pixels.count))
        for pixel in pixels {
            let most = min(max(pixel.red, pixel.green, pixel.blue, 0), 1)
            // A hair less, so that rounding of n/31 does not ask for the next current.
            let current = max(1, min(31, Int((most * 31 - 0.0001).rounded(.up))))
            let scale = 31 / Float(current)
            let scaled = Colour(red: pixel.red * scale, green: pixel.green * scale, blue: pixel.blue * scale)
            image.append(0b1110_0000 | UInt8(current))
            PixelBytes(scaled).append(to: &image, in: order)
        }
        image.append(contentsOf: repeatElement(0, count: Self.end(pixels.count)))
        return image
    }
}
