// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// The part of a fragmented MP4 that is whole.
enum FragmentedMP4 {
    /// Larger than any part that is synced at once: half of the longest `[video] fragment`. In bytes.
    private static let largestFragment = 256 << 20

    /// Bytes up to the end of the last fragment (`moof` and `mdat`) that is wholly there; nil when there is none.
    static func wholeSize(_ file: Descriptor, subject: String) throws(SystemError) -> UInt64? {
        var fragments = try fragments(file, subject: subject)
        // What had not been synced may be there by its size, and hold nothing: only the end of the file can be so.
        while let last = fragments.last {
            if last.media.count <= largestFragment, last.index.count <= largestFragment,
                isMedia(
                    try file.read(upTo: last.media.count, at: last.media.lowerBound, subject: subject),
                    pictures: FragmentIndex.pictureBytes(try file.read(upTo: last.index.count, at: last.index.lowerBound, subject: subject))) {
                return last.media.upperBound
            }
            fragments.removeLast()
        }
        return nil
    }

    /// Where the contents of each `moof` and its `mdat` lie, as far as the boxes go.
    private static func fragments(_ file: Descriptor, subject: String) throws(SystemError) -> [(index: Range<UInt64>, media: Range<UInt64>)] {
        var offset: UInt64 = 0
        var found: [(index: Range<UInt64>, media: Range<UInt64>)] = []
        var hasMovie = false
        var index: Range<UInt64>?
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
            let contents = offset + (isLong ? 16 : 8)..<end
            if type == "mdat", let index, hasMovie { found.append((index, contents)) }
            index = type == "moof" ? contents : nil
            offset = end
        }
    }

    /// Whether the bytes are pictures (H.264 with the length before each unit, or JPEGs), and then sound. None of them has many
    /// zeros in a row, as blocks have that never reached the disk.
    /// - Parameter pictures: how many of the bytes are pictures; nil: all.
    static func isMedia(_ bytes: [UInt8], pictures: Int? = nil) -> Bool {
        var zeros = 0
        for byte in bytes {
            zeros = byte == 0 ? zeros + 1 : 0
            if zeros == 64 { return false }
        }
        let end = pictures ?? bytes.count
        guard end <= bytes.count, !bytes.isEmpty else { return false }
        if bytes.starts(with: [0xFF, 0xD8]) { return bytes[..<end].suffix(2) == [0xFF, 0xD9] }
        var offset = 0
        while offset + 5 <= end {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            // The unit's first bit is 0, and it has a type.
            guard length > 0, bytes[offset + 4] & 0x80 == 0, bytes[offset + 4] & 0x1F != 0 else { return false }
            offset += 4 + length
        }
        return offset == end
    }
}

/// A `moof`: ISO 14496-12, 8.8.
enum FragmentIndex {
    /// How many bytes of the `mdat` that follows are of the first track; nil when it does not say.
    static func pictureBytes(_ moof: [UInt8]) -> Int? {
        var isKnown = false
        var sum = 0
        for traf in boxes(moof[...]) where traf.type == "traf" {
            isKnown = true
            let parts = boxes(traf.contents)
            guard let head = parts.first(where: { $0.type == "tfhd" })?.contents, let flags = number(head, 0), number(head, 4) == 1 else { continue }
            // Optional fields stand in the order of their flags.
            let before = (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0) + (flags & 8 != 0 ? 4 : 0)
            let usual = flags & 0x10 != 0 ? number(head, 8 + before) : nil
            for run in parts where run.type == "trun" {
                guard let bytes = sampleBytes(run.contents, usual: usual) else { return nil }
                sum += bytes
            }
        }
        return isKnown ? sum : nil
    }

    private static func sampleBytes(_ run: ArraySlice<UInt8>, usual: Int?) -> Int? {
        guard let flags = number(run, 0), let count = number(run, 4), count <= run.count else { return nil }
        guard flags & 0x200 != 0 else { return usual.map { $0 * count } }
        var offset = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
        let (before, after) = (flags & 0x100 != 0 ? 4 : 0, (flags & 0x400 != 0 ? 4 : 0) + (flags & 0x800 != 0 ? 4 : 0))
        var sum = 0
        for _ in 0..<count {
            guard let size = number(run, offset + before) else { return nil }
            sum += size
            offset += before + 4 + after
        }
        return sum
    }

    private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(type: String, contents: ArraySlice<UInt8>)] {
        var found: [(type: String, contents: ArraySlice<UInt8>)] = []
        var rest = bytes
        while let size = number(rest, 0), size >= 8, size <= rest.count {
            let box = rest.prefix(size)
            found.append((String(decoding: box.dropFirst(4).prefix(4), as: UTF8.self), box.dropFirst(8)))
            rest = rest.dropFirst(size)
        }
        return found
    }

    /// Four bytes from an offset on.
    private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        return bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
}
