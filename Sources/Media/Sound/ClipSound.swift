// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CVideoPlugin
import ShutterCore

/// One encoded piece of sound; times count frames.
struct SoundPacket {
    var bytes: [UInt8]
    /// Since the start of the file.
    var pts: Int64
}

/// What a file has to say about its sound.
struct SoundFormat: Equatable, Sendable {
    static let codec = "aac"
    static let bitrate = 64_000 * SoundHistory.channels
    var header: [UInt8]
}

/// The sound of one file, taken as its pictures are written: a video_sound_encoder. Used by one thread.
final class ClipSound {
    let format: SoundFormat
    /// Frames of sound, and how many of them are silence because none was captured.
    private(set) var frames = 0
    private(set) var padded = 0
    /// How often samples were lost since the file was begun.
    var overruns: Int { microphone.status.overruns - overrunsBefore }
    var fault: Fault? { microphone.status.fault }
    /// Frames in a packet.
    let block: Int

    private let microphone: Microphone
    private let overrunsBefore: Int
    private let ffmpeg: FFmpeg
    private let handle: OpaquePointer
    /// Of the next frame to be taken.
    private var place: Int64
    private var hasEnded = false

    /// sound_encoder_open().
    /// - Parameter first: the exposure centre of the file's first frame, which is its zero.
    init(_ microphone: Microphone, first: Timestamp) throws(Fault) {
        let ffmpeg = try FFmpeg.load()
        var handle: OpaquePointer?
        let code = ffmpeg.call.sound_encoder_open(Int32(SoundHistory.rate), Int32(SoundHistory.channels), Int64(SoundFormat.bitrate), &handle)
        guard code >= 0, let handle else { throw ffmpeg.fault("the encoder for sound does not start", code) }
        self.ffmpeg = ffmpeg
        self.handle = handle
        self.microphone = microphone
        overrunsBefore = microphone.status.overruns
        block = Int(ffmpeg.call.sound_encoder_frames(handle))
        place = SoundHistory.place(first)
        var data: UnsafePointer<UInt8>?
        var size = 0
        ffmpeg.call.sound_encoder_header(handle, &data, &size)
        format = SoundFormat(header: [UInt8](UnsafeBufferPointer(start: data, count: size)))
    }

    deinit { ffmpeg.call.sound_encoder_close(handle) }

    /// The packets up to an instant, as far as they are ready.
    /// - Parameter isLast: nothing follows; all of it is ready.
    func packets(upTo instant: Timestamp, isLast: Bool) throws(Fault) -> [SoundPacket] {
        guard !hasEnded else { return [] }
        hasEnded = isLast
        let (samples, missing) = microphone.take(from: place, to: SoundHistory.place(instant), block: block, isLast: isLast)
        let count = samples.count / SoundHistory.channels
        place += Int64(count)
        frames += count
        padded += missing
        var packets: [SoundPacket] = []
        for start in stride(from: 0, to: samples.count, by: block * SoundHistory.channels) {
            let code = samples.withUnsafeBufferPointer { ffmpeg.call.sound_encoder_send(handle, $0.baseAddress.map { $0 + start }) }
            guard code >= 0 else { throw ffmpeg.fault("sound was not encoded", code) }
            try receive(&packets)
        }
        if isLast {
            let code = ffmpeg.call.sound_encoder_send(handle, nil)
            guard code >= 0 else { throw ffmpeg.fault("the rest of the sound was not encoded", code) }
            try receive(&packets)
        }
        return packets
    }

    private func receive(_ packets: inout [SoundPacket]) throws(Fault) {
        while true {
            var packet = video_packet()
            let code = ffmpeg.call.sound_encoder_receive(handle, &packet)
            if ffmpeg.call.wants_more(code) || ffmpeg.call.is_end(code) { return }
            guard code >= 0 else { throw ffmpeg.fault("sound was not encoded", code) }
            // The encoder begins with a packet in which there is nothing yet.
            if packet.pts >= 0 { packets.append(SoundPacket(bytes: [UInt8](UnsafeBufferPointer(start: packet.data, count: packet.size)), pts: packet.pts)) }
        }
    }
}
