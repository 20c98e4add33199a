// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import Glibc
import LinuxIO
import ShutterCore
import TestSupport
import Testing

@testable import Media
@testable import Simulation

@Suite("Encoders", .serialized, .enabled(if: Bench.areProgramsThere, "ffmpeg is missing"))
struct EncoderTests {
    /// Draws frames of the scene, encodes them into one file and decodes the first again, as RGB.
    private func decoded(_ encoder: String, camera: SyntheticSource.Settings, width: Int, height: Int) throws -> (rgb: [UInt8], frame: Frame) {
        let source = SyntheticSource(camera)
        let pool = try RingCamera(source)
        pool.start()
        defer { pool.stop() }
        var frame: Frame?
        let limit = Clock.now + patience
        while frame == nil {
            if Clock.now > limit { throw Late("a frame") }
            _ = Poller.wait([.init(pool.descriptor)], until: limit)
            for event in pool.drain() {
                if case .ready = event { pool.reserve(CaptureID(1), at: Clock.now) }
                if case let .reserved(_, got) = event { frame = got }
            }
        }
        // As a camera's own memory: nothing can be read behind it.
        let memory = GuardedBytes(count: frame!.layout.byteCount)
        frame!.withBytes { memory.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<memory.bytes.count])) }
        frame = Frame(layout: frame!.layout, metadata: frame!.metadata, bytes: UnsafeRawBufferPointer(memory.bytes), giveBack: { _ = memory })
        let format = ClipSettings(width: width, height: height, bitrate: 40_000_000).format(encoder, frame!.layout)
        let made = try FFmpegEncoder(format, start: frame!.exposureCentre, threads: 1)
        let packets = try made.encode(frame!, isKey: true) + made.finish()
        let muxer = try ClipMuxer(made.format, sound: nil, wall: nil)
        for packet in packets { try muxer.write(packet, pts: 0, duration: 3000) }
        try muxer.flush()
        let path = "/tmp/shutterd-recorder-\(getpid()).mp4"
        try AtomicFile.replace(path, with: muxer.fetch { [UInt8]($0) })
        defer { unlink(path) }
        let rgb = try #require(shell("ffmpeg -v error -i \(path) -frames:v 1 -f rawvideo -pix_fmt rgb24 -"))
        try #require(rgb.count == made.format.width * made.format.height * 3)
        return (rgb, frame!)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var format = PixelFormat.yuv420
        var range = ColourRange.full
        var camera = (1296, 972)
        var clip = (1296, 972)
        var encoder = "libx264"
        var testDescription: String { "\(format.rawValue) \(range.rawValue) \(camera) → \(encoder) \(clip)" }
    }

    /// Sizes that are no multiples of 16 or 32, odd ones, all formats and ranges, scaled and cut.
    static let cases = [
        Case(), Case(camera: (648, 490), clip: (648, 490)), Case(camera: (647, 491), clip: (647, 491)), Case(format: .nv12), Case(format: .rgb888),
        Case(format: .bgr888), Case(format: .xrgb8888), Case(range: .limited), Case(format: .nv12, range: .limited), Case(camera: (1280, 720), clip: (640, 360)),
        Case(camera: (1296, 972), clip: (1280, 720)), Case(camera: (1280, 720), clip: (640, 480)), Case(encoder: "mjpeg"), Case(range: .limited, encoder: "mjpeg"),
        Case(format: .rgb888, encoder: "mjpeg"), Case(format: .nv12, camera: (1280, 720), clip: (720, 576)),
    ]

    /// The colours of a few places come out as they were drawn: not swapped, not grey, not shifted.
    @Test(arguments: cases) func picturesComeOutAsTheyAre(one: Case) throws {
        var camera = SyntheticSource.Settings(width: one.camera.0, height: one.camera.1, rate: 30)
        camera.format = one.format
        camera.range = one.range
        let (rgb, frame) = try decoded(one.encoder, camera: camera, width: one.clip.0, height: one.clip.1)
        let (width, height) = (one.clip.0 & ~1, one.clip.1 & ~1)
        // The whole picture's part that is shown.
        let scale = max(Double(width) / Double(one.camera.0 & ~1), Double(height) / Double(one.camera.1 & ~1))
        let (left, top) = ((Double(one.camera.0) - Double(width) / scale) / 2, (Double(one.camera.1) - Double(height) / scale) / 2)
        var worst = 0
        // The last rows and columns, too.
        for (x, y) in [(width / 2, height / 3), (width - 3, height / 2), (width / 3, height - 3), (width * 7 / 10, height * 6 / 10), (width / 2, height * 9 / 10)] {
            let (sourceX, sourceY) = (Int(left + (Double(x) + 0.5) / scale), Int(top + (Double(y) + 0.5) / scale))
            let drawn = frame.rgb(x: sourceX, y: sourceY)
            let at = (y * width + x) * 3
            for (index, value) in drawn.enumerated() { worst = max(worst, abs(value - Int(rgb[at + index]))) }
        }
        #expect(worst <= 14, "off by \(worst)")
    }

    /// What the camera says about its colours is what the file says.
    @Test(arguments: [ColourRange.full, .limited], [ColourMatrix.rec601, .rec709]) func coloursAreTagged(range: ColourRange, matrix: ColourMatrix) throws {
        let layout = FrameLayout.packed(.yuv420, width: 64, height: 48, range: range)
        var tagged = layout
        tagged.matrix = matrix
        let memory = UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 64)
        memset(memory, 128, layout.byteCount)
        let address = UInt(bitPattern: memory)
        let zero = Timestamp(nanoseconds: 0)
        let frame = Frame(
            layout: tagged, metadata: FrameMetadata(sequence: 0, sensorTimestamp: zero, exposureTime: .zero),
            bytes: UnsafeRawBufferPointer(start: memory, count: layout.byteCount), giveBack: { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() })
        let encoder = try FFmpegEncoder(ClipSettings(width: 64, height: 48).format("libx264", tagged), start: zero, threads: 1)
        let packets = try encoder.encode(frame, isKey: true)
        let muxer = try ClipMuxer(encoder.format, sound: nil, wall: nil)
        for packet in packets { try muxer.write(packet, pts: 0, duration: 3000) }
        try muxer.flush()
        let path = "/tmp/shutterd-recorder-\(getpid())-tags.mp4"
        try AtomicFile.replace(path, with: muxer.fetch { [UInt8]($0) })
        defer { unlink(path) }
        let said = String(decoding: try #require(shell("ffprobe -v error -show_entries stream=color_range,color_space,color_transfer,color_primaries -of csv=p=0 \(path)")), as: UTF8.self)
        let space = matrix == .rec709 ? "bt709,bt709,bt709" : range == .full ? "smpte170m,iec61966-2-1,bt709" : "smpte170m,smpte170m,smpte170m"
        #expect(said == "\(range == .full ? "pc" : "tv"),\(space)\n")
        // The poster of a clip of either matrix is a JPEG.
        #expect(try Poster.jpeg(of: path, box: .init(width: 32, height: 32)).starts(with: [0xFF, 0xD8]))
    }

    /// Judged when the daemon starts, in words that tell what to do.
    @Test func theRuleOfChoice() throws {
        var settings = ClipSettings(width: 640, height: 360)
        #expect(try EncoderChoice.choose(settings, hardware: false) == "libx264")
        // No video node offers one here.
        #expect(try EncoderChoice.choose(settings, hardware: true) == "libx264")
        settings.encoder = .mjpeg
        #expect(try EncoderChoice.choose(settings, hardware: true) == "mjpeg")
        settings.encoder = .hardware
        do throws(Fault) {
            _ = try EncoderChoice.choose(settings, hardware: true)
            Issue.record("there is no hardware")
        } catch {
            #expect(error.reason == "no-encoder" && error.message.contains("640x360") && error.message.contains("h264_v4l2m2m"), "\(error.message)")
        }
        settings = ClipSettings(width: 40_000, height: 40_000, encoder: .software)
        do throws(Fault) {
            _ = try EncoderChoice.choose(settings, hardware: false)
            Issue.record("too large")
        } catch {
            #expect(error.message.contains("40000x40000"), "\(error.message)")
        }
    }

    @Test(arguments: [(0, 0), (1, 90_000), (33_333_333, 3_000), (33_338_000, 3_000), (33_339_000, 3_001)]) func ticks(value: (Int64, Int64)) {
        #expect(Ticks.count(value.0 == 1 ? .seconds(1) : .nanoseconds(value.0)) == value.1)
    }
}

extension Frame {
    /// R, G, B of a pixel.
    fileprivate func rgb(x: Int, y: Int) -> [Int] {
        withBytes { bytes -> [Int] in
            func at(_ plane: Int, _ x: Int, _ y: Int) -> Int { Int(bytes[layout.planes[plane].offset + y * layout.planes[plane].stride + x]) }
            switch layout.format {
            case .rgb888: return [at(0, x * 3 + 2, y), at(0, x * 3 + 1, y), at(0, x * 3, y)]
            case .bgr888: return [at(0, x * 3, y), at(0, x * 3 + 1, y), at(0, x * 3 + 2, y)]
            case .xrgb8888: return [at(0, x * 4 + 2, y), at(0, x * 4 + 1, y), at(0, x * 4, y)]
            case .yuv420: return rgb(luma: at(0, x, y), u: at(1, x / 2, y / 2), v: at(2, x / 2, y / 2))
            case .nv12: return rgb(luma: at(0, x, y), u: at(1, x / 2 * 2, y / 2), v: at(1, x / 2 * 2 + 1, y / 2))
            }
        }
    }

    /// By the weights of Rec. 601.
    private func rgb(luma: Int, u: Int, v: Int) -> [Int] {
        let isFull = layout.range == .full
        let bright: Double = isFull ? Double(luma) : Double(luma - 16) * 255 / 219
        let scale: Double = isFull ? 1 : 255.0 / 224
        let blue: Double = Double(u - 128) * scale
        let red: Double = Double(v - 128) * scale
        let green: Double = bright - 0.344136 * blue - 0.714136 * red
        let all: [Double] = [bright + 1.402 * red, green, bright + 1.772 * blue]
        return all.map { Int(min(max($0.rounded(), 0), 255)) }
    }
}
