// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Writes one clip on a thread of its own: packets → fragments → files.
///
/// Fragments end at every key frame and half-way between two, so that a power cut costs less than a second, and as much as a stop's judgement
/// takes. A clip that grows beyond its limits goes on in the next file, at a key frame, with no frame missing or doubled.
final class ClipWriter: @unchecked Sendable {
    private enum Item {
        case packet(Packet, Drops, VideoFormat)
        /// The encoder was replaced: the file so far is closed.
        case cut(Fault)
        case end(ended: String, at: Timestamp?, fault: Fault?)
    }

    private struct State {
        var items: [(item: Item, arrived: Timestamp)] = []
        /// Bytes of the packets among them.
        var bytes = 0
        /// When the oldest packet that is not on the disk arrived.
        var oldest: Timestamp?
        var isClosed = false
        var progress = Progress()
    }

    /// For `status`.
    struct Progress {
        var name = ""
        var frames = 0
        var drops = Drops()
        var synced: UInt64 = 0
        var slowestWrite = Duration.zero
        var files = 0
        var first: Timestamp?
        var last: Timestamp?
    }

    /// Packets wait up to so many, and so many bytes; then the encoder waits, and frames are dropped.
    private static let mostItems = 1000
    private static let mostBytes = 24 << 20

    let job: ClipJob
    private let settings: ClipSettings
    private let microphone: Microphone?
    private let store: MediaStore
    private let clock: MediaClock
    private let post: @Sendable (ClipEvent) -> Void
    private let state = Locked(State())
    private let thread = Locked<Thread?>(nil)

    // The thread's own.
    private var file: ClipFile?
    private var pending: [(packet: Packet, drops: Drops)] = []
    private var saved: SavedClip

    init(
        _ job: ClipJob, settings: ClipSettings, microphone: Microphone? = nil, store: MediaStore, clock: MediaClock,
        post: @escaping @Sendable (ClipEvent) -> Void
    ) {
        self.job = job
        self.settings = settings
        self.microphone = microphone
        self.store = store
        self.clock = clock
        self.post = post
        saved = SavedClip(press: job.press)
        do throws(SystemError) {
            let thread = try Thread(ifPossible: "clip") { self.run() }
            self.thread.withLock { $0 = thread }
        } catch {
            close(.failure(Fault("the clip cannot be saved", error)))
        }
    }

    // MARK: From other threads

    func append(_ packet: Packet, _ drops: Drops, _ format: VideoFormat) {
        let now = clock.now()
        state.update { state in
            guard !state.isClosed else { return }
            state.items.append((.packet(packet, drops, format), now))
            state.bytes += packet.bytes.count
            if state.oldest == nil { state.oldest = now }
        }
    }

    /// Blocks while too much waits for the disk.
    func waitForRoom() { state.wait { $0.isClosed || $0.bytes < Self.mostBytes && $0.items.count < Self.mostItems ? () : nil } }

    func cut(_ fault: Fault) { put(.cut(fault)) }

    /// Ends the clip. Idempotent.
    /// - Parameters:
    ///   - instant: frames after it are left out, as far as they are not on the disk yet.
    ///   - fault: why what would follow is missing.
    func end(_ ended: String, at instant: Timestamp?, fault: Fault? = nil) { put(.end(ended: ended, at: instant, fault: fault)) }

    private func put(_ item: Item) {
        let now = clock.now()
        state.update { if !$0.isClosed { $0.items.append((item, now)) } }
    }

    /// Since when a packet waits for the disk.
    var oldestWaiting: Timestamp? { state.withLock { $0.oldest } }
    var progress: Progress { state.withLock { $0.progress } }
    /// Waits for the thread.
    func join() { thread.withLock { thread in defer { thread = nil }; return thread }?.join() }

    // MARK: The thread

    private func run() {
        while true {
            let item = state.wait { state -> Item? in
                guard !state.items.isEmpty else { return nil }
                return state.items.removeFirst().item
            }
            switch item {
            case let .packet(packet, drops, format):
                state.update { $0.bytes -= packet.bytes.count }
                do throws(Fault) { try take(packet, drops, format) } catch { return giveUp(error) }
            case let .cut(fault):
                saved.restarts += 1
                do throws(Fault) { try closeFile(fault.reason, goesOn: true) } catch { return giveUp(error) }
            case let .end(ended, instant, fault):
                saved.fault = fault
                return finish(ended, instant)
            }
        }
    }

    private func take(_ packet: Packet, _ drops: Drops, _ format: VideoFormat) throws(Fault) {
        if let file, packet.isKey, isFull(file, before: packet) || file.facts.format != format {
            try flush(next: packet.centre, isLast: true)
            try closeFile("split", goesOn: true)
        }
        if file == nil {
            // After a restart, what is left of the old stream cannot be shown.
            guard packet.isKey else { return }
            file = try ClipFile(try store.takeNumber(), format, first: packet.centre, microphone: microphone, store: store, clock: clock)
            saved.files += 1
            tell()
        }
        pending.append((packet, drops))
        // What a stop that is still being judged may leave out stays in memory.
        let judged = packet.centre - settings.judgement
        while let count = fragmentCount, pending[count - 1].packet.centre <= judged { try flush(count, next: pending[count].packet.centre) }
    }

    /// How many of the packets that wait are a fragment, the next one being there, too.
    private var fragmentCount: Int? {
        guard let first = pending.first?.packet, let format = file?.facts.format else { return nil }
        return pending.indices.dropFirst().first { index in
            let packet = pending[index].packet
            return packet.isKey && !format.header.isEmpty || packet.centre - first.centre >= halfFragment
        }
    }

    /// Frames do not come to the microsecond.
    private var halfFragment: Duration { settings.fragment / 2 - .milliseconds(5) }

    /// Whether a fragment more would be too much.
    private func isFull(_ file: ClipFile, before packet: Packet) -> Bool {
        if let longest = settings.longest, let first = file.facts.first ?? pending.first.map({ FrameInstant($0.packet) }),
            packet.centre + settings.fragment - first.centre > longest + settings.interval { return true }
        guard let largest else { return false }
        let waiting = pending.reduce(0) { $0 + $1.packet.bytes.count }
        let fragment = UInt64(Double(settings.bitrate) / 8 * settings.fragment.seconds * 1.5)
        return file.facts.synced + UInt64(waiting) + fragment > largest
    }

    /// FAT has no larger files than 4 GiB.
    private var largest: UInt64? {
        store.status.fileSystem == "vfat" ? min(settings.largest ?? .max, UInt64(UInt32.max)) : settings.largest
    }

    /// - Parameter count: of the packets that wait; nil = all.
    private func flush(_ count: Int? = nil, next: Timestamp?, isLast: Bool = false) throws(Fault) {
        guard let file, !pending.isEmpty || isLast else { return }
        let fragment = Array(pending.prefix(count ?? pending.count))
        pending.removeFirst(fragment.count)
        try file.append(fragment, next: next, isLast: isLast)
        // Below the reserve, the daemon ends the clip.
        store.measure()
        tell()
    }

    /// Bytes have reached the disk.
    private func tell() {
        guard let file else { return }
        let facts = file.facts
        state.withLock { state in
            state.oldest = state.items.first { if case .packet = $0.item { true } else { false } }?.arrived
            state.progress = Progress(
                name: MediaName(.clip, facts.number).final, frames: saved.frames + facts.frames, drops: facts.drops,
                synced: saved.bytes + facts.synced, slowestWrite: max(saved.slowestWrite, facts.slowestWrite), files: saved.files,
                first: saved.first ?? facts.first?.centre, last: facts.last?.centre)
        }
        post(.progress(job.id, isSlow: false))
    }

    private func closeFile(_ ended: String, goesOn: Bool = false) throws(Fault) {
        // When that fails, the file is whole up to the fragment before, and `giveUp` gives it its name.
        try flush(next: nil, isLast: true)
        defer {
            file = nil
            pending = []
        }
        guard let file else { return }
        do throws(Fault) {
            _ = try file.close()
        } catch {
            // The encoder may have been replaced before it brought anything forth.
            if error.reason == "empty-clip" { return }
            throw error
        }
        add(file.facts, ended)
        if goesOn { post(.file(job.id, saved)) }
    }

    /// A file has its final name.
    private func add(_ facts: ClipFile.Facts, _ ended: String) {
        saved.paths.append(store.path(.clip, facts.number))
        saved.frames += facts.frames
        saved.dropped += facts.drops.all
        saved.bytes += facts.synced
        saved.slowestWrite = max(saved.slowestWrite, facts.slowestWrite)
        if saved.first == nil { saved.first = facts.first?.centre }
        saved.last = facts.last?.centre
        saved.ended = ended
        guard settings.sidecar else { return }
        let sidecar = ClipSidecar(facts, job, saved, clock: clock.source().rawValue)
        do throws(SystemError) {
            try store.save(.clipSidecar, facts.number, sidecar.serialised())
            saved.paths.append(store.path(.clipSidecar, facts.number))
            store.note(nil)
        } catch {
            store.note(Fault("the sidecar of \(MediaName(.clip, facts.number).final) was not saved", error).message)
        }
    }

    private func finish(_ ended: String, _ instant: Timestamp?) {
        if let instant {
            // A clip has one frame at least, however soon it was stopped.
            let kept = saved.frames + (file?.facts.frames ?? 0) > 0 ? 0 : 1
            while pending.count > kept, let last = pending.last, last.packet.centre > instant { pending.removeLast() }
        }
        do throws(Fault) {
            try closeFile(ended)
        } catch {
            return giveUp(error)
        }
        close(saved.frames > 0 ? .success(saved) : .failure(saved.fault ?? Fault("empty-clip", "the clip was not saved: no frame of it was encoded")))
    }

    /// What is on the disk is kept.
    private func giveUp(_ fault: Fault) {
        pending = []
        var fault = fault
        if let file, file.facts.frames > 0 {
            do throws(Fault) {
                _ = try file.close()
                add(file.facts, fault.reason)
            } catch {
                fault = error
            }
        } else if let file {
            _ = try? file.close()
        }
        file = nil
        store.refresh()
        saved.fault = fault
        close(saved.frames > 0 ? .success(saved) : .failure(fault))
    }

    private func close(_ outcome: Result<SavedClip, Fault>) {
        store.measure()
        state.update { state in
            state.isClosed = true
            state.items = []
            state.oldest = nil
        }
        post(.ended(job.id, outcome))
    }
}
