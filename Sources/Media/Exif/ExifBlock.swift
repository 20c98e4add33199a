// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CExif

/// EXIF data of libexif, to be filled and serialised, or read: an ExifData.
final class ExifBlock {
    private let data: UnsafeMutablePointer<ExifData>
    /// Entries, thumbnail and output must come from the allocator that libexif frees them with.
    private let memory: OpaquePointer
    private static let order = EXIF_BYTE_ORDER_INTEL

    /// exif_data_new_mem()
    init() {
        guard let memory = exif_mem_new_default(), let data = exif_data_new_mem(memory) else { fatalError("libexif: out of memory") }
        self.memory = memory
        self.data = data
        exif_data_set_data_type(data, EXIF_DATA_TYPE_COMPRESSED)
        exif_data_set_byte_order(data, Self.order)
    }

    /// Reads the EXIF part of a JPEG's first bytes; exif_data_load_data().
    convenience init(jpeg: [UInt8]) {
        self.init()
        exif_data_load_data(data, jpeg, UInt32(clamping: jpeg.count))
    }

    deinit {
        exif_data_unref(data)
        exif_mem_unref(memory)
    }

    /// The thumbnail's JPEG; empty: none.
    var thumbnail: [UInt8] {
        get { [UInt8](UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size))) }
        set {
            exif_mem_free(memory, data.pointee.data)
            data.pointee.data = newValue.isEmpty ? nil : copy(newValue)
            data.pointee.size = UInt32(newValue.count)
        }
    }

    /// From `Exif\0\0` on, as it stands in an APP1 segment; exif_data_save_data().
    func serialised() -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        var size: UInt32 = 0
        exif_data_save_data(data, &bytes, &size)
        defer { exif_mem_free(memory, bytes) }
        return [UInt8](UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(size)))
    }

    /// ASCII, what is not becomes `?`; cut after 255 characters.
    func set(_ ifd: ExifIfd, _ tag: ExifTag, text: String) {
        let bytes = text.unicodeScalars.prefix(255).map { $0.isASCII && $0.value >= 32 ? UInt8($0.value) : UInt8(ascii: "?") } + [0]
        set(ifd, tag, EXIF_FORMAT_ASCII, components: bytes.count, bytes)
    }

    func set(_ ifd: ExifIfd, _ tag: ExifTag, short: UInt16) {
        set(ifd, tag, EXIF_FORMAT_SHORT, components: 1, bytes(2) { exif_set_short($0, Self.order, short) })
    }

    func set(_ ifd: ExifIfd, _ tag: ExifTag, long: UInt32) {
        set(ifd, tag, EXIF_FORMAT_LONG, components: 1, bytes(4) { exif_set_long($0, Self.order, long) })
    }

    func set(_ ifd: ExifIfd, _ tag: ExifTag, rational: (UInt32, UInt32)) {
        let value = ExifRational(numerator: rational.0, denominator: rational.1)
        set(ifd, tag, EXIF_FORMAT_RATIONAL, components: 1, bytes(8) { exif_set_rational($0, Self.order, value) })
    }

    func set(_ ifd: ExifIfd, _ tag: ExifTag, signed: (Int32, Int32)) {
        let value = ExifSRational(numerator: signed.0, denominator: signed.1)
        set(ifd, tag, EXIF_FORMAT_SRATIONAL, components: 1, bytes(8) { exif_set_srational($0, Self.order, value) })
    }

    func set(_ ifd: ExifIfd, _ tag: ExifTag, undefined: [UInt8]) {
        set(ifd, tag, EXIF_FORMAT_UNDEFINED, components: undefined.count, undefined)
    }

    private func bytes(_ count: Int, _ fill: (UnsafeMutablePointer<UInt8>?) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            fill(buffer.baseAddress)
            filled = count
        }
    }

    private func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8> {
        guard let target = exif_mem_alloc(memory, UInt32(bytes.count)) else { fatalError("libexif: out of memory") }
        target.copyMemory(from: bytes, byteCount: bytes.count)
        return target.assumingMemoryBound(to: UInt8.self)
    }

    private func set(_ ifd: ExifIfd, _ tag: ExifTag, _ format: ExifFormat, components: Int, _ bytes: [UInt8]) {
        guard let entry = exif_entry_new_mem(memory) else { fatalError("libexif: out of memory") }
        entry.pointee.tag = tag
        entry.pointee.format = format
        entry.pointee.components = UInt(components)
        entry.pointee.data = copy(bytes)
        entry.pointee.size = UInt32(bytes.count)
        // The content takes a reference of its own.
        exif_content_add_entry(content(ifd), entry)
        exif_entry_unref(entry)
    }

    private func content(_ ifd: ExifIfd) -> UnsafeMutablePointer<ExifContent>? {
        let ifds = data.pointee.ifd
        return switch ifd {
        case EXIF_IFD_0: ifds.0
        case EXIF_IFD_1: ifds.1
        case EXIF_IFD_EXIF: ifds.2
        default: nil
        }
    }
}
