// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What the actions of `shutterRule` do.
extension ShutterMachine {
    mutating func dispatch(_ event: ShutterEvent, _ context: Context) {
        let (action, next) = shutterRule(situation, event)
        answer = .done
        let before = situation
        perform(action, context)
        situation = next ?? Self.idle(mode)
        if before != situation, !situation.isTimed { due = nil }
    }

    mutating func perform(_ action: ShutterAction, _ context: Context) {
        switch action {
        case .ignore: break
        case let .refuse(refusal): refuse(refusal, context)
        case .refuseBlocked: refuse(context.blocked ?? .busy, context)
        case .reserve, .wait: open(context, isReserved: action == .reserve)
        case .keep: keep(context.trigger)
        case .keepAndWarn:
            emit(.warning(.holdCannotRecord(context.blocked ?? .busy)), at: context.instant)
            keep(context.trigger)
        case .keepAndBurst:
            keep(context.trigger)
            owner = context.input
            due = now
        case .take: take(context)
        case .takeAndBurst:
            take(context)
            owner = context.input
            due = context.instant + burstPeriod
        case .takeAndRepeat: beginSeries(context)
        case let .endSeries(reason): endSeries(reason)
        case .endSeriesAndSwitchMode:
            endSeries(.modeChanged)
            switchMode()
        case .endSeriesAndSetDrive:
            endSeries(.driveChanged)
            setDrive(context)
        case .endSeriesThenQuit:
            endSeries(.stopping)
            quit()
        case .skip, .skipVisibly: skip(context, isVisible: action == .skipVisibly)
        case .countDown: countDown(context)
        case .takePromised: takePromised(context)
        case .refusePromised: refusePromised(context)
        case .expose: expose(context)
        case .endExposure: endExposure(context)
        case .endExposureThenQuit:
            endExposure(context)
            quit()
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
        case .setDrive: setDrive(context)
        case .cancelAndSetDrive:
            cancel(.driveChanged)
            setDrive(context)
        case .quit: quit()
        case .cancelAndQuit:
            cancel(.stopping)
            quit()
        }
    }

    mutating func accept() -> CaptureID {
        defer { nextID += 1 }
        tally.accepted += 1
        let id = CaptureID(nextID)
        answer = .accepted(id)
        return id
    }

    /// A press or request that asks for a picture is counted; one for a mode or a stop is only told.
    mutating func refuse(_ refusal: Refusal, _ context: Context) {
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

    mutating func open(_ context: Context, isReserved: Bool) {
        guard let input = context.input else { return }
        let id = accept()
        pending = Pending(id: id, instant: context.instant, input: input, isReserved: isReserved)
        owner = input
        if isReserved {
            photos.insert(id)
            emit(.reserve(id), at: context.instant)
        }
    }

    mutating func keep(_ trigger: Trigger) {
        guard let kept = pending else { return }
        pending = nil
        owner = nil
        capture(kept.id, trigger, at: kept.instant)
    }

    mutating func take(_ context: Context) {
        let id = accept()
        photos.insert(id)
        emit(.reserve(id), at: context.instant)
        capture(id, context.trigger, at: context.instant)
    }

    mutating func capture(_ id: CaptureID, _ trigger: Trigger, at instant: Timestamp) {
        emit(.capture(id, trigger, mode), at: instant)
        emit(.cue(.captured), at: instant)
        emit(.feedback(.impact), at: instant)
    }

    mutating func cancel(_ reason: CancelReason?) {
        let isCountingDown = situation == .countingDown
        if isCountingDown, let open = pending, let reason {
            emit(.cancel(open.input, reason), at: open.instant)
        } else if let input = owner, let reason {
            tell(.cancel(input, reason), input, pending?.instant ?? now)
            live.remove(input)
        }
        if let open = pending {
            pending = nil
            photos.remove(open.id)
            tally.cancelled += 1
            if open.isReserved || isCountingDown { emit(.discard(open.id), at: open.instant) }
        }
        owner = nil
    }

    mutating func record(_ id: CaptureID, _ context: Context) {
        clips.insert(id)
        clip = id
        clipFlow = nil
        owner = context.input
        emit(.recordStart(id, context.trigger), at: context.instant)
        emit(.feedback(.selection), at: context.instant)
    }

    mutating func recordInstead(_ context: Context) {
        guard let open = pending else { return }
        pending = nil
        photos.remove(open.id)
        if open.isReserved { emit(.discard(open.id), at: open.instant) }
        record(open.id, context)
    }

    mutating func stop(_ reason: StopReason?, _ context: Context) {
        guard let stopped = clip else { return }
        let reason = reason ?? (context.cancel == .maxHold ? .maxHold : .buttonLost)
        clip = nil
        clipFlow = nil
        owner = nil
        answer = .accepted(stopped)
        emit(.recordStop(stopped, reason), at: context.instant)
        emit(.feedback(.selection), at: context.instant)
    }

    mutating func switchMode() {
        mode = mode.other
        answer = .mode(mode)
        emit(.mode(mode))
    }

    mutating func quit() {
        stopDue = now + settings.stop
        if photos.isEmpty, clips.isEmpty { exit() }
    }

    mutating func exit() {
        guard !hasExited else { return }
        hasExited = true
        emit(.exit)
    }
}
