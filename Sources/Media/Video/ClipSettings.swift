// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// How clips are made, as the configuration says it.
package struct ClipSettings: Equatable, Sendable {
    package enum Encoder: String, Sendable { case auto, hardware, software, mjpeg }

    /// Pixels; odd ones are rounded down.
    package var width: Int
    package var height: Int
    /// Frames a second, at most; a slower sensor is taken as it is.
    package var rate: Int
    /// Bits a second.
    package var bitrate: Int
    package var encoder: Encoder
    /// From one key frame to the next.
    package var fragment: Duration
    /// How much of the time before the press a clip shows, in video mode.
    package var preroll: Duration
    /// A longer clip goes on in the next file; nil: never.
    package var longest: Duration?
    /// Bytes; a larger clip goes on in the next file; nil: never, but for what the file system can hold.
    package var largest: UInt64?
    package var sidecar: Bool
    /// Whether closed clips are made plain MP4s with the index in front.
    package var isFaststart: Bool
    /// How long after its instant a stop may be judged: later frames go to the disk no sooner.
    package var judgement: Duration

    package init(
        width: Int, height: Int, rate: Int = 30, bitrate: Int = 10_000_000, encoder: Encoder = .auto, fragment: Duration = .seconds(1),
        preroll: Duration = .zero, longest: Duration? = nil, largest: UInt64? = nil, sidecar: Bool = true,
        isFaststart: Bool = false, judgement: Duration = .zero
    ) {
        self.width = width & ~1
        self.height = height & ~1
        self.rate = rate
        self.bitrate = bitrate
        self.encoder = encoder
        self.fragment = fragment
        self.preroll = preroll
        self.longest = longest
        self.largest = largest
        self.sidecar = sidecar
        self.isFaststart = isFaststart
        self.judgement = judgement
    }

    var interval: Duration { .seconds(1) / rate }
}
