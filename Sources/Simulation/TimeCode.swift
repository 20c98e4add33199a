// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// The 64 squares along the top edge of a simulated frame: its exposure centre in ns on CLOCK_MONOTONIC, most
/// significant bit first, white = 1. So any test can read from a picture which instant it shows.
package enum TimeCode {
    package static let bits = 64

    /// Pixels along one side of a square; columns left over stand at the right.
    package static func side(width: Int) -> Int { width / bits }

    /// Reads the code, or nil where the squares are not clearly black or white. For pictures decoded from JPEG,
    /// describe them by a packed layout: R, G, B in memory is `BGR888`.
    package static func read(_ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout) -> Timestamp? {
        let side = side(width: layout.width)
        guard side > 0, side <= layout.height, bytes.count >= layout.byteCount else { return nil }
        var code: UInt64 = 0
        for bit in 0..<bits {
            let light = light(bytes, layout, x: bit * side + side / 2, y: side / 2)
            guard !(96...160).contains(light) else { return nil }
            code = code << 1 | (light > 128 ? 1 : 0)
        }
        return Timestamp(nanoseconds: Int64(bitPattern: code))
    }

    /// Reads the code from a plane of luma, or of any single channel.
    package static func read(luma: [UInt8], width: Int, height: Int, stride: Int) -> Timestamp? {
        // A one-plane view of it: the chroma of YUV420 is never looked at.
        let layout = FrameLayout(
            format: .yuv420, width: width, height: height,
            planes: [PlaneLayout(offset: 0, stride: stride), PlaneLayout(offset: 0, stride: stride), PlaneLayout(offset: 0, stride: stride)])
        return luma.withUnsafeBytes { read($0, layout) }
    }

    private static func light(_ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout, x: Int, y: Int) -> Int {
        let row = layout.planes[0].offset + y * layout.planes[0].stride
        switch layout.format {
        case .yuv420, .nv12: return Int(bytes[row + x])
        // Green stands in the middle in each of them.
        case .rgb888, .bgr888: return Int(bytes[row + x * 3 + 1])
        case .xrgb8888: return Int(bytes[row + x * 4 + 1])
        }
    }
}

extension Frame {
    /// The instant that the frame's own picture says it shows.
    package var timeCode: Timestamp? { withBytes { TimeCode.read($0, layout) } }
}
