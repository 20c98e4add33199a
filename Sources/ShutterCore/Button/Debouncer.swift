// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Turns raw edges into settled levels. A level counts once it has held for `debounce`; the instant of a
/// press is the first contact of the run of edges that led to it.
///
/// Edges are hints and the level is the truth: every deadline is given a reading of the real level, and a
/// reading that contradicts the edges wins. Nothing happens before one settled release has been seen.
package struct Debouncer: Sendable {
    package struct Settings: Equatable, Sendable {
        /// How long a level must hold to count.
        package var debounce: Duration
        /// How often the level is read again while pressed, so that a lost release is noticed.
        package var reread: Duration

        package init(debounce: Duration = .milliseconds(20), reread: Duration = .milliseconds(200)) {
            self.debounce = debounce
            self.reread = reread
        }
    }

    package enum Output: Equatable, Sendable {
        /// The level moved away from a settled release: a press may have begun here.
        case contact(Timestamp)
        /// The contact was none.
        case contactFiltered
        /// A press is accepted. `instant` is its first contact, `settled` when the level that counts began.
        case pressed(instant: Timestamp, settled: Timestamp)
        /// The level moved away from a settled press: the release may have begun.
        case wavering
        /// It had not.
        case steady
        case released(instant: Timestamp)
        /// The line went away during a press.
        case aborted
        /// Active since the start for two seconds: polarity or wiring looks inverted.
        case heldAtStart
        /// Edges have come faster than `debounce` for longer than any contact bounces: the settled level stands until they end.
        case noise
        /// There is noise; told once a minute.
        case unstable
    }

    /// Counts for `status`, `button test` and the end of a replay.
    package struct Counts: Equatable, Sendable {
        /// Excursions from the settled level that came back before they counted.
        package var filtered = 0
        package var widestFiltered = Duration.zero
        /// Edges known to be missing: gaps in the sequence, repeated directions, readings that contradict.
        package var eventsLost = 0
    }

    /// Edges since the level was last settled.
    private struct Run {
        /// The first contact.
        var start: Timestamp
        /// The last change: from here the present level must hold.
        var changed: Timestamp
        /// It has been told that this is noise.
        var isNoise = false
    }

    private var settings: Settings
    private var raw: Level?
    private var settled: Level?
    private var isArmed = false
    private var run: Run?
    private var excursion: Timestamp?
    private var nextRead: Timestamp?
    private var startWarning: Timestamp?
    private var quietUntil: Timestamp?
    /// The kernel counts a line's edges from 1 on.
    private var lastSequence: UInt32 = 0
    package private(set) var counts = Counts()

    package init(_ settings: Settings) {
        self.settings = settings
    }

    /// Other settings from now on, also for what is being judged.
    package mutating func adopt(_ settings: Settings) { self.settings = settings }

    /// The level that counts, or nil before the first one has settled.
    package var level: Level? { settled }
    package var isPressed: Bool { isArmed && settled == .active }

    /// No edge waits to be judged.
    package var isSteady: Bool { run == nil }

    package var deadline: Timestamp? {
        earliest(run.map { $0.changed + settings.debounce }, nextRead, startWarning)
    }

    /// Takes one event of the line. Deadlines that came before it have been advanced to.
    package mutating func handle(_ event: LineEvent) -> [Output] {
        switch event {
        case let .edge(level, instant, sequence):
            return edge(to: level, at: instant, sequence: sequence)
        case let .overrun(instant):
            // Which edges are gone is unknown, so the present level has to prove itself again.
            counts.eventsLost += 1
            return raw.map { change(to: $0, at: instant) } ?? []
        case .lost:
            return forget()
        case let .found(level, instant):
            let outputs = forget()
            raw = level
            run = Run(start: instant, changed: instant)
            startWarning = level == .active ? instant + .seconds(2) : nil
            return outputs
        }
    }

    /// Fires what is due at `now`.
    /// - Parameter reading: the real level and when it was read (not before `now`), or nil if later edges are
    ///   known, which prove that the level has been what the earlier ones said.
    package mutating func advance(to now: Timestamp, reading: (level: Level, at: Timestamp)?) -> [Output] {
        var outputs: [Output] = []
        if let reading, let raw, reading.level != raw {
            counts.eventsLost += 1
            outputs += change(to: reading.level, at: max(now, reading.at))
        }
        if let due = run.map({ $0.changed + settings.debounce }), due <= now {
            outputs += settle()
        }
        if let due = nextRead, due <= now {
            nextRead = now + settings.reread
        }
        if let due = startWarning, due <= now {
            startWarning = nil
            outputs.append(.heldAtStart)
        }
        return outputs
    }

    /// Leaves out the readings up to `end` that would only repeat what is known, and keeps their beat: for time that is not lived
    /// through.
    mutating func skipReadings(of level: Level, until end: Timestamp) {
        guard isSteady, level == raw, let due = nextRead, due < end else { return }
        nextRead = due + settings.reread * Int((end - due).nanoseconds / settings.reread.nanoseconds)
    }

    /// Nothing is known of the line any more; what was open ends.
    private mutating func forget() -> [Output] {
        let outputs: [Output] = isPressed ? [.aborted] : isArmed && run != nil ? [.contactFiltered] : []
        let counts = counts
        self = Debouncer(settings)
        self.counts = counts
        return outputs
    }

    private mutating func edge(to level: Level, at instant: Timestamp, sequence: UInt32?) -> [Output] {
        let gap = sequence.map { Self.gap(before: $0, after: lastSequence) } ?? 0
        if let sequence { lastSequence = sequence }
        if gap > 0 {
            counts.eventsLost += gap
        } else if level == raw {
            counts.eventsLost += 1
        }
        return change(to: level, at: instant)
    }

    /// How many edges are missing between two numbers; 0 when the numbers went back: the line was requested anew.
    static func gap(before sequence: UInt32, after last: UInt32) -> Int {
        let gap = sequence &- (last &+ 1)
        return gap < 1 << 31 ? Int(gap) : 0
    }

    /// The raw level is `level` from `instant` on, or was interrupted there.
    private mutating func change(to level: Level, at instant: Timestamp) -> [Output] {
        var outputs: [Output] = []
        let instant = max(instant, run?.changed ?? instant)
        if run == nil {
            run = Run(start: instant, changed: instant)
            if isArmed { outputs.append(settled == .active ? .wavering : .contact(instant)) }
        }
        run!.changed = instant
        if level != raw, let settled {
            if level != settled {
                excursion = instant
            } else if let began = excursion {
                counts.filtered += 1
                counts.widestFiltered = max(counts.widestFiltered, instant - began)
                excursion = nil
            }
        }
        raw = level
        guard instant - run!.start > trustedRun else { return outputs }
        if !run!.isNoise {
            run!.isNoise = true
            outputs.append(.noise)
        }
        if quietUntil.map({ $0 <= instant }) ?? true {
            quietUntil = instant + .seconds(60)
            outputs.append(.unstable)
        }
        return outputs
    }

    /// A longer run than this is noise.
    private var trustedRun: Duration { max(.seconds(1), settings.debounce * 4) }

    private mutating func settle() -> [Output] {
        guard let ended = run, let raw else { return [] }
        run = nil
        excursion = nil
        if raw == settled {
            guard isArmed else { return [] }
            return [raw == .active ? .steady : .contactFiltered]
        }
        settled = raw
        // Of noise the first contact says nothing about a finger.
        let instant = ended.isNoise ? ended.changed : ended.start
        switch (raw, isArmed) {
        case (.inactive, false):
            isArmed = true
            startWarning = nil
            return []
        case (.active, false):
            return []
        case (.active, true):
            nextRead = ended.changed + settings.debounce + settings.reread
            return [.pressed(instant: instant, settled: ended.changed)]
        case (.inactive, true):
            nextRead = nil
            return [.released(instant: instant)]
        }
    }
}
