// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// One run of the encoder: frames in, packets out, and the clips that are made of them.
///
/// It begins at an instant, with the frame nearest to it, and keeps its packets until they are known to be a clip's or
/// nobody's. A rolling one goes on, and keeps those of the pre-roll.
///
///     camera's thread ──wants, take──▶ queue ──▶ encoder's thread ──▶ packets ──▶ ClipWriter, one or more
final class Take: FrameSubscriber, @unchecked Sendable {
    typealias MakeEncoder = @Sendable (FrameLayout, Timestamp) throws(Fault) -> any VideoEncoder

    /// A clip that is fed from here.
    struct Attachment {
        let writer: ClipWriter
        /// Frames after it are not in the clip; nil: it goes on.
        var stop: Timestamp?
        var ended = ""
        var isFed = false
    }

    fileprivate struct State {
        var queue: [(frame: Frame, drops: Drops)] = []
        var capacity = 0
        var isEnding = false
        var isAbandoned = false
        var isDone = false
        var failure: Fault?
        /// What the sensor showed last, whether it was taken or not.
        var seen: (sequence: UInt64, centre: Timestamp)?
        var interval = Duration.zero
        /// When the next frame is due for a clip that is slower than the sensor.
        var due: Timestamp?
        var skipped = 0
        /// Since the last frame that was taken.
        var drops = Drops()
        var allDrops = Drops()
        /// Since when the encoder has had frames and brought nothing forth.
        var silentSince: Timestamp?
        var isOpen = false
        var packets: [(packet: Packet, drops: Drops)] = []
        var format: VideoFormat?
        var attachments: [Attachment] = []
        var lastPacket: Timestamp?
    }

    /// The memory that waiting frames may take.
    private static let mostBytes = 64 << 20
    /// An encoder that has brought nothing forth for so long is dead.
    private static let patience = Duration.seconds(2)
    /// Before the first one works, it may have to be read from a slow card.
    private static let openPatience = Duration.seconds(15)

    /// The instant it was begun for; nil: it is rolling.
    let from: Timestamp?
    private let settings: ClipSettings
    private let make: MakeEncoder
    private let clock: MediaClock
    private let wake: @Sendable () -> Void
    fileprivate let state = Locked(State())

    /// - Parameter wake: called when there is something to look at: it is done, or has failed.
    init(from: Timestamp?, settings: ClipSettings, clock: MediaClock, make: @escaping MakeEncoder, wake: @escaping @Sendable () -> Void) {
        self.from = from
        self.settings = settings
        self.clock = clock
        self.make = make
        self.wake = wake
        do throws(SystemError) {
            _ = try Thread(ifPossible: "video") { self.run() }
        } catch {
            end(Fault("the encoder cannot be started", error))
        }
    }

    // MARK: The camera's side

    func wants(_ metadata: FrameMetadata) -> Bool {
        state.withLock { state in
            if let seen = state.seen {
                // A sensor that was started again counts from the start again.
                let passed = metadata.sequence > seen.sequence ? Int(clamping: metadata.sequence - seen.sequence) : 1
                if passed > 1 { state.drop(sensor: passed - 1) }
                let step = (metadata.exposureCentre - seen.centre) / passed
                if step > .zero { state.interval = step }
            }
            state.seen = (metadata.sequence, metadata.exposureCentre)
            guard !state.isEnding else { return false }
            // Of a sensor that is faster than the clip is to be, the frames on the clip's grid: of 30 a second, 25.
            if state.interval * 10 < settings.interval * 9 {
                let due = state.due ?? metadata.exposureCentre
                guard metadata.exposureCentre >= due - state.interval / 2 else { return false }
                state.due = max(due + settings.interval, metadata.exposureCentre)
            }
            // Dropped evenly before the queue is full, and not in a row when it is.
            let share = state.capacity == 0 ? 0 : state.queue.count * 4 / state.capacity
            if state.skipped < share - 2 || share >= 4 {
                state.skipped += 1
                state.drop(queue: 1)
                return false
            }
            state.skipped = 0
            return true
        }
    }

    func take(_ frame: Frame) {
        state.update { state in
            guard !state.isEnding else { return }
            state.capacity = min(max(Self.mostBytes / frame.layout.byteCount, 6), 32)
            state.queue.append((frame, state.drops))
            state.drops = Drops()
        }
    }

    func miss(_ metadata: FrameMetadata) { state.withLock { $0.drop(queue: 1) } }

    // MARK: The loop's side

    /// Feeds a clip from here: from the last key frame at or before the instant on, where that is kept, else from the next.
    func attach(_ attachment: Attachment, from instant: Timestamp) {
        state.withLock { state in
            var attachment = attachment
            let packets = state.packets
            let start = packets.lastIndex { $0.packet.isKey && $0.packet.centre <= instant } ?? packets.firstIndex { $0.packet.isKey }
            if let start, let format = state.format {
                for entry in packets[start...] { attachment.writer.append(entry.packet, entry.drops, format) }
                attachment.isFed = true
            }
            state.attachments.append(attachment)
            if from != nil { state.packets = [] }
        }
    }

    /// Ends a clip with the last frame at or before the instant. That may still have to come.
    func stop(_ id: CaptureID, at instant: Timestamp, ended: String) {
        state.withLock { state in
            guard let index = state.attachments.firstIndex(where: { $0.writer.job.id == id }) else { return }
            state.attachments[index].stop = instant
            state.attachments[index].ended = ended
            if let last = state.lastPacket, last > instant, state.attachments[index].isFed { state.end(index) }
        }
    }

    /// No more frames: what is in the queue is encoded, and the clips end.
    func finish() {
        state.update { $0.isEnding = true }
    }

    /// Its encoder is given up. It may never come back from a call.
    /// - Returns: the clips that were fed from here.
    func abandon() -> [Attachment] {
        state.update { state in
            state.isEnding = true
            state.isAbandoned = true
            state.queue = []
            defer { state.attachments = [] }
            return state.attachments
        }
    }

    func detach(_ id: CaptureID) { state.withLock { state in state.attachments.removeAll { $0.writer.job.id == id } } }

    var hasClips: Bool { state.withLock { !$0.attachments.isEmpty } }
    /// Whether the sensor has shown it anything.
    var hasFrames: Bool { state.withLock { $0.seen != nil } }
    var isDone: Bool { state.withLock { $0.isDone } }
    var failure: Fault? { state.withLock { $0.failure } }
    var interval: Duration { state.withLock { $0.interval } }
    /// Since when the encoder is silent, nil = it is not; and for how long it may be.
    var silence: (since: Timestamp?, limit: Duration) {
        state.withLock { ($0.silentSince, $0.isOpen ? Self.patience + $0.interval * 3 : Self.openPatience) }
    }
    var drops: Drops { state.withLock { $0.allDrops } }
    func isFeeding(_ id: CaptureID) -> Bool { state.withLock { $0.attachments.contains { $0.writer.job.id == id } } }

    // MARK: The encoder's thread

    private func run() {
        var failure: Fault?
        do throws(Fault) { try encode() } catch { failure = error }
        end(failure)
    }

    private func end(_ failure: Fault?) {
        state.update { state in
            state.failure = failure
            state.isDone = true
            state.queue = []
            state.packets = []
            if failure == nil { while !state.attachments.isEmpty { state.end(0) } }
        }
        wake()
    }

    private func encode() throws(Fault) {
        var encoder: (any VideoEncoder)?
        var nextKey: Timestamp?
        /// Of the frames in the encoder, oldest first.
        var waiting: [(centre: Timestamp, drops: Drops)] = []
        while let (frame, drops) = next() {
            let centre = frame.exposureCentre
            if encoder == nil {
                encoder = try make(frame.layout, centre)
                let now = clock.now()
                state.withLock { ($0.isOpen, $0.silentSince) = (true, now) }
            }
            // To the nearest frame, and counted from the first, so that nothing drifts.
            let isKey = nextKey.map { centre + interval / 2 >= $0 } ?? true
            if isKey { nextKey = key(after: centre, nextKey) }
            waiting.append((centre, drops))
            for packet in try encoder?.encode(frame, isKey: isKey) ?? [] { deliver(packet, &waiting, encoder?.format) }
        }
        for packet in try encoder?.finish() ?? [] { deliver(packet, &waiting, encoder?.format) }
    }

    private func key(after centre: Timestamp, _ due: Timestamp?) -> Timestamp {
        var next = (due ?? centre) + settings.fragment
        while next <= centre { next = next + settings.fragment }
        return next
    }

    private func next() -> (Frame, Drops)? {
        state.wait { state -> (Frame, Drops)?? in
            if state.isAbandoned { return .some(nil) }
            guard !state.queue.isEmpty else { return state.isEnding ? .some(nil) : nil }
            let (frame, drops) = state.queue.removeFirst()
            if state.silentSince == nil { state.silentSince = clock.now() }
            return (frame, drops)
        }
    }

    private func deliver(_ packet: Packet, _ waiting: inout [(centre: Timestamp, drops: Drops)], _ format: VideoFormat?) {
        guard let format else { return }
        var drops = Drops()
        while let first = waiting.first, first.centre <= packet.centre {
            drops += first.drops
            waiting.removeFirst()
        }
        let writers = state.withLock { state -> [ClipWriter] in
            guard !state.isAbandoned else { return [] }
            state.silentSince = nil
            state.format = format
            state.lastPacket = packet.centre
            keep(packet, drops, &state)
            var index = 0
            while index < state.attachments.count {
                // A clip has one frame at least, however soon it was stopped.
                if let stop = state.attachments[index].stop, packet.centre > stop, state.attachments[index].isFed {
                    state.end(index)
                    continue
                }
                if state.attachments[index].isFed || packet.isKey {
                    state.attachments[index].isFed = true
                    state.attachments[index].writer.append(packet, drops, format)
                }
                index += 1
            }
            return state.attachments.map(\.writer)
        }
        // The camera's side drops frames meanwhile.
        for writer in writers { writer.waitForRoom() }
    }

    /// Keeps what a clip may still begin with.
    private func keep(_ packet: Packet, _ drops: Drops, _ state: inout State) {
        guard from == nil || state.attachments.isEmpty else { return }
        state.packets.append((packet, drops))
        guard from == nil else { return }
        let oldest = packet.centre - settings.preroll
        if let start = state.packets.lastIndex(where: { $0.packet.isKey && $0.packet.centre <= oldest }), start > 0 { state.packets.removeFirst(start) }
    }
}

extension Take.State {
    fileprivate mutating func drop(sensor: Int = 0, queue: Int = 0) {
        drops += Drops(sensor: sensor, queue: queue)
        allDrops += Drops(sensor: sensor, queue: queue)
    }

    fileprivate mutating func end(_ index: Int) {
        let attachment = attachments.remove(at: index)
        attachment.writer.end(attachment.ended, at: attachment.stop)
    }
}
