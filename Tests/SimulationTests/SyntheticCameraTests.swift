// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Simulation

/// Waits for events, at most 5 s.
private func next(_ camera: RingCamera) -> [CameraEvent] {
    var polled = pollfd(fd: camera.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, 5000)
    return camera.drain()
}

private func makeCamera(width: Int = 640, height: Int = 360, rate: Double, buffers: Int = 6) throws -> RingCamera {
    var settings = SyntheticSource.Settings(width: width, height: height, rate: rate)
    settings.buffers = buffers
    return try RingCamera(SyntheticSource(settings))
}

private func frames(_ events: [CameraEvent]) -> [(CaptureID, Frame)] {
    events.compactMap { if case .reserved(let id, let frame) = $0 { (id, frame) } else { nil } }
}

/// A sensor whose Bayer pictures no machine has the memory for.
private final class Vast: FrameSource {
    private let source = SyntheticSource(.init(width: 640, height: 360, rate: 30))

    func open(_ size: FrameSize) throws(Fault) -> SourceFacts {
        var facts = try source.open(size)
        facts.raw = BayerScene(width: 640, height: 360).layout
        facts.raw?.stride = 1 << 50
        return facts
    }
    func start() throws(Fault) { try source.start() }
    func stop() { source.stop() }
    func close() { source.close() }
    var descriptor: Int32 { source.descriptor }
    var deadline: Timestamp? { source.deadline }
    func next() throws(Fault) -> SourceFrame? { try source.next() }
    func queue(_ buffer: Int) { source.queue(buffer) }
}

@Suite(.serialized) struct SyntheticCameraTests {
    @Test(arguments: PixelFormat.allCases, [(640, 360), (1333, 751), (65, 41)])
    func theDrawnCodeIsTheMetadata(format: PixelFormat, size: (Int, Int)) throws {
        for range in [ColourRange.full, .limited] {
            let layout = FrameLayout.packed(format, width: size.0, height: size.1, alignment: 64, range: range)
            let scene = Scene(layout: layout)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 4096)
            defer { memory.deallocate() }
            var drawn = scene.prepare(memory)
            for code: Int64 in [0, .max, 1, 0x5555_5555_5555_5555, 123_456_789_012_345, 987_654_321_098_765] {
                scene.draw(memory, &drawn, exposureCentre: Timestamp(nanoseconds: code), sequence: UInt64(code) % 1000)
                let bytes = UnsafeRawBufferPointer(start: memory, count: layout.byteCount)
                #expect(TimeCode.read(bytes, layout) == Timestamp(nanoseconds: code))
            }
        }
    }

    @Test func aPictureWithoutACodeIsNotRead() {
        #expect(TimeCode.read(luma: Array(repeating: 128, count: 640 * 40), width: 640, height: 40, stride: 640) == nil)
        #expect(TimeCode.read(luma: [], width: 32, height: 0, stride: 32) == nil)
        #expect(TimeCode.read(luma: Array(repeating: 255, count: 640 * 40), width: 640, height: 40, stride: 640) == Timestamp(nanoseconds: -1))
    }

    /// What a buffer showed before leaves no trace.
    @Test func aRedrawnBufferIsAsAFreshOne() {
        let layout = FrameLayout.packed(.yuv420, width: 640, height: 360, alignment: 64)
        let scene = Scene(layout: layout)
        let (used, fresh) = (UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 64), UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 64))
        defer { used.deallocate(); fresh.deallocate() }
        var drawn = scene.prepare(used)
        for frame in 0..<100 {
            scene.draw(used, &drawn, exposureCentre: Timestamp(nanoseconds: Int64(frame) * 77_777_777), sequence: UInt64(frame * 3333))
        }
        var clean = scene.prepare(fresh)
        scene.draw(fresh, &clean, exposureCentre: Timestamp(nanoseconds: 99 * 77_777_777), sequence: 99 * 3333)
        #expect(memcmp(used, fresh, layout.byteCount) == 0)
    }

    @Test func pressesGetTheirFramesInRealTime() throws {
        let camera = try makeCamera(rate: 56, buffers: 8)
        camera.start()
        guard case .ready? = next(camera).first else { Issue.record("not ready"); return }
        for number in 0..<10 {
            let press = Clock.now
            camera.anticipate(press)
            Clock.sleep(until: press + .milliseconds(Int64(number) * 20))
            camera.reserve(CaptureID(UInt64(number)), at: press)
            camera.anticipate(nil)
            let photos = frames(next(camera))
            #expect(photos.count == 1)
            guard let (_, frame) = photos.first else { continue }
            #expect(frame.timeCode == frame.exposureCentre)
            let lag = abs((frame.exposureCentre - press).nanoseconds)
            #expect(lag <= 1_000_000_000 / 56 / 2 + 1)
            #expect(frame.metadata.controls["SensorTimestamp"] == .integer(frame.metadata.sensorTimestamp.nanoseconds))
        }
        #expect(camera.status.framesLent == 0 && camera.status.framesCopied == 0)
        camera.stop()
        #expect(camera.status.state == "idle")
    }

    @Test func heldFramesAreCopiedOutAndStayAsTheyAre() throws {
        let camera = try makeCamera(rate: 30)
        camera.start()
        _ = next(camera)
        var held: [Frame] = []
        for number in 0..<6 {
            camera.reserve(CaptureID(UInt64(number)), at: Clock.now)
            held += frames(next(camera)).map(\.1)
            // Far enough apart to be different frames.
            Clock.sleep(until: Clock.now + .milliseconds(70))
        }
        let before = camera.status
        #expect(held.count == 6 && before.framesLent == 2 && before.framesCopied == 4)
        Clock.sleep(until: Clock.now + .milliseconds(300))
        #expect(camera.status.framesCompleted > before.framesCompleted + 5)
        #expect(held.allSatisfy { $0.timeCode == $0.exposureCentre })
        held = []
        #expect(camera.status.framesLent == 0)
    }

    /// It ended the process.
    @Test func withoutMemoryForACopyAPhotoFails() throws {
        let camera = try RingCamera(Vast())
        camera.start()
        _ = next(camera)
        var held: [Frame] = []
        for number in 0..<3 {
            camera.reserve(CaptureID(UInt64(number)), at: Clock.now)
            let events = next(camera)
            if number < 2 { held += frames(events).map(\.1) } else if case .reservationFailed(_, let fault)? = events.first { #expect(fault.reason == "no-memory") } else { Issue.record("\(events)") }
            Clock.sleep(until: Clock.now + .milliseconds(70))
        }
        #expect(held.count == 2 && camera.status.framesLent == 2)
        held = []
        #expect(camera.status.framesLent == 0)
        camera.reserve(CaptureID(9), at: Clock.now)
        #expect(frames(next(camera)).count == 1)
    }

    @Test func aFrameOutlivesItsCamera() throws {
        var frame: Frame?
        do {
            let camera = try makeCamera(rate: 60)
            camera.start()
            _ = next(camera)
            camera.reserve(CaptureID(1), at: Clock.now)
            frame = frames(next(camera)).first?.1
        }
        #expect(frame != nil && frame?.timeCode == frame?.exposureCentre)
    }

    @Test func everyReservationIsAnsweredOnceUnlessReleased() throws {
        let camera = try makeCamera(rate: 60)
        camera.reserve(CaptureID(1), at: Clock.now)
        guard case .reservationFailed(CaptureID(1), let stopped)? = camera.drain().first else { Issue.record("no answer"); return }
        #expect(stopped.reason == "camera-stopped")
        for round in 0..<50 {
            camera.start()
            if round % 2 == 0 { _ = next(camera) }
            camera.reserve(CaptureID(2), at: Clock.now)
            camera.reserve(CaptureID(3), at: Clock.now)
            Clock.sleep(until: Clock.now + .milliseconds(Int64.random(in: 0...30)))
            camera.release(CaptureID(2))
            camera.stop()
            let answers = camera.drain().compactMap { event -> CaptureID? in
                switch event {
                case .reserved(let id, _), .reservationFailed(let id, _): id
                case .ready, .lost, .hopeless, .locked: nil
                }
            }
            #expect(answers == [CaptureID(3)])
        }
    }

    /// A machine that stood still had frames of the time in between drawn in one go, and the frame of a press pushed out before anyone could ask for it.
    @Test func lateFramesAllComeButNotAllAtOnce() throws {
        let source = SyntheticSource(.init(width: 640, height: 360, rate: 30))
        let facts = try source.open(.full)
        try source.start()
        for buffer in 0..<facts.buffers { source.queue(buffer) }
        Clock.sleep(until: Clock.now + .milliseconds(400))
        var sequences: [UInt64] = []
        let resumed = Clock.now
        while sequences.count < 8 {
            guard let frame = try source.next() else {
                Clock.sleep(until: try #require(source.deadline))
                continue
            }
            sequences.append(try #require(frame.metadata).sequence)
            source.queue(frame.buffer)
        }
        // Seven pauses between eight frames.
        #expect(Clock.now - resumed >= facts.interval / 2 * 7)
        let first = try #require(sequences.first)
        #expect(sequences == Array(first..<first + 8))
    }

    @Test func aSilentSensorFailsReservations() throws {
        let source = SyntheticSource(.init(width: 640, height: 360, rate: 30))
        let camera = try RingCamera(source)
        camera.start()
        _ = next(camera)
        source.stall(true)
        camera.reserve(CaptureID(1), at: Clock.now + .milliseconds(50))
        guard case .reservationFailed(_, let fault)? = next(camera).first else { Issue.record("no answer"); return }
        #expect(fault.reason == "no-frames")
        source.stall(false)
        camera.reserve(CaptureID(2), at: Clock.now)
        #expect(frames(next(camera)).count == 1)
    }
}
