// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A ring as it is wired: what an adapter needs to know to drive it.
package struct RingHardware: Equatable, Sendable {
    package enum Driver: String, Sendable, CaseIterable {
        case ws2812 = "ws2812-spi"
        case sk6812 = "sk6812-spi"
        case apa102 = "apa102-spi"
        case gpio, pwm
        case ledClass = "led-class"
        case terminal, none
    }

    /// The order in which a pixel takes its colours.
    package enum Order: String, Sendable, CaseIterable {
        case grb = "GRB"
        case rgb = "RGB"
        case brg = "BRG"
        case rbg = "RBG"
        case gbr = "GBR"
        case bgr = "BGR"
        case grbw = "GRBW"
        case rgbw = "RGBW"

        /// Whether a pixel has a fourth, white LED.
        package var hasWhite: Bool { self == .grbw || self == .rgbw }
    }

    package var driver: Driver
    /// A device file, the place of a PWM chip, or the name of an LED, as the driver wants it.
    package var device: String
    /// Pixels; for `gpio` lines.
    package var count: Int
    package var order: Order

    package init(driver: Driver, device: String, count: Int, order: Order = .grb) {
        self.driver = driver
        self.device = device
        self.count = count
        self.order = order
    }
}
