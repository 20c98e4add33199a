// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Turns perceived levels into what the LEDs are given: gamma, brightness, and a current that the supply can bear.
package struct RingLight: Equatable, Sendable {
    /// What one colour of one LED draws at full light.
    package static let milliampsPerPart = 20.0

    /// Perceptual, 0…1.
    package var brightness: Double
    /// Milliamps for the whole ring.
    package var budget: Double
    package var gamma: Double

    package init(brightness: Double, budget: Double, gamma: Double = 2.2) {
        self.brightness = brightness
        self.budget = budget
        self.gamma = gamma
    }

    /// Linear light of a perceived level.
    func light(_ level: Double) -> Double { power(min(max(level, 0), 1) * min(max(brightness, 0), 1), gamma) }

    /// The brightest white of a whole ring.
    package func white(_ count: Int) -> [Colour] {
        let full = light(1)
        return limited(Array(repeating: .init(red: full, green: full, blue: full), count: count))
    }

    /// Dims all pixels alike where they would draw more than the budget. Parts are linear.
    func limited(_ pixels: [Look.Tint]) -> [Colour] {
        func part(_ value: Double) -> Double { min(max(value, 0), 1) }
        let milliamps = pixels.reduce(0) { $0 + part($1.red) + part($1.green) + part($1.blue) } * Self.milliampsPerPart
        let scale = milliamps > budget ? max(budget, 0) / milliamps : 1
        return pixels.map {
            Colour(red: Float(part($0.red) * scale), green: Float(part($0.green) * scale), blue: Float(part($0.blue) * scale))
        }
    }
}
