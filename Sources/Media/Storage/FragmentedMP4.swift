// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// The part of a fragmented MP4 that is whole.
enum FragmentedMP4 {
    /// Larger than any fragment of half a second.
    private static let largestFragment = 256 << 20

    /// Bytes up to the end of the last fragment (`moof` and `mdat`) that is wholly there; nil when there is none.
    static func wholeSize(_ file: Descriptor, subject: String) throws(SystemError) -> UInt64? {
        var fragments = try fragments(file, subject: subject)
        // What had not been synced may be there by its size, and hold nothing: only the end of the file can be so.
        while let last = fragments.last {
            if last.count <= largestFragment,
                isMedia(try file.read(upTo: last.count, at: last.lowerBound, subject: subject)) { return last.upperBound }
            fragments.removeLast()
        }
        return nil
    }

    /// Where the contents of each `mdat` with its `moof` lie, as far as the boxes go.
    private static func fragments(_ file: Descriptor, subject: String) throws(SystemError) -> [Range<UInt64>] {
        var offset: UInt64 = 0
        var found: [Range<UInt64>] = []
        var hasMovie = false
        var before = ""
        while true {
            let header = try file.read(upTo: 16, at: offset, subject: subject)
            guard header.count >= 8 else { return found }
            var size = header[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let isLong = size == 1 && header.count == 16
            if isLong { size = header[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
            // 0 would be "up to the end of the file"; what was never written reads as 0, too.
            guard size >= (isLong ? 16 : 8), size < UInt64(Int64.max) - offset else { return found }
            let end = offset + size
            // Its last byte must be there.
            guard try file.read(upTo: 1, at: end - 1, subject: subject).count == 1 else { return found }
            let type = String(decoding: header[4..<8], as: UTF8.self)
            if type == "moov" { hasMovie = true }
            if type == "mdat", before == "moof", hasMovie { found.append(offset + (isLong ? 16 : 8)..<end) }
            before = type
            offset = end
        }
    }

    /// Whether the bytes are H.264 with the length before each unit, or JPEGs. Neither has many zeros in a row, as blocks
    /// have that never reached the disk.
    static func isMedia(_ bytes: [UInt8]) -> Bool {
        var zeros = 0
        for byte in bytes {
            zeros = byte == 0 ? zeros + 1 : 0
            if zeros == 64 { return false }
        }
        if bytes.starts(with: [0xFF, 0xD8]) { return bytes.suffix(2) == [0xFF, 0xD9] }
        var offset = 0
        while offset + 5 <= bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            // The unit's first bit is 0, and it has a type.
            guard length > 0, bytes[offset + 4] & 0x80 == 0, bytes[offset + 4] & 0x1F != 0 else { return false }
            offset += 4 + length
        }
        return offset == bytes.count && offset > 0
    }
}
