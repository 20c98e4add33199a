// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Rec. 709 YCbCr to the Rec. 601 that JPEG means: without this, greens and reds are off.
/// ITU-R BT.709 and BT.601: from YCbCr by the one's weights to RGB, and back by the other's; 1 is 65536.
enum MatrixTable {
    private static let (lumaOfU, lumaOfV) = (6657, 12850)
    private static let (uOfU, uOfV) = (64871, -7252)
    private static let (vOfU, vOfV) = (-4748, 64448)

    /// Converts full-range planes in place.
    /// - Parameters:
    ///   - width: columns of the luma plane; even, as is `height`.
    ///   - chromaStride: bytes from one row of U to the next, and of V.
    static func convert(
        y: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int, u: UnsafeMutablePointer<UInt8>,
        v: UnsafeMutablePointer<UInt8>, chromaStride: Int
    ) {
        for row in 0..<height / 2 {
            let (lineU, lineV) = (u + row * chromaStride, v + row * chromaStride)
            let (upper, lower) = (y + 2 * row * stride, y + (2 * row + 1) * stride)
            for column in 0..<width / 2 {
                let (blue, red) = (Int(lineU[column]) - 128, Int(lineV[column]) - 128)
                let shift = (lumaOfU &* blue &+ lumaOfV &* red &+ 32768) >> 16
                lineU[column] = clamp(128 + (uOfU &* blue &+ uOfV &* red &+ 32768) >> 16)
                lineV[column] = clamp(128 + (vOfU &* blue &+ vOfV &* red &+ 32768) >> 16)
                if shift == 0 { continue }
                for line in [upper, lower] {
                    line[2 &* column] = clamp(Int(line[2 &* column]) &+ shift)
                    line[2 &* column &+ 1] = clamp(Int(line[2 &* column &+ 1]) &+ shift)
                }
            }
        }
    }

    private static func clamp(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: min(255, max(0, value))) }
}
