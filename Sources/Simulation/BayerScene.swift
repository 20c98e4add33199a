// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// What the synthetic sensor's Bayer picture shows: stripes of known colours under the time code, as a sensor with a
/// colour cast sees them. White balance and colour correction, as its metadata tell them, bring the colours back.
package struct BayerScene: Sendable {
    /// Linear sRGB, 0…1, from left to right.
    package static let stripes: [(red: Double, green: Double, blue: Double)] = [
        (0.8, 0.8, 0.8), (0.6, 0.05, 0.05), (0.05, 0.5, 0.05), (0.05, 0.05, 0.6), (0.2, 0.2, 0.2),
    ]
    static let gains = (red: 1.8, blue: 1.6)
    /// To linear sRGB; its rows add up to 1, so that grey stays grey.
    static let correction = [1.5, -0.3, -0.2, -0.2, 1.4, -0.2, -0.1, -0.4, 1.5]
    /// Of ten bits.
    package static let black = 64
    package static let white = 1023

    package let layout: RawLayout
    /// One row of each parity, and one that is black.
    private let rows: [[UInt16]]
    private let side: Int

    init(width: Int, height: Int) {
        layout = RawLayout(format: "SBGGR10", width: width, height: height, stride: (width * 2 + 63) / 64 * 64)!
        side = TimeCode.side(width: width)
        let seen = Self.stripes.map { Self.camera($0) }
        rows = (0..<2).map { y in
            (0..<width).map { x in
                let colour = seen[x * seen.count / width]
                // BGGR
                let part = y == 0 ? (x % 2 == 0 ? colour.blue : colour.green) : (x % 2 == 0 ? colour.green : colour.red)
                return UInt16(Double(Self.black) + part * Double(Self.white - Self.black))
            }
        }
    }

    /// The inverse of what the metadata say: (M · diag(gains))⁻¹, by Cramer's rule.
    private static func camera(_ rgb: (red: Double, green: Double, blue: Double)) -> (red: Double, green: Double, blue: Double) {
        let m = correction
        func determinant(_ m: [Double]) -> Double {
            m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])
        }
        func solve(_ column: Int) -> Double {
            var other = m
            for (row, value) in [rgb.red, rgb.green, rgb.blue].enumerated() { other[row * 3 + column] = value }
            return determinant(other) / determinant(m)
        }
        func part(_ value: Double) -> Double { min(1, max(0, value)) }
        return (part(solve(0) / gains.red), part(solve(1)), part(solve(2) / gains.blue))
    }

    /// Filled with the stripes; to be deallocated by the caller.
    func makeBuffer() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 64)
        memset(memory, 0, layout.byteCount)
        for y in 0..<layout.height { _ = rows[y % 2].withUnsafeBytes { memcpy(memory + y * layout.stride, $0.baseAddress!, $0.count) } }
        return memory
    }

    func draw(_ memory: UnsafeMutableRawPointer, exposureCentre: Timestamp) {
        let code = UInt64(bitPattern: exposureCentre.nanoseconds)
        let row = (0..<layout.width).map { x -> UInt16 in
            let bit = x / side
            return UInt16(bit < TimeCode.bits && code >> UInt64(63 - bit) & 1 == 1 ? Self.white : Self.black)
        }
        for y in 0..<min(side, layout.height) { _ = row.withUnsafeBytes { memcpy(memory + y * layout.stride, $0.baseAddress!, $0.count) } }
    }
}
