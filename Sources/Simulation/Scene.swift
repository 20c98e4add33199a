// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// The moving scene: evening hills, a ball in flight, a clock hand and a frame counter under the time code.
/// A master picture is painted once; a frame restores what the buffer's last frame drew, and draws anew.
final class Scene: @unchecked Sendable {
    /// What stands in a buffer beside the master picture.
    struct Drawn {
        var code: UInt64
        /// Which of the pictures was painted.
        var version = 0
        var areas: [Area] = []
    }

    private let layout: FrameLayout
    /// The full view, and how it is seen now.
    private let master: Canvas
    private let seen: Canvas
    private let memory: UnsafeMutableRawPointer
    private var view: SceneView
    /// Counts the views.
    private var version = 0
    /// Pixels: all sizes are multiples of it.
    private let unit: Int
    /// The height of the time code.
    private let sky: Int

    init(layout: FrameLayout) {
        self.layout = layout
        sky = TimeCode.side(width: layout.width)
        unit = max(2, sky)
        memory = .allocate(byteCount: 2 * layout.byteCount, alignment: 4096)
        memset(memory, 0, 2 * layout.byteCount)
        master = Canvas(bytes: memory, layout: layout)
        seen = Canvas(bytes: memory + layout.byteCount, layout: layout)
        view = SceneView(width: layout.width, height: layout.height)
        paintMaster()
        memcpy(seen.bytes, master.bytes, layout.byteCount)
    }

    deinit { memory.deallocate() }

    /// Paints a fresh buffer.
    func prepare(_ bytes: UnsafeMutableRawPointer) -> Drawn {
        memcpy(bytes, seen.bytes, layout.byteCount)
        return Drawn(code: 0, version: version)
    }

    /// Looks at the scene in another way, from the next frame on.
    func look(_ view: SceneView) {
        guard view != self.view else { return }
        self.view = view
        version += 1
        view.draw(master, into: seen)
        seen.fill(Area(x: 0, y: 0, width: layout.width, height: sky), .black)
    }

    /// Draws one frame over what the buffer shows.
    /// - Parameter ring: the light of the ring, linear, 0…1.
    func draw(_ bytes: UnsafeMutableRawPointer, _ drawn: inout Drawn, exposureCentre: Timestamp, sequence: UInt64, ring: Double = 0) {
        let canvas = Canvas(bytes: bytes, layout: layout, ceiling: (sky + 1) & ~1)
        if drawn.version != version {
            drawn = prepare(bytes)
        } else {
            for area in drawn.areas { canvas.copy(area, from: seen) }
        }
        drawn.areas = []
        let seconds = Double(exposureCentre.nanoseconds % 60_000_000_000) / 1e9
        drawn.areas.append(drawHand(canvas, seconds))
        if ring > 0 { drawn.areas.append(drawRing(canvas, ring)) }
        drawn.areas.append(drawBall(canvas, seconds))
        drawn.areas.append(drawCounter(canvas, sequence))
        drawCode(canvas, &drawn.code, UInt64(bitPattern: exposureCentre.nanoseconds))
    }

    private func drawCode(_ canvas: Canvas, _ shown: inout UInt64, _ code: UInt64) {
        for bit in 0..<TimeCode.bits where (shown ^ code) >> UInt64(63 - bit) & 1 == 1 {
            canvas.fillCell(x: bit * sky, side: sky, code >> UInt64(63 - bit) & 1 == 1 ? .white : .black)
        }
        shown = code
    }

    // MARK: What never moves

    private var horizon: Int { layout.height * 2 / 3 }

    private func paintMaster() {
        let (width, height) = (layout.width, layout.height)
        for y in stride(from: 0, to: height, by: 2) {
            let part = Double(y) / Double(height)
            let low = Paint(255, 176, 108)
            let paint = part < 0.45
                ? Paint(22, 34, 84).mixed(with: Paint(150, 108, 150), part / 0.45)
                : Paint(150, 108, 150).mixed(with: low, min(1, (part - 0.45) / 0.25))
            master.fill(Area(x: 0, y: y, width: width, height: 2), paint)
        }
        master.fillDisc(x: width * 7 / 10, y: horizon - unit * 4, radius: unit * 4, Paint(255, 226, 170))
        paintHills(base: horizon, height: unit * 4, waves: 2.3, Paint(104, 72, 118))
        paintHills(base: horizon + unit * 4, height: unit * 3, waves: 3.7, Paint(58, 50, 92))
        paintHills(base: horizon + unit * 8, height: unit * 2, waves: 5.1, Paint(26, 30, 58))
        paintDial()
        master.fill(Area(x: 0, y: 0, width: width, height: sky), .black)
    }

    private func paintHills(base: Int, height: Int, waves: Double, _ paint: Paint) {
        let step = max(2, layout.width / 256 & ~1)
        for x in stride(from: 0, to: layout.width, by: step) {
            let turn = Double(x) / Double(layout.width) * waves * 2 * .pi
            let top = base - Int(Double(height) * (0.6 * sin(turn + waves) + 0.4 * sin(turn * 2.3)))
            master.fill(Area(x: x, y: top, width: step, height: layout.height - top), paint)
        }
    }

    // MARK: What moves

    private var dial: (x: Int, y: Int, radius: Int) {
        let radius = max(4, min(layout.width, layout.height) / 6)
        return (radius + unit * 2, sky + radius + unit * 2, radius)
    }

    private func paintDial() {
        let (x, y, radius) = dial
        master.fillDisc(x: x, y: y, radius: radius, Paint(240, 240, 236))
        master.fillDisc(x: x, y: y, radius: radius * 9 / 10, Paint(34, 40, 70))
        for hour in 0..<12 {
            let turn = Double(hour) / 12 * 2 * .pi
            let reach = Double(radius) * 0.78
            master.fillDisc(x: x + Int(reach * sin(turn)), y: y - Int(reach * cos(turn)), radius: max(1, radius / 24), .white)
        }
    }

    /// One turn a second: the hand's angle tells the fraction of the second.
    private func drawHand(_ canvas: Canvas, _ seconds: Double) -> Area {
        let (x, y, radius) = (view.x(dial.x), view.y(dial.y), view.length(dial.radius))
        let turn = seconds.truncatingRemainder(dividingBy: 1) * 2 * .pi
        let dots = 12
        let thick = max(1, radius / 18)
        for dot in 0...dots {
            let reach = Double(radius) * 0.66 * Double(dot) / Double(dots)
            canvas.fillDisc(x: x + Int(reach * sin(turn)), y: y - Int(reach * cos(turn)), radius: thick, view.light(Paint(255, 92, 72)))
        }
        let tip = Double(radius) * 0.66
        let (tipX, tipY) = (x + Int(tip * sin(turn)), y - Int(tip * cos(turn)))
        let margin = thick + 2
        return Area(
            x: min(x, tipX) - margin, y: min(y, tipY) - margin,
            width: abs(tipX - x) + 2 * margin, height: abs(tipY - y) + 2 * margin)
    }

    /// The reflection of the ring, at the lower left.
    private func drawRing(_ canvas: Canvas, _ light: Double) -> Area {
        let (x, y, radius) = (view.x(layout.width / 6), view.y(layout.height * 7 / 8), view.length(layout.height / 14))
        canvas.fillDisc(x: x, y: y, radius: radius, view.light(Paint(26, 30, 58).mixed(with: .white, min(pow(light, 1 / 2.2), 1))))
        return Area(x: x - radius - 2, y: y - radius - 2, width: 2 * radius + 4, height: 2 * radius + 4)
    }

    /// Thrown from left to right in three seconds.
    private func drawBall(_ canvas: Canvas, _ seconds: Double) -> Area {
        let part = seconds.truncatingRemainder(dividingBy: 3) / 3
        let size = max(2, unit * 3 / 2)
        let rise = 4 * part * (1 - part)
        let x = view.x(Int(Double(layout.width + 4 * size) * part) - 2 * size)
        let y = view.y(horizon + unit * 2 - Int(Double(horizon - sky - unit * 3) * rise))
        let radius = view.length(size)
        canvas.fillDisc(x: x, y: y, radius: radius, view.light(Paint(246, 240, 92)))
        canvas.fillDisc(x: x - radius / 3, y: y - radius / 3, radius: radius / 3, view.light(.white))
        return Area(x: x - radius - 2, y: y - radius - 2, width: 2 * radius + 4, height: 2 * radius + 4)
    }

    /// Six digits of seven segments at the lower right.
    private func drawCounter(_ canvas: Canvas, _ sequence: UInt64) -> Area {
        let bar = max(2, unit / 4 & ~1)
        let (digitWidth, digitHeight) = (bar * 6, bar * 11)
        let left = layout.width - 6 * (digitWidth + 2 * bar) - unit
        let top = layout.height - digitHeight - unit
        var rest = sequence % 1_000_000
        for place in (0..<6).reversed() {
            canvas.fillDigit(Int(rest % 10), x: left + place * (digitWidth + 2 * bar), y: top, bar: bar, Paint(250, 214, 160))
            rest /= 10
        }
        return Area(x: left, y: top, width: layout.width - left, height: digitHeight + 2)
    }
}

extension Canvas {
    /// One square of the time code: luma only, exact edges; the chroma of black and white is the same.
    func fillCell(x: Int, side: Int, _ paint: Paint) {
        let plane = layout.planes[0]
        switch layout.format {
        case .yuv420, .nv12:
            for row in 0..<side { memset(bytes + plane.offset + row * plane.stride + x, Int32(paint.yuv(layout.range).0), side) }
        case .rgb888, .bgr888, .xrgb8888:
            let pixel = layout.format == .xrgb8888 ? 4 : 3
            for row in 0..<side {
                memset(bytes + plane.offset + row * plane.stride + x * pixel, Int32(paint.green), side * pixel)
            }
        }
    }

    func fillDisc(x: Int, y: Int, radius: Int, _ paint: Paint) {
        for row in stride(from: -radius, through: radius, by: 2) {
            let half = Int(Double(radius * radius - row * row).squareRoot())
            fill(Area(x: x - half, y: y + row, width: 2 * half, height: 2), paint)
        }
    }

    /// A digit of 6 × 11 bars.
    func fillDigit(_ digit: Int, x: Int, y: Int, bar: Int, _ paint: Paint) {
        // Top, upper left, upper right, middle, lower left, lower right, bottom.
        let lit = [0b1110111, 0b0010010, 0b1011101, 0b1011011, 0b0111010, 0b1101011, 0b1101111, 0b1010010, 0b1111111, 0b1111011]
        let segments = [
            Area(x: 0, y: 0, width: 6, height: 1), Area(x: 0, y: 0, width: 1, height: 6), Area(x: 5, y: 0, width: 1, height: 6),
            Area(x: 0, y: 5, width: 6, height: 1), Area(x: 0, y: 5, width: 1, height: 6), Area(x: 5, y: 5, width: 1, height: 6),
            Area(x: 0, y: 10, width: 6, height: 1),
        ]
        for (index, segment) in segments.enumerated() where lit[digit] >> (6 - index) & 1 == 1 {
            fill(Area(x: x + segment.x * bar, y: y + segment.y * bar, width: segment.width * bar, height: segment.height * bar), paint)
        }
    }
}
