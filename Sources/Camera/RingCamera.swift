// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A camera: one source of frames, kept running on a thread of its own, with a ring of its newest frames.
package final class RingCamera: Camera {
    /// What runs between presses.
    package enum Rest: String, Sendable {
        case full = "zero"
        case small = "ready"
        case off = "cold"
    }

    package struct Settings: Sendable {
        package var choice: FrameChoice
        /// Added to every wanted instant.
        package var offset: Duration
        package var rest: Rest
        /// What photos are to be exposed with.
        package var exposure = ExposureGate.Wish()
        /// The longest that a call into the source may take: a stop may have to wait for the exposure to end.
        package var callBudget = Duration.seconds(20)
        /// How long `stop` waits for the camera's thread.
        package var stopBudget = Duration.seconds(15)

        package init(choice: FrameChoice = .nearest, offset: Duration = .zero, rest: Rest = .full) {
            self.choice = choice
            self.offset = offset
            self.rest = rest
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
        runner.fail(fault)
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
            runner.fail(Fault("stuck", "the camera did not stop"))
        }
    }

    package func lend(_ isLent: Bool) { runner.lend(isLent) }

    package func focus(_ isHalfPressed: Bool) { runner.focus(isHalfPressed) }

    package func apply(_ controls: CameraControls) { runner.apply(controls) }

    package func anticipate(_ contact: Timestamp?) { runner.pool?.anticipate(contact) }

    package var feed: any FrameFeed { runner.subscribers }

    package func reserve(_ id: CaptureID, at instant: Timestamp) {
        desk.expect(id)
        if let stuck { desk.post(.reservationFailed(id, stuck.fault)) } else { runner.reserve(id, at: instant) }
    }

    package func beginExposure(_ id: CaptureID, at instant: Timestamp) {
        desk.expect(id)
        if let stuck { desk.post(.reservationFailed(id, stuck.fault)) } else { runner.beginExposure(id, at: instant) }
    }

    package func endExposure(_ id: CaptureID, at instant: Timestamp) { runner.endExposure(id, at: instant) }

    package func release(_ id: CaptureID) {
        runner.release(id)
        desk.release(id)
    }

    package var status: CameraStatus {
        let state = runner.state
        let ring = state.pool?.ring
        let interval = ring?.interval ?? state.facts?.interval
        let setup = stuck.map { RunnerState.Setup.failed($0.fault) } ?? state.setup
        // As long as none was measured: what is waited for at most, and the first frame.
        let worstLag: Duration? = switch settings.rest {
        case .full: interval.map { $0 / 2 }
        case .small, .off: state.worstLag ?? interval.map { .milliseconds(1500) + $0 * 7 }
        }
        var status = CameraStatus(
            state: setup.word, fault: setup.fault, name: state.facts?.name ?? "",
            size: state.facts.map { "\($0.layout.width)x\($0.layout.height)" } ?? "",
            format: state.facts?.layout.format.rawValue ?? "", mode: state.facts?.mode ?? "", crop: state.facts?.crop ?? "",
            rate: interval.map { (10 / $0.seconds).rounded() / 10 } ?? 0,
            // Who rests would have to be woken first, and the exposure begin late.
            interval: interval, canExpose: settings.rest == .full && state.facts?.canExpose ?? false,
            lagMode: settings.rest.rawValue, worstLag: worstLag, buffers: state.facts?.buffers ?? 0,
            framesCompleted: ring?.completed ?? 0, framesDropped: ring?.dropped ?? 0, framesCopied: ring?.copied ?? 0,
            framesLent: ring?.lentNow ?? 0)
        status.abilities = state.facts?.abilities ?? [:]
        return status
    }
}
