// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG

/// TurboJPEG's decompressor: a tjhandle. For checking what an earlier run left behind, and for tests.
final class Decompressor {
    private let handle: tjhandle

    init?() {
        guard let handle = tjInitDecompress() else { return nil }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Pixels, three bytes each: R, G, B, without padding.
    struct Image {
        var width: Int
        var height: Int
        var rgb: [UInt8]
    }

    /// Decodes at 1/`reduction` of the size (1, 2, 4 or 8); nil when it is no JPEG, or damaged, or cut short.
    /// tjDecompressHeader3(), tjDecompress2().
    func decode(_ jpeg: [UInt8], reduction: Int32 = 1) -> Image? {
        var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard tjDecompressHeader3(handle, jpeg, UInt(jpeg.count), &width, &height, &subsampling, &space) == 0 else { return nil }
        width = (width + reduction - 1) / reduction
        height = (height + reduction - 1) / reduction
        var rgb = [UInt8](repeating: 0, count: Int(width) * Int(height) * 3)
        let result = tjDecompress2(
            handle, jpeg, UInt(jpeg.count), &rgb, width, 0, height, Int32(TJPF_RGB.rawValue), TJFLAG_STOPONWARNING)
        return result == 0 ? Image(width: Int(width), height: Int(height), rgb: rgb) : nil
    }
}
