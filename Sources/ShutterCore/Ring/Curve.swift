// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A cubic Bézier from (0,0) to (1,1), as CSS and CoreAnimation use it: progress over time, both 0…1.
struct Curve: Equatable, Sendable {
    var x1: Double
    var y1: Double
    var x2: Double
    var y2: Double

    static let easeOut = Curve(x1: 0, y1: 0, x2: 0.58, y2: 1)
    static let easeInOut = Curve(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

    func progress(_ time: Double) -> Double {
        guard time > 0 else { return 0 }
        guard time < 1 else { return 1 }
        // x rises with its parameter, so halving finds it: 40 times is beyond any light's resolution.
        var low = 0.0
        var high = 1.0
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if Self.coordinate(middle, x1, x2) < time { low = middle } else { high = middle }
        }
        return Self.coordinate((low + high) / 2, y1, y2)
    }

    private static func coordinate(_ part: Double, _ first: Double, _ second: Double) -> Double {
        let rest = 1 - part
        return 3 * rest * rest * part * first + 3 * rest * part * part * second + part * part * part
    }
}
