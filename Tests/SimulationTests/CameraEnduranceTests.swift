// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import Glibc
import LinuxIO
import ShutterCore
import TestSupport
import Testing

/// The way from the plugin to the ring and back, many times; with the plugin of Tests/FakeCamera.
@Suite(.serialized) struct CameraEnduranceTests {
    static let plugin = FileSystem.folder(of: Environment.executable) + "/libshutter-camera-fake.so"
    static let isThere = access(plugin, F_OK) == 0

    private func source(_ faults: String) -> PluginSource {
        var settings = PluginSource.Settings(paths: [Self.plugin])
        settings.id = "fake,rate=1000," + faults
        (settings.width, settings.height, settings.buffers) = (640, 360, 6)
        return PluginSource(settings) { _, _ in }
    }

    /// Other suites run meanwhile, in this process: their share is far below what a leak of frames would be.
    private func expectFlat(_ before: ProcessFacts.Use, _ after: ProcessFacts.Use, rounds: Int) {
        #expect(after.descriptors - before.descriptors < rounds / 4, "\(before) → \(after)")
        #expect(after.resident - before.resident < rounds * 100, "\(before) → \(after): a frame has 345 KB")
    }

    /// What was built on the machine stands before what was installed, and may have become too old.
    @Test(.enabled(if: isThere)) func aPluginThatDoesNotFitLeavesItToTheNext() throws {
        let folder = TemporaryFolder()
        let none = folder.path + "/none.so", broken = folder.path + "/broken.so", other = folder.path + "/other.so"
        try AtomicFile.replace(broken, with: Array("no library".utf8))
        #expect(system("echo 'int x;' | cc -xc -shared -fPIC - -o \(other)") == 0)
        var settings = PluginSource.Settings(paths: [none, broken, other, Self.plugin])
        settings.id = "fake"
        (settings.width, settings.height) = (640, 360)
        let source = PluginSource(settings) { _, _ in }
        #expect(try source.open(.full).layout.width == 640)
        source.close()
        settings.paths.removeLast()
        do throws(Fault) {
            _ = try PluginSource(settings) { _, _ in }.open(.full)
            Issue.record("it opened no plugin")
        } catch { #expect(error.reason == "library-mismatch" && error.message.contains("other.so is no such plugin")) }
    }

    @Test(.enabled(if: isThere)) func fiveThousandModeChangesLeaveNothing() throws {
        let source = source("")
        _ = try source.open(.full)
        let before = ProcessFacts().use
        for _ in 0..<2500 {
            #expect(try source.open(.small).layout.width == 640)
            #expect(try source.open(.full).buffers == 6)
        }
        expectFlat(before, ProcessFacts().use, rounds: 2500)
        source.close()
    }

    @Test(.enabled(if: isThere)) func aThousandStartsAndStopsLeaveNothing() throws {
        let source = source("")
        let facts = try source.open(.full)
        let before = ProcessFacts().use
        for _ in 0..<1000 {
            try source.start()
            for buffer in 0..<facts.buffers { source.queue(buffer) }
            var polled = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, 5000)
            _ = try source.next()
            source.stop()
        }
        expectFlat(before, ProcessFacts().use, rounds: 1000)
        source.close()
    }

    /// C05: whoever keeps frames does not stop the sensor; all come back.
    @Test(.enabled(if: isThere)) func keptFramesDoNotStopTheSensor() throws {
        let camera = try RingCamera(source("rate=200"))
        camera.start()
        func events() -> [CameraEvent] {
            var polled = pollfd(fd: camera.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, 20_000)
            return camera.drain()
        }
        guard case .ready? = events().first else { Issue.record("not ready"); return }
        var kept: [Frame] = []
        var refused = 0
        for number in 0..<20 {
            camera.reserve(CaptureID(UInt64(number)), at: Clock.now)
            for event in events() {
                switch event {
                case .reserved(_, let frame): kept.append(frame)
                case .reservationFailed(_, let fault):
                    #expect(fault.reason == "no-buffers")
                    refused += 1
                case .ready, .lost, .hopeless, .locked: Issue.record("\(event)")
                }
            }
        }
        #expect(kept.count >= 4 && kept.count + refused == 20)
        let count = camera.status.framesCompleted
        let limit = Clock.now + .seconds(20)
        while camera.status.framesCompleted < count + 50, Clock.now < limit { Clock.sleep(until: Clock.now + .milliseconds(5)) }
        #expect(camera.status.framesCompleted >= count + 50, "frames go on")
        for frame in kept { #expect(frame.exposureCentre == frame.metadata.exposureCentre) }
        kept = []
        #expect(camera.status.framesLent == 0)
        camera.stop()
    }
}
