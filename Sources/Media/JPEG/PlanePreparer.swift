// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import ShutterCore

/// Brings a frame into a shape that TurboJPEG reads. The planes are taken as they lie wherever that is possible;
/// only what has to change is copied, into buffers that are used again for the next frame.
final class PlanePreparer {
    private let luma = PageBuffer()
    private let chroma = PageBuffer()

    /// The frame's picture, in full range and with Rec. 601's weights.
    ///
    /// - Parameter bytes: the frame's; the picture points into them and into this preparer's buffers.
    func prepare(_ layout: FrameLayout, _ bytes: UnsafeRawBufferPointer) throws(JPEGFault) -> Picture {
        let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        func plane(_ index: Int) -> Picture.Plane {
            Picture.Plane(base: base + layout.planes[index].offset, stride: layout.planes[index].stride)
        }
        let pixels: Picture.Pixels
        switch layout.format {
        case .yuv420:
            pixels = try planes(layout, y: plane(0), u: plane(1), v: plane(2), step: 1)
        case .nv12:
            let both = plane(1)
            pixels = try planes(layout, y: plane(0), u: both, v: Picture.Plane(base: both.base + 1, stride: both.stride), step: 2)
        // The names count from the high byte of a little-endian word down, TurboJPEG's from the first byte up.
        case .rgb888: pixels = .packed(plane(0), bytesPerPixel: 3, order: TJPF_BGR)
        case .bgr888: pixels = .packed(plane(0), bytesPerPixel: 3, order: TJPF_RGB)
        case .xrgb8888: pixels = .packed(plane(0), bytesPerPixel: 4, order: TJPF_BGRX)
        }
        return Picture(width: layout.width, height: layout.height, pixels: pixels)
    }

    /// Gives the buffers' memory back.
    func release() {
        luma.release()
        chroma.release()
    }

    private func planes(
        _ layout: FrameLayout, y: Picture.Plane, u: Picture.Plane, v: Picture.Plane, step: Int
    ) throws(JPEGFault) -> Picture.Pixels {
        let y = try lumaPlane(layout, y)
        let (u, v) = try chromaPlanes(layout, u: u, v: v, step: step)
        if layout.matrix == .rec709 {
            // All three are copies of ours by now.
            MatrixTable.convert(
                y: UnsafeMutablePointer(mutating: y.base), stride: y.stride, width: (layout.width + 1) / 2 * 2,
                height: (layout.height + 1) / 2 * 2, u: UnsafeMutablePointer(mutating: u.base), v: UnsafeMutablePointer(mutating: v.base),
                chromaStride: u.stride)
        }
        return .planes(y: y, u: u, v: v)
    }

    /// TurboJPEG reads luma as if width and height were even. What lies there in a frame of odd size is padding, or
    /// the end of the buffer: so such planes are copied, with the last column and row repeated.
    private func lumaPlane(_ layout: FrameLayout, _ source: Picture.Plane) throws(JPEGFault) -> Picture.Plane {
        let (width, height) = (layout.width, layout.height)
        guard layout.range == .limited || layout.matrix == .rec709 || width % 2 != 0 || height % 2 != 0 else { return source }
        let stride = width + width % 2
        let rows = height + height % 2
        let target = try luma.reserve(stride * rows)
        for row in 0..<height {
            let line = target + row * stride
            let from = source.base + row * source.stride
            switch layout.range {
            case .full: line.update(from: from, count: width)
            case .limited: RangeTable.luma.apply(from, to: line, count: width)
            }
            if stride > width { line[width] = line[width - 1] }
        }
        if rows > height { (target + height * stride).update(from: target + (height - 1) * stride, count: stride) }
        return Picture.Plane(base: target, stride: stride)
    }

    /// - Parameter step: bytes from one sample to the next: 2 where U and V take turns.
    private func chromaPlanes(
        _ layout: FrameLayout, u: Picture.Plane, v: Picture.Plane, step: Int
    ) throws(JPEGFault) -> (Picture.Plane, Picture.Plane) {
        guard layout.range == .limited || layout.matrix == .rec709 || step == 2 else { return (u, v) }
        let width = (layout.width + 1) / 2
        let rows = (layout.height + 1) / 2
        let targetU = try chroma.reserve(2 * width * rows)
        let targetV = targetU + width * rows
        for row in 0..<rows {
            let (lineU, lineV) = (targetU + row * width, targetV + row * width)
            if step == 2 {
                split(u.base + row * u.stride, u: lineU, v: lineV, count: width)
                if layout.range == .limited {
                    RangeTable.chroma.apply(lineU, to: lineU, count: width)
                    RangeTable.chroma.apply(lineV, to: lineV, count: width)
                }
            } else if layout.range == .full {
                lineU.update(from: u.base + row * u.stride, count: width)
                lineV.update(from: v.base + row * v.stride, count: width)
            } else {
                RangeTable.chroma.apply(u.base + row * u.stride, to: lineU, count: width)
                RangeTable.chroma.apply(v.base + row * v.stride, to: lineV, count: width)
            }
        }
        return (Picture.Plane(base: targetU, stride: width), Picture.Plane(base: targetV, stride: width))
    }

    /// U and V in turn, apart: 16 pairs at a time.
    private func split(
        _ source: UnsafePointer<UInt8>, u: UnsafeMutablePointer<UInt8>, v: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let raw = UnsafeRawPointer(source)
        var index = 0
        while index + 16 <= count {
            let pairs = raw.loadUnaligned(fromByteOffset: 2 * index, as: SIMD32<UInt8>.self)
            UnsafeMutableRawPointer(u + index).storeBytes(of: pairs.evenHalf, as: SIMD16<UInt8>.self)
            UnsafeMutableRawPointer(v + index).storeBytes(of: pairs.oddHalf, as: SIMD16<UInt8>.self)
            index += 16
        }
        while index < count {
            u[index] = source[2 * index]
            v[index] = source[2 * index + 1]
            index += 1
        }
    }
}

/// Limited-range code values to full-range ones. JPEG knows only full range: without this, blacks are grey.
struct RangeTable {
    private let values: [UInt8]

    /// 16…235 → 0…255
    static let luma = RangeTable { (Double($0) - 16) * 255 / 219 }
    /// 16…240 around 128 → 0.5…255 around 128
    static let chroma = RangeTable { (Double($0) - 128) * 255 / 224 + 128 }

    private init(_ map: (Int) -> Double) {
        values = (0..<256).map { UInt8(min(255, max(0, map($0).rounded()))) }
    }

    func apply(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int) {
        values.withUnsafeBufferPointer { table in
            for index in 0..<count { target[index] = table[Int(source[index])] }
        }
    }
}
