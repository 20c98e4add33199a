// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A camera: one source of frames, kept running on a thread of its own, with a ring of its newest frames.
package final class RingCamera: Camera {
    package struct Settings: Sendable {
        package var choice: FrameChoice
        /// Added to every wanted instant.
        package var offset: Duration
        /// As `status` calls it.
        package var lagMode: String
        /// What photos are to be exposed with.
        package var exposure = ExposureGate.Wish()
        /// The longest that a call into the source may take: a stop may have to wait for the exposure to end.
        package var callBudget = Duration.seconds(20)
        /// How long `stop` waits for the camera's thread.
        package var stopBudget = Duration.seconds(15)

        package init(choice: FrameChoice = .nearest, offset: Duration = .zero, lagMode: String = "zero") {
            self.choice = choice
            self.offset = offset
            self.lagMode = lagMode
        }
    }

    private let settings: Settings
    private let desk: AnswerDesk
    private let runner: CameraRunner
    private var thread: Thread?
    /// Why the camera's thread has not come back in time; told once for each such call.
    private var stuck: (fault: Fault, since: Timestamp)?
    /// A thread that did not end is left behind: then the process has to end without asking it.
    package private(set) var hasLeftThread = false

    package init(_ source: any FrameSource, _ settings: Settings = Settings()) throws(SystemError) {
        self.settings = settings
        desk = try AnswerDesk()
        runner = CameraRunner(source, settings, desk, wake: try Mailbox())
    }

    deinit { stop() }

    package var descriptor: Int32 { desk.descriptor }

    package func drain() -> [CameraEvent] {
        let now = Clock.now
        lookAtCall(now)
        // The camera's thread does so too, unless it hangs: no press waits longer than it may.
        runner.pool?.expire(now)
        return desk.drain()
    }

    package var deadline: Timestamp? {
        earliest(runner.pool?.deadline, stuck == nil ? runner.call.map { $0.since + settings.callBudget } : nil)
    }

    package var isStuck: Bool { stuck != nil }

    private func lookAtCall(_ now: Timestamp) {
        guard let call = runner.call, call.since + settings.callBudget <= now else {
            stuck = nil
            return
        }
        guard stuck?.since != call.since else { return }
        let fault = Fault("stuck", "the camera has not come back from \(call.name) for \(Int(settings.callBudget.seconds)) s; restart shutterd, or the machine")
        stuck = (fault, call.since)
        runner.pool?.fail(fault)
        runner.becomeNews()
        desk.post(.lost(fault))
        desk.post(.hopeless(fault))
    }

    package func start() {
        guard thread == nil else { return }
        runner.prepare()
        thread = Thread(name: "camera") { [runner] in runner.run() }
    }

    /// Waits for the thread, and for frames that are lent: their memory is the camera's. A thread that hangs is left behind.
    package func stop() {
        guard let thread else { return }
        runner.stop()
        self.thread = nil
        if runner.hasEnded(by: Clock.now + (isStuck ? .milliseconds(100) : settings.stopBudget)) {
            thread.join()
        } else {
            hasLeftThread = true
            runner.pool?.fail(Fault("stuck", "the camera did not stop"))
        }
    }

    package func anticipate(_ contact: Timestamp?) { runner.pool?.anticipate(contact) }

    package func reserve(_ id: CaptureID, at instant: Timestamp) {
        if let stuck { return desk.post(id, .reservationFailed(id, stuck.fault)) }
        guard let pool = runner.pool else {
            return desk.post(id, .reservationFailed(id, runner.state.fault ?? Fault("camera-stopped", "the camera is not running")))
        }
        pool.reserve(id, at: instant, now: Clock.now)
    }

    package func release(_ id: CaptureID) {
        runner.pool?.release(id)
        desk.release(id)
    }

    package var feed: any FrameFeed { runner.subscribers }

    package var status: CameraStatus {
        let (facts, ring) = (runner.pool?.facts, runner.pool?.ring)
        let state = stuck.map { CameraRunner.State.failed($0.fault) } ?? runner.state
        return CameraStatus(
            state: state.word, fault: state.fault, name: facts?.name ?? "", size: facts.map { "\($0.layout.width)x\($0.layout.height)" } ?? "",
            format: facts?.layout.format.rawValue ?? "", rate: ring.map { (10 / $0.interval.seconds).rounded() / 10 } ?? 0,
            lagMode: settings.lagMode, buffers: facts?.buffers ?? 0, framesCompleted: ring?.completed ?? 0, framesDropped: ring?.dropped ?? 0,
            framesCopied: ring?.copied ?? 0, framesLent: ring?.lentNow ?? 0)
    }
}
