// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// How the synthetic sensor looks at its scene: which part of it, and how bright.
struct SceneView: Equatable {
    /// What it can be asked for, by libcamera's names; that of `ScalerCrop` is the zoom's.
    static let abilities: [String: ClosedRange<Double>] = ["ScalerCrop": 1...8, "ExposureValue": -8...8, "Brightness": -1...1]

    /// Pixels of the full view, even.
    var crop: SensorArea
    let zoom: Double
    /// EV.
    let exposureBias: Double
    /// -1…1, as libcamera has it.
    let brightness: Double

    init(_ controls: CameraControls = .init(), width: Int, height: Int) {
        crop = SensorArea(width: Int64(width), height: Int64(height)).zoomed(controls.zoom, x: controls.x, y: controls.y)
        zoom = Double(width) / Double(crop.width)
        exposureBias = controls.exposureBias ?? 0
        brightness = controls.others["Brightness"] ?? 0
    }

    var isPlain: Bool { zoom == 1 && exposureBias == 0 && brightness == 0 }

    func x(_ x: Int) -> Int { Int(((Double(x) - Double(crop.x)) * zoom).rounded()) }
    func y(_ y: Int) -> Int { Int(((Double(y) - Double(crop.y)) * zoom).rounded()) }
    func length(_ length: Int) -> Int { Int((Double(length) * zoom).rounded()) }

    /// One stop more is twice the light; the picture has it with a gamma of 2.2.
    private var gain: Double { exp2(exposureBias / 2.2) }

    func light(_ paint: Paint) -> Paint {
        func part(_ value: UInt8) -> UInt8 { Self.byte(Double(value) * gain + brightness * 255) }
        return Paint(part(paint.red), part(paint.green), part(paint.blue))
    }

    private static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }

    /// What becomes of each sample of a plane.
    private func table(_ format: PixelFormat, plane: Int, _ range: ColourRange) -> [UInt8] {
        (0...255).map { code in
            switch (format, plane, range) {
            case (.yuv420, 1..., _), (.nv12, 1..., _): Self.byte(128 + (Double(code) - 128) * gain)
            case (.yuv420, 0, .limited), (.nv12, 0, .limited): Self.byte(16 + (Double(code) - 16) * gain + brightness * 219)
            case (.yuv420, _, _), (.nv12, _, _), (.rgb888, _, _), (.bgr888, _, _), (.xrgb8888, _, _): Self.byte(Double(code) * gain + brightness * 255)
            }
        }
    }

    /// Draws the full view as it is seen, each pixel from the nearest one.
    func draw(_ full: Canvas, into seen: Canvas) {
        let layout = full.layout
        for plane in layout.planes.indices {
            let isChroma = plane > 0
            let (width, height) = isChroma ? ((layout.width + 1) / 2, (layout.height + 1) / 2) : (layout.width, layout.height)
            let (left, top) = (Double(crop.x) / (isChroma ? 2 : 1), Double(crop.y) / (isChroma ? 2 : 1))
            let size = layout.format.bytesPerSample(plane: plane)
            let (offset, stride) = (layout.planes[plane].offset, layout.planes[plane].stride)
            let table = table(layout.format, plane: plane, layout.range)
            let columns = (0..<width).map { min(width - 1, Int(left + (Double($0) + 0.5) / zoom)) * size }
            var last: (row: Int, at: UnsafeMutableRawPointer)?
            for y in 0..<height {
                let row = min(height - 1, Int(top + (Double(y) + 0.5) / zoom))
                let target = seen.bytes + offset + y * stride
                if let last, last.row == row {
                    memcpy(target, last.at, width * size)
                    continue
                }
                let source = UnsafeRawPointer(full.bytes + offset + row * stride).assumingMemoryBound(to: UInt8.self)
                let drawn = target.assumingMemoryBound(to: UInt8.self)
                table.withUnsafeBufferPointer { table in
                    columns.withUnsafeBufferPointer { columns in
                        for x in 0..<width {
                            for part in 0..<size { drawn[x * size + part] = table[Int(source[columns[x] + part])] }
                        }
                    }
                }
                last = (row, target)
            }
        }
    }
}
