// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// The sound of the last seconds, each frame at its place in time. A plain value.
///
/// Places count frames of `rate` a second from the zero of CLOCK_MONOTONIC on, so what was captured when needs no other
/// bookkeeping, and sound finds its pictures by their exposure centres.
struct SoundHistory {
    /// What clips have, whatever the device delivers.
    static let rate = 48_000
    static let channels = 2

    static func place(_ instant: Timestamp) -> Int64 {
        let (seconds, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * Int64(rate) + (rest * Int64(rate) + 500_000_000) / 1_000_000_000
    }

    /// Frames that are kept.
    private let length: Int64
    private var blocks: [(place: Int64, samples: [Int16])] = []
    /// Behind the newest frame.
    private(set) var end: Int64 = 0

    init(_ length: Duration) { self.length = Int64(length.seconds * Double(Self.rate)) }

    /// What overlaps with what is there already is left out.
    mutating func append(_ samples: [Int16], at place: Int64) {
        let count = Int64(samples.count / Self.channels)
        let known = min(max(0, end - place), count)
        guard known < count else { return }
        blocks.append((place + known, known == 0 ? samples : Array(samples[Int(known) * Self.channels..<samples.count])))
        end = place + count
        // Not each time: the rest has to move up.
        if let first = blocks.first, first.place < end - length - Int64(Self.rate) {
            blocks.removeFirst(blocks.firstIndex { $0.place >= end - length } ?? blocks.count)
        }
    }

    /// Copies frames; those that were not captured, or are no longer kept, are silence.
    /// - Returns: their samples, and how many frames are missing.
    func copy(from place: Int64, frames: Int) -> (samples: [Int16], missing: Int) {
        var samples = [Int16](repeating: 0, count: frames * Self.channels)
        var missing = frames
        // The newest are asked for.
        for block in blocks.reversed() {
            let count = Int64(block.samples.count / Self.channels)
            if block.place + count <= place { break }
            let (from, to) = (max(place, block.place), min(place + Int64(frames), block.place + count))
            guard from < to else { continue }
            let source = Int(from - block.place) * Self.channels..<Int(to - block.place) * Self.channels
            samples.replaceSubrange(Int(from - place) * Self.channels..<Int(to - place) * Self.channels, with: block.samples[source])
            missing -= Int(to - from)
        }
        return (samples, missing)
    }
}
