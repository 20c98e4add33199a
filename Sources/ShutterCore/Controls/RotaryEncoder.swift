// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A rotary encoder on two lines, from the kernel's edges to detents.
///
/// Position and levels are one: of four quarter steps each has its own pair of levels, so the position is always known
/// modulo four, and bounce, which comes back to where it was, moves nothing. Edges that are lost are noticed (a gap in the
/// sequence, an edge to where the line already was, a level that contradicts) and the levels are read again: what was
/// missed of a fast movement is taken to have gone on in its direction, never back. A detent counts when it is reached a whole
/// detent away from the last one that counted, so that trembling at one does nothing.
package struct RotaryEncoder: Sendable {
    package struct Settings: Equatable, Sendable {
        package var name: String
        /// Quarter steps from one detent to the next: 4 or 2.
        package var detent: Int
        /// Clockwise is what would be counter-clockwise.
        package var isReversed: Bool

        package init(name: String, detent: Int = 4, isReversed: Bool = false) {
            self.name = name
            self.detent = detent
            self.isReversed = isReversed
        }

        package var a: InputName { InputName(rawValue: name + "_a") }
        package var b: InputName { InputName(rawValue: name + "_b") }
    }

    package struct Turn: Equatable, Sendable {
        /// Clockwise is positive.
        package var detents: Int
        /// Steps that each is worth: the faster, the more.
        package var factor: Int
        package var at: Timestamp
    }

    /// The levels are read again after so long without an edge.
    package static let quiet = Duration.milliseconds(5)
    /// A movement goes on if its last quarter step is no longer ago; and fast, if its last detent is not.
    static let momentum = Duration.milliseconds(300)
    static let rush = Duration.milliseconds(100)
    /// Detents that come within this of each other are worth so many steps.
    static let speeds: [(interval: Duration, factor: Int)] = [(.milliseconds(12), 8), (.milliseconds(25), 4), (.milliseconds(50), 2)]

    package let settings: Settings
    package private(set) var eventsLost = 0
    /// The whole way in detents, clockwise is positive.
    package private(set) var position = 0
    private var a = Side()
    private var b = Side()
    /// Quarter steps since the start, and where the last detent was that counted. Modulo four, the way is `phase`.
    private var way = 0
    private var detentWay = 0
    private var direction = 0
    /// As it was when the levels were last read and were as the edges said.
    private var proven = (way: 0, direction: 0)
    private var lastStep: Timestamp?
    private var lastDetent: (at: Timestamp, direction: Int)?
    private var readAgain: Timestamp?

    /// One of the lines.
    private struct Side {
        /// nil: it is not known.
        var level: Level?
        var lastSequence: UInt32 = 0
    }

    package init(_ settings: Settings) { self.settings = settings }

    package var deadline: Timestamp? { readAgain }
    package var isKnown: Bool { a.level != nil && b.level != nil }

    /// Takes one event of one of the two lines.
    package mutating func handle(_ event: LineEvent, of name: InputName) -> Turn? {
        let side: WritableKeyPath<RotaryEncoder, Side> = name == settings.a ? \.a : \.b
        switch event {
        case let .edge(level, instant, sequence):
            let gap = sequence.map { Debouncer.gap(before: $0, after: self[keyPath: side].lastSequence) } ?? 0
            if let sequence { self[keyPath: side].lastSequence = sequence }
            let isRepeated = level == self[keyPath: side].level
            if gap > 0 || isRepeated { eventsLost += max(1, gap) }
            self[keyPath: side].level = level
            let isCertain = gap == 0 && !isRepeated
            readAgain = isCertain ? instant + Self.quiet : instant
            return move(at: instant, isCertain: isCertain)
        case let .overrun(instant):
            eventsLost += 1
            readAgain = instant
            return nil
        case let .found(level, instant):
            self[keyPath: side] = Side(level: level)
            settle()
            readAgain = instant + Self.quiet
            return nil
        case .lost:
            self[keyPath: side] = Side()
            (readAgain, lastDetent) = (nil, nil)
            return nil
        }
    }

    /// Reads the levels again when it is time.
    /// - Parameter reading: the real level of a line and when it was read; nil where later edges are known.
    package mutating func advance(to now: Timestamp, reading: (InputName) -> (level: Level, at: Timestamp)?) -> Turn? {
        guard let due = readAgain, due <= now else { return nil }
        readAgain = nil
        guard isKnown, let first = reading(settings.a), let second = reading(settings.b) else { return nil }
        defer { proven = (way, direction) }
        guard first.level != a.level || second.level != b.level else { return nil }
        eventsLost += 1
        (a.level, b.level) = (first.level, second.level)
        // Steps that were counted without the one that was lost look like going back: they are judged once more, together.
        if abs(way - proven.way) < Self.around { (way, direction) = proven }
        return move(at: now, isCertain: false)
    }

    /// Quarter steps after which the levels are the same again.
    private static let around = 4

    // MARK: Quarter steps

    /// Where the levels stand in their circle: at rest, A, both, B. Clockwise, A comes first.
    private var phase: Int? {
        guard let a = a.level, let b = b.level else { return nil }
        return switch (a, b) {
        case (.inactive, .inactive): 0
        case (.active, .inactive): 1
        case (.active, .active): 2
        case (.inactive, .active): 3
        }
    }

    /// Starts from the nearest detent: nothing has been turned yet.
    private mutating func settle() {
        guard let phase else { return }
        let within = phase % settings.detent
        way = phase
        detentWay = within * 2 > settings.detent ? phase - within + settings.detent : phase - within
        direction = 0
        proven = (way, 0)
    }

    private mutating func move(at now: Timestamp, isCertain: Bool) -> Turn? {
        guard let phase else { return nil }
        let ahead = Self.wrapped(phase - way)
        guard ahead != 0 else { return nil }
        let isMoving = lastStep.map { now - $0 <= Self.momentum } ?? false
        let isFast = lastDetent.map { now - $0.at <= Self.rush && $0.direction == direction } ?? false
        var step = ahead == 3 ? -1 : ahead
        // A slow movement loses little: the nearest is right. In a fast one, three steps on look like one back.
        if ahead == 2 ? isMoving : !isCertain && isFast { step = direction > 0 ? ahead : ahead - 4 }
        way += step
        direction = step > 0 ? 1 : -1
        lastStep = now
        return count(at: now)
    }

    private mutating func count(at now: Timestamp) -> Turn? {
        let detents = (way - detentWay) / settings.detent
        guard detents != 0 else { return nil }
        detentWay += detents * settings.detent
        let turned = settings.isReversed ? -detents : detents
        position += turned
        defer { lastDetent = (now, direction) }
        var factor = 1
        if let last = lastDetent, last.direction == direction {
            let interval = (now - last.at) / abs(turned)
            factor = Self.speeds.first { interval <= $0.interval }?.factor ?? 1
        }
        return Turn(detents: turned, factor: factor, at: now)
    }

    /// 0…3
    private static func wrapped(_ quarters: Int) -> Int { ((quarters % around) + around) % around }
}
