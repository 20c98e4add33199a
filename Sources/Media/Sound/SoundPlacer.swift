// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CVideoPlugin
import ShutterCore

/// Brings a device's sound to the rate of clips, by the stamps and not by the device's own clock, which is never quite right.
/// A video_resampler. Used by one thread.
final class SoundPlacer {
    /// Stamps that are off by more say that sound is missing, or that the device began anew.
    private static let jump = Double(SoundHistory.rate) / 10
    /// Single stamps are late now and then: what counts is their mean over about this long, in frames.
    private static let memory = Double(SoundHistory.rate)
    /// How often the resampler is told what is left to be made good, and which part of it by the next time.
    private static let turn = SoundHistory.rate / 2
    private static let part = 1.0 / 8

    private let rate: Int
    private let channels: Int
    private var resampler: Resampler
    /// Where the next frame that comes out belongs.
    private var next: Int64?
    /// Mean of stamp − place, frames.
    private(set) var deviation = 0.0
    private var seen = 0.0
    private var sinceTurn = 0

    init(rate: Int, channels: Int) throws(Fault) {
        self.rate = rate
        self.channels = channels
        resampler = try Resampler(rate: rate, channels: channels)
    }

    /// - Parameter from: when the first of the samples was captured.
    /// - Returns: what came out, and the place of its first frame.
    func place(_ samples: [Int16], from: Timestamp) throws(Fault) -> (place: Int64, samples: [Int16]) {
        let stamped = Double(SoundHistory.place(from - resampler.delay))
        if let next, abs(stamped - Double(next)) <= Self.jump {
            let frames = Double(samples.count / channels) * Double(SoundHistory.rate) / Double(rate)
            seen += frames
            deviation += (stamped - Double(next) - deviation) * frames / min(seen, Self.memory)
        } else {
            // What is inside belongs to what was before.
            if next != nil { resampler = try Resampler(rate: rate, channels: channels) }
            next = SoundHistory.place(from)
            (deviation, seen, sinceTurn) = (0, 0, 0)
        }
        if sinceTurn >= Self.turn {
            sinceTurn = 0
            let more = Int((deviation * Self.part).rounded())
            try resampler.adjust(min(max(more, -Self.turn / 200), Self.turn / 200), within: Self.turn)
        }
        let out = try resampler.convert(samples, frames: samples.count / channels, of: rate)
        let place = next ?? 0
        next = place + Int64(out.count / SoundHistory.channels)
        sinceTurn += out.count / SoundHistory.channels
        return (place, out)
    }
}

private final class Resampler {
    private let ffmpeg: FFmpeg
    private let handle: OpaquePointer

    /// resampler_open().
    init(rate: Int, channels: Int) throws(Fault) {
        let ffmpeg = try FFmpeg.load()
        var handle: OpaquePointer?
        let code = ffmpeg.call.resampler_open(Int32(rate), Int32(channels), Int32(SoundHistory.rate), Int32(SoundHistory.channels), &handle)
        guard code >= 0, let handle else { throw ffmpeg.fault("sound of \(rate) Hz and \(channels) channels cannot be taken", code, reason: "no-sound") }
        self.ffmpeg = ffmpeg
        self.handle = handle
    }

    deinit { ffmpeg.call.resampler_close(handle) }

    var delay: Duration { .nanoseconds(ffmpeg.call.resampler_delay_ns(handle)) }

    func adjust(_ more: Int, within: Int) throws(Fault) {
        let code = ffmpeg.call.resampler_adjust(handle, Int32(more), Int32(within))
        guard code >= 0 else { throw ffmpeg.fault("sound is not kept in step", code, reason: "no-sound") }
    }

    func convert(_ samples: [Int16], frames: Int, of rate: Int) throws(Fault) -> [Int16] {
        let room = frames * SoundHistory.rate / rate * 102 / 100 + 64
        var out = [Int16](repeating: 0, count: room * SoundHistory.channels)
        let count = ffmpeg.call.resampler_convert(handle, samples, Int32(frames), &out, Int32(room))
        guard count >= 0 else { throw ffmpeg.fault("sound is not brought to the clip's rate", count, reason: "no-sound") }
        out.removeLast((room - Int(count)) * SoundHistory.channels)
        return out
    }
}
