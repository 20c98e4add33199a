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

    package init(_ source: any FrameSource, _ settings: Settings = Settings()) throws(SystemError) {
        self.settings = settings
        desk = try AnswerDesk()
        runner = CameraRunner(source, settings, desk, wake: try Mailbox())
    }

    deinit { stop() }

    package var descriptor: Int32 { desk.descriptor }

    package func drain() -> [CameraEvent] { desk.drain() }

    package func start() {
        guard thread == nil else { return }
        runner.prepare()
        thread = Thread(name: "camera") { [runner] in runner.run() }
    }

    /// Waits for the thread, and for frames that are lent: their memory is the camera's.
    package func stop() {
        guard let thread else { return }
        runner.stop()
        thread.join()
        self.thread = nil
    }

    package func anticipate(_ contact: Timestamp?) { runner.pool?.anticipate(contact) }

    package func reserve(_ id: CaptureID, at instant: Timestamp) {
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
        let state = runner.state
        return CameraStatus(
            state: state.word, reason: state.fault?.reason, name: facts?.name ?? "", size: facts.map { "\($0.layout.width)x\($0.layout.height)" } ?? "",
            format: facts?.layout.format.rawValue ?? "", rate: facts.map { (10 / $0.interval.seconds).rounded() / 10 } ?? 0,
            lagMode: settings.lagMode, buffers: facts?.buffers ?? 0, framesCompleted: ring?.completed ?? 0, framesDropped: ring?.dropped ?? 0,
            framesCopied: ring?.copied ?? 0, framesLent: ring?.lentNow ?? 0)
    }
}
