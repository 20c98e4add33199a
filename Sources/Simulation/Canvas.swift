// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// A colour as people write it, 0…255.
struct Paint: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    static let black = Paint(0, 0, 0)
    static let white = Paint(255, 255, 255)

    /// The colour on the way to another one, 0…1.
    func mixed(with other: Paint, _ part: Double) -> Paint {
        func mix(_ from: UInt8, _ to: UInt8) -> UInt8 { UInt8(Double(from) + (Double(to) - Double(from)) * part) }
        return Paint(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }

    /// BT.601, as JFIF has it; full range, or the narrow one of video.
    func yuv(_ range: ColourRange) -> (UInt8, UInt8, UInt8) {
        let (red, green, blue) = (Double(red), Double(green), Double(blue))
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue
        let u = (blue - luma) / 1.772
        let v = (red - luma) / 1.402
        func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        return switch range {
        case .full: (byte(luma), byte(128 + u), byte(128 + v))
        case .limited: (byte(16 + luma * 219 / 255), byte(128 + u * 224 / 255), byte(128 + v * 224 / 255))
        }
    }
}

/// Pixels. Even edges keep chroma and luma together.
struct Area: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// The part inside of a picture and below `ceiling`, with even edges where the picture allows it.
    func clipped(_ layout: FrameLayout, ceiling: Int) -> Area? {
        let left = max(0, x) & ~1
        let top = max(ceiling, y & ~1)
        let right = min(layout.width, (x + width + 1) & ~1)
        let bottom = min(layout.height, (y + height + 1) & ~1)
        guard left < right, top < bottom else { return nil }
        return Area(x: left, y: top, width: right - left, height: bottom - top)
    }
}

/// Draws rectangles into the bytes of a frame, by whole rows: quick in a debug build too.
struct Canvas {
    let bytes: UnsafeMutableRawPointer
    let layout: FrameLayout
    /// The first row that may be drawn on; even.
    var ceiling = 0

    func fill(_ area: Area, _ paint: Paint) {
        guard let area = area.clipped(layout, ceiling: ceiling) else { return }
        let (y, u, v) = paint.yuv(layout.range)
        for plane in layout.planes.indices {
            let part = part(of: area, plane: plane)
            switch (layout.format, plane) {
            case (.yuv420, 0), (.nv12, 0): fill(plane, part, [y])
            case (.yuv420, 1): fill(plane, part, [u])
            case (.yuv420, _): fill(plane, part, [v])
            case (.nv12, _): fill(plane, part, [u, v])
            case (.rgb888, _): fill(plane, part, [paint.blue, paint.green, paint.red])
            case (.bgr888, _): fill(plane, part, [paint.red, paint.green, paint.blue])
            case (.xrgb8888, _): fill(plane, part, [paint.blue, paint.green, paint.red, 255])
            }
        }
    }

    /// Takes an area over from another canvas of the same layout.
    func copy(_ area: Area, from other: Canvas) {
        guard let area = area.clipped(layout, ceiling: ceiling) else { return }
        for plane in layout.planes.indices {
            let part = part(of: area, plane: plane)
            for row in 0..<part.rows {
                let at = part.start + row * layout.planes[plane].stride
                memcpy(bytes + at, other.bytes + at, part.bytes)
            }
        }
    }

    /// Bytes of an area in a plane: from `start`, so many in each row, so many rows.
    private func part(of area: Area, plane: Int) -> (start: Int, bytes: Int, rows: Int) {
        let isChroma = plane > 0
        let x = isChroma ? area.x / 2 : area.x
        let y = isChroma ? area.y / 2 : area.y
        let width = isChroma ? (area.width + 1) / 2 : area.width
        let height = isChroma ? (area.height + 1) / 2 : area.height
        let pixel = layout.format.bytesPerSample(plane: plane)
        return (layout.planes[plane].offset + y * layout.planes[plane].stride + x * pixel, width * pixel, height)
    }

    private func fill(_ plane: Int, _ part: (start: Int, bytes: Int, rows: Int), _ sample: [UInt8]) {
        let first = bytes + part.start
        let stride = layout.planes[plane].stride
        if sample.count == 1 {
            for row in 0..<part.rows { memset(first + row * stride, Int32(sample[0]), part.bytes) }
            return
        }
        for index in 0..<part.bytes { first.storeBytes(of: sample[index % sample.count], toByteOffset: index, as: UInt8.self) }
        for row in 1..<max(1, part.rows) { memcpy(first + row * stride, first, part.bytes) }
    }
}

extension PixelFormat {
    /// Bytes from one sample to the next in a row.
    func bytesPerSample(plane: Int) -> Int {
        switch self {
        case .yuv420: 1
        case .nv12: plane == 0 ? 1 : 2
        case .rgb888, .bgr888: 3
        case .xrgb8888: 4
        }
    }
}
