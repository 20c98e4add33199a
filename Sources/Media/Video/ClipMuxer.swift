// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import ShutterCore

/// Makes the bytes of a fragmented MP4: a cffmpeg_muxer. Used by one thread.
final class ClipMuxer {
    private let handle: OpaquePointer

    /// cffmpeg_muxer_open().
    /// - Parameters:
    ///   - sound: nil: there is none.
    ///   - wall: when the first frame was exposed, nanoseconds since 1970; nil: not known.
    init(_ format: VideoFormat, sound: SoundFormat?, wall: Int64?) throws(Fault) {
        var handle: OpaquePointer?
        let code = format.withC { video in
            format.header.withUnsafeBufferPointer { header in
                let header = cffmpeg_header(data: header.baseAddress, size: header.count)
                guard let sound else { return cffmpeg_muxer_open(video, header, nil, (wall ?? 0) / 1000, &handle) }
                return sound.header.withUnsafeBufferPointer { its in
                    var its = cffmpeg_sound(
                        rate: Int32(SoundHistory.rate), channels: Int32(SoundHistory.channels), bitrate: Int64(SoundFormat.bitrate),
                        header: cffmpeg_header(data: its.baseAddress, size: its.count))
                    return cffmpeg_muxer_open(video, header, &its, (wall ?? 0) / 1000, &handle)
                }
            }
        }
        guard code >= 0, let handle else { throw FFmpeg.fault("the clip's file could not be begun", code, reason: "mux") }
        self.handle = handle
    }

    deinit { cffmpeg_muxer_close(handle) }

    /// - Parameters:
    ///   - pts: since the start of the file; ticks, as is the duration.
    func write(_ packet: Packet, pts: Int64, duration: Int64) throws(Fault) {
        let code = cffmpeg_muxer_write(handle, CFFMPEG_PICTURES, packet.bytes, packet.bytes.count, pts, duration, packet.isKey)
        guard code >= 0 else { throw FFmpeg.fault("a frame was not put into the clip's file", code, reason: "mux") }
    }

    func write(_ packet: SoundPacket, frames: Int) throws(Fault) {
        let code = cffmpeg_muxer_write(handle, CFFMPEG_SOUND, packet.bytes, packet.bytes.count, packet.pts, Int64(frames), true)
        guard code >= 0 else { throw FFmpeg.fault("sound was not put into the clip's file", code, reason: "mux") }
    }

    /// Ends the fragment.
    func flush() throws(Fault) {
        let code = cffmpeg_muxer_flush(handle)
        guard code >= 0 else { throw FFmpeg.fault("the clip's fragment was not made", code, reason: "mux") }
    }

    /// Hands over all bytes since the last time.
    func fetch<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var data: UnsafePointer<UInt8>?
        var size = 0
        cffmpeg_muxer_fetch(handle, &data, &size)
        return body(UnsafeRawBufferPointer(start: size > 0 ? data : nil, count: size))
    }
}
