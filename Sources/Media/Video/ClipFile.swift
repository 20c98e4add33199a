// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// One file of a clip, from its temporary name to its final one. Used by one thread; every call may block.
///
/// A fragment is written and synced before the next one is begun: so whatever happens, the file is playable up to the end
/// of the last one, and closing it costs the same however long it is.
final class ClipFile {
    /// What the sidecar tells about it.
    struct Facts: Sendable {
        var number: MediaNumber
        var format: VideoFormat
        var first: FrameInstant?
        var last: FrameInstant?
        var frames = 0
        var drops = Drops()
        /// Bytes that have reached the disk.
        var synced: UInt64 = 0
        var fragments = 0
        /// The longest that one fragment took to write and sync.
        var slowestWrite = Duration.zero
        /// Nil: it is to have no sound.
        var sound: SoundFacts?
    }

    private(set) var facts: Facts
    private let store: MediaStore
    private let clock: MediaClock
    private let path: String
    private let file: Descriptor
    private let muxer: ClipMuxer
    private let sound: ClipSound?
    private var lastPTS: Int64 = -1
    /// Of the last frame; ticks.
    private var end: Int64 = 0

    /// Writes the head under a temporary name, and syncs it.
    /// - Parameter first: of the clip's first frame in this file.
    init(_ number: MediaNumber, _ format: VideoFormat, first: Timestamp, microphone: Microphone?, store: MediaStore, clock: MediaClock) throws(Fault) {
        self.store = store
        self.clock = clock
        path = store.temporaryPath(.clip, number)
        facts = Facts(number: number, format: format)
        let wall = clock.wall() - (clock.now() - first).nanoseconds
        if let microphone { sound = try ClipSound(microphone, first: first) } else { sound = nil }
        muxer = try ClipMuxer(format, sound: sound?.format, wall: ClockSource.isPlausible(wall: wall) ? wall : nil)
        do throws(SystemError) {
            file = try store.operations.create(path)
        } catch {
            throw Fault("\(MediaName(.clip, number).final) was not begun", error)
        }
        do throws(Fault) {
            try write()
        } catch {
            store.operations.remove(path)
            throw error
        }
    }

    /// Writes and syncs one fragment. When that fails, the file ends with the fragment before.
    /// - Parameters:
    ///   - next: the exposure centre of the frame that follows, for the duration of the last; nil: none follows.
    ///   - isLast: nothing follows in this file, and the rest of its sound is written, too.
    func append(_ packets: [(packet: Packet, drops: Drops)], next: Timestamp?, isLast: Bool) throws(Fault) {
        guard let start = facts.first?.centre ?? packets.first?.packet.centre else { return }
        var last = lastPTS
        let times = packets.map { entry in
            last = max(Ticks.count(entry.packet.centre - start), last + 1)
            return last
        }
        if !times.isEmpty {
            end = next.map { max(Ticks.count($0 - start), last + 1) }
                ?? last + (times.count > 1 ? last - times[times.count - 2] : Ticks.perSecond / Int64(facts.format.rate))
        }
        for (index, entry) in packets.enumerated() {
            let following = index + 1 < times.count ? times[index + 1] : end
            try muxer.write(entry.packet, pts: times[index], duration: following - times[index])
        }
        let heard = try sound?.packets(upTo: start + .nanoseconds(end * 100_000 / 9), isLast: isLast) ?? []
        for packet in heard { try muxer.write(packet, frames: sound?.block ?? 0) }
        if packets.isEmpty && heard.isEmpty { return }
        try muxer.flush()
        try write()
        lastPTS = last
        facts.fragments += 1
        facts.frames += packets.count
        for entry in packets { facts.drops += entry.drops }
        if facts.first == nil { facts.first = packets.first.map { FrameInstant($0.packet) } }
        if let entry = packets.last { facts.last = FrameInstant(entry.packet) }
        facts.sound = sound.map { SoundFacts(padded: $0.padded, overruns: $0.overruns, fault: $0.fault) }
    }

    private func write() throws(Fault) {
        let started = clock.now()
        var failure: SystemError?
        var size: UInt64 = 0
        muxer.fetch { bytes in
            do throws(SystemError) {
                try store.operations.write(file, bytes, path)
                try store.operations.syncData(file, path)
                size = UInt64(bytes.count)
            } catch {
                failure = error
            }
        }
        if let failure {
            // A part of a fragment would be cut off at the next start anyway.
            try? file.truncate(to: facts.synced, subject: path)
            throw Fault("\(MediaName(.clip, facts.number).final) goes no further than its last \(facts.frames) frames", failure)
        }
        facts.synced += size
        facts.slowestWrite = max(facts.slowestWrite, clock.now() - started)
    }

    /// Gives the file its final name. A file without a frame is none: it is removed, and that is an error.
    /// - Returns: the number it has now.
    func close() throws(Fault) -> MediaNumber {
        guard facts.frames > 0 else {
            store.operations.remove(path)
            throw Fault("empty-clip", "\(MediaName(.clip, facts.number).final) was not saved: no frame of it was encoded")
        }
        do throws(SystemError) {
            facts.number = try store.publish(.clip, facts.number)
        } catch {
            // It keeps its temporary name, and the next start completes it.
            throw Fault("\(path) is whole, but got no final name", error)
        }
        return facts.number
    }
}

/// What is to be told about the sound of a file.
struct SoundFacts: Equatable, Sendable {
    /// Frames of silence in the place of sound that was not captured.
    var padded: Int
    var overruns: Int
    /// What was wrong with it last.
    var fault: Fault?
}

/// When a frame was exposed.
struct FrameInstant: Equatable, Sendable {
    var centre: Timestamp
    var sensor: Timestamp

    init(_ packet: Packet) {
        centre = packet.centre
        sensor = packet.sensor
    }
}

/// Frames that are not in a clip although they were wanted.
struct Drops: Equatable, Sendable {
    /// The sensor had no buffer, or the driver lost it.
    var sensor = 0
    /// The encoder or the disk did not keep up.
    var queue = 0

    var all: Int { sensor + queue }

    static func += (left: inout Drops, right: Drops) {
        left.sensor += right.sensor
        left.queue += right.queue
    }
}
