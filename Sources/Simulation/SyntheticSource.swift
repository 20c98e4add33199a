// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A sensor that needs no hardware: draws a moving scene at a steady rate.
///
/// Frame k begins its exposure k intervals after the start, without drift, and completes a readout time after the
/// exposure's end. However busy the machine is, no exposure is missed: late frames are drawn as they would have been, but not
/// all at once: whoever was late as well finds the past still in the ring. A sensor would have lost them.
/// Frames for which no buffer is queued are gone, and so are those of a long absence (a stopped process).
package final class SyntheticSource: FrameSource, @unchecked Sendable {
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
        /// How pictures must be turned, EXIF's 1…8: this sensor cannot flip them itself.
        package var orientation: UInt8 = 1
        /// A Bayer picture with each frame.
        package var hasRaw = false
        package var buffers = 6
        /// What the timestamps say − when it was.
        package var skew = Duration.zero

        package init(width: Int = 1920, height: Int = 1080, rate: Double = 30) {
            self.width = width
            self.height = height
            self.rate = rate
        }
    }

    private struct Buffer {
        let memory: UnsafeMutableRawPointer
        let raw: UnsafeMutableRawPointer?
        var drawn: Scene.Drawn
    }

    /// An exposure that lasts as long as it is told to: from the beginning of a frame on.
    private struct Held {
        var first: UInt64
        var end: Timestamp?
    }

    private static let longestAbsence = Duration.seconds(2)
    /// Late frames come so many times as fast as frames do.
    private static let catchUp = 2

    package let layout: FrameLayout
    private let settings: Settings
    private let timing: FrameTiming
    private let scene: Scene
    private let bayer: BayerScene?
    private let light: SimulatedLight?
    private let isStalled = Locked(false)
    private var buffers: [Buffer] = []
    private var queued: [Int] = []
    private var started: Timestamp?
    private var index: UInt64 = 0
    /// When the next frame may be drawn at the earliest: see the pace of late ones.
    private var nextDraw: Timestamp?
    private var view: SceneView
    private var held: Held?
    /// Frames that would have been during such exposures.
    private var heldFrames: UInt64 = 0

    /// - Parameter light: a ring that stands in the scene.
    package init(_ settings: Settings, light: SimulatedLight? = nil) {
        precondition(settings.width >= 64 && settings.height >= 16 && settings.rate > 0, "the time code needs 64 columns")
        self.settings = settings
        self.light = light
        timing = FrameTiming(rate: settings.rate, exposure: settings.exposure)
        var layout = FrameLayout.packed(
            settings.format, width: settings.width, height: settings.height, alignment: settings.alignment, range: settings.range)
        layout.orientation = settings.orientation
        self.layout = layout
        scene = Scene(layout: layout)
        view = SceneView(width: layout.width, height: layout.height)
        bayer = settings.hasRaw ? BayerScene(width: settings.width, height: settings.height) : nil
    }

    deinit {
        for buffer in buffers {
            buffer.memory.deallocate()
            buffer.raw?.deallocate()
        }
    }

    /// Lets the sensor fall silent, as with a loose cable, or come back. From any thread.
    package func stall(_ isStalled: Bool) { self.isStalled.withLock { $0 = isStalled } }

    /// Allocates and paints all buffers, once. Small frames would cost no less: they are as large.
    package func open(_ size: FrameSize) throws(Fault) -> SourceFacts {
        while buffers.count < settings.buffers {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 4096)
            buffers.append(Buffer(memory: memory, raw: bayer?.makeBuffer(), drawn: scene.prepare(memory)))
        }
        var facts = SourceFacts(
            name: "simulated", layout: layout, buffers: settings.buffers, interval: timing.interval, raw: bayer?.layout,
            abilities: SceneView.abilities)
        facts.canExpose = true
        return facts
    }

    package func start() throws(Fault) {
        started = Clock.now
        nextDraw = nil
        index = 0
        heldFrames = 0
    }

    package func stop() {
        started = nil
        queued = []
        held = nil
    }

    /// The buffers stay for the next time, and for frames that are still lent.
    package func close() {}

    package var descriptor: Int32 { -1 }

    package var deadline: Timestamp? {
        guard let held, index >= held.first else { return started.map { max($0 + timing.complete(index), nextDraw ?? $0) } }
        return queued.isEmpty || isStalled.withLock({ $0 }) ? nil : held.end.map { $0 + timing.readout }
    }

    package func expose(_ isOpen: Bool) {
        guard let started else { return }
        let now = Clock.now
        if isOpen {
            var first = index
            while timing.begin(first) < now - started { first += 1 }
            held = Held(first: first)
        } else if let first = held?.first {
            held?.end = max(now, started + timing.end(first))
        }
    }

    package func next() throws(Fault) -> SourceFrame? {
        guard let started else { return nil }
        while true {
            if let held, index >= held.first { return nextHeld(held, since: started) }
            let now = Clock.now
            let elapsed: Duration = now - started
            if elapsed > timing.complete(index) + Self.longestAbsence { index = timing.firstComplete(after: elapsed) }
            guard elapsed >= timing.complete(index), nextDraw.map({ $0 <= now }) ?? true else { return nil }
            defer { index += 1 }
            guard !isStalled.withLock({ $0 }), !queued.isEmpty else { continue }
            nextDraw = now + timing.interval / Self.catchUp
            return draw(queued.removeFirst(), metadata(sensor: started + timing.end(index), exposure: timing.exposure))
        }
    }

    private func nextHeld(_ held: Held, since started: Timestamp) -> SourceFrame? {
        guard let end = held.end, end + timing.readout <= Clock.now, !queued.isEmpty, !isStalled.withLock({ $0 }) else { return nil }
        self.held = nil
        defer {
            // The next frame begins when this one has ended.
            let first = index
            while started + timing.begin(index) < end { index += 1 }
            heldFrames += max(index - first, 1) - 1
            index = max(index, first + 1)
        }
        var metadata = metadata(sensor: end, exposure: end - (started + timing.begin(held.first)))
        metadata.isHeld = true
        return draw(queued.removeFirst(), metadata)
    }

    /// The Bayer picture stays what the whole sensor sees.
    package func apply(_ controls: CameraControls) {
        view = SceneView(controls, width: layout.width, height: layout.height)
        scene.look(view)
    }

    package func queue(_ buffer: Int) { queued.append(buffer) }

    private func draw(_ buffer: Int, _ metadata: FrameMetadata) -> SourceFrame {
        var metadata = metadata
        // The picture is of what was, whatever its timestamp will say.
        let (centre, end) = (metadata.exposureCentre, metadata.sensorTimestamp)
        let ring = light?.mean(from: end - metadata.exposureTime, to: end) ?? 0
        scene.draw(buffers[buffer].memory, &buffers[buffer].drawn, exposureCentre: centre, sequence: index, ring: ring)
        if settings.skew != .zero {
            metadata.sensorTimestamp = end + settings.skew
            metadata.controls["SensorTimestamp"] = .integer(metadata.sensorTimestamp.nanoseconds)
        }
        var rawBytes: UnsafeRawBufferPointer?
        if let bayer, let raw = buffers[buffer].raw {
            bayer.draw(raw, exposureCentre: centre)
            rawBytes = UnsafeRawBufferPointer(start: raw, count: bayer.layout.byteCount)
        }
        return SourceFrame(
            buffer: buffer, metadata: metadata,
            bytes: UnsafeRawBufferPointer(start: buffers[buffer].memory, count: layout.byteCount), rawBytes: rawBytes)
    }

    private func metadata(sensor: Timestamp, exposure: Duration) -> FrameMetadata {
        let gain = 2.0
        return FrameMetadata(
            sequence: index - heldFrames, sensorTimestamp: sensor, exposureTime: exposure, analogueGain: gain, digitalGain: 1,
            colourTemperature: 5200, exposureValue: view.exposureBias, digitalZoom: view.zoom,
            controls: [
                "SensorTimestamp": .integer(sensor.nanoseconds),
                "SensorSequence": .integer(Int64(index - heldFrames)),
                "ExposureTime": .integer(exposure.microseconds),
                "FrameDuration": .integer(max(timing.interval, exposure).microseconds),
                "AnalogueGain": .number(gain),
                "DigitalGain": .number(1),
                "ColourGains": .list([.number(BayerScene.gains.red), .number(BayerScene.gains.blue)]),
                "ColourTemperature": .integer(5200),
                "ColourCorrectionMatrix": .list(BayerScene.correction.map(MetadataValue.number)),
                "SensorBlackLevels": .list(Array(repeating: .integer(Int64(BayerScene.black) << 6), count: 4)),
                "Lux": .number(400),
                "ScalerCrop": view.crop.value,
            ])
    }
}
