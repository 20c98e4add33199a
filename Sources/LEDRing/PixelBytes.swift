// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// What a pixel with 8 bits a part is told. All drivers that send bytes round here.
struct PixelBytes: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    /// Of pixels with a white LED: the part that red, green and blue have in common, and they do without.
    var white: UInt8 = 0

    init(red: UInt8, green: UInt8, blue: UInt8, white: UInt8 = 0) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }

    init(_ colour: Colour, hasWhite: Bool = false) {
        let white = hasWhite ? max(0, min(colour.red, colour.green, colour.blue)) : 0
        self.init(red: Self.byte(colour.red - white), green: Self.byte(colour.green - white), blue: Self.byte(colour.blue - white), white: Self.byte(white))
        guard red | green | blue | self.white == 0 else { return }
        // Faint is not off: the strongest part stays lit.
        let most = max(colour.red, colour.green, colour.blue)
        guard most > 0 else { return }
        if white > 0 { self.white = 1 } else if most == colour.red { red = 1 } else if most == colour.green { green = 1 } else { blue = 1 }
    }

    /// In the order in which the pixel takes them.
    func append(to bytes: inout [UInt8], in order: RingHardware.Order) {
        switch order {
        case .grb: put(green, red, blue, &bytes)
        case .rgb: put(red, green, blue, &bytes)
        case .brg: put(blue, red, green, &bytes)
        case .rbg: put(red, blue, green, &bytes)
        case .gbr: put(green, blue, red, &bytes)
        case .bgr: put(blue, green, red, &bytes)
        case .grbw:
            put(green, red, blue, &bytes)
            bytes.append(white)
        case .rgbw:
            put(red, green, blue, &bytes)
            bytes.append(white)
        }
    }

    private func put(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ bytes: inout [UInt8]) {
        bytes.append(first)
        bytes.append(second)
        bytes.append(third)
    }

    static func byte(_ light: Float) -> UInt8 { UInt8(min(max(light, 0), 1) * 255 + 0.5) }
}
