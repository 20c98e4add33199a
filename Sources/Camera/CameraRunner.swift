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

    private struct Shared {
        var pool: FramePool?
        var state = State.idle
        var isStopping = false
    }

    /// From one attempt to the next, and at most.
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(10)
    /// How long a stop waits for frames that are being encoded.
    private static let longestLoan = Duration.seconds(2)

    private let source: any FrameSource
    private let settings: RingCamera.Settings
    private let desk: AnswerDesk
    let subscribers: Subscribers
    private let wake: Mailbox<Void>
    private let shared = Locked(Shared())
    private var reported: String?

    init(_ source: any FrameSource, _ settings: RingCamera.Settings, _ desk: AnswerDesk, wake: Mailbox<Void>) {
        self.source = source
        self.settings = settings
        self.desk = desk
        self.wake = wake
        subscribers = Subscribers(wake: wake)
    }

    var pool: FramePool? { shared.withLock { $0.pool } }
    var state: State { shared.withLock { $0.state } }

    func stop() {
        shared.withLock { $0.isStopping = true }
        wake.post(())
    }

    /// Before a new thread runs it.
    func prepare() { shared.withLock { $0.isStopping = false } }

    func run() {
        reported = nil
        var pause = Self.firstPause
        while !isStopping {
            set(.starting)
            do throws(Fault) {
                try bringUp(&pause)
                set(.idle)
            } catch {
                set(.failed(error))
                report(error)
                let end = Clock.now + pause
                while !isStopping, Clock.now < end { wait(until: end) }
                pause = min(pause * 2, Self.longestPause)
            }
        }
        set(.idle)
    }

    private var isStopping: Bool { shared.withLock { $0.isStopping } }
    private func set(_ state: State) { shared.withLock { $0.state = state } }

    /// One reason is told once, until the camera has been well again.
    private func report(_ fault: Fault) {
        guard fault.reason != reported else { return }
        reported = fault.reason
        desk.post(.lost(fault))
    }

    /// Opens the source and runs it until it is told to stop, or fails.
    private func bringUp(_ pause: inout Duration) throws(Fault) {
        let facts = try source.open()
        let pool = FramePool(source, facts, choice: settings.choice, offset: settings.offset, desk: desk, subscribers: subscribers, wake: wake)
        var failure: Fault?
        do throws(Fault) {
            try source.start()
            shared.withLock { $0.pool = pool }
            try stream(pool, &pause)
        } catch {
            failure = error
        }
        source.stop()
        shared.withLock { $0.pool = nil }
        pool.stop(failure ?? Fault("camera-stopped", "the camera was stopped before the frame came"))
        // The memory of lent frames is the source's. Who holds one for ever keeps the source open, and alive.
        let limit = Clock.now + Self.longestLoan
        while pool.ring.lentNow > 0, !isStopping || Clock.now < limit { wait(until: isStopping ? limit : nil) }
        if pool.ring.lentNow == 0 { source.close() }
        if let failure { throw failure }
    }

    private func stream(_ pool: FramePool, _ pause: inout Duration) throws(Fault) {
        // A long exposure is no fault: the time-out grows with it.
        let patience = Duration.seconds(2) + pool.facts.interval * 3
        var lastFrame = Clock.now
        var isRestarted = false
        while !isStopping {
            while let buffer = pool.acquire() { source.queue(buffer) }
            wait(until: earliest(source.deadline, pool.deadline, lastFrame + patience))
            pool.welcome()
            while let frame = try source.next() {
                pool.complete(frame)
                lastFrame = Clock.now
                isRestarted = false
                if reported != "" {
                    // Well again, and all trouble is news again.
                    reported = ""
                    pause = Self.firstPause
                    set(.configured)
                    desk.post(.ready)
                }
                while let buffer = pool.acquire() { source.queue(buffer) }
            }
            pool.copyOut()
            let now = Clock.now
            pool.expire(now)
            if now >= lastFrame + patience {
                let fault = Fault("no-frames", "no frame came from \(pool.facts.name) in \(Int(patience.seconds)) s; check the camera's cable")
                if isRestarted { throw fault }
                // One stop and start helps some sensors.
                isRestarted = true
                source.stop()
                pool.stop(fault)
                try source.start()
                lastFrame = now
            }
        }
    }

    private func wait(until deadline: Timestamp?) {
        _ = Poller.wait([Poller.Interest(source.descriptor), Poller.Interest(wake.descriptor)], until: deadline)
        _ = wake.drain()
    }
}
