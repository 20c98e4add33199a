// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// The camera's thread: brings the source up, moves buffers, and brings it up again when it fails.
///
/// Tear-down, in this order: the sensor stops; what waits for a frame fails; lent frames come back; the source closes.
final class CameraRunner: @unchecked Sendable {
    /// As `status` reports it.
    enum State {
        case idle, starting, configured
        case failed(Fault)

        var word: String {
            switch self {
            case .idle, .starting: "idle"
            case .configured: "configured"
            case let .failed(fault): fault.reason == "permission-denied" ? "permission-denied" : "failed"
            }
        }

        var fault: Fault? { if case let .failed(fault) = self { fault } else { nil } }
    }

    /// A call into the source, which may hang.
    struct Call {
        var name: String
        var since: Timestamp
    }

    private struct Shared {
        var pool: FramePool?
        var state = State.idle
        var isStopping = false
        var hasEnded = false
        var call: Call?
        /// The reason that was told last; nil = none yet, empty = it is well.
        var reported: String?
    }

    /// From one attempt to the next, and at most.
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(10)
    /// How long a stop waits for frames that are being encoded.
    private static let longestLoan = Duration.seconds(2)
    /// After so many attempts without a single frame, a fresh process is the last hope.
    private static let mostAttempts = 5

    private let source: any FrameSource
    private let settings: RingCamera.Settings
    private let desk: AnswerDesk
    let subscribers: Subscribers
    private let wake: Mailbox<Void>
    private let shared = Locked(Shared())
    private var gate: ExposureGate
    private var attemptsWithoutFrames = 0

    init(_ source: any FrameSource, _ settings: RingCamera.Settings, _ desk: AnswerDesk, wake: Mailbox<Void>) {
        self.source = source
        self.settings = settings
        self.desk = desk
        self.wake = wake
        gate = ExposureGate(settings.exposure)
        subscribers = Subscribers(wake: wake)
    }

    var pool: FramePool? { shared.withLock { $0.pool } }
    var state: State { shared.withLock { $0.state } }
    /// The call that the thread is in now.
    var call: Call? { shared.withLock { $0.call } }

    func stop() {
        shared.withLock { $0.isStopping = true }
        wake.post(())
    }

    /// Before a new thread runs it.
    func prepare() {
        shared.withLock {
            $0.isStopping = false
            $0.hasEnded = false
        }
    }

    /// Whether the thread ends in time.
    func hasEnded(by limit: Timestamp) -> Bool { shared.wait(until: limit) { $0.hasEnded ? true : nil } ?? false }

    /// Trouble was told of from elsewhere: that the camera is well again is news.
    func becomeNews() { shared.withLock { $0.reported = nil } }

    func run() {
        becomeNews()
        attemptsWithoutFrames = 0
        var pause = Self.firstPause
        while !isStopping {
            set(.starting)
            do throws(Fault) {
                try bringUp(&pause)
                set(.idle)
            } catch {
                set(.failed(error))
                report(error)
                countAttempts(error)
                let end = Clock.now + pause
                while !isStopping, Clock.now < end { wait(until: end) }
                pause = min(pause * 2, Self.longestPause)
            }
        }
        set(.idle)
        shared.update { $0.hasEnded = true }
    }

    private var isStopping: Bool { shared.withLock { $0.isStopping } }
    private func set(_ state: State) { shared.withLock { $0.state = state } }

    /// One reason is told once, until the camera has been well again.
    private func report(_ fault: Fault) {
        let isNews = shared.withLock { shared in
            defer { shared.reported = fault.reason }
            return shared.reported != fault.reason
        }
        if isNews { desk.post(.lost(fault)) }
    }

    /// Whether that is news; then all trouble is news again.
    private func isWellAgain() -> Bool {
        shared.withLock { shared in
            defer { shared.reported = "" }
            return shared.reported != ""
        }
    }

    private func countAttempts(_ fault: Fault) {
        guard fault.reason == "no-frames" else { return attemptsWithoutFrames = 0 }
        attemptsWithoutFrames += 1
        if attemptsWithoutFrames == Self.mostAttempts { desk.post(.hopeless(fault)) }
    }

    // MARK: Calls into the source

    private func begin(_ name: String) { shared.withLock { $0.call = Call(name: name, since: Clock.now) } }
    private func end() { shared.withLock { $0.call = nil } }

    private func open() throws(Fault) -> SourceFacts {
        begin("open")
        defer { end() }
        return try source.open()
    }

    private func startSource(_ pool: FramePool) throws(Fault) {
        begin("start")
        defer { end() }
        try source.start()
        gate.start(at: Clock.now, interval: pool.facts.interval)
    }

    private func stopSource() {
        begin("stop")
        source.stop()
        end()
    }

    private func nextFrame() throws(Fault) -> SourceFrame? {
        begin("next")
        defer { end() }
        return try source.next()
    }

    private func feed(_ pool: FramePool) {
        while let buffer = pool.acquire() {
            begin("queue")
            source.queue(buffer)
            end()
        }
    }

    // MARK: Frames

    /// Opens the source and runs it until it is told to stop, or fails.
    private func bringUp(_ pause: inout Duration) throws(Fault) {
        let facts = try open()
        let pool = FramePool(source, facts, choice: settings.choice, offset: settings.offset, desk: desk, subscribers: subscribers, wake: wake)
        var failure: Fault?
        do throws(Fault) {
            try startSource(pool)
            shared.withLock { $0.pool = pool }
            try stream(pool, &pause)
        } catch {
            failure = error
        }
        stopSource()
        shared.withLock { $0.pool = nil }
        pool.stop(failure ?? Fault("camera-stopped", "the camera was stopped before the frame came"))
        // The memory of lent frames is the source's. Who holds one for ever keeps the source open, and alive.
        let limit = Clock.now + Self.longestLoan
        while pool.ring.lentNow > 0, !isStopping || Clock.now < limit { wait(until: isStopping ? limit : nil) }
        if pool.ring.lentNow == 0 {
            begin("close")
            source.close()
            end()
        }
        if let failure { throw failure }
    }

    private func stream(_ pool: FramePool, _ pause: inout Duration) throws(Fault) {
        var lastFrame = Clock.now
        var isRestarted = false
        while !isStopping {
            // A long exposure is no fault: the time-out grows with it.
            let patience = Duration.seconds(2) + pool.interval * 3
            feed(pool)
            wait(until: earliest(source.deadline, pool.deadline, lastFrame + patience))
            pool.welcome()
            while let frame = try nextFrame() {
                lastFrame = Clock.now
                isRestarted = false
                attemptsWithoutFrames = 0
                if take(frame, pool), isWellAgain() {
                    pause = Self.firstPause
                    set(.configured)
                    desk.post(.ready)
                }
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
                stopSource()
                pool.stop(fault)
                try startSource(pool)
                lastFrame = now
            }
        }
    }

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

    private func wait(until deadline: Timestamp?) {
        _ = Poller.wait([Poller.Interest(source.descriptor), Poller.Interest(wake.descriptor)], until: deadline)
        _ = wake.drain()
    }
}
