// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CVideoPlugin
import LinuxIO
import ShutterCore

/// One encoded frame.
struct Packet: Sendable {
    var bytes: [UInt8]
    /// The middle of the frame's exposure.
    var centre: Timestamp
    /// When its exposure ended: libcamera's SensorTimestamp.
    var sensor: Timestamp
    /// Decodable on its own.
    var isKey: Bool
}

/// Turns frames into packets, in order and without delaying one behind a later one. Used by one thread.
protocol VideoEncoder: AnyObject {
    /// What the file has to say about the packets. Complete once the first packet is out.
    var format: VideoFormat { get }
    /// - Returns: the packets that are ready, of this frame or earlier ones.
    func encode(_ frame: Frame, isKey: Bool) throws(Fault) -> [Packet]
    /// No more frames come: the packets that are left.
    func finish() throws(Fault) -> [Packet]
}

struct VideoFormat: Equatable, Sendable {
    /// FFmpeg's name of the encoder.
    var encoder: String
    var width: Int
    var height: Int
    /// Frames a second, nominal.
    var rate: Int
    /// Bits a second.
    var bitrate: Int
    var range: ColourRange
    var matrix: ColourMatrix
    /// How the picture must be turned to stand upright: EXIF's 1…8.
    var orientation: UInt8 = 1
    /// H.264's parameter sets.
    var header: [UInt8] = []

    func withC<Result>(threads: Int = 1, _ body: (UnsafePointer<video_form>) -> Result) -> Result {
        encoder.withCString { name in
            var video = video_form(
                encoder: name, width: Int32(width), height: Int32(height), rate: Int32(rate), bitrate: Int64(bitrate), threads: Int32(threads),
                is_full_range: range == .full, is_rec709: matrix == .rec709, orientation: Int32(orientation))
            return body(&video)
        }
    }
}

/// An encoder of libavcodec: a video_encoder.
final class FFmpegEncoder: VideoEncoder {
    private let ffmpeg: FFmpeg
    private let handle: OpaquePointer
    private(set) var format: VideoFormat
    private let start: Timestamp
    private var lastPTS: Int64 = -1
    /// The frames inside, oldest first.
    private var inside: [(pts: Int64, metadata: FrameMetadata)] = []

    /// Throws `encode` when there is no such encoder, or it refuses the size. encoder_open().
    /// - Parameter start: the exposure centre of the first frame.
    init(_ format: VideoFormat, start: Timestamp, threads: Int) throws(Fault) {
        let ffmpeg = try FFmpeg.load()
        var handle: OpaquePointer?
        let code = format.withC(threads: threads) { ffmpeg.call.encoder_open($0, &handle) }
        guard code >= 0, let handle else {
            throw ffmpeg.fault("\(format.encoder) does not start with \(format.width)x\(format.height)", code)
        }
        self.ffmpeg = ffmpeg
        self.handle = handle
        self.format = format
        self.start = start
        keepHeader()
    }

    deinit {
        ffmpeg.call.encoder_close(handle)
        // Until the next clip.
        SharedLibrary.letGoOfCode()
    }

    func encode(_ frame: Frame, isKey: Bool) throws(Fault) -> [Packet] {
        let pts = max(Ticks.count(frame.exposureCentre - start), lastPTS + 1)
        lastPTS = pts
        inside.append((pts, frame.metadata))
        let code = frame.withPicture { ffmpeg.call.encoder_send(handle, $0, pts, isKey) }
        guard code >= 0 else { throw ffmpeg.fault("\(format.encoder) took no frame", code) }
        return try receive()
    }

    func finish() throws(Fault) -> [Packet] {
        let code = ffmpeg.call.encoder_end(handle)
        guard code >= 0 else { throw ffmpeg.fault("\(format.encoder) did not finish", code) }
        return try receive()
    }

    private func receive() throws(Fault) -> [Packet] {
        var packets: [Packet] = []
        while true {
            var packet = video_packet()
            let code = ffmpeg.call.encoder_receive(handle, &packet)
            if ffmpeg.call.wants_more(code) || ffmpeg.call.is_end(code) { return packets }
            guard code >= 0 else { throw ffmpeg.fault("\(format.encoder) failed", code) }
            if format.header.isEmpty { keepHeader() }
            // Nothing is inside of an empty packet, so nothing is lost with it.
            guard packet.size > 0, let index = inside.firstIndex(where: { $0.pts == packet.pts }) else { continue }
            let metadata = inside[index].metadata
            inside.removeFirst(index + 1)
            packets.append(Packet(
                bytes: [UInt8](UnsafeBufferPointer(start: packet.data, count: packet.size)), centre: metadata.exposureCentre,
                sensor: metadata.sensorTimestamp, isKey: packet.is_key))
        }
    }

    private func keepHeader() {
        var data: UnsafePointer<UInt8>?
        var size = 0
        ffmpeg.call.encoder_header(handle, &data, &size)
        if size > 0 { format.header = [UInt8](UnsafeBufferPointer(start: data, count: size)) }
    }
}

/// The unit of time in clips: 1/90000 s.
enum Ticks {
    static let perSecond = Int64(VIDEO_TICKS_PER_SECOND)

    /// Rounded to the nearest.
    static func count(_ duration: Duration) -> Int64 {
        let (seconds, rest) = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * perSecond + (rest * perSecond + 500_000_000) / 1_000_000_000
    }
}

extension Frame {
    fileprivate func withPicture<Result>(_ body: (UnsafePointer<video_picture>) -> Result) -> Result {
        withBytes { bytes in
            let planes = layout.planes.map { bytes.baseAddress!.advanced(by: $0.offset).assumingMemoryBound(to: UInt8.self) }
            let strides = layout.planes.map { Int32($0.stride) }
            var picture = video_picture()
            picture.format = layout.format.c
            (picture.width, picture.height) = (Int32(layout.width), Int32(layout.height))
            picture.planes = (planes[0], planes.count > 1 ? planes[1] : nil, planes.count > 2 ? planes[2] : nil)
            picture.strides = (strides[0], strides.count > 1 ? strides[1] : 0, strides.count > 2 ? strides[2] : 0)
            picture.is_full_range = layout.range == .full
            return body(&picture)
        }
    }
}

extension PixelFormat {
    fileprivate var c: video_format {
        switch self {
        case .yuv420: VIDEO_YUV420
        case .nv12: VIDEO_NV12
        case .bgr888: VIDEO_RGB_BYTES
        case .rgb888: VIDEO_BGR_BYTES
        case .xrgb8888: VIDEO_BGRX_BYTES
        }
    }
}
