// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CVideoPlugin
import ShutterCore

/// Makes the bytes of a fragmented MP4: a video_muxer. Used by one thread.
final class ClipMuxer {
    private let ffmpeg: FFmpeg
    private let handle: OpaquePointer

    /// muxer_open().
    /// - Parameters:
    ///   - sound: nil: there is none.
    ///   - wall: when the first frame was exposed, nanoseconds since 1970; nil: not known.
    init(_ format: VideoFormat, sound: SoundFormat?, wall: Int64?) throws(Fault) {
        let ffmpeg = try FFmpeg.load()
        var handle: OpaquePointer?
        let code = format.withC { video in
            format.header.withUnsafeBufferPointer { header in
                let header = video_header(data: header.baseAddress, size: header.count)
                guard let sound else { return ffmpeg.call.muxer_open(video, header, nil, (wall ?? 0) / 1000, &handle) }
                return sound.header.withUnsafeBufferPointer { its in
                    var its = video_sound(
                        rate: Int32(SoundHistory.rate), channels: Int32(SoundHistory.channels), bitrate: Int64(SoundFormat.bitrate),
                        header: video_header(data: its.baseAddress, size: its.count))
                    return ffmpeg.call.muxer_open(video, header, &its, (wall ?? 0) / 1000, &handle)
                }
            }
        }
        guard code >= 0, let handle else { throw ffmpeg.fault("the clip's file could not be begun", code, reason: "mux") }
        self.ffmpeg = ffmpeg
        self.handle = handle
    }

    deinit { ffmpeg.call.muxer_close(handle) }

    /// - Parameters:
    ///   - pts: since the start of the file; ticks, as is the duration.
    func write(_ packet: Packet, pts: Int64, duration: Int64) throws(Fault) {
        let code = ffmpeg.call.muxer_write(handle, VIDEO_PICTURES, packet.bytes, packet.bytes.count, pts, duration, packet.isKey)
        guard code >= 0 else { throw ffmpeg.fault("a frame was not put into the clip's file", code, reason: "mux") }
    }

    func write(_ packet: SoundPacket, frames: Int) throws(Fault) {
        let code = ffmpeg.call.muxer_write(handle, VIDEO_SOUND, packet.bytes, packet.bytes.count, packet.pts, Int64(frames), true)
        guard code >= 0 else { throw ffmpeg.fault("sound was not put into the clip's file", code, reason: "mux") }
    }

    /// Ends the fragment.
    func flush() throws(Fault) {
        let code = ffmpeg.call.muxer_flush(handle)
        guard code >= 0 else { throw ffmpeg.fault("the clip's fragment was not made", code, reason: "mux") }
    }

    /// Hands over all bytes since the last time.
    func fetch<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var data: UnsafePointer<UInt8>?
        var size = 0
        ffmpeg.call.muxer_fetch(handle, &data, &size)
        return body(UnsafeRawBufferPointer(start: size > 0 ? data : nil, count: size))
    }
}
