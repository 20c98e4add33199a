// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// The buffers of a synthetic camera, the ring that knows what is in them, and the way answers take to the loop.
/// Lent frames hold on to it, so a frame may outlive its camera.
final class FramePool: @unchecked Sendable {
    /// Memory of a frame's size.
    struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
        init(_ layout: FrameLayout) { start = .allocate(byteCount: layout.byteCount, alignment: 4096) }
    }

    struct State {
        var ring: FrameRing
        var isStopping = false
        /// The sensor delivers nothing, as with a loose cable.
        var isStalled = false
        /// Frames to copy out on the camera's thread: too slow for the loop's.
        var copies: [(id: CaptureID, buffer: Int, metadata: FrameMetadata)] = []
        /// Heap buffers for copies, used again and again.
        var spare: [Block] = []
        /// Answers that wait to be drained, and those of them that were taken back meanwhile.
        var answered: Set<CaptureID> = []
        var released: Set<CaptureID> = []
    }

    let layout: FrameLayout
    /// Page-aligned, allocated once.
    private let blocks: [Block]
    let state: Locked<State>
    let mailbox: Mailbox<CameraEvent>

    init(layout: FrameLayout, ring: FrameRing) throws(SystemError) {
        mailbox = try Mailbox()
        self.layout = layout
        blocks = (0..<ring.buffers).map { _ in Block(layout) }
        state = Locked(State(ring: ring))
    }

    deinit {
        // Every frame holds on to the pool: nothing is lent any more.
        blocks.forEach { $0.start.deallocate() }
        state.withLock { $0.spare }.forEach { $0.start.deallocate() }
    }

    func memory(_ buffer: Int) -> UnsafeMutableRawPointer { blocks[buffer].start }

    /// Changes the ring under the lock, then does what its answers say. No frame is made or dropped under the lock.
    func answer(_ change: (inout State) -> [FrameRing.Answer]) {
        let answers = state.update { state in
            let answers = change(&state)
            for answer in answers {
                switch answer {
                case .copy(let id, let buffer, let metadata): state.copies.append((id, buffer, metadata))
                case .lend(let id, _, _), .fail(let id, _): state.answered.insert(id)
                }
            }
            return answers
        }
        for answer in answers {
            switch answer {
            case .lend(let id, let buffer, let metadata): mailbox.post(.reserved(id, lend(buffer, metadata)))
            case .fail(let id, let fault): mailbox.post(.reservationFailed(id, fault))
            case .copy: break
            }
        }
    }

    /// Copies out what is to be copied; on the camera's thread.
    func copyOut() {
        while let job = state.withLock({ $0.copies.isEmpty ? nil : $0.copies.removeFirst() }) {
            let block = state.withLock { $0.spare.popLast() } ?? Block(layout)
            block.start.copyMemory(from: blocks[job.buffer].start, byteCount: layout.byteCount)
            state.withLock { state in
                state.ring.giveBack(job.buffer)
                state.answered.insert(job.id)
            }
            let frame = Frame(
                layout: layout, metadata: job.metadata, bytes: UnsafeRawBufferPointer(start: block.start, count: layout.byteCount),
                giveBack: { [self] in
                    state.withLock { state in
                        state.ring.giveBackCopy()
                        state.spare.append(block)
                    }
                })
            mailbox.post(.reserved(job.id, frame))
        }
    }

    /// Takes a reservation back wherever it is: undecided, being copied, or answered and not drained.
    func release(_ id: CaptureID) {
        state.withLock { state in
            state.ring.release(id)
            if let index = state.copies.firstIndex(where: { $0.id == id }) {
                state.ring.giveBack(state.copies.remove(at: index).buffer)
                state.ring.giveBackCopy()
            }
            if state.answered.contains(id) { state.released.insert(id) }
        }
    }

    func drain() -> [CameraEvent] {
        let events = mailbox.drain()
        let released = state.withLock { state in
            let released = state.released
            for case let id? in events.map(\.capture) {
                state.answered.remove(id)
                state.released.remove(id)
            }
            return released
        }
        return events.filter { event in event.capture.map { !released.contains($0) } ?? true }
    }

    private func lend(_ buffer: Int, _ metadata: FrameMetadata) -> Frame {
        Frame(
            layout: layout, metadata: metadata, bytes: UnsafeRawBufferPointer(start: blocks[buffer].start, count: layout.byteCount),
            giveBack: { [self] in state.withLock { $0.ring.giveBack(buffer) } })
    }
}

extension CameraEvent {
    /// The reservation that the event answers.
    fileprivate var capture: CaptureID? {
        switch self {
        case .reserved(let id, _), .reservationFailed(let id, _): id
        case .ready, .lost: nil
        }
    }
}
