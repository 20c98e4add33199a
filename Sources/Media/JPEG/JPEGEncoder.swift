// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Turns frames into JPEGs. One for each thread: it keeps its compressor and its buffers from frame to frame.
package final class JPEGEncoder {
    private let compressor: Compressor
    private let preparer = PlanePreparer()
    private let shrinker = Shrinker()
    private let main = PageBuffer()
    private let small = PageBuffer()
    private var mainSize = 0

    /// Throws `encode` when TurboJPEG cannot start.
    package init() throws(Fault) {
        do throws(JPEGFault) {
            compressor = try Compressor()
        } catch {
            throw Fault("encode", "the JPEG encoder does not start: \(error.message)")
        }
    }

    /// Encodes a frame, and a small one made of it. The JPEG stays in here until the next call: see `withJPEG`.
    ///
    /// - Parameters:
    ///   - quality: 1…100.
    ///   - hasFullChroma: 4:4:4 of frames that have it; else 4:2:0.
    ///   - thumbnail: the box that the small picture fits in.
    ///   - thumbnailLimit: bytes that the small JPEG may have; its quality is lowered until it fits.
    /// - Returns: the small JPEG; empty when none was wanted or none fits.
    @discardableResult
    package func encode(
        _ frame: Frame, quality: Int, hasFullChroma: Bool = false, thumbnail: PhotoSettings.Size? = nil, thumbnailLimit: Int = 60_000
    ) throws(Fault) -> [UInt8] {
        let result = frame.withBytes { bytes -> Result<[UInt8], JPEGFault> in
            do throws(JPEGFault) {
                let picture = try preparer.prepare(frame.layout, bytes)
                mainSize = 0
                mainSize = try compressor.compress(picture, quality: quality, hasFullChroma: hasFullChroma, into: main)
                guard let thumbnail else { return .success([]) }
                return .success(try encodeSmall(try shrinker.shrink(picture, into: thumbnail), limit: thumbnailLimit))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let bytes): return bytes
        case .failure(let fault):
            let layout = frame.layout
            throw Fault("encode", "a \(layout.width)x\(layout.height) \(layout.format.rawValue) frame was not encoded: \(fault.message)")
        }
    }

    private func encodeSmall(_ picture: Picture, limit: Int) throws(JPEGFault) -> [UInt8] {
        for quality in stride(from: 85, through: 10, by: -15) {
            let size = try compressor.compress(picture, quality: quality, into: small)
            if size <= limit { return [UInt8](UnsafeBufferPointer(start: small.base, count: size)) }
        }
        return []
    }

    /// The last frame's JPEG, as TurboJPEG made it: with a JFIF header, without EXIF.
    package func withJPEG<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: main.base, count: mainSize))
    }

    /// A copy of the last frame's JPEG.
    package var jpeg: [UInt8] { withJPEG { [UInt8]($0) } }

    /// Gives memory back that only a frame in work needs.
    package func release() {
        preparer.release()
        main.release()
        small.release()
        mainSize = 0
    }
}
