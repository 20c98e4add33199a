// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// How the bytes of a Bayer picture are arranged.
package struct RawLayout: Equatable, Sendable {
    /// The colour of a sample.
    package enum Colour: UInt8, Sendable { case red, green, blue }

    /// Pixels.
    package var width: Int
    /// Pixels.
    package var height: Int
    /// Bytes from one row to the next.
    package var stride: Int
    /// Bits of a sample: 8, 10, 12, 14 or 16. More than 8 are little-endian 16-bit words, unless packed.
    package var bits: Int
    /// As CSI-2 packs them: the upper eight bits of some samples, then the rest of all of them.
    package var isPacked: Bool
    /// The upper left 2×2, by rows.
    package var pattern: [Colour]

    /// - Parameter format: libcamera's name: `SBGGR10`, `SRGGB12_CSI2P`. Nil for any other, such as a Pi 5's compressed ones.
    package init?(format: String, width: Int, height: Int, stride: Int) {
        let parts = format.split(separator: "_", omittingEmptySubsequences: false)
        guard let name = parts.first, name.hasPrefix("S"), parts.count == 1 || (parts.count == 2 && parts[1] == "CSI2P") else { return nil }
        let colours: [Colour] = name.dropFirst().prefix(4).compactMap {
            switch $0 {
            case "R": .red
            case "G": .green
            case "B": .blue
            default: nil
            }
        }
        guard colours.count == 4, let bits = Int(name.dropFirst(5)), [8, 10, 12, 14, 16].contains(bits) else { return nil }
        self.width = width
        self.height = height
        self.stride = stride
        self.bits = bits
        isPacked = parts.count == 2
        pattern = colours
        guard width > 0, height > 0, stride >= rowBytes else { return nil }
    }

    /// Bytes in one row, without padding.
    package var rowBytes: Int { isPacked ? (width * bits + 7) / 8 : width * (bits > 8 ? 2 : 1) }

    /// The bytes it needs at least.
    package var byteCount: Int { stride * (height - 1) + rowBytes }
}

/// A Bayer picture of the same exposure, in a frame.
package struct RawPicture: @unchecked Sendable {
    package var layout: RawLayout
    /// As long as the frame.
    package var bytes: UnsafeRawBufferPointer

    package init(layout: RawLayout, bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count >= layout.byteCount, "a raw picture's layout must fit its bytes")
        self.layout = layout
        self.bytes = bytes
    }
}
