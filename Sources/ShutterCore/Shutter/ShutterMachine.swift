// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The shutter itself: judges every event against camera, storage and encoder, looks up `shutterRule`, and
/// does what the row says. It knows no time of its own.
package struct ShutterMachine: Sendable {
    /// A press whose gesture is open.
    struct Pending {
        var id: CaptureID
        var instant: Timestamp
        var input: InputName
        var isReserved: Bool
    }

    /// What an event is about.
    struct Context {
        var instant: Timestamp
        var input: InputName?
        var request: RequestID?
        var blocked: Refusal?
        var cancel: CancelReason?
        var change: Drive.Change?
        /// Set where no press or request asks for it, but a clock.
        var timed: Trigger?
        var trigger: Trigger { timed ?? input.map(Trigger.init(input:)) ?? .control }
    }

    package private(set) var settings: Settings
    package internal(set) var mode: Mode
    package internal(set) var drive: Drive
    package internal(set) var situation: Situation
    package internal(set) var tally = Tally()
    /// How the last press or request was answered.
    package internal(set) var answer: Answer = .done

    // What is under way.
    var nextID: UInt64 = 1
    /// The press whose gesture is open.
    var pending: Pending?
    /// The input whose gestures and release decide what is under way; nil = none does.
    var owner: InputName?
    /// Inputs with a press that was neither refused nor cancelled: only their gestures are told.
    var live: Set<InputName> = []
    /// Photos between reservation and end, and clips between start and end.
    var photos: Set<CaptureID> = []
    var clips: Set<CaptureID> = []
    /// The clip being recorded, and the cue that its bytes have earned.
    var clip: CaptureID?
    var clipFlow: Cue?
    /// What is set for an instant: see `fire`.
    package internal(set) var due: Timestamp?
    /// The interval that runs, and the one before.
    package internal(set) var series: Series?
    package internal(set) var lastSeries: Series?
    var stopDue: Timestamp?
    var hasExited = false

    // What presses are judged against; nil = well.
    var cameraFault: Refusal? = .starting
    var storageFault: Refusal?
    var encoderFault: Refusal? = .starting
    var sensor = Sensor()
    var missingLines: Set<InputName> = []
    var stuck: Set<InputName> = []
    /// Shutters that are pressed, and whose contact may have opened.
    var wavering: Set<InputName> = []

    // What is being told.
    var shown: Cue = .off
    var now = Timestamp(nanoseconds: 0)
    var out: [Command] = []

    /// - Parameter drive: nil = as the settings have it.
    package init(_ settings: Settings, mode: Mode, drive: Drive? = nil) {
        self.settings = settings
        self.mode = mode
        self.drive = drive ?? settings.drive
        situation = Self.idle(mode)
    }

    /// Other settings from the next event on.
    package mutating func adopt(_ settings: Settings) { self.settings = settings }

    package var deadline: Timestamp? { hasExited ? nil : earliest(nextBeat, stopDue) }

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
        case let .sensor(sensor): self.sensor = sensor
        case let .encoder(fault): encoderFault = fault
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
        if let beat = nextBeat, beat <= now { fire(at: beat) }
        if let due = stopDue, due <= now { exit() }
        return drain()
    }

    // MARK: Judging

    /// The gestures that are bound: none where the drive mode decides.
    var gestures: Gestures { isDriven ? Gestures(hold: .none) : mode == .photo ? settings.photo : settings.video }
    package var isRecording: Bool { situation == .recording || situation == .holding }

    var blocksPhoto: Refusal? {
        if let fault = cameraFault ?? storageFault { return fault }
        let isBusy = settings.busy == .ignore ? !photos.isEmpty : photos.count >= settings.queue
        return isBusy ? .busy : nil
    }

    var blocksRecord: Refusal? {
        cameraFault ?? storageFault ?? encoderFault
    }

    mutating func press(_ name: InputName, _ output: PressRecognizer.Output) {
        switch output {
        case let .began(instant, open):
            let (event, blocked) = judgePress(open)
            dispatch(event, Context(instant: instant, input: name, blocked: blocked))
            endSeriesIfOver()
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

    mutating func ask(_ request: ShutterRequest, _ context: Context) {
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
        case let .drive(change):
            context.change = change
            dispatch(change.mode == .bulb && cameraFault == nil && !sensor.canExpose ? .driveBlocked : .driveAsked, context)
        case .quit: dispatch(.quitAsked, context)
        case .tap, .press, .release, .set: preconditionFailure("these are the pipeline's")
        }
        if let id = context.request { emit(.reply(id, answer)) }
    }

    mutating func finish(_ id: CaptureID, isSaved: Bool) {
        guard photos.remove(id) != nil || clips.remove(id) != nil else { return }
        if isSaved { tally.saved += 1 } else { tally.failed += 1 }
        if pending?.id == id {
            dispatch(.frameFailed, Context(instant: now))
        } else if !isSaved {
            emit(.cue(.refused))
        }
        if clip == id {
            clip = nil
            clipFlow = nil
            owner = nil
            dispatch(.clipEnded, Context(instant: now))
        }
        if situation == .stopping, photos.isEmpty, clips.isEmpty { exit() }
    }

    // MARK: Telling

    mutating func emit(_ kind: Command.Kind, at instant: Timestamp? = nil) {
        out.append(Command(kind, instant: instant ?? now, decided: now))
    }

    /// A gesture is a fact only of a press that was not refused or cancelled.
    mutating func tell(_ kind: Command.Kind, _ input: InputName, _ instant: Timestamp) {
        if live.contains(input) { emit(kind, at: instant) }
    }

    mutating func drain() -> [Command] {
        let cue = hasExited ? .off : stateCue
        if cue != shown {
            shown = cue
            emit(.cue(cue))
        }
        defer { out = [] }
        return out
    }

    var stateCue: Cue {
        if clip != nil { return clipFlow.map { situation == .holding && $0 == .recording ? .holding : $0 } ?? .pressed }
        if !stuck.isEmpty { return .stuck }
        if let cameraFault { return cameraFault == .starting ? .starting : .cameraFault }
        if mode == .video, encoderFault == .starting { return .starting }
        if !missingLines.isEmpty { return .buttonFault }
        if storageFault != nil { return .storageLow }
        switch situation {
        case .photoPressed, .videoPressed: return .pressed
        case .photoBursting: return .bursting
        // One cue for all of it, which runs down by itself.
        case .countingDown:
            if case .countdown = shown { return shown }
            return .countdown(left: (due ?? now) - now, of: drive.timer)
        case .interval: return .waiting
        case .exposing: return .exposing
        case .photoIdle, .videoIdle, .recording, .holding: return .idle(mode)
        case .stopping: return .off
        }
    }

    static func idle(_ mode: Mode) -> Situation { mode == .photo ? .photoIdle : .videoIdle }
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

    /// Whether it is a clip that was stopped, and is not closed yet.
    package func isClosing(_ id: CaptureID) -> Bool { clips.contains(id) && clip != id }

    /// The instant at which a clip may turn out to have begun: that of the open press, or of a contact that is not judged
    /// yet; nil when none may.
    func clipMayBegin(at contact: Timestamp?) -> Timestamp? {
        guard blocksRecord == nil, !isRecording, situation != .stopping, mode == .video || gestures.hold == .record else { return nil }
        return earliest(pending?.instant, contact)
    }
}
