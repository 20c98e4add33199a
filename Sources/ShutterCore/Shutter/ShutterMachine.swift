// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The shutter itself: judges every event against camera, storage and encoder, looks up `shutterRule`, and
/// does what the row says. It knows no time of its own.
package struct ShutterMachine: Sendable {
    package enum HoldBinding: String, Sendable, CaseIterable { case record, burst, none }
    package enum DoubleBinding: String, Sendable, CaseIterable {
        case toggleMode = "toggle-mode"
        case none
    }

    /// What the gestures of a mode do.
    package struct Gestures: Equatable, Sendable {
        package var hold: HoldBinding
        package var double: DoubleBinding

        package init(hold: HoldBinding, double: DoubleBinding = .none) {
            self.hold = hold
            self.double = double
        }
    }

    /// What a press does while earlier photos are still being saved.
    package enum Busy: String, Sendable, CaseIterable { case queue, ignore }

    package struct Settings: Equatable, Sendable {
        package var photo: Gestures
        package var video: Gestures
        package var busy: Busy
        /// Photos that may be on their way at once.
        package var queue: Int
        /// From one photo of a burst to the next.
        package var burst: Duration
        /// From SIGTERM to the end, at most.
        package var stop: Duration

        package init(
            photo: Gestures = Gestures(hold: .record), video: Gestures = Gestures(hold: .none), busy: Busy = .queue,
            queue: Int = 5, burst: Duration = .milliseconds(200), stop: Duration = .seconds(20)
        ) {
            self.photo = photo
            self.video = video
            self.busy = busy
            self.queue = queue
            self.burst = burst
            self.stop = stop
        }
    }

    package enum Input: Sendable {
        case press(InputName, PressRecognizer.Output)
        case request(RequestID?, ShutterRequest)
        /// nil = the camera is ready.
        case camera(Refusal?)
        /// nil = photos and clips may be saved.
        case storage(Refusal?)
        case encoder(Bool)
        case line(InputName, isThere: Bool)
        /// The photo or clip reached its end.
        case finished(CaptureID, isSaved: Bool)
        /// Bytes of a clip reached the disk.
        case clipProgress(CaptureID, isSlow: Bool)
    }

    /// Every accepted press or request, and how it ended.
    package struct Tally: Equatable, Sendable {
        package var accepted = 0
        package var saved = 0
        package var refused = 0
        package var failed = 0
        package var cancelled = 0
        /// Beats of a burst left out because the queue was full.
        package var skipped = 0

        package init(accepted: Int = 0, saved: Int = 0, refused: Int = 0, failed: Int = 0, cancelled: Int = 0, skipped: Int = 0) {
            self.accepted = accepted
            self.saved = saved
            self.refused = refused
            self.failed = failed
            self.cancelled = cancelled
            self.skipped = skipped
        }

        package var pending: Int { accepted - saved - refused - failed - cancelled }
    }

    /// A press whose gesture is open.
    private struct Pending {
        var id: CaptureID
        var instant: Timestamp
        var input: InputName
        var isReserved: Bool
    }

    /// What an event is about.
    private struct Context {
        var instant: Timestamp
        var input: InputName?
        var request: RequestID?
        var blocked: Refusal?
        var cancel: CancelReason?
        var trigger: Trigger { input.map(Trigger.init(input:)) ?? .control }
    }

    package let settings: Settings
    package private(set) var mode: Mode
    package private(set) var situation: Situation
    package private(set) var tally = Tally()
    /// How the last press or request was answered.
    package private(set) var answer: Answer = .done

    private var nextID: UInt64 = 1
    private var pending: Pending?
    private var owner: InputName?
    private var live: Set<InputName> = []
    private var photos: Set<CaptureID> = []
    private var clips: Set<CaptureID> = []
    private var clip: CaptureID?
    private var clipFlow: Cue?
    private var burstDue: Timestamp?
    private var stopDue: Timestamp?
    private var hasExited = false

    private var cameraFault: Refusal? = .starting
    private var storageFault: Refusal?
    private var hasEncoder = false
    private var missingLines: Set<InputName> = []
    private var stuck: Set<InputName> = []
    private var shown: Cue = .off

    private var now = Timestamp(nanoseconds: 0)
    private var out: [Command] = []

    package init(_ settings: Settings, mode: Mode) {
        self.settings = settings
        self.mode = mode
        situation = Self.idle(mode)
    }

    package var deadline: Timestamp? { hasExited ? nil : earliest(burstDue, stopDue) }

    /// The gestures that lead anywhere now.
    package var wanted: PressRecognizer.Wanted {
        PressRecognizer.Wanted(hold: gestures.hold != .none, double: gestures.double != .none)
    }

    package mutating func handle(_ input: Input, at now: Timestamp) -> [Command] {
        self.now = now
        switch input {
        case let .press(name, output): press(name, output)
        case let .request(id, request): ask(request, Context(instant: now, request: id))
        case let .camera(fault):
            let isNews = cameraFault == nil && fault != nil
            cameraFault = fault
            if isNews { dispatch(.cameraLost, Context(instant: now)) }
        case let .storage(fault):
            let isNews = storageFault == nil && fault != nil
            storageFault = fault
            if isNews { dispatch(.storageLow, Context(instant: now)) }
        case let .encoder(isThere): hasEncoder = isThere
        case let .line(name, isThere):
            if isThere { missingLines.remove(name) } else { missingLines.insert(name) }
            emit(.warning(isThere ? .lineFound(name) : .lineLost(name)))
        case let .finished(id, isSaved): finish(id, isSaved: isSaved)
        case let .clipProgress(id, isSlow):
            if id == clip { clipFlow = isSlow ? .recordingSlowly : .recording }
        }
        return drain()
    }

    package mutating func advance(to now: Timestamp) -> [Command] {
        self.now = now
        if let due = burstDue, due <= now {
            burstDue = due + settings.burst
            if blocksPhoto == nil { dispatch(.burstDue, Context(instant: due, input: owner)) } else { tally.skipped += 1 }
        }
        if let due = stopDue, due <= now { exit() }
        return drain()
    }

    // MARK: Judging

    private var gestures: Gestures { mode == .photo ? settings.photo : settings.video }
    private var isRecording: Bool { situation == .recording || situation == .holding }

    private var blocksPhoto: Refusal? {
        if let fault = cameraFault ?? storageFault { return fault }
        let isBusy = settings.busy == .ignore ? !photos.isEmpty : photos.count >= settings.queue
        return isBusy ? .busy : nil
    }

    private var blocksRecord: Refusal? { cameraFault ?? storageFault ?? (hasEncoder ? nil : .noEncoder) }

    private mutating func press(_ name: InputName, _ output: PressRecognizer.Output) {
        switch output {
        case let .began(instant, open):
            let blocked = mode == .photo ? blocksPhoto : blocksRecord
            let isOpen = open.double || (open.hold && mode == .photo)
            let context = Context(instant: instant, input: name, blocked: blocked)
            dispatch(blocked != nil ? .pressBlocked : isOpen ? .pressOpen : .pressDecided, context)
            if case .refused = answer { live.remove(name) } else { live.insert(name) }
        case let .ended(instant):
            stuck.remove(name)
            if owner == name { dispatch(.ended, Context(instant: instant, input: name)) }
            if owner == name, pending == nil { owner = nil }
        case let .tap(instant):
            tell(.tap(name), name, instant)
            if owner == name { dispatch(.tapped, Context(instant: instant, input: name)) }
            live.remove(name)
        case let .hold(instant):
            tell(.hold(name), name, instant)
            guard owner == name else { return }
            let event: ShutterEvent = gestures.hold == .burst ? .heldToBurst : blocksRecord == nil || isRecording ? .heldToRecord : .heldToRecordBlocked
            dispatch(event, Context(instant: instant, input: name, blocked: blocksRecord))
        case let .double(instant):
            tell(.double(name), name, instant)
            if owner == name || owner == nil { dispatch(.doubled, Context(instant: instant, input: name)) }
            live.remove(name)
        case let .cancelled(instant, reason):
            if reason == .maxHold {
                stuck.insert(name)
                emit(.warning(.heldTooLong(name)), at: instant)
            }
            tell(.cancel(name, reason), name, instant)
            live.remove(name)
            if owner == name { dispatch(.cancelled, Context(instant: now, input: name, cancel: reason)) }
        }
    }

    private mutating func ask(_ request: ShutterRequest, _ context: Context) {
        var context = context
        switch request {
        case let .mode(wanted): dispatch(wanted == mode ? .sameModeAsked : .otherModeAsked, context)
        case .toggleMode: dispatch(.otherModeAsked, context)
        case .capture:
            context.blocked = blocksPhoto
            dispatch(context.blocked == nil ? .photoAsked : .photoBlocked, context)
        case .recordStart:
            context.blocked = blocksRecord
            dispatch(context.blocked == nil ? .recordAsked : .recordBlocked, context)
        case .recordStop: dispatch(.stopAsked, context)
        case .quit: dispatch(.quitAsked, context)
        case .tap, .press, .release: preconditionFailure("the pipeline turns these into presses")
        }
        if let id = context.request { emit(.reply(id, answer)) }
    }

    private mutating func finish(_ id: CaptureID, isSaved: Bool) {
        guard photos.remove(id) != nil || clips.remove(id) != nil else { return }
        if isSaved { tally.saved += 1 } else { tally.failed += 1 }
        if pending?.id == id {
            dispatch(.frameFailed, Context(instant: now))
        } else if !isSaved {
            emit(.cue(.refused))
        }
        if clip == id {
            dispatch(.clipEnded, Context(instant: now))
        }
        if situation == .stopping, photos.isEmpty, clips.isEmpty { exit() }
    }

    // MARK: Doing

    private mutating func dispatch(_ event: ShutterEvent, _ context: Context) {
        let (action, next) = shutterRule(situation, event)
        answer = .done
        let before = situation
        perform(action, context)
        situation = next ?? Self.idle(mode)
        if before != situation, situation != .photoBursting { burstDue = nil }
    }

    private mutating func perform(_ action: ShutterAction, _ context: Context) {
        switch action {
        case .ignore: break
        case let .refuse(refusal): refuse(refusal, context)
        case .refuseBlocked: refuse(context.blocked ?? .busy, context)
        case .reserve, .wait: open(context, isReserved: action == .reserve)
        case .keep: keep(context.trigger)
        case .keepAndWarn:
            emit(.warning(.holdNeedsEncoder), at: context.instant)
            keep(context.trigger)
        case .keepAndBurst:
            keep(context.trigger)
            owner = context.input
            burstDue = now
        case .take: take(context)
        case let .cancel(reason): cancel(reason)
        case .fail:
            pending = nil
            owner = nil
            live.removeAll()
            emit(.cue(.refused))
        case .record: record(accept(), context)
        case .recordInstead: recordInstead(context)
        case .holdRecording: break
        case let .stop(reason): stop(reason, context)
        case .stopThenQuit:
            stop(.stopping, context)
            quit()
        case .switchMode: switchMode()
        case let .cancelAndSwitchMode(reason):
            cancel(reason)
            switchMode()
        case .confirmMode: answer = .mode(mode)
        case .quit: quit()
        case .cancelAndQuit:
            cancel(.stopping)
            quit()
        }
    }

    private mutating func accept() -> CaptureID {
        defer { nextID += 1 }
        tally.accepted += 1
        let id = CaptureID(nextID)
        answer = .accepted(id)
        return id
    }

    /// A press or request that asks for a picture is counted; one for a mode or a stop is only told.
    private mutating func refuse(_ refusal: Refusal, _ context: Context) {
        var id: CaptureID?
        if let open = pending, open.input == context.input, owner == context.input {
            id = open.id
            pending = nil
            owner = nil
            photos.remove(open.id)
            tally.refused += 1
        } else if context.input != nil || context.blocked != nil {
            id = accept()
            tally.refused += 1
        }
        answer = .refused(refusal)
        emit(.refused(id, refusal), at: context.instant)
        emit(.cue(refusal == .busy ? .busy : .refused))
    }

    private mutating func open(_ context: Context, isReserved: Bool) {
        guard let input = context.input else { return }
        let id = accept()
        pending = Pending(id: id, instant: context.instant, input: input, isReserved: isReserved)
        owner = input
        if isReserved {
            photos.insert(id)
            emit(.reserve(id), at: context.instant)
        }
    }

    private mutating func keep(_ trigger: Trigger) {
        guard let kept = pending else { return }
        pending = nil
        owner = nil
        capture(kept.id, trigger, at: kept.instant)
    }

    private mutating func take(_ context: Context) {
        let id = accept()
        photos.insert(id)
        emit(.reserve(id), at: context.instant)
        capture(id, context.trigger, at: context.instant)
    }

    private mutating func capture(_ id: CaptureID, _ trigger: Trigger, at instant: Timestamp) {
        emit(.capture(id, trigger, mode), at: instant)
        emit(.cue(.captured), at: instant)
        emit(.feedback(.impact), at: instant)
    }

    private mutating func cancel(_ reason: CancelReason?) {
        if let input = owner, let reason {
            tell(.cancel(input, reason), input, pending?.instant ?? now)
            live.remove(input)
        }
        if let open = pending {
            pending = nil
            photos.remove(open.id)
            tally.cancelled += 1
            if open.isReserved { emit(.discard(open.id), at: open.instant) }
        }
        owner = nil
    }

    private mutating func record(_ id: CaptureID, _ context: Context) {
        clips.insert(id)
        clip = id
        clipFlow = nil
        owner = context.input
        emit(.recordStart(id, context.trigger), at: context.instant)
        emit(.feedback(.selection), at: context.instant)
    }

    private mutating func recordInstead(_ context: Context) {
        guard let open = pending else { return }
        pending = nil
        photos.remove(open.id)
        if open.isReserved { emit(.discard(open.id), at: open.instant) }
        record(open.id, context)
    }

    private mutating func stop(_ reason: StopReason?, _ context: Context) {
        guard let stopped = clip else { return }
        let reason = reason ?? (context.cancel == .maxHold ? .maxHold : .buttonLost)
        clip = nil
        clipFlow = nil
        owner = nil
        emit(.recordStop(stopped, reason), at: context.instant)
        emit(.feedback(.selection), at: context.instant)
    }

    private mutating func switchMode() {
        mode = mode.other
        answer = .mode(mode)
        emit(.mode(mode))
    }

    private mutating func quit() {
        stopDue = now + settings.stop
        if photos.isEmpty, clips.isEmpty { exit() }
    }

    private mutating func exit() {
        guard !hasExited else { return }
        hasExited = true
        emit(.exit)
    }

    // MARK: Telling

    private mutating func emit(_ kind: Command.Kind, at instant: Timestamp? = nil) {
        out.append(Command(kind, instant: instant ?? now, decided: now))
    }

    /// A gesture is a fact only of a press that was not refused or cancelled.
    private mutating func tell(_ kind: Command.Kind, _ input: InputName, _ instant: Timestamp) {
        if live.contains(input) { emit(kind, at: instant) }
    }

    private mutating func drain() -> [Command] {
        let cue = hasExited ? .off : stateCue
        if cue != shown {
            shown = cue
            emit(.cue(cue))
        }
        defer { out = [] }
        return out
    }

    private var stateCue: Cue {
        if clip != nil { return clipFlow.map { situation == .holding && $0 == .recording ? .holding : $0 } ?? .pressed }
        if !stuck.isEmpty { return .stuck }
        if let cameraFault { return cameraFault == .starting ? .starting : .cameraFault }
        if !missingLines.isEmpty { return .buttonFault }
        if storageFault != nil { return .storageLow }
        switch situation {
        case .photoPressed, .videoPressed: return .pressed
        case .photoBursting: return .bursting
        case .photoIdle, .videoIdle, .recording, .holding: return .idle(mode)
        case .stopping: return .off
        }
    }

    private static func idle(_ mode: Mode) -> Situation { mode == .photo ? .photoIdle : .videoIdle }
}

extension InputName {
    /// Presses over the control socket.
    package static let control = InputName(rawValue: "control")
    /// SIGUSR1.
    package static let signal = InputName(rawValue: "signal")
}

extension Trigger {
    init(input: InputName) {
        switch input {
        case .control: self = .control
        case .signal: self = .signal
        default: self = .button
        }
    }
}

extension ShutterMachine {
    /// Whether the camera is ready.
    package var isReady: Bool { cameraFault == nil }

    /// Whether a line has been reported as gone.
    package func isMissing(_ name: InputName) -> Bool { missingLines.contains(name) }

    /// Whether it is a photo on its way.
    package func isSaving(_ id: CaptureID) -> Bool { photos.contains(id) }
}
