// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import ShutterCore

/// The yardstick: one handle, one output buffer, and TurboJPEG called on the frame's own planes or pixels.
final class DirectEncoder {
    private let handle: tjhandle
    private let quality: Int
    private var output: UnsafeMutablePointer<UInt8>?
    /// Bytes of the last JPEG.
    private(set) var size: UInt = 0

    init(_ layout: FrameLayout, quality: Int) {
        guard let handle = tjInitCompress() else { fail("TurboJPEG does not start") }
        self.handle = handle
        self.quality = quality
        output = tjAlloc(Int32(tjBufSize(Int32(layout.width), Int32(layout.height), Int32(TJSAMP_420.rawValue))))
    }

    deinit {
        tjFree(output)
        tjDestroy(handle)
    }

    /// Three planes, or one of R, G, B in memory. tjCompressFromYUVPlanes(), tjCompress2().
    func encode(_ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout) {
        let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let (width, height, subsampling) = (Int32(layout.width), Int32(layout.height), Int32(TJSAMP_420.rawValue))
        let result: Int32
        if layout.format == .yuv420 {
            var planes = layout.planes.map { Optional(base + $0.offset) }
            let strides = layout.planes.map { Int32($0.stride) }
            result = tjCompressFromYUVPlanes(
                handle, &planes, width, strides, height, subsampling, &output, &size, Int32(quality), TJFLAG_NOREALLOC)
        } else {
            result = tjCompress2(
                handle, base, width, Int32(layout.planes[0].stride), height, Int32(TJPF_RGB.rawValue), &output, &size, subsampling,
                Int32(quality), TJFLAG_NOREALLOC)
        }
        precondition(result == 0, String(cString: tjGetErrorStr2(handle)))
    }
}
