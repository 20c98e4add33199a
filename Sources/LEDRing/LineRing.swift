// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// One to eight plain LEDs, each on a line of its own. Their only levels are on and off: any light is on. The animator has to
/// be told (`isOnOff`), so that every cue comes as a rhythm. There is no software PWM: it would flicker under load, and wake the
/// processor a hundred times a second.
final class LineRing: RingDriver, @unchecked Sendable {
    let count: Int
    private let lines: [any OutputLine]
    private var shown: [Bool?]

    init(_ lines: [any OutputLine]) {
        self.lines = lines
        count = lines.count
        shown = Array(repeating: nil, count: lines.count)
    }

    func write(_ pixels: [Colour]) throws(Fault) {
        for (index, pixel) in pixels.enumerated() {
            let isOn = max(pixel.red, pixel.green, pixel.blue) > 0
            guard shown[index] != isOn else { continue }
            shown[index] = nil
            try lines[index].set(isOn)
            shown[index] = isOn
        }
    }
}
