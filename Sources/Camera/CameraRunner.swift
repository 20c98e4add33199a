// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// The camera's thread: brings the source up, moves buffers, and brings it up again when it fails.
///
/// Between presses full-size frames run, or small ones, or none (`Rest`); a press, a half-pressed focus button and whoever
/// follows the frames wake it.
///
/// Tear-down, in this order: the sensor stops; what waits for a frame fails; lent frames come back; the source closes.
final class CameraRunner: @unchecked Sendable {
    /// From one attempt to the next, and at most.
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(10)
    /// How long a stop waits for frames that are being encoded.
    private static let longestLoan = Duration.seconds(2)
    /// After so many attempts without a single frame, a fresh process is the last hope.
    private static let mostAttempts = 5
    /// How long a camera that was woken stays so: the next press is soon.
    private static let wakefulness = Duration.seconds(3)

    private let watched: WatchedSource
    private let settings: RingCamera.Settings
    private let desk: AnswerDesk
    let subscribers: Subscribers
    private let wake: Mailbox<Void>
    private let shared = Locked(RunnerState())
    private var gate: ExposureGate
    private var attemptsWithoutFrames = 0
    private var hasLoans = false
    /// Frames that may still be from before a lock, and must come before it is confirmed; nil = nobody waits for one.
    private var framesToLock: Int?

    init(_ source: any FrameSource, _ settings: RingCamera.Settings, _ desk: AnswerDesk, wake: Mailbox<Void>) {
        watched = WatchedSource(source)
        self.settings = settings
        self.desk = desk
        self.wake = wake
        gate = ExposureGate(settings.exposure)
        subscribers = Subscribers(wake: wake)
    }

    // MARK: The loop's side

    var pool: FramePool? { shared.withLock { $0.pool } }
    /// A copy.
    var state: RunnerState { shared.withLock { $0 } }
    /// The call into the source that the thread is in now.
    var call: WatchedSource.Call? { watched.call }

    func stop() { change { $0.isStopping = true } }

    /// Before a new thread runs it.
    func prepare() {
        shared.withLock {
            $0.isStopping = false
            $0.hasEnded = false
        }
    }

    /// Whether the thread ends in time.
    func hasEnded(by limit: Timestamp) -> Bool { shared.wait(until: limit) { $0.hasEnded ? true : nil } ?? false }

    func lend(_ isLent: Bool) { change { $0.isLent = isLent } }

    func focus(_ isHalfPressed: Bool) {
        change {
            $0.isFocusing = isHalfPressed
            $0.isFocusNews = true
        }
    }

    func apply(_ controls: CameraControls) {
        change {
            $0.isControlNews = $0.isControlNews || $0.controls != controls
            $0.controls = controls
        }
    }

    func reserve(_ id: CaptureID, at instant: Timestamp) {
        let fault = shared.withLock { state -> Fault? in
            if let pool = state.pool {
                pool.reserve(id, at: instant, now: Clock.now)
                return nil
            }
            if let fault = state.setup.fault { return fault }
            if settings.rest == .full || state.isStopping { return RunnerState.stopped }
            state.waiting.append((id, instant))
            return nil
        }
        if let fault { desk.post(.reservationFailed(id, fault)) } else { wake.post(()) }
    }

    func beginExposure(_ id: CaptureID, at instant: Timestamp) {
        let fault = shared.withLock { state -> Fault? in
            guard state.pool != nil else { return state.setup.fault ?? RunnerState.stopped }
            state.exposure = (id, instant)
            state.exposureNews.append(true)
            return nil
        }
        if let fault { desk.post(.reservationFailed(id, fault)) } else { wake.post(()) }
    }

    func endExposure(_ id: CaptureID, at instant: Timestamp) {
        let isLost = shared.withLock { state -> Bool in
            guard let pool = state.pool, let exposure = state.exposure, exposure.id == id else { return true }
            state.exposure = nil
            state.exposureNews.append(false)
            pool.reserve(id, at: exposure.since, now: Clock.now, isHeld: true)
            return false
        }
        // The sensor was stopped in between.
        if isLost { desk.post(.reservationFailed(id, state.setup.fault ?? RunnerState.stopped)) } else { wake.post(()) }
    }

    func release(_ id: CaptureID) {
        shared.withLock { state in
            if state.exposure?.id == id {
                state.exposure = nil
                state.exposureNews.append(false)
            }
            state.waiting.removeAll { $0.id == id }
            state.pool?.release(id)
        }
    }

    /// The thread hangs in a call, or was left behind: what waits fails, and that the camera is well again is news.
    func fail(_ fault: Fault) {
        failWaiting(fault)
        pool?.fail(fault)
        becomeNews()
    }

    private func change(_ body: (inout RunnerState) -> Void) {
        shared.withLock(body)
        wake.post(())
    }

    // MARK: The thread

    func run() {
        becomeNews()
        attemptsWithoutFrames = 0
        var pause = Self.firstPause
        while !isStopping {
            if state.isLent {
                stayAway()
                continue
            }
            set(.starting)
            do throws(Fault) {
                try bringUp(&pause)
                set(.idle)
            } catch {
                set(.failed(error))
                failWaiting(error)
                report(error)
                countAttempts(error)
                let end = Clock.now + pause
                while !isStopping, !state.isLent, Clock.now < end { wait(until: end) }
                pause = min(pause * 2, Self.longestPause)
            }
        }
        set(.idle)
        failWaiting(RunnerState.stopped)
        shared.update { $0.hasEnded = true }
    }

    private var isStopping: Bool { shared.withLock { $0.isStopping } }
    /// Whether the camera is ours, and to be used.
    private var isOurs: Bool { shared.withLock { !$0.isStopping && !$0.isLent } }
    private func set(_ setup: RunnerState.Setup) { shared.withLock { $0.setup = setup } }

    private func stayAway() {
        set(.failed(RunnerState.lent))
        failWaiting(RunnerState.lent)
        report(RunnerState.lent)
        while !isStopping, state.isLent { wait(until: nil) }
    }

    // MARK: What is told

    private func becomeNews() { shared.withLock { $0.reported = nil } }

    /// One reason is told once, until the camera has been well again.
    private func report(_ fault: Fault) {
        let isNews = shared.withLock { state in
            defer { state.reported = fault.reason }
            return state.reported != fault.reason
        }
        if isNews { desk.post(.lost(fault)) }
    }

    private func isWell(_ pause: inout Duration) {
        pause = Self.firstPause
        let isNews = shared.withLock { state in
            state.setup = .configured
            defer { state.reported = "" }
            return state.reported != ""
        }
        if isNews { desk.post(.ready) }
    }

    private func countAttempts(_ fault: Fault) {
        guard fault.reason == "no-frames" else { return attemptsWithoutFrames = 0 }
        attemptsWithoutFrames += 1
        if attemptsWithoutFrames == Self.mostAttempts { desk.post(.hopeless(fault)) }
    }

    private func failWaiting(_ fault: Fault) {
        let waiting = shared.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for (id, _) in waiting { desk.post(.reservationFailed(id, fault)) }
    }

    // MARK: Frames

    /// Runs the source until it is told to stop, or fails.
    private func bringUp(_ pause: inout Duration) throws(Fault) {
        var failure: Fault?
        do throws(Fault) {
            while isOurs {
                switch settings.rest {
                case .full: try runFrames(.full, &pause)
                case .small: try runFrames(isWanted ? .full : .small, &pause)
                case .off: if isWanted { try runFrames(.full, &pause) } else { try doze(&pause) }
                }
            }
        } catch {
            failure = error
        }
        // Who holds a frame for ever keeps the source open, and alive.
        if !hasLoans { watched.close() }
        if let failure { throw failure }
    }

    /// Whether somebody waits for a camera that is at rest.
    private var isWanted: Bool { shared.withLock { !$0.waiting.isEmpty || $0.isFocusing } || subscribers.areThere }

    /// Configured, so that it starts soon, but off.
    private func doze(_ pause: inout Duration) throws(Fault) {
        let facts = try watched.open(.full)
        shared.withLock { $0.facts = facts }
        isWell(&pause)
        while isOurs, !isWanted {
            wait(until: nil)
            // There are no frames, but it may be gone.
            _ = try watched.next()
        }
    }

    private func runFrames(_ size: FrameSize, _ pause: inout Duration) throws(Fault) {
        let facts = try watched.open(size)
        let pool = FramePool(
            watched.source, facts, choice: settings.choice, offset: settings.offset, isWoken: settings.rest != .full, desk: desk,
            subscribers: size == .full ? subscribers : nil, wake: wake)
        var failure: Fault?
        do throws(Fault) {
            takeControls(always: true)
            try watched.start()
            gate.start(at: Clock.now, interval: facts.interval)
            shared.withLock { state in
                state.facts = facts
                guard size == .full else { return }
                state.pool = pool
                for (id, instant) in state.waiting { pool.reserve(id, at: instant, now: Clock.now) }
                state.waiting = []
            }
            try stream(pool, size, &pause)
        } catch {
            failure = error
        }
        watched.stop()
        shared.withLock { state in
            state.pool = nil
            state.exposure = nil
            state.exposureNews = []
            state.worstLag = [state.worstLag, pool.ring.worstLateness].compactMap { $0 }.max()
            // Came when it was about to rest.
            if failure == nil, !state.isStopping, !state.isLent { state.waiting += pool.takeReservations() }
        }
        pool.stop(failure ?? (state.isLent ? RunnerState.lent : RunnerState.stopped))
        // The memory of lent frames is the source's.
        let limit = Clock.now + Self.longestLoan
        while pool.ring.lentNow > 0, !isStopping || Clock.now < limit { wait(until: isStopping ? limit : nil, withFrames: false) }
        hasLoans = pool.ring.lentNow > 0
        if let failure { throw failure }
    }

    private func stream(_ pool: FramePool, _ size: FrameSize, _ pause: inout Duration) throws(Fault) {
        var lastFrame = Clock.now
        var isRestarted = false
        var restAt: Timestamp?
        if size == .full, settings.rest != .full { restAt = lastFrame + Self.wakefulness }
        shared.withLock { $0.isFocusNews = $0.isFocusing }
        while isOurs {
            // A long exposure is no fault: the time-out grows with it.
            let patience = Duration.seconds(2) + pool.interval * 3
            feed(pool)
            wait(until: earliest(watched.source.deadline, pool.deadline, lastFrame + patience, restAt))
            takeControls()
            if takeFocusNews() {
                let isFocusing = state.isFocusing
                watched.focus(isFocusing)
                framesToLock = isFocusing ? pool.facts.buffers : nil
            }
            if expose() { lastFrame = Clock.now }
            pool.welcome()
            while let frame = try watched.next() {
                lastFrame = Clock.now
                isRestarted = false
                attemptsWithoutFrames = 0
                if let metadata = frame.metadata { confirmLock(metadata, pool.facts) }
                if take(frame, pool) { isWell(&pause) }
                feed(pool)
            }
            pool.copyOut()
            let now = Clock.now
            pool.expire(now)
            if now >= lastFrame + patience {
                let fault = Fault("no-frames", "no frame came from \(pool.facts.name) in \(Int(patience.seconds)) s; check the camera's cable")
                if isRestarted { throw fault }
                // One stop and start helps some sensors.
                isRestarted = true
                watched.stop()
                pool.stop(fault)
                try watched.start()
                gate.start(at: now, interval: pool.interval)
                lastFrame = now
            }
            if size == .small, isWanted { return }
            if restAt != nil, isWanted || pool.isWanted { restAt = now + Self.wakefulness + pool.interval }
            if let restAt, restAt <= now { return }
        }
    }

    private func takeFocusNews() -> Bool {
        shared.withLock { state in
            defer { state.isFocusNews = false }
            return state.isFocusNews
        }
    }

    /// Tells the camera of exposures that begin and end. Whether one lasts, or just ended: no frame comes meanwhile.
    private func expose() -> Bool {
        let (isOpen, news) = shared.withLock { state in
            defer { state.exposureNews = [] }
            return (state.exposure != nil, state.exposureNews)
        }
        for isOpen in news { watched.expose(isOpen) }
        return isOpen || !news.isEmpty
    }

    private func takeControls(always: Bool = false) {
        let news = shared.withLock { state in
            defer { state.isControlNews = false }
            return state.isControlNews || always ? state.controls : nil
        }
        if let news { watched.apply(news) }
    }

    /// libcamera's AfState.
    private enum FocusState {
        static let focused: Int64 = 2
        static let failed: Int64 = 3
    }

    /// The first frame that was exposed with the locked values says that they are, and one with a focus that it was found.
    private func confirmLock(_ metadata: FrameMetadata, _ facts: SourceFacts) {
        guard let left = framesToLock else { return }
        framesToLock = left - 1
        guard left <= 0 else { return }
        let focus = metadata.controls["AfState"]?.integer
        if facts.canFocus, let focus, focus != FocusState.focused, focus != FocusState.failed { return }
        framesToLock = nil
        desk.post(.locked(!facts.canFocus || focus != FocusState.failed))
    }

    private func feed(_ pool: FramePool) { while let buffer = pool.acquire() { watched.queue(buffer) } }

    /// Whether the frame may become a photo.
    private func take(_ frame: SourceFrame, _ pool: FramePool) -> Bool {
        guard let metadata = frame.metadata, case .take(let doubt) = gate.judge(metadata, at: Clock.now) else {
            pool.leaveOut(frame)
            return false
        }
        var taken = frame
        taken.metadata?.doubt = doubt
        pool.complete(taken)
        return true
    }

    private func wait(until deadline: Timestamp?, withFrames: Bool = true) {
        let frames = withFrames ? [Poller.Interest(watched.source.descriptor)] : []
        _ = Poller.wait(frames + [Poller.Interest(wake.descriptor)], until: deadline)
        _ = wake.drain()
    }
}
