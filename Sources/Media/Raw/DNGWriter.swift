// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTiff
import Glibc
import LinuxIO
import ShutterCore

/// Writes a frame's Bayer picture as DNG, uncompressed, with all that a raw developer needs.
enum DNGWriter {
    /// - Parameters:
    ///   - file: empty, open for reading and writing; not synced afterwards.
    ///   - facts: what its JPEG says in EXIF.
    /// - Throws: what the card said. ctiff_write_dng().
    static func write(_ raw: RawPicture, _ facts: ExifFacts, to file: Descriptor, subject: String) throws(SystemError) {
        let colours = RawFacts(facts.metadata, bits: raw.layout.bits)
        let settings = facts.settings
        let model = facts.model.isEmpty ? "camera" : facts.model
        let iso = (100 * (facts.metadata.analogueGain ?? 0) * (facts.metadata.digitalGain ?? 1)).rounded()
        // libtiff closes what it is given.
        let copy = try systemCall("dup", subject) { fcntl(file.number, F_DUPFD_CLOEXEC, 3) }
        var words = [CChar](repeating: 0, count: 256)
        var dng = ctiff_dng()
        dng.bytes = raw.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        dng.width = UInt32(raw.layout.width)
        dng.height = UInt32(raw.layout.height)
        dng.stride = UInt32(raw.layout.stride)
        dng.bits = UInt8(raw.layout.bits)
        dng.is_packed = raw.layout.isPacked ? 1 : 0
        let pattern = raw.layout.pattern.map(\.rawValue)
        dng.pattern = (pattern[0], pattern[1], pattern[2], pattern[3])
        dng.black = (colours.black[0], colours.black[1], colours.black[2], colours.black[3])
        dng.white = colours.white
        withUnsafeMutableBytes(of: &dng.matrix) { $0.copyBytes(from: colours.matrix.withUnsafeBytes { Array($0) }) }
        dng.neutral = (colours.neutral[0], colours.neutral[1], colours.neutral[2])
        dng.orientation = UInt16(facts.orientation)
        dng.exposure = facts.metadata.exposureTime.seconds
        dng.iso = iso.isFinite && iso > 0 ? UInt16(min(65535, max(1, iso))) : 0
        let result = withCStrings([settings.make, model, settings.software, facts.time.dateTime, facts.time.subSecond, facts.time.offset]) { texts in
            dng.make = texts[0]
            dng.model = texts[1]
            dng.software = texts[2]
            dng.date_time = texts[3]
            dng.sub_second = texts[4]
            dng.offset_time = texts[5]
            return ctiff_write_dng(copy, &dng, &words, words.count)
        }
        guard result == 0 else { throw SystemError("write", subject, code: -result) }
    }

    private static func withCStrings<Result>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies.map { $0.map { UnsafePointer($0) } })
    }
}
