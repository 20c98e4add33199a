// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG

/// Makes small pictures of large ones.
///
/// Every pixel is the mean of at most 4 × 4 samples spread evenly over the area it stands for: no moiré worth
/// mentioning at this size, and a tenth of a 12 MP frame is read instead of all of it.
final class Shrinker {
    private let output = PageBuffer()

    /// The largest even size of the picture's shape that fits in the box; never larger than the picture.
    static func size(of picture: (width: Int, height: Int), in box: PhotoSettings.Size) -> (width: Int, height: Int) {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let scale = min(1, min(Double(box.width) / width, Double(box.height) / height))
        func even(_ length: Double, limit: Int) -> Int { max(2, min(Int((length / 2).rounded()) * 2, limit / 2 * 2)) }
        return (even(width * scale, limit: box.width), even(height * scale, limit: box.height))
    }

    /// - Returns: a picture in this shrinker's buffer, valid until the next call.
    func shrink(_ picture: Picture, into box: PhotoSettings.Size) throws(JPEGFault) -> Picture {
        let (width, height) = Shrinker.size(of: (picture.width, picture.height), in: box)
        var result = picture
        result.width = width
        result.height = height
        switch picture.pixels {
        case .planes(let y, let u, let v):
            let (halfWidth, halfHeight) = (width / 2, height / 2)
            let (sourceWidth, sourceHeight) = ((picture.width + 1) / 2, (picture.height + 1) / 2)
            let lumaSize = width * height
            let chromaSize = halfWidth * halfHeight
            let target = try output.reserve(lumaSize + 2 * chromaSize)
            average(
                Grid(y, width: picture.width, height: picture.height, step: 1), to: target, width: width, height: height, step: 1)
            for (index, plane) in [u, v].enumerated() {
                average(
                    Grid(plane, width: sourceWidth, height: sourceHeight, step: 1), to: target + lumaSize + index * chromaSize,
                    width: halfWidth, height: halfHeight, step: 1)
            }
            result.pixels = .planes(
                y: Picture.Plane(base: target, stride: width),
                u: Picture.Plane(base: target + lumaSize, stride: halfWidth),
                v: Picture.Plane(base: target + lumaSize + chromaSize, stride: halfWidth))
        case .packed(let plane, let bytesPerPixel, let order):
            let target = try output.reserve(width * height * bytesPerPixel)
            for component in 0..<3 {
                let source = Picture.Plane(base: plane.base + component, stride: plane.stride)
                average(
                    Grid(source, width: picture.width, height: picture.height, step: bytesPerPixel), to: target + component,
                    width: width, height: height, step: bytesPerPixel)
            }
            result.pixels = .packed(
                Picture.Plane(base: target, stride: width * bytesPerPixel), bytesPerPixel: bytesPerPixel, order: order)
        }
        return result
    }

    /// One component of a picture.
    private struct Grid {
        var plane: Picture.Plane
        var width: Int
        var height: Int
        /// Bytes from one sample to the next.
        var step: Int

        init(_ plane: Picture.Plane, width: Int, height: Int, step: Int) {
            self.plane = plane
            self.width = width
            self.height = height
            self.step = step
        }
    }

    private func average(_ source: Grid, to target: UnsafeMutablePointer<UInt8>, width: Int, height: Int, step: Int) {
        let columns = Shrinker.taps(source.width, over: width).map { $0.map { Int32($0 * source.step) } }
        let columnTaps = columns[0].count
        let offsets = columns.flatMap(\.self)
        var sums = [UInt16](repeating: 0, count: width)
        offsets.withUnsafeBufferPointer { offsets in
            sums.withUnsafeMutableBufferPointer { sums in
                for (row, rows) in Shrinker.taps(source.height, over: height).enumerated() {
                    sums.update(repeating: 0)
                    for tap in rows {
                        let line = source.plane.base + tap * source.plane.stride
                        add(line, offsets.baseAddress!, taps: columnTaps, to: sums)
                    }
                    let line = target + row * width * step
                    let count = UInt16(rows.count * columnTaps)
                    for column in 0..<width {
                        line[column &* step] = UInt8(truncatingIfNeeded: (sums[column] &+ count / 2) / count)
                    }
                }
            }
        }
    }

    /// Adds the samples of one line to the sums of its cells: most of the time of a thumbnail goes here.
    private func add(
        _ line: UnsafePointer<UInt8>, _ offsets: UnsafePointer<Int32>, taps: Int, to sums: UnsafeMutableBufferPointer<UInt16>
    ) {
        if taps == 4 {
            for column in 0..<sums.count {
                let here = offsets + 4 &* column
                let left = UInt16(line[Int(here[0])]) &+ UInt16(line[Int(here[1])])
                let right = UInt16(line[Int(here[2])]) &+ UInt16(line[Int(here[3])])
                sums[column] &+= left &+ right
            }
        } else {
            for column in 0..<sums.count {
                for tap in 0..<taps { sums[column] &+= UInt16(line[Int(offsets[column &* taps &+ tap])]) }
            }
        }
    }

    /// For each of `count` cells along `length` samples, the samples that stand for it: the same number in each, at most 4.
    private static func taps(_ length: Int, over count: Int) -> [[Int]] {
        let taps = max(1, min(4, length / count))
        return (0..<count).map { cell in
            (0..<taps).map { tap in
                min(length - 1, ((2 * (cell * taps + tap) + 1) * length) / (2 * count * taps))
            }
        }
    }
}
