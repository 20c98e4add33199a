// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The newest frames of a camera, and which of them are promised to whom. Knows buffers by number only;
/// no threads, no clock, no bytes.
///
///     free ──acquire──▶ filling ──complete──▶ in the ring ──reserve──▶ in the ring and lent, once or more
///       ▲                  │ abandon               │ evicted, oldest first       │
///       └──────────────────┴───────────────────────┴─────────────────────────────┘ giveBack
///
/// Frames stay in the ring until their buffer is needed, so it holds as many as it can. Lent ones stay too: two
/// presses within one frame get the same frame.
package struct FrameRing {
    /// What is to be done about a reservation.
    package enum Answer: Equatable {
        /// Lend the buffer itself; `giveBack` follows.
        case lend(CaptureID, buffer: Int, FrameMetadata)
        /// Copy the bytes out, then `giveBack`: few buffers are left, and the sensor must not wait for encoders.
        case copy(CaptureID, buffer: Int, FrameMetadata)
        case fail(CaptureID, Fault)
    }

    private struct Entry {
        var buffer: Int
        var metadata: FrameMetadata
        /// The frame that was completed before this one is not in the ring any more.
        var followsGap: Bool
    }

    private struct Reservation {
        var id: CaptureID
        var wanted: Timestamp
        var expires: Timestamp
        /// The camera is being woken for it: the first frame is the one.
        var isLate: Bool
        /// It is for the frame whose exposure lasted as long as the press.
        var isHeld: Bool
    }

    package let buffers: Int
    /// The camera was at rest: presses before its first frame get that frame.
    package let isWoken: Bool
    package let choice: FrameChoice
    /// Added to every wanted instant.
    package let offset: Duration
    /// The time from one frame to the next: as it was promised, until frames tell otherwise.
    package private(set) var interval: Duration
    /// Buffers that the sensor has at a time: the one being filled, and the next.
    package let depth: Int
    /// So many buffers are not lent: those of the sensor, and of the rest a half, two at least, one of them kept for a contact. They
    /// are the past that is left for the next press while photos are saved.
    package let keep: Int
    /// Copies for those who share the running frames, so that a busy machine does not cost them any; photos have more of their own.
    package let copies: Int

    private var free: [Int]
    private var filling: Set<Int> = []
    private var last: FrameMetadata?
    private var entries: [Entry] = []
    /// How often each buffer is lent now; no zeros.
    private var lent: [Int: Int] = [:]
    private var reservations: [Reservation] = []
    private var anticipated: Timestamp?
    /// No frame has come since the start.
    private var isFresh = true

    package private(set) var completed: UInt64 = 0
    /// Frames missing from the sequence.
    package private(set) var dropped: UInt64 = 0
    package private(set) var copied: UInt64 = 0
    /// Copies that are still in use.
    package private(set) var copiesNow = 0
    /// How often buffers were lent, or pinned for copying, and how often they came back.
    package private(set) var lentInAll: UInt64 = 0
    package private(set) var returnedInAll: UInt64 = 0
    /// The longest lag of presses that the camera was woken for.
    package private(set) var worstLateness: Duration?

    /// - Parameter buffers: at least 2.
    package init(
        buffers: Int, interval: Duration, choice: FrameChoice = .nearest, offset: Duration = .zero, copies: Int = 0, isWoken: Bool = false
    ) {
        precondition(buffers >= 2, "a camera needs two buffers at least")
        self.buffers = buffers
        self.interval = interval
        self.choice = choice
        self.isWoken = isWoken
        self.offset = offset
        depth = buffers < 4 ? 1 : 2
        keep = min(depth + max(2, (buffers - depth + 1) / 2), buffers)
        self.copies = copies
        free = Array((0..<buffers).reversed())
    }

    package var lentNow: Int { lent.count }
    package var frames: [FrameMetadata] { entries.map(\.metadata) }

    // MARK: Buffers

    /// A buffer for the sensor, or nil when it has enough or none is to be had: then it will drop a frame.
    package mutating func acquire() -> Int? {
        guard filling.count < depth else { return nil }
        if free.isEmpty { evictOldest() }
        guard let buffer = free.popLast() else { return nil }
        filling.insert(buffer)
        return buffer
    }

    /// A buffer comes back with nothing of worth in it.
    package mutating func abandon(_ buffer: Int) {
        filling.remove(buffer)
        free.append(buffer)
    }

    /// A filled buffer joins the ring; the answers that this decides.
    package mutating func complete(_ buffer: Int, _ metadata: FrameMetadata) -> [Answer] {
        precondition(filling.remove(buffer) != nil, "only a buffer being filled can be completed")
        entries.append(Entry(buffer: buffer, metadata: metadata, followsGap: entries.isEmpty && !isFresh))
        isFresh = false
        completed += 1
        if let last { measure(metadata, after: last) }
        last = metadata
        return decide()
    }

    /// Frames that are left out of the ring (`abandon`) are in the sequence all the same.
    package mutating func skip(_ metadata: FrameMetadata) {
        if let last { measure(metadata, after: last) }
        last = metadata
    }

    private mutating func measure(_ metadata: FrameMetadata, after last: FrameMetadata) {
        guard metadata.sequence > last.sequence else { return }
        dropped += metadata.sequence - last.sequence - 1
        let measured = metadata.exposureCentre - last.exposureCentre
        guard metadata.sequence == last.sequence + 1, measured > .zero, !metadata.isHeld, !last.isHeld else { return }
        let change = measured > interval ? measured - interval : interval - measured
        // A little at a time, but for a rate that is another altogether; a steady one stays exact.
        if change > interval / 2 { interval = measured } else if change > interval / 20 { interval = (interval * 7 + measured) / 8 }
    }

    /// A lent or copied buffer comes back.
    package mutating func giveBack(_ buffer: Int) {
        guard let count = lent[buffer] else { preconditionFailure("a buffer comes back as often as it was lent") }
        lent[buffer] = count > 1 ? count - 1 : nil
        returnedInAll += 1
        if count == 1, !entries.contains(where: { $0.buffer == buffer }) { free.append(buffer) }
    }

    /// A copy is not needed any more.
    package mutating func giveBackCopy() { copiesNow -= 1 }

    private mutating func evictOldest() {
        let kept = anticipated.flatMap { best(for: $0 + offset) }
        guard let index = entries.indices.first(where: { $0 != kept && lent[entries[$0].buffer] == nil }) else { return }
        evict(index)
    }

    private mutating func evict(_ index: Int) {
        let entry = entries.remove(at: index)
        if index < entries.count { entries[index].followsGap = true }
        if lent[entry.buffer] == nil { free.append(entry.buffer) }
    }

    // MARK: Sharing

    /// How a buffer is handed out; `giveBack` follows.
    package enum Loan: Equatable {
        /// The buffer itself.
        case lend(buffer: Int, FrameMetadata)
        /// Its bytes are to be copied out: few buffers are left, and the sensor must not wait for encoders.
        case copy(buffer: Int, FrameMetadata)
    }

    /// Lends the frame of a sequence number to those who follow the running frames. Nil when it is not in the ring any
    /// more, or not to be had without starving the sensor.
    package mutating func share(_ sequence: UInt64) -> Loan? {
        guard let entry = entries.last(where: { $0.metadata.sequence == sequence }) else { return nil }
        return lend(entry, copies: max(copies, buffers))
    }

    /// The frames in the ring from the nearest to an instant on, oldest first. None when the nearest is still to come.
    package func frames(from instant: Timestamp) -> [FrameMetadata] {
        frames.filter { $0.exposureCentre >= instant - interval / 2 }
    }

    private mutating func lend(_ entry: Entry, copies: Int) -> Loan? {
        let isShort = lent[entry.buffer] == nil && buffers - lent.count - 1 < keep
        guard !isShort || (buffers - lent.count > 1 && copiesNow < copies) else { return nil }
        lent[entry.buffer, default: 0] += 1
        lentInAll += 1
        guard isShort else { return .lend(buffer: entry.buffer, entry.metadata) }
        copied += 1
        copiesNow += 1
        return .copy(buffer: entry.buffer, entry.metadata)
    }

    // MARK: Reservations

    /// Keeps the best frame of a contact that may become a press; nil lets go of it.
    package mutating func anticipate(_ contact: Timestamp?) { anticipated = contact }

    /// Reserves the frame of an instant, at `now`. An answer comes at once, or from `complete`, `expire` or `stop`.
    /// - Parameter isHeld: the one of the exposure that began at this instant, and lasted as long as it was told to.
    package mutating func reserve(_ id: CaptureID, at instant: Timestamp, now: Timestamp, isHeld: Bool = false) -> [Answer] {
        let wanted = instant + offset
        let isLate = isWoken && isFresh
        // A camera that was at rest has to find its exposure first: see ExposureGate.
        let patience = Duration.seconds(2) + interval * 3 + (isLate ? .milliseconds(1500) + interval * 6 : .zero)
        reservations.append(Reservation(id: id, wanted: wanted, expires: max(wanted, now) + patience, isLate: isLate, isHeld: isHeld))
        return decide()
    }

    /// Takes back a reservation that has not been answered.
    package mutating func release(_ id: CaptureID) { reservations.removeAll { $0.id == id } }

    /// Whether a press waits, or a frame is in use.
    package var isWanted: Bool { !reservations.isEmpty || !lent.isEmpty || copiesNow > 0 }

    /// Takes undecided reservations out, with the instants that were asked for.
    package mutating func takeReservations() -> [(id: CaptureID, instant: Timestamp)] {
        defer { reservations = [] }
        return reservations.map { ($0.id, $0.wanted - offset) }
    }

    /// When the next reservation fails for want of frames.
    package var deadline: Timestamp? { reservations.map(\.expires).min() }

    /// Fails the reservations whose time is over.
    package mutating func expire(_ now: Timestamp) -> [Answer] {
        take(where: { $0.expires <= now }, Fault("no-frames", "no frame came from the sensor in time; check the camera's cable"))
    }

    /// Fails all reservations: the camera does not answer.
    package mutating func fail(_ fault: Fault) -> [Answer] { take(where: { _ in true }, fault) }

    /// The sensor stops: frames in the ring go, reservations fail with `fault`, lent buffers come back in their own time.
    package mutating func stop(_ fault: Fault) -> [Answer] {
        filling.forEach { free.append($0) }
        filling = []
        while !entries.isEmpty { evict(0) }
        anticipated = nil
        isFresh = true
        last = nil
        return take(where: { _ in true }, fault)
    }

    private mutating func take(where isMeant: (Reservation) -> Bool, _ fault: Fault) -> [Answer] {
        defer { reservations.removeAll(where: isMeant) }
        return reservations.filter(isMeant).map { .fail($0.id, fault) }
    }

    private mutating func decide() -> [Answer] {
        var answers: [Answer] = []
        for reservation in reservations {
            guard let index = index(for: reservation) else { continue }
            reservations.removeAll { $0.id == reservation.id }
            answers.append(answer(reservation, index))
        }
        return answers
    }

    private func index(for reservation: Reservation) -> Int? {
        if reservation.isHeld { return entries.lastIndex { $0.metadata.isHeld && $0.metadata.sensorTimestamp >= reservation.wanted - offset } }
        return if case .take(let index) = choice.judge(frames, wanted: reservation.wanted) { index } else { nil }
    }

    private mutating func answer(_ reservation: Reservation, _ index: Int) -> Answer {
        if reservation.isLate {
            worstLateness = max(worstLateness ?? .zero, entries[index].metadata.exposureCentre - reservation.wanted)
        } else if !reservation.isHeld, isGone(index, wanted: reservation.wanted) {
            let age = (entries.last.map { $0.metadata.exposureCentre - reservation.wanted } ?? .zero).microseconds / 1000
            return .fail(reservation.id, Fault("frame-gone", "the frame of that instant, \(age) ms before the newest, has left the ring; use more camera buffers"))
        }
        var entry = entries[index]
        if !reservation.isHeld { entry.metadata.interval = interval(around: reservation.wanted, index) }
        switch lend(entry, copies: copies + buffers) {
        case let .lend(buffer, metadata): return .lend(reservation.id, buffer: buffer, metadata)
        case let .copy(buffer, metadata): return .copy(reservation.id, buffer: buffer, metadata)
        case nil: return .fail(reservation.id, Fault("no-buffers", "all camera buffers are in use; wait for the photos being saved"))
        }
    }

    /// Between the frames before and after an instant, where both are there.
    private func interval(around wanted: Timestamp, _ index: Int) -> Duration? {
        let later = entries[index].metadata.exposureCentre < wanted ? index + 1 : index
        guard entries.indices.contains(later), later > 0, !entries[later].followsGap else { return nil }
        return entries[later].metadata.exposureCentre - entries[later - 1].metadata.exposureCentre
    }

    /// Whether a nearer frame than this one was there and has left.
    private func isGone(_ index: Int, wanted: Timestamp) -> Bool {
        let metadata = entries[index].metadata
        switch choice {
        case .nearest:
            let lag = metadata.exposureCentre - wanted
            let half = (interval + .nanoseconds(2)) / 2
            if lag > .zero, entries[index].followsGap { return lag > half }
            if lag < .zero, entries.indices.contains(index + 1), entries[index + 1].followsGap { return lag < .zero - half }
            // Before the camera's first frame there is nothing nearer, but not everything is near enough.
            return lag > interval && index == 0
        case .firstAfter:
            let wait = metadata.sensorTimestamp - metadata.exposureTime - wanted
            return wait > interval && (entries[index].followsGap || index == 0)
        }
    }

    private func best(for wanted: Timestamp) -> Int? {
        if case .take(let index) = choice.judge(frames, wanted: wanted) { return index }
        return entries.indices.last
    }
}
