// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// How the bytes of a frame are arranged. Names are libcamera's (they are DRM fourccs, which give the
/// components from the high byte of a little-endian word down).
package enum PixelFormat: String, Sendable, CaseIterable {
    /// Three planes Y, U, V; chroma at half width and half height.
    case yuv420 = "YUV420"
    /// Two planes: Y, then U and V in turn; chroma at half width and half height.
    case nv12 = "NV12"
    /// One plane; the bytes in memory are B, G, R.
    case rgb888 = "RGB888"
    /// One plane; the bytes in memory are R, G, B.
    case bgr888 = "BGR888"
    /// One plane; the bytes in memory are B, G, R, unused.
    case xrgb8888 = "XRGB8888"

    package var isYUV: Bool { self == .yuv420 || self == .nv12 }

    package var planeCount: Int {
        switch self {
        case .yuv420: 3
        case .nv12: 2
        case .rgb888, .bgr888, .xrgb8888: 1
        }
    }
}

/// Which code values stand for black and white in YUV data.
package enum ColourRange: String, Sendable {
    /// 0…255, as JPEG (JFIF) wants it.
    case full
    /// 16…235 (chroma 16…240), as video usually has it.
    case limited
}

/// Which weights of red, green and blue YUV data is made with.
package enum ColourMatrix: String, Sendable {
    /// ITU-R BT.601, as JPEG (JFIF) means it.
    case rec601
    /// ITU-R BT.709, as HD video usually has it.
    case rec709
}

/// One plane inside of a frame's bytes.
package struct PlaneLayout: Equatable, Sendable {
    /// Bytes from the start of the frame.
    package var offset: Int
    /// Bytes from one row to the next; never less than the row's own bytes.
    package var stride: Int

    package init(offset: Int, stride: Int) {
        self.offset = offset
        self.stride = stride
    }
}

/// The validated arrangement of a frame. Readers take offset and stride from here, never from the width.
package struct FrameLayout: Equatable, Sendable {
    package var format: PixelFormat
    /// Pixels.
    package var width: Int
    /// Pixels.
    package var height: Int
    package var planes: [PlaneLayout]
    package var range: ColourRange
    package var matrix: ColourMatrix
    /// How the picture must be turned to stand upright, EXIF's 1…8.
    package var orientation: UInt8

    package init(
        format: PixelFormat, width: Int, height: Int, planes: [PlaneLayout], range: ColourRange = .full, matrix: ColourMatrix = .rec601,
        orientation: UInt8 = 1
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.planes = planes
        self.range = range
        self.matrix = matrix
        self.orientation = orientation
    }

    /// Bytes in one row of a plane, without padding.
    package func rowBytes(plane: Int) -> Int {
        switch format {
        case .yuv420: plane == 0 ? width : (width + 1) / 2
        case .nv12: plane == 0 ? width : (width + 1) / 2 * 2
        case .rgb888, .bgr888: width * 3
        case .xrgb8888: width * 4
        }
    }

    /// Rows of a plane.
    package func rows(plane: Int) -> Int {
        plane == 0 ? height : (height + 1) / 2
    }

    /// The bytes a frame of this layout needs at least: up to the end of the last row of the furthest plane.
    package var byteCount: Int {
        planes.indices.map { planes[$0].offset + planes[$0].stride * (rows(plane: $0) - 1) + rowBytes(plane: $0) }.max() ?? 0
    }

    /// Whether every plane is there, and no row runs into the next.
    package var isConsistent: Bool {
        width > 0 && height > 0 && planes.count == format.planeCount
            && planes.indices.allSatisfy { planes[$0].offset >= 0 && planes[$0].stride >= rowBytes(plane: $0) }
    }

    /// Planes one after the other, each row rounded up to `alignment` bytes.
    package static func packed(
        _ format: PixelFormat, width: Int, height: Int, alignment: Int = 1, range: ColourRange = .full
    ) -> FrameLayout {
        var layout = FrameLayout(format: format, width: width, height: height, planes: [], range: range)
        var offset = 0
        for plane in 0..<format.planeCount {
            let stride = (layout.rowBytes(plane: plane) + alignment - 1) / alignment * alignment
            layout.planes.append(PlaneLayout(offset: offset, stride: stride))
            offset += stride * layout.rows(plane: plane)
        }
        return layout
    }
}
