// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Runs the pipeline over a recorded input, in virtual time, with a camera, a card and an encoder that never fail.
package struct Replay: Sendable {
    package enum Kind: Equatable, Sendable {
        /// The kernel delivered an edge to this level; the real level follows it.
        case edge(InputName, Level, sequence: UInt32?)
        /// The real level is this from now on, whatever was delivered.
        case level(InputName, Level)
        case request(ShutterRequest)
    }

    package struct Event: Equatable, Sendable {
        package var at: Timestamp
        package var kind: Kind

        package init(at: Timestamp, _ kind: Kind) {
            self.at = at
            self.kind = kind
        }
    }

    package struct Outcome: Sendable {
        package var commands: [Command]
        /// Over all inputs.
        package var counts: Debouncer.Counts
        package var tally: ShutterMachine.Tally
        package var levels: [InputName: Level]
        /// There would be more commands than anybody reads: it was given up.
        package var isCut: Bool
    }

    package static let mostCommands = 1_000_000

    /// Time runs on for at most this long after the end.
    package static let runOn = Duration.seconds(60)

    private let captureTime: Duration
    private let mostCommands: Int
    private let events: [Event]
    private let end: Timestamp?
    private var levels: [InputName: Level]
    private var pipeline: Pipeline
    private var commands: [Command] = []
    private var finishing: [(at: Timestamp, id: CaptureID)] = []
    private var now: Timestamp

    /// - Parameters:
    ///   - initial: the levels before the first event, taken as settled by then; inactive where none is given.
    ///   - events: in the order of their instants.
    ///   - end: what was recorded ends there, if that is later than the last event.
    ///   - captureTime: from a photo's capture to its end.
    ///   - mostCommands: then it is given up.
    package init(
        _ settings: Pipeline.Settings, mode: Mode, initial: [InputName: Level] = [:], events: [Event], end: Timestamp? = nil, captureTime: Duration = .zero,
        mostCommands: Int = Self.mostCommands
    ) {
        self.captureTime = captureTime
        self.mostCommands = mostCommands
        self.events = events
        self.end = end
        let names = settings.buttons.map(\.name) + settings.knobs.encoders.flatMap { [$0.a, $0.b] }
        levels = Dictionary(names.map { ($0, initial[$0] ?? .inactive) }) { first, _ in first }
        let first = min(events.first?.at ?? Timestamp(nanoseconds: 0), Timestamp(nanoseconds: 0))
        now = first - (settings.buttons.map(\.debounce.debounce).max() ?? .zero)
        pipeline = Pipeline(settings, mode: mode, at: now)
    }

    package consuming func run() -> Outcome {
        var copy = self
        return copy.play()
    }

    private mutating func play() -> Outcome {
        feed(.event(.sensor(.init(canExpose: true))))
        feed(.event(.camera(nil)))
        feed(.event(.encoder(nil)))
        for (name, level) in levels.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            feed(.line(name, .found(level, at: now)))
        }
        // How it stood before the trace began is not part of it.
        commands = []
        for event in events {
            run(to: event.at)
            guard commands.count <= mostCommands else { break }
            now = max(now, event.at)
            switch event.kind {
            case let .edge(name, level, sequence):
                // A level that is read at once is the one that the edge led to.
                levels[name] = level
                feed(.line(name, .edge(level, at: event.at, sequence: sequence)))
            case let .level(name, level): levels[name] = level
            case let .request(request): feed(.request(nil, request))
            }
        }
        run(to: max(now, end ?? now) + Self.runOn)
        var counts = Debouncer.Counts()
        for button in pipeline.buttons {
            counts.filtered += button.debouncer.counts.filtered
            counts.widestFiltered = max(counts.widestFiltered, button.debouncer.counts.widestFiltered)
            counts.eventsLost += button.debouncer.counts.eventsLost
        }
        counts.eventsLost += pipeline.knobs.encoders.map(\.eventsLost).reduce(0, +)
        let settled = pipeline.buttons.map { ($0.settings.name, $0.debouncer.level ?? .inactive) }
        return Outcome(
            commands: commands, counts: counts, tally: pipeline.machine.tally,
            levels: Dictionary(settled) { first, _ in first }, isCut: commands.count > mostCommands)
    }

    private mutating func run(to end: Timestamp) {
        while commands.count <= mostCommands {
            // A button may be held for months.
            pipeline.skipReadings(of: levels, until: earliest(end, finishing.first?.at) ?? end)
            guard let due = earliest(pipeline.deadline, finishing.first?.at), due <= end else { return }
            now = max(now, due)
            if let next = finishing.first, next.at <= now {
                finishing.removeFirst()
                feed(.event(.finished(next.id, isSaved: true)))
            } else {
                perform(pipeline.handle(readings: readings, until: now))
            }
        }
    }

    private mutating func feed(_ input: Pipeline.Input) {
        perform(pipeline.handle([(at: now, input: input)], readings: readings, until: now))
    }

    private var readings: [InputName: (level: Level, at: Timestamp)] { levels.mapValues { (level: $0, at: now) } }

    /// What camera, encoder and card would answer.
    private mutating func perform(_ new: [Command]) {
        commands += new
        for command in new {
            switch command.kind {
            case let .capture(id, _, _):
                if captureTime == .zero {
                    feed(.event(.finished(id, isSaved: true)))
                } else {
                    finishing.append((at: now + captureTime, id: id))
                }
            case let .recordStart(id, _): feed(.event(.clipProgress(id, isSlow: false)))
            case let .recordStop(id, _): feed(.event(.finished(id, isSaved: true)))
            case .focus(true): feed(.knob(.locked(true)))
            default: break
            }
        }
    }
}
