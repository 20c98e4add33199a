// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LEDRing
import ShutterCore
import Simulation

/// A ring that the synthetic camera sees: whatever its driver has been given is light in the scene.
final class SeenRing: RingDriver {
    private let driver: any RingDriver
    private let light: SimulatedLight

    init(_ driver: any RingDriver, _ light: SimulatedLight) {
        self.driver = driver
        self.light = light
    }

    var count: Int { driver.count }

    func write(_ pixels: [Colour]) throws(Fault) {
        try driver.write(pixels)
        light.set(pixels)
    }

    func say(_ text: String) { driver.say(text) }
    func close() { driver.close() }
}
