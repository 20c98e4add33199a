// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Puts an EXIF segment in front of a JPEG as TurboJPEG made it, without copying the picture.
enum JPEGFile {
    /// SOI and the APP1 segment: to be written before the bytes from `pictureOffset` on.
    static func head(exif: [UInt8]) -> [UInt8] {
        let length = exif.count + 2
        precondition(length <= 65_535, "an APP1 segment has 64 KiB at most")
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
    }

    /// Where the picture begins: after SOI and, if it is there, the JFIF segment, which has no place in an EXIF file.
    static func pictureOffset(in jpeg: UnsafeRawBufferPointer) -> Int {
        guard jpeg.count > 6, jpeg[2] == 0xFF, jpeg[3] == 0xE0 else { return min(2, jpeg.count) }
        return 4 + Int(jpeg[4]) << 8 + Int(jpeg[5])
    }
}
