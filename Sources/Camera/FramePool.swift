// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// The ring of one open source, the frames that are lent from it, and the way answers take to the loop.
/// Lent frames hold on to it.
final class FramePool: @unchecked Sendable {
    /// Heap memory of a frame's size.
    private struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer

        /// nil: there is no address space for it. See posix_memalign(3).
        init?(byteCount: Int) {
            var memory: UnsafeMutableRawPointer?
            guard posix_memalign(&memory, 4096, byteCount) == 0, let memory else { return nil }
            start = memory
        }
    }

    /// The memory that copies of running frames may take.
    private static let mostCopied = 64 << 20

    private struct Copy {
        var id: CaptureID
        var since: Timestamp
        var buffer: Int
        var metadata: FrameMetadata
    }

    /// Where a buffer's pictures are; the same for every frame in it.
    private struct Bytes {
        var picture: UnsafeRawBufferPointer
        var raw: UnsafeRawBufferPointer?
    }

    private struct State {
        var ring: FrameRing
        var bytes: [Bytes?]
        /// Frames to copy out on the camera's thread: too slow for the loop's.
        var copies: [Copy] = []
        /// Heap buffers for copies, used again and again.
        var spare: [Block] = []
    }

    /// The camera's thread hangs when a copy takes longer.
    private static let longestCopy = Duration.seconds(4)

    let facts: SourceFacts
    /// The owner of the bytes: alive as long as a frame is lent.
    private let source: any FrameSource
    private let desk: AnswerDesk
    /// Nil for frames that are not of full size.
    private let subscribers: Subscribers?
    /// Wakes the camera's thread.
    private let wake: Mailbox<Void>
    private let state: Locked<State>

    init(
        _ source: any FrameSource, _ facts: SourceFacts, choice: FrameChoice, offset: Duration, isWoken: Bool = false,
        desk: AnswerDesk, subscribers: Subscribers?, wake: Mailbox<Void>
    ) {
        self.source = source
        self.facts = facts
        self.desk = desk
        self.subscribers = subscribers
        self.wake = wake
        state = Locked(State(
            ring: FrameRing(
                buffers: facts.buffers, interval: facts.interval, choice: choice, offset: offset,
                copies: min(Self.mostCopied / facts.layout.byteCount, 32), isWoken: isWoken),
            bytes: Array(repeating: nil, count: facts.buffers)))
    }

    deinit {
        // Every frame holds on to the pool: nothing is lent any more.
        state.withLock { $0.spare }.forEach { free($0.start) }
    }

    /// Whether a press waits, or a frame is in use.
    var isWanted: Bool { state.withLock { $0.ring.isWanted } }

    /// Takes undecided reservations out.
    func takeReservations() -> [(id: CaptureID, instant: Timestamp)] { state.withLock { $0.ring.takeReservations() } }

    /// A copy of the ring, for counts.
    var ring: FrameRing { state.withLock { $0.ring } }

    // MARK: The loop's side

    func anticipate(_ contact: Timestamp?) { state.withLock { $0.ring.anticipate(contact) } }

    func reserve(_ id: CaptureID, at instant: Timestamp, now: Timestamp, isHeld: Bool = false) {
        answer { $0.ring.reserve(id, at: instant, now: now, isHeld: isHeld) }
    }

    /// Takes back a reservation that is undecided or being copied.
    func release(_ id: CaptureID) {
        state.withLock { state in
            state.ring.release(id)
            if let index = state.copies.firstIndex(where: { $0.id == id }) {
                state.ring.giveBack(state.copies.remove(at: index).buffer)
                state.ring.giveBackCopy()
            }
        }
    }

    // MARK: The camera's side

    /// A buffer that the sensor should have.
    func acquire() -> Int? { state.withLock { $0.ring.acquire() } }

    /// A frame that is not to be a photo.
    func leaveOut(_ frame: SourceFrame) {
        state.withLock { state in
            if let metadata = frame.metadata { state.ring.skip(metadata) }
            state.ring.abandon(frame.buffer)
        }
    }

    func complete(_ frame: SourceFrame) {
        answer { state in
            guard let metadata = frame.metadata else { return [] }
            state.bytes[frame.buffer] = Bytes(picture: frame.bytes, raw: frame.rawBytes)
            return state.ring.complete(frame.buffer, metadata)
        }
        if let metadata = frame.metadata { share(metadata) }
    }

    /// Hands a frame of the ring to those who want it: one loan for all of them.
    private func share(_ metadata: FrameMetadata) {
        let wanting = subscribers?.all.filter { $0.wants(metadata) } ?? []
        if !wanting.isEmpty { share(metadata, with: wanting) }
    }

    private func share(_ metadata: FrameMetadata, with subscribers: [any FrameSubscriber]) {
        let (loan, bytes) = state.withLock { ($0.ring.share(metadata.sequence), $0.bytes) }
        let frame: Frame? = switch loan {
        case let .lend(buffer, metadata)?: bytes[buffer].map { lend(buffer, metadata, $0) }
        case let .copy(buffer, metadata)?: bytes[buffer].flatMap { copy(buffer, metadata, $0, into: state.withLock { $0.spare.popLast() }) }
        case nil: nil
        }
        for subscriber in subscribers {
            if let frame { subscriber.take(frame) } else { subscriber.miss(metadata) }
        }
    }

    /// Those who are new get what is still there from their instant on.
    func welcome() {
        for (subscriber, instant) in subscribers?.admit() ?? [] {
            guard let instant else { continue }
            for metadata in state.withLock({ $0.ring.frames(from: instant) }) where subscriber.wants(metadata) {
                share(metadata, with: [subscriber])
            }
        }
    }

    /// The time from one frame to the next, as it is.
    var interval: Duration { state.withLock { $0.ring.interval } }

    /// When the next reservation fails for want of frames.
    var deadline: Timestamp? { state.withLock { earliest($0.ring.deadline, $0.copies.first.map { $0.since + Self.longestCopy }) } }

    func expire(_ now: Timestamp) {
        failCopies(Fault("stuck", "the camera did not hand over the frame in time")) { $0.since + Self.longestCopy <= now }
        answer { $0.ring.expire(now) }
    }

    /// The camera's thread hangs in a call: what waits fails with `fault`. From any thread.
    func fail(_ fault: Fault) {
        failCopies(fault) { _ in true }
        answer { $0.ring.fail(fault) }
    }

    private func failCopies(_ fault: Fault, where isMeant: (Copy) -> Bool) {
        let failed = state.withLock { state in
            let failed = state.copies.filter(isMeant)
            state.copies.removeAll(where: isMeant)
            for copy in failed {
                state.ring.giveBack(copy.buffer)
                state.ring.giveBackCopy()
            }
            return failed
        }
        for copy in failed { desk.post(.reservationFailed(copy.id, fault)) }
    }

    /// The sensor has stopped: what waits fails with `fault`.
    func stop(_ fault: Fault) {
        copyOut()
        answer { $0.ring.stop(fault) }
    }

    /// Copies out what is to be copied.
    func copyOut() {
        while true {
            let next = state.withLock { state -> (Copy, Bytes, Block?)? in
                guard !state.copies.isEmpty else { return nil }
                let copy = state.copies.removeFirst()
                return state.bytes[copy.buffer].map { (copy, $0, state.spare.popLast()) }
            }
            guard let (copy, bytes, spare) = next else { return }
            if let frame = self.copy(copy.buffer, copy.metadata, bytes, into: spare) {
                desk.post(.reserved(copy.id, frame))
            } else {
                desk.post(.reservationFailed(copy.id, Fault("no-memory", "there is no memory for a copy of the frame; wait for the photos being saved")))
            }
        }
    }

    /// Copies a buffer that was lent for it, and gives it back; nil: there is no memory.
    private func copy(_ buffer: Int, _ metadata: FrameMetadata, _ bytes: Bytes, into spare: Block?) -> Frame? {
        let size = facts.layout.byteCount
        // A multiple of what any processor likes.
        let rawStart = (size + 63) / 64 * 64
        let rawSize = facts.raw?.byteCount ?? 0
        guard let block = spare ?? Block(byteCount: rawStart + rawSize) else {
            state.withLock { state in
                state.ring.giveBack(buffer)
                state.ring.giveBackCopy()
            }
            return nil
        }
        source.prepareToRead(buffer)
        block.start.copyMemory(from: bytes.picture.baseAddress!, byteCount: size)
        let raw = UnsafeRawBufferPointer(start: block.start + rawStart, count: rawSize)
        if let source = bytes.raw?.baseAddress, rawSize > 0 { (block.start + rawStart).copyMemory(from: source, byteCount: rawSize) }
        state.withLock { $0.ring.giveBack(buffer) }
        return Frame(
            layout: facts.layout, metadata: metadata, bytes: UnsafeRawBufferPointer(start: block.start, count: size),
            raw: bytes.raw == nil ? nil : picture(raw), camera: facts.name,
            giveBack: { [self] in
                state.withLock { state in
                    state.ring.giveBackCopy()
                    state.spare.append(block)
                }
            })
    }

    /// Changes the ring under the lock, then does what its answers say. No frame is made or dropped under the lock.
    private func answer(_ change: (inout State) -> [FrameRing.Answer]) {
        let (answers, bytes) = state.withLock { state in
            let answers = change(&state)
            for case let .copy(id, buffer, metadata) in answers {
                state.copies.append(Copy(id: id, since: Clock.now, buffer: buffer, metadata: metadata))
            }
            return (answers, state.bytes)
        }
        for answer in answers {
            switch answer {
            case let .lend(id, buffer, metadata):
                if let bytes = bytes[buffer] { desk.post(.reserved(id, lend(buffer, metadata, bytes))) }
            case let .fail(id, fault): desk.post(.reservationFailed(id, fault))
            case .copy: wake.post(())
            }
        }
    }

    private func picture(_ bytes: UnsafeRawBufferPointer?) -> RawPicture? {
        guard let layout = facts.raw, let bytes else { return nil }
        return RawPicture(layout: layout, bytes: bytes)
    }

    private func lend(_ buffer: Int, _ metadata: FrameMetadata, _ bytes: Bytes) -> Frame {
        source.prepareToRead(buffer)
        return Frame(layout: facts.layout, metadata: metadata, bytes: bytes.picture, raw: picture(bytes.raw), camera: facts.name) { [self] in
            state.withLock { $0.ring.giveBack(buffer) }
            // The sensor may have been waiting for it, or the camera for the last one before it closes.
            wake.post(())
        }
    }
}
