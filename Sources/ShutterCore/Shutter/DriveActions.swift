// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Drive modes: how a press is judged in them, what is set for later, and what their actions do.
extension ShutterMachine {
    /// Whether the drive mode says what a press does, and not the gestures.
    var isDriven: Bool { mode == .photo && drive.mode != .single }

    /// What a press is, and what hinders it.
    func judgePress(_ open: PressRecognizer.Wanted) -> (ShutterEvent, Refusal?) {
        let (event, blocked): (ShutterEvent, Refusal?) = switch isDriven ? drive.mode : .single {
        case .single:
            (open.double || (open.hold && mode == .photo) ? .pressOpen : .pressDecided, mode == .photo ? blocksPhoto : blocksRecord)
        case .burst: (.pressBurst, blocksPhoto)
        // By the time of its photo, those before may well be saved.
        case .timer: (.pressTimer, cameraFault ?? storageFault)
        case .interval: (.pressInterval, blocksPhoto)
        case .bulb: (.pressBulb, blocksPhoto ?? (sensor.canExpose ? nil : .noBulb))
        }
        return (blocked == nil ? event : .pressBlocked, blocked)
    }

    /// From one photo of a burst to the next.
    var burstPeriod: Duration { settings.burst ?? sensor.interval }

    /// What is set, but for a burst's next photo while what may be the release is judged: its instant is where the contact opened.
    var nextBeat: Timestamp? { situation == .photoBursting && owner.map(wavering.contains) ?? false ? nil : due }

    /// Whether the level of a pressed shutter is being judged. What fell due meanwhile is taken if it was no release, as far as the camera still
    /// has its frame: one period back.
    mutating func waver(_ name: InputName, _ isWavering: Bool, at now: Timestamp) {
        if isWavering { wavering.insert(name) } else { wavering.remove(name) }
        guard situation == .photoBursting, owner == name, !isWavering, burstPeriod > .zero else { return }
        while let next = due, next + burstPeriod <= now { due = next + burstPeriod }
    }

    /// What was set for `instant`, which has come.
    mutating func fire(at instant: Timestamp) {
        var context = Context(instant: instant, input: owner, blocked: blocksPhoto)
        switch situation {
        case .photoBursting: due = instant + burstPeriod
        case .countingDown: context.timed = .timer
        case .interval:
            context.timed = .interval
            series?.beats += 1
            due = series?.next
        case .exposing: context.blocked = nil
        case .photoIdle, .photoPressed, .videoIdle, .videoPressed, .recording, .holding, .stopping: due = nil
        }
        dispatch(context.blocked == nil ? .due : .dueBlocked, context)
        endSeriesIfOver()
    }

    /// The interval's first beat is the press.
    mutating func beginSeries(_ context: Context) {
        take(context)
        let series = Series(start: context.instant, period: drive.interval, count: drive.beats, beats: 1)
        self.series = series
        due = series.next
        emit(.intervalStart(drive.interval, beats: series.count), at: context.instant)
    }

    /// To be called when what the beat led to is done.
    mutating func endSeriesIfOver() {
        guard situation == .interval, series?.isOver ?? false else { return }
        let answer = answer
        dispatch(.seriesEnded, Context(instant: now))
        self.answer = answer
    }

    mutating func endSeries(_ reason: SeriesEnd) {
        guard let series else { return }
        emit(.intervalEnd(beats: series.beats, skipped: series.skipped, reason))
        lastSeries = series
        self.series = nil
        owner = nil
    }

    mutating func skip(_ context: Context, isVisible: Bool) {
        tally.skipped += 1
        series?.skipped += 1
        guard isVisible else { return }
        let refusal = context.blocked ?? .busy
        emit(.refused(nil, refusal), at: context.instant)
        emit(.cue(refusal == .busy ? .busy : .refused))
    }

    mutating func countDown(_ context: Context) {
        guard let input = context.input else { return }
        let end = context.instant + drive.timer
        pending = Pending(id: accept(), instant: end, input: input, isReserved: false)
        due = end
        emit(.countdown(drive.timer), at: context.instant)
    }

    mutating func takePromised(_ context: Context) {
        guard let promised = pending else { return }
        pending = nil
        photos.insert(promised.id)
        emit(.reserve(promised.id), at: promised.instant)
        capture(promised.id, context.trigger, at: promised.instant)
    }

    mutating func refusePromised(_ context: Context) {
        guard let promised = pending else { return }
        let refusal = context.blocked ?? .busy
        pending = nil
        tally.refused += 1
        emit(.refused(promised.id, refusal), at: promised.instant)
        emit(.cue(refusal == .busy ? .busy : .refused))
    }

    mutating func expose(_ context: Context) {
        guard let input = context.input else { return }
        let id = accept()
        photos.insert(id)
        pending = Pending(id: id, instant: context.instant, input: input, isReserved: true)
        owner = input
        due = context.instant + settings.longestExposure
        emit(.exposureStart(id), at: context.instant)
    }

    /// The photo is that of the exposure's middle, as every photo is.
    mutating func endExposure(_ context: Context) {
        guard let open = pending else { return }
        pending = nil
        owner = nil
        let end = min(max(context.instant, open.instant), open.instant + settings.longestExposure)
        emit(.exposureEnd(open.id), at: end)
        capture(open.id, Trigger(input: open.input), at: open.instant + (end - open.instant) / 2)
    }

    mutating func setDrive(_ context: Context) {
        let new = context.change.map(drive.with) ?? drive
        answer = .drive(new)
        guard new != drive else { return }
        drive = new
        emit(.drive(new))
    }

    /// Whether its photo is promised for the end of a self-timer.
    package func isCountingDown(_ id: CaptureID) -> Bool { situation == .countingDown && pending?.id == id }
}

extension Situation {
    /// Whether something is set for an instant while it lasts.
    var isTimed: Bool {
        switch self {
        case .photoBursting, .countingDown, .interval, .exposing: true
        case .photoIdle, .photoPressed, .videoIdle, .videoPressed, .recording, .holding, .stopping: false
        }
    }
}
