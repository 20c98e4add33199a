// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// A ring drawn as a picture of square dots, for a terminal.
struct RingPicture {
    /// Dots along one side; even.
    let size: Int
    let pixels: Int
    /// What each dot shows.
    private let dots: [Dot]

    private struct Dot {
        /// The pixels seen in it, each with its share 0…1.
        var shares: [(pixel: Int, share: Double)] = []
        /// The share of the space between the pixels, and that of the button in the middle.
        var body = 0.0
        var middle = 0.0
    }

    init(size: Int, pixels: Int) {
        self.size = size
        self.pixels = pixels
        let outer = Double(size) / 2
        let inner = outer * 0.7
        // A dark seam between LEDs that are big enough to be told apart.
        let pitch = 2 * Double.pi * (outer + inner) / 2 / Double(pixels)
        let seam = pixels > 1 && pitch > 2 ? 0.22 / pitch : 0
        var dots = Array(repeating: Dot(), count: size * size)
        let samples = 4
        for index in 0..<(size * size) * samples * samples {
            let dot = index / (samples * samples)
            let x = Double(dot % size) + (Double(index % samples) + 0.5) / Double(samples) - outer
            let y = Double(dot / size) + (Double(index / samples % samples) + 0.5) / Double(samples) - outer
            let radius = (x * x + y * y).squareRoot()
            let part = 1 / Double(samples * samples)
            if radius < outer * 0.46 { dots[dot].middle += part }
            guard radius < outer, radius >= inner else { continue }
            var turn = atan2(x, -y) / (2 * .pi)
            if turn < 0 { turn += 1 }
            let place = turn * Double(pixels)
            let pixel = min(pixels - 1, Int(place))
            let within = place - Double(pixel)
            if within < seam || within > 1 - seam {
                dots[dot].body += part
            } else if let known = dots[dot].shares.firstIndex(where: { $0.pixel == pixel }) {
                dots[dot].shares[known].share += part
            } else {
                dots[dot].shares.append((pixel, part))
            }
        }
        self.dots = dots
    }

    /// The dots as colours of the terminal, row by row; nil where the picture is empty.
    func draw(_ frame: [Colour]) -> [Shade?] {
        let leds = frame.map(Shade.init(led:))
        let middle = Shade(middleOf: frame)
        return dots.map { dot in
            var shade = Shade()
            var share = 0.0
            for (pixel, part) in dot.shares {
                shade.add(leds[pixel], part)
                share += part
            }
            shade.add(Shade.body, dot.body)
            shade.add(middle, dot.middle)
            share += dot.body + dot.middle
            return share > 0.3 ? shade : nil
        }
    }
}

/// A colour as the terminal shows it: 0…255, gamma applied.
struct Shade: Equatable {
    var red = 0.0
    var green = 0.0
    var blue = 0.0

    /// An LED that is off, and the ring between the LEDs.
    static let unlit = Shade(red: 38, green: 38, blue: 44)
    static let body = Shade(red: 20, green: 20, blue: 24)

    init(red: Double = 0, green: Double = 0, blue: Double = 0) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Light to screen: LEDs are linear, screens are not. A faint LED is glaring beside a screen, so faint light is lifted.
    init(led: Colour) {
        func part(_ light: Float, _ floor: Double) -> Double {
            let shown = pow(Double(min(max(light, 0), 1)), 1 / 2.2)
            return floor + (255 - floor) * min(1, 1.15 * pow(shown, 0.55))
        }
        let isLit = led.red + led.green + led.blue > 0
        guard isLit else { self = Shade.unlit; return }
        self.init(red: part(led.red, 26), green: part(led.green, 26), blue: part(led.blue, 26))
    }

    /// The button in the middle takes the hue of the brightest LED.
    init(middleOf frame: [Colour]) {
        func light(_ colour: Colour) -> Float { colour.red + colour.green + colour.blue }
        guard let brightest = frame.max(by: { light($0) < light($1) }), light(brightest) > 0 else { self = Shade.unlit; return }
        let top = max(brightest.red, brightest.green, brightest.blue)
        func part(_ value: Float) -> Double { 40 + 120 * pow(Double(value / top), 1 / 2.2) }
        self.init(red: part(brightest.red), green: part(brightest.green), blue: part(brightest.blue))
    }

    mutating func add(_ other: Shade, _ share: Double) {
        red += other.red * share
        green += other.green * share
        blue += other.blue * share
    }

    /// `R;G;B`, as SGR 38;2 and 48;2 want it.
    var sgr: String { "\(Int(red));\(Int(green));\(Int(blue))" }
}
