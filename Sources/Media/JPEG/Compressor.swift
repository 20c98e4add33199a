// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG

/// A picture as TurboJPEG reads it. Valid as long as the frame or buffers behind it.
struct Picture {
    var width: Int
    var height: Int
    var pixels: Pixels

    enum Pixels {
        /// Full range; chroma at half width and half height, rounded up. The luma plane has an even number of rows
        /// and columns: TurboJPEG reads it so, whatever the width.
        case planes(y: Plane, u: Plane, v: Plane)
        /// One plane of `bytesPerPixel`; `order` is a TJPF.
        case packed(Plane, bytesPerPixel: Int, order: TJPF)
    }

    var isPlanar: Bool { if case .planes = pixels { true } else { false } }

    struct Plane {
        var base: UnsafePointer<UInt8>
        /// Bytes from one row to the next.
        var stride: Int
    }
}

/// TurboJPEG's compressor: a tjhandle.
final class Compressor {
    private let handle: tjhandle

    init() throws(JPEGFault) {
        guard let handle = tjInitCompress() else { throw JPEGFault(String(cString: tjGetErrorStr2(nil))) }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Compresses into `output`, which grows as needed; returns the bytes of the JPEG.
    /// tjCompressFromYUVPlanes(), tjCompress2().
    /// - Parameter hasFullChroma: 4:4:4 of pictures that have it; else 4:2:0.
    func compress(_ picture: Picture, quality: Int, hasFullChroma: Bool = false, into output: PageBuffer) throws(JPEGFault) -> Int {
        let width = Int32(clamping: picture.width)
        let height = Int32(clamping: picture.height)
        let subsampling = Int32((picture.isPlanar || !hasFullChroma ? TJSAMP_420 : TJSAMP_444).rawValue)
        let bound = tjBufSize(width, height, subsampling)
        guard bound != UInt.max else { throw JPEGFault("\(picture.width)x\(picture.height) is no size for a JPEG") }
        var target: UnsafeMutablePointer<UInt8>? = try output.reserve(Int(bound))
        var size = bound
        // The buffer is as large as the worst case, so TurboJPEG never has to move it.
        let flags = TJFLAG_NOREALLOC
        let result: Int32
        switch picture.pixels {
        case .planes(let y, let u, let v):
            var planes: [UnsafePointer<UInt8>?] = [y.base, u.base, v.base]
            let strides = [Int32(y.stride), Int32(u.stride), Int32(v.stride)]
            result = tjCompressFromYUVPlanes(
                handle, &planes, width, strides, height, subsampling, &target, &size, Int32(quality), flags)
        case .packed(let plane, _, let order):
            result = tjCompress2(
                handle, plane.base, width, Int32(plane.stride), height, Int32(order.rawValue), &target, &size, subsampling,
                Int32(quality), flags)
        }
        guard result == 0 else { throw JPEGFault(String(cString: tjGetErrorStr2(handle))) }
        return Int(size)
    }
}

/// What TurboJPEG says went wrong.
struct JPEGFault: Error {
    var message: String
    init(_ message: String) { self.message = message }
}
