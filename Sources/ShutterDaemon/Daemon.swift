// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

/// The loop: one thread that waits on descriptors and the nearest deadline, feeds the pipeline, and carries out its
/// commands. Nothing here blocks; whatever may block is on a thread of an adapter or in `BackgroundJobs`.
package final class Daemon {
    /// A photo that takes longer than this to save has a stuck writer.
    private static let saveBudget = Duration.seconds(60)
    /// For clips that are still open when the loop has ended.
    private static let closeBudget = Duration.seconds(5)

    /// In effect.
    var settings: Settings
    let parts: Parts
    let log: Log
    let started = Clock.now
    var pipeline: Pipeline
    let control: ControlServer
    let jobs: BackgroundJobs
    let hooks: HookRunner
    private let signals: Signals
    let service = ServiceManager()
    let reload: Reload

    var captures = Captures()
    var animator: RingAnimator
    private let lineFaults: LineFaults
    private let feedback: FeedbackOutput
    /// Requests that wait for a photo.
    var waiting: [CaptureID: RequestID] = [:]
    /// Who waits for the camera to be closed, or to be ours again.
    var lending: [(RequestID, isLent: Bool)] = []
    var lags = Lags()
    /// The ring is flashed for `lag --calibrate`.
    var calibration: Calibrating?
    var room: StorageWatch
    var memory: Memory
    var ringDue: Timestamp?
    private var inbox: [Pipeline.TimedInput] = []
    /// Edges of an encoder that came while this turn's were being read.
    private var later: [Pipeline.TimedInput] = []
    /// The present turn's instant: everything that came since the last turn came by then.
    private(set) var now = Clock.now
    var lastSaved: SavedPhoto?
    var recording = Recording()
    private(set) var cue = Cue.off
    private var wantedPreviews: Set<PreviewKind> = []
    private var stopsWhenIdle = false
    private var isArmed = false
    private var hasExited = false
    /// What the process is to end with: not 0 when systemd is to start a fresh one.
    package internal(set) var exitCode: Int32 = 0

    /// - Parameters:
    ///   - stored: what was set in an earlier run; nil = nothing.
    ///   - signals: SIGTERM, SIGINT, SIGHUP, SIGUSR1 and SIGUSR2, blocked before any thread was made.
    ///   - reload: reads the configuration again; may block.
    package init(
        settings: Settings, stored: ModeStore.Stored?, parts: Parts, control: ControlServer, signals: Signals, log: Log,
        reload: @escaping Reload
    ) throws(SystemError) {
        self.settings = settings
        self.parts = parts
        self.control = control
        self.signals = signals
        self.log = log
        self.reload = reload
        jobs = try BackgroundJobs()
        hooks = try HookRunner(settings.hooks, log: log)
        pipeline = Pipeline(
            settings.pipeline, mode: stored?.mode ?? settings.shutter.mode, drive: stored?.drive, remembered: stored?.controls ?? [:], at: Clock.now)
        memory = Memory(
            store: ModeStore(folder: settings.storage.state), mode: stored?.mode, drive: stored?.drive,
            controls: pipeline.knobs.controls.remembered)
        animator = parts.animator
        lineFaults = LineFaults(parts.lines)
        feedback = FeedbackOutput(parts.feedback)
        room = StorageWatch(nextLook: Clock.now + StorageWatch.interval)
    }

    /// Ends once all work is done and no gesture is open.
    package func stopWhenIdle() { stopsWhenIdle = true }

    /// Puts a request of our own (a key, a signal) before the pipeline.
    package func ask(_ request: ShutterRequest) { feed(.request(nil, request)) }

    /// Runs until told to stop.
    package func run() {
        now = Clock.now
        lookAtStorage()
        // The ring shows from the start that the camera is not ready yet.
        feed(.event(.camera(.starting)))
        step(readings: [:])
        tellFeedback(feedback.open())
        parts.camera.apply(pipeline.knobs.controls.cameraControls)
        parts.camera.start()
        service.ready("started")
        log.write(.notice, "started", [("mode", pipeline.machine.mode.rawValue), ("board", settings.board)])
        while !hasExited { turn() }
        service.stopping()
        // What was asked before the end may have come in the middle of the last turn.
        for request in control.service(now: now) { handle(request) }
        step(readings: [:])
        endCalibration(.failure(Failure(Refusal.stopping)))
        parts.recorder.close(until: Clock.now + Self.closeBudget)
        takeClipEvents()
        parts.preview?.want([])
        parts.camera.stop()
        jobs.close()
        // Who waits for one of them is still answered.
        jobs.drain()
        feedback.close()
        parts.ring.close()
        hooks.close(until: Clock.now + Self.closeBudget)
        log.write(.notice, "stopped")
    }

    // MARK: One turn

    /// Who hands something back through a descriptor, and is looked at when its deadline has come, too.
    private struct Source {
        var descriptor: Int32
        var deadline: () -> Timestamp? = { nil }
        var drain: () -> Void
    }

    private lazy var sources = [
        Source(descriptor: signals.descriptor) { [unowned self] in for number in signals.drain() { handle(signal: number) } },
        Source(descriptor: parts.camera.descriptor, deadline: { [parts] in parts.camera.deadline }) { [unowned self] in
            for event in parts.camera.drain() { handle(event) }
        },
        Source(descriptor: parts.saver.descriptor) { [unowned self] in for result in parts.saver.drain() { handle(result) } },
        Source(descriptor: parts.recorder.descriptor, deadline: { [parts] in parts.recorder.deadline }) { [unowned self] in takeClipEvents() },
        Source(descriptor: parts.preview?.descriptor ?? -1) { [unowned self] in
            for picture in parts.preview?.drain() ?? [] { control.offer(picture, now: now) }
        },
        Source(descriptor: jobs.descriptor) { [unowned self] in jobs.drain() },
        Source(descriptor: hooks.descriptor, deadline: { [hooks] in hooks.deadline }) { [unowned self] in hooks.drain(now: now) },
    ]

    private func turn() {
        var interests = control.interests
        let controlCount = interests.count
        interests += sources.map { Poller.Interest($0.descriptor) }
        interests += parts.lines.map { Poller.Interest($0.descriptor) }
        interests += parts.turns.map { Poller.Interest($0.descriptor) }
        interests += parts.extras.map { Poller.Interest($0.descriptor) }
        let ready = Poller.wait(interests, until: deadline)

        // The order matters: the time, then the levels, then the edges. So an edge that is not among the inputs came
        // after the levels were read.
        now = Clock.now
        var readings = readLevels()
        for line in parts.lines {
            let isPaired = pipeline.knobs.owns(line.name)
            for event in line.drain() {
                // Of two lines that are drained one after the other, only what both had told by now is in order.
                if isPaired, event.instant > now {
                    later.append((at: event.instant, input: .line(line.name, event)))
                    readings[line.name] = nil
                } else {
                    inbox.append((at: event.instant, input: .line(line.name, event)))
                }
            }
        }
        for source in parts.turns {
            for turn in source.drain() { inbox.append((at: turn.at, input: .knob(.turn(source.name, turn.detents)))) }
        }
        // Before all else: the frame of a contact leaves the ring in its turn until the camera knows of it.
        if !inbox.isEmpty { step(readings: readings) }
        for change in lineFaults.changes() { tell(change) }
        // Who has nothing to say costs no system call: a press is answered the sooner.
        for (index, source) in sources.enumerated() where ready.contains(controlCount + index) || isDue(source.deadline()) {
            source.drain()
        }
        if ready.contains(where: { $0 < controlCount }) || control.needsService || isDue(control.deadline) {
            // Whoever was told of something and asks how things are finds it so.
            step(readings: readings)
            for request in control.service(now: now) { handle(request) }
        }
        let previews = control.previews
        if previews != wantedPreviews {
            wantedPreviews = previews
            parts.preview?.want(previews)
        }
        for (index, extra) in parts.extras.enumerated() where ready.contains(interests.count - parts.extras.count + index) {
            extra.handle(self)
        }
        step(readings: readings)
        advanceCalibration()
        (inbox, later) = (later, [])
        tellFeedback(feedback.advance())
        // Looking for an encoder takes its time, and photos need none.
        if !isArmed, pipeline.isArmed, recording.isEncoderKnown || pipeline.machine.mode == .photo {
            isArmed = true
            service.tell("armed")
            log.write(.notice, "armed")
            // Else the first press would wait for the card, where the code of presses is: tens of milliseconds.
            jobs.run { SharedLibrary.fetchOwnCode() } then: {}
            parts.whenArmed()
        }
        if room.nextLook <= now { refreshStorage() }
        service.advance(to: now) { !parts.camera.isStuck && parts.oldestJob().map { now - $0 < Self.saveBudget } ?? true }
        log.advance(to: now)
        if stopsWhenIdle, isIdle {
            stopsWhenIdle = false
            ask(.quit)
            step(readings: readings)
        }
    }

    private func isDue(_ deadline: Timestamp?) -> Bool { deadline.map { $0 <= now } ?? false }

    private var deadline: Timestamp? {
        earliest(
            pipeline.deadline, calibration?.due ?? ringDue, parts.lines.compactMap(\.deadline).min(), parts.turns.compactMap(\.deadline).min(), feedback.deadline, service.deadline, log.deadline,
            sources.compactMap { $0.deadline() }.min(), control.deadline, room.nextLook, inbox.isEmpty && !control.needsService ? nil : now)
    }

    var isIdle: Bool {
        pipeline.isQuiet && captures.isEmpty && pipeline.machine.tally.pending == 0 && jobs.isIdle && hooks.isIdle && inbox.isEmpty
    }

    private func readLevels() -> [InputName: (level: Level, at: Timestamp)] {
        var readings: [InputName: (level: Level, at: Timestamp)] = [:]
        for line in parts.lines {
            if let level = line.level() { readings[line.name] = (level: level, at: Clock.now) }
        }
        return readings
    }

    /// Hands all that has come to the pipeline and carries out what it says, until nothing more follows.
    private func step(readings: [InputName: (level: Level, at: Timestamp)]) {
        repeat {
            let inputs = inbox
            inbox = []
            for command in pipeline.handle(inputs, readings: readings, until: now) { perform(command) }
        } while !inbox.isEmpty
        rollRecorder()
        drawRing()
    }

    func feed(_ input: Pipeline.Input) { inbox.append((at: now, input: input)) }

    private func drawRing() {
        guard calibration == nil, let due = ringDue, due <= now else { return }
        parts.ring.show(animator.frame(at: now))
        ringDue = animator.deadline
    }

    // MARK: What comes in

    private func handle(signal number: Int32) {
        switch number {
        case SIGUSR1: ask(.tap(.signal))
        case SIGHUP: reloadSettings(nil)
        default:
            // Photos and clips, and what is closed when the loop has ended.
            service.stopping(within: settings.service.stop + Self.closeBudget + Self.closeBudget)
            ask(.quit)
        }
    }

    // MARK: What goes out

    private func perform(_ command: ShutterCore.Command) {
        switch command.kind {
        case let .anticipate(contact): parts.camera.anticipate(contact)
        case let .anticipateClip(instant): parts.recorder.anticipate(instant)
        case let .focus(isHalfPressed): parts.camera.focus(isHalfPressed)
        case let .reserve(id):
            captures.reserve(id)
            parts.camera.reserve(id, at: command.instant)
        case let .capture(id, trigger, mode):
            let job = captures.decide(id, press: command.instant, accepted: command.decided, mode: mode, trigger: trigger)
            if let job { parts.saver.save(job) }
        case let .discard(id):
            captures.discard(id)
            parts.camera.release(id)
            if let request = waiting.removeValue(forKey: id) {
                reply(request, .failure(Failure(.refused, "cancelled", "the press was cancelled before its photo was decided; see `shutterctl watch`")))
            }
        case let .mode(mode): store("mode \(mode.rawValue)")
        case let .drive(drive):
            memory.drive = drive
            store("drive \(drive.words)")
        case let .exposureStart(id): startExposure(id, command)
        case let .exposureEnd(id): parts.camera.endExposure(id, at: command.instant)
        case let .cue(new):
            if !new.isMoment { cue = new }
            animator.handle(new, at: command.decided)
            ringDue = command.decided
        case let .reply(request, answer): handle(answer, to: request)
        // With its reason, see `LineFaults`.
        case .warning(.lineLost), .warning(.lineFound): break
        case let .warning(warning): log.write(.warning, warning.message)
        case let .feedback(kind): tellFeedback(feedback.play(kind))
        case let .refused(id, refusal):
            log.write(.notice, "refused: \(refusal.message)", [("reason", refusal.reason)])
            if refusal.reason == room.fault?.reason { lookAtStorageAgain() }
            // Of a self-timer's end; what is refused at once is answered so.
            if let request = id.flatMap({ waiting.removeValue(forKey: $0) }) { reply(request, .failure(Failure(refusal))) }
        case let .intervalEnd(beats, skipped, reason): log.write(.notice, "the interval ended (\(reason.rawValue)): \(beats) beats, \(skipped) skipped")
        case .exit: hasExited = true
        case let .recordStart(id, trigger): startClip(id, command, trigger)
        case let .recordStop(id, reason): stopClip(id, command, reason)
        case .control: parts.camera.apply(pipeline.knobs.controls.cameraControls)
        case .controls(.inactive, _): storeControls()
        case .press, .release, .tap, .hold, .double, .cancel, .countdown, .intervalStart, .turn, .controls, .controlSelected, .lock: break
        }
        if let event = EventLine.event(command) { publish(event) }
    }

    private func tellFeedback(_ fault: Fault?) {
        if let fault { log.write(.warning, "feedback: \(fault.message)", [("reason", fault.reason)]) }
    }

    /// To all who watch, and to the hooks.
    private func publish(_ event: [String: JSONValue]) {
        control.post(event)
        hooks.take(event, mode: pipeline.machine.mode)
    }

    /// An event of the daemon's own, with the present instant.
    func tell(_ kind: String, _ fields: [String: JSONValue]) {
        let instant = JSONValue.int(now.microseconds)
        publish(fields.merging(["kind": .string(kind), "t_us": instant, "at_us": instant]) { first, _ in first })
    }
}
