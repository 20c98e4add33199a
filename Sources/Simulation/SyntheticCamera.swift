// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A camera that needs no hardware: a thread draws a moving scene at a steady rate into a ring of buffers.
///
/// Frame k begins its exposure k intervals after the start, without drift, and completes a readout time after the
/// exposure's end. Buffers are allocated once. Lent frames may outlive the camera.
package final class SyntheticCamera: Camera, @unchecked Sendable {
    package struct Settings: Sendable {
        /// Pixels.
        package var width: Int
        package var height: Int
        /// Frames a second.
        package var rate: Double
        package var format = PixelFormat.yuv420
        package var range = ColourRange.full
        /// Rows are padded to a multiple of so many bytes.
        package var alignment = 64
        /// 1/500 s when nil, or half an interval where that is less.
        package var exposure: Duration?
        package var buffers = 6
        package var choice = FrameChoice.nearest
        /// Added to every wanted instant.
        package var offset = Duration.zero
        /// As `status` calls it.
        package var lagMode = "zero"

        package init(width: Int = 1920, height: Int = 1080, rate: Double = 30) {
            self.width = width
            self.height = height
            self.rate = rate
        }
    }

    package let settings: Settings
    package var layout: FrameLayout { pool.layout }
    private let timing: FrameTiming
    private let pool: FramePool
    private let scene: Scene
    private let drawn: Locked<[Scene.Drawn]>
    private var thread: Thread?

    /// Allocates and paints all buffers.
    package init(_ settings: Settings) throws(SystemError) {
        precondition(settings.width >= 64 && settings.height >= 16 && settings.rate > 0, "the time code needs 64 columns")
        self.settings = settings
        let timing = FrameTiming(rate: settings.rate, exposure: settings.exposure)
        self.timing = timing
        pool = try FramePool(
            layout: .packed(
                settings.format, width: settings.width, height: settings.height, alignment: settings.alignment,
                range: settings.range),
            ring: FrameRing(
                buffers: settings.buffers, interval: timing.interval, choice: settings.choice, offset: settings.offset))
        let scene = Scene(layout: pool.layout)
        self.scene = scene
        drawn = Locked((0..<settings.buffers).map { [pool] in scene.prepare(pool.memory($0)) })
    }

    deinit { stop() }

    package var descriptor: Int32 { pool.mailbox.descriptor }

    package func drain() -> [CameraEvent] { pool.drain() }

    package func start() {
        guard thread == nil else { return }
        pool.state.withLock { $0.isStopping = false }
        let (pool, scene, timing, drawn) = (pool, scene, timing, drawn)
        thread = Thread(name: "sim-camera") {
            Sensor(pool: pool, scene: scene, timing: timing, start: Clock.now).run(drawn)
        }
    }

    /// Waits for the thread, which is never longer away than it takes to draw a frame.
    package func stop() {
        guard let thread else { return }
        pool.state.update { $0.isStopping = true }
        thread.join()
        self.thread = nil
        pool.answer { $0.ring.stop() }
    }

    package func anticipate(_ contact: Timestamp?) {
        pool.state.withLock { $0.ring.anticipate(contact) }
    }

    package func reserve(_ id: CaptureID, at instant: Timestamp) {
        guard thread != nil else {
            return pool.answer { _ in [.fail(id, Fault("camera-stopped", "the camera is not running"))] }
        }
        pool.answer { $0.ring.reserve(id, at: instant, now: Clock.now) }
    }

    package func release(_ id: CaptureID) { pool.release(id) }

    /// Lets the sensor fall silent, as with a loose cable, or come back.
    package func stall(_ isStalled: Bool) { pool.state.withLock { $0.isStalled = isStalled } }

    package var status: CameraStatus {
        let ring = pool.state.withLock { $0.ring }
        return CameraStatus(
            state: thread == nil ? "idle" : "configured", name: "simulated", size: "\(settings.width)x\(settings.height)",
            format: settings.format.rawValue, rate: settings.rate, lagMode: settings.lagMode, buffers: settings.buffers,
            framesCompleted: ring.completed, framesDropped: ring.dropped, framesCopied: ring.copied, framesLent: ring.lentNow)
    }

    /// How often buffers were lent, and how often they came back.
    package var account: (lent: UInt64, returned: UInt64) {
        pool.state.withLock { ($0.ring.lentInAll, $0.ring.returnedInAll) }
    }
}
