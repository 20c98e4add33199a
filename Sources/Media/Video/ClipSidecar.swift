// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// The JSON next to a clip's file, in one object `shutter` as with photos.
struct ClipSidecar: SidecarFile {
    private var shutter: Shutter

    private struct Shutter: Encodable {
        /// Nanoseconds on CLOCK_MONOTONIC, as are all instants here.
        var press_ns: Int64?
        var accepted_ns: Int64?
        /// Exposure centres.
        var first_ns: Int64?
        var last_ns: Int64?
        /// libcamera's SensorTimestamp: ends of the exposures.
        var first_sensor_ns: Int64?
        var last_sensor_ns: Int64?
        /// First exposure centre − press, microseconds, signed.
        var lag_us: Int64?
        var frames: Int?
        /// Frames a second, as they came.
        var rate: Double?
        var dropped_sensor: Int?
        var dropped_queue: Int?
        var encoder: String?
        var size: String?
        var bitrate: Int?
        /// `aac`; the others are of no meaning without it.
        var audio: String?
        /// Frames a second.
        var audio_rate: Int?
        var audio_channels: Int?
        /// Frames of silence in the place of sound that was not captured.
        var audio_padded: Int?
        /// How often sound was lost because it was not taken in time.
        var audio_overruns: Int?
        /// What was wrong with it last.
        var audio_fault: String?
        var bytes: UInt64?
        var fragments: Int?
        var slowest_write_us: Int64?
        /// The number of the file in its clip, from 1 on.
        var part: Int?
        /// How it ended: `press`, `release`, `request`, `stopping`, …; `split`: it goes on in the next file; `recovered`: at
        /// the next start, from what was there.
        var ended: String
        var mode: String?
        var trigger: String?
        /// `ntp`, `rtc` or `none`.
        var clock: String?
    }

    init(_ facts: ClipFile.Facts, _ job: ClipJob, _ saved: SavedClip, clock: String) {
        let (first, last) = (facts.first, facts.last)
        var rate: Double?
        // A driver may have given all frames one stamp.
        if let first, let last, facts.frames > 1, last.centre > first.centre { rate = Double(facts.frames - 1) / (last.centre - first.centre).seconds }
        shutter = Shutter(
            press_ns: job.press.nanoseconds, accepted_ns: job.accepted.nanoseconds, first_ns: first?.centre.nanoseconds,
            last_ns: last?.centre.nanoseconds, first_sensor_ns: first?.sensor.nanoseconds, last_sensor_ns: last?.sensor.nanoseconds,
            lag_us: first.map { ($0.centre - job.press).microseconds }, frames: facts.frames, rate: rate.map { ($0 * 1000).rounded() / 1000 },
            dropped_sensor: facts.drops.sensor, dropped_queue: facts.drops.queue, encoder: facts.format.encoder,
            size: "\(facts.format.width)x\(facts.format.height)", bitrate: facts.format.bitrate,
            audio: facts.sound.map { _ in SoundFormat.codec }, audio_rate: facts.sound.map { _ in SoundHistory.rate },
            audio_channels: facts.sound.map { _ in SoundHistory.channels }, audio_padded: facts.sound?.padded, audio_overruns: facts.sound?.overruns,
            audio_fault: facts.sound?.fault?.message, bytes: facts.synced, fragments: facts.fragments,
            slowest_write_us: facts.slowestWrite.microseconds, part: saved.files, ended: saved.ended, mode: job.mode.rawValue,
            trigger: job.trigger.rawValue, clock: clock)
    }

    /// Of a clip that an earlier run had begun.
    init(recovered bytes: UInt64) {
        shutter = Shutter(bytes: bytes, ended: "recovered")
    }
}
