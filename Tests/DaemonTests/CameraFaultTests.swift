// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// A real daemon on a camera plugin that goes wrong as it is told to (Tests/FakeCamera).
@Suite(.enabled(if: Programs.areThere && Programs.hasFakeCamera)) struct CameraFaultTests {
    /// - Parameters:
    ///   - faults: words of Tests/FakeCamera.
    ///   - camera: more lines of the table.
    static func settings(_ faults: String, camera: String = "") -> String {
        TestDaemon.quick + """

            [camera]
            source = "libcamera"
            plugin = "\(Programs.fakeCamera)"
            id = "fake,\(faults)"
            max_exposure = "1s"
            \(camera)

            """
    }

    private func cameraState(_ daemon: TestDaemon) throws -> JSONValue { try #require(try daemon.ask("status")["camera"]) }

    /// Waits until `status` tells so of the camera.
    private func wait(_ daemon: TestDaemon, until isMeant: (JSONValue) -> Bool) throws -> JSONValue {
        let limit = Clock.now + patience
        while true {
            let camera = try cameraState(daemon)
            if isMeant(camera) { return camera }
            if Clock.now > limit { throw Late("the camera: \(camera.line)") }
            Clock.sleep(until: Clock.now + .milliseconds(10))
        }
    }

    // MARK: A camera that is well

    @Test func aPressIsAPhotoOfItsInstant() throws {
        let scratch = Scratch()
        let daemon = try TestDaemon.ready(Self.settings("report=\(scratch.path)/report"), in: scratch)
        try daemon.armed()
        for _ in 0..<5 { #expect(try daemon.ask("tap")["ok"] == true) }
        #expect(try daemon.stop() == 0)
        let photos = try Photo.all(in: daemon.media)
        #expect(photos.count == 5)
        for photo in photos {
            #expect(photo.timeCode == photo.exposureCentre)
            #expect(abs(photo.lag) <= 16_667 || photo.lag > 0, "never the past by more than half a frame")
        }
        let report = String(decoding: try FileSystem.wholeFile("\(scratch.path)/report"), as: UTF8.self)
        let counts = try #require(report.firstMatch(of: /out=(\d+) back=(\d+) live=(\d+)/))
        #expect(counts.1 == counts.2, "buffers out and back")
        #expect(counts.3 == "0")
    }

    // MARK: No camera, and no permission

    @Test(arguments: [("absent-until", "no-camera"), ("busy-until", "in-use"), ("denied-until", "permission-denied")])
    func itComesWhenTheReasonIsGone(fault: String, reason: String) throws {
        let scratch = Scratch()
        let daemon = try TestDaemon.ready(Self.settings("\(fault)=\(scratch.path)/well"), in: scratch)
        let watcher = try daemon.watcher()
        let camera = try wait(daemon) { $0["reason"]?.string != nil }
        #expect(camera["reason"]?.string == reason)
        #expect(camera["state"] == .string(reason == "permission-denied" ? reason : "failed"))
        let refused = try daemon.ask("tap")
        #expect(refused["ok"] == false)
        #expect(refused["reason"]?.string == reason, "a press tells what is wrong")
        if reason == "in-use" { #expect(refused["message"]?.string?.contains("4711 (rpicam-still)") == true, "and who has it") }
        try scratch.write("", to: "well")
        try watcher.wait { $0["kind"] == "camera" && $0["state"] == "ready" }
        #expect(try daemon.ask("tap")["ok"] == true)
    }

    @Test func aPluginThatCannotBeLoadedLeavesTheRest() throws {
        let scratch = Scratch()
        let broken = try scratch.write("no library", to: "broken.so")
        let settings = Self.settings("").replacing(Programs.fakeCamera, with: broken)
        let daemon = try TestDaemon.ready(settings, in: scratch)
        let camera = try wait(daemon) { $0["reason"]?.string != nil }
        #expect(camera["reason"] == "library-mismatch")
        #expect(camera["message"]?.string?.contains("shutterd-build-camera") == true)
        #expect(try daemon.ask("tap")["reason"] == "library-mismatch")
        #expect(try daemon.ask("mode", ["video"])["mode"] == "video", "all else works")
        #expect(try daemon.stop() == 0)
    }

    /// After an upgrade: the plugin wants a libcamera that is there no more.
    @Test func aPluginOfAnotherLibcameraIsTold() throws {
        let scratch = Scratch()
        let made = Shell.succeeds("""
            cd \(scratch.path) && echo 'int there(void) { return 0; }' >old.c && cc -shared -fPIC -Wl,-soname,libcamera.so.0.99 old.c -o old.so &&
            echo 'int there(void); int shutter_camera_plugin(void) { return there(); }' >plugin.c && cc -shared -fPIC plugin.c ./old.so -o plugin.so && rm old.so
            """)
        try #require(made, "a C compiler is in g++")
        let daemon = try TestDaemon.ready(Self.settings("").replacing(Programs.fakeCamera, with: "\(scratch.path)/plugin.so"), in: scratch)
        let camera = try wait(daemon) { $0["reason"]?.string != nil }
        #expect(camera["reason"] == "library-mismatch")
        let message = try #require(camera["message"]?.string)
        #expect(message.contains("libcamera.so.0.99"), "the one that it was made for")
        #expect(message.contains(/installed: .*libcamera\.so\.0\.\d/), "and the one that is there")
        #expect(try daemon.ask("tap")["reason"] == "library-mismatch")
        #expect(try daemon.ask("mode", ["video"])["mode"] == "video")
    }

    @Test func aPluginThatIsNotThereIsTold() throws {
        let settings = Self.settings("").replacing(Programs.fakeCamera, with: "/nowhere/libshutter-camera.so")
        let daemon = try TestDaemon.ready(settings)
        let camera = try wait(daemon) { $0["reason"]?.string != nil }
        #expect(camera["reason"] == "no-plugin")
        #expect(camera["message"]?.string?.contains("/nowhere/libshutter-camera.so") == true)
    }

    // MARK: No frames

    @Test func aPressIsAnsweredWhenFramesStop() throws {
        let scratch = Scratch()
        let daemon = try TestDaemon.ready(
            Self.settings("silent-after=20,silent-until=\(scratch.path)/well,report=\(scratch.path)/report"), in: scratch)
        let watcher = try daemon.watcher()
        try daemon.armed()
        // From the 20th frame on nothing comes; the frames before are in the ring for a while.
        var answer: JSONValue = .null
        repeat { answer = try daemon.ask("tap") } while answer["ok"] == true
        #expect(answer["reason"] == "no-frames")
        try watcher.wait { $0["kind"] == "camera" && $0["reason"] == "no-frames" }
        try scratch.write("", to: "well")
        try watcher.wait { $0["kind"] == "camera" && $0["state"] == "ready" }
        #expect(try daemon.ask("tap")["ok"] == true)
        #expect(try daemon.ask("status")["presses"]?["pending"] == 0)
        #expect(try daemon.stop() == 0)
    }

    @Test func oneStopAndStartHelps() throws {
        let daemon = try TestDaemon.ready(Self.settings("silent-after=20,silent-starts=1"))
        let watcher = try daemon.watcher()
        try daemon.armed()
        var answer: JSONValue = .null
        repeat { answer = try daemon.ask("tap") } while answer["ok"] == true
        #expect(answer["reason"] == "no-frames")
        repeat { answer = try daemon.ask("tap") } while answer["ok"] == false
        #expect(try daemon.stop() == 0)
        try watcher.readToEnd()
        #expect(!watcher.events("camera").contains { $0["state"] == "lost" }, "the camera was not given up")
    }

    /// systemd is told by the exit code that a fresh process is wanted.
    @Test func whatNothingHelpsEndsTheProcess() throws {
        let daemon = try TestDaemon.ready(Self.settings("silent-after=0"))
        #expect(try daemon.child.exit(within: patience * 3) == 70)
        #expect(daemon.child.errors.contains("ends, to be started again"))
    }

    @Test func lateFramesAreStillTheRightOnes() throws {
        let daemon = try TestDaemon.ready(Self.settings("late=400"))
        try daemon.armed()
        for _ in 0..<3 { #expect(try daemon.ask("tap")["ok"] == true) }
        for photo in try Photo.all(in: daemon.media) {
            #expect(photo.timeCode == photo.exposureCentre)
            #expect(abs(photo.lag) <= 16_667)
        }
    }

    @Test func damagedFramesAreNoPhotos() throws {
        let daemon = try TestDaemon.ready(Self.settings("bad=3"))
        try daemon.armed()
        for _ in 0..<6 { #expect(try daemon.ask("tap")["ok"] == true) }
        #expect(try Photo.all(in: daemon.media).count == 6)
    }

    @Test func aCameraThatIsPulledOutIsTold() throws {
        let daemon = try TestDaemon.ready(Self.settings("gone-after=20"))
        let watcher = try daemon.watcher()
        let lost = try watcher.wait { $0["kind"] == "camera" && $0["state"] == "lost" }
        #expect(lost?["reason"] == "no-camera")
        try watcher.wait { $0["kind"] == "camera" && $0["state"] == "ready" }
    }

    // MARK: Memory

    /// Fewer buffers than wished for are better than no camera.
    @Test func scarceMemoryMakesASmallerRing() throws {
        let daemon = try TestDaemon.ready(Self.settings("enomem-over=4", camera: "buffers = 8"))
        try daemon.armed()
        #expect(try cameraState(daemon)["buffers"] == 4)
        #expect(try daemon.ask("tap")["ok"] == true)
        #expect(daemon.child.errors.contains("4 of 8"))
    }

    @Test func tooLittleMemoryIsTold() throws {
        let daemon = try TestDaemon.ready(Self.settings("enomem-over=2"))
        let camera = try wait(daemon) { $0["reason"]?.string != nil }
        #expect(camera["reason"] == "no-memory")
        #expect(camera["message"]?.string?.contains("[photo] size") == true)
        #expect(try daemon.ask("tap")["reason"] == "no-memory")
    }

    // MARK: Exposure

    @Test func controlsThatComeLateAreWaitedFor() throws {
        let daemon = try TestDaemon.ready(
            Self.settings("controls-delay=4", camera: "exposure = \"1/50s\"\ngain = 2"))
        try daemon.armed()
        #expect(try daemon.ask("tap")["ok"] == true)
        let photo = try #require(try Photo.all(in: daemon.media).first)
        #expect(photo.exposure == 20_000_000, "the first photo has what was asked for")
        #expect(photo.doubt == nil)
    }

    @Test func controlsThatNeverComeAreMarked() throws {
        let daemon = try TestDaemon.ready(Self.settings("controls-wrong", camera: "exposure = \"20ms\""))
        try daemon.armed()
        #expect(try daemon.ask("tap")["ok"] == true)
        #expect(try Photo.all(in: daemon.media).first?.doubt == "not-confirmed")
    }

    @Test(arguments: [("ae=12", nil), ("ae=never", "not-converged")] as [(String, String?)])
    func automaticExposureIsWaitedForNotForEver(fault: String, doubt: String?) throws {
        let daemon = try TestDaemon.ready(Self.settings(fault))
        try daemon.armed()
        #expect(try daemon.ask("tap")["ok"] == true)
        #expect(try Photo.all(in: daemon.media).first?.doubt == doubt)
    }

    /// The time-outs grow with the exposure: 3 s between frames are no fault.
    @Test func aLongExposureIsNoFault() throws {
        let settings = Self.settings("", camera: "exposure = \"3s\"").replacing("max_exposure = \"1s\"", with: "max_exposure = \"3s\"")
        let daemon = try TestDaemon.ready(settings)
        let watcher = try daemon.watcher()
        try daemon.armed()
        #expect(try daemon.ask("tap")["ok"] == true)
        let photo = try #require(try Photo.all(in: daemon.media).first)
        #expect(photo.exposure == 3_000_000_000)
        #expect(abs(photo.lag) <= 1_500_000)
        #expect(try daemon.stop() == 0)
        try watcher.readToEnd()
        #expect(!watcher.events("camera").contains { $0["state"] == "lost" })
    }

    @Test(arguments: ["1", "1000", "0.001"]) func aWallClockThatIsOffIsNotBelieved(factor: String) throws {
        let daemon = try TestDaemon.ready(Self.settings("wall=\(factor)"))
        try daemon.armed()
        let path = try #require(try daemon.ask("tap")["path"]?.string)
        let year = Clock.wallNanoseconds / 31_556_952_000_000_000 + 1970
        let exif = String(decoding: try FileSystem.wholeFile(path).prefix(4096), as: UTF8.self)
        #expect(exif.contains("\(year):"))
        #expect(!exif.contains("1970:"))
    }

    // MARK: Calls that hang

    @Test(arguments: ["next", "queue", "stop", "configure"]) func aCallThatHangsIsToldAndEndsTheProcess(call: String) throws {
        // Frames stop, so that stop() is called; all others hang in the middle.
        let faults = call == "stop" ? "hang=stop,silent-after=20" : "hang=\(call),hang-at=\(call == "configure" ? 1 : 60)"
        let daemon = try TestDaemon.ready(Self.settings(faults))
        if call != "configure" { try daemon.armed() }
        var answer: JSONValue = .null
        repeat { answer = try daemon.ask("tap") } while answer["ok"] == true
        #expect(answer["ok"] == false, "a press is answered all the same")
        #expect(try daemon.child.exit(within: patience * 3) == 70)
        #expect(daemon.child.errors.contains("has not come back from \(call == "configure" ? "open" : call)"))
    }

    @Test func aStopIsBoundedThoughTheCameraHangs() throws {
        let daemon = try TestDaemon.ready(Self.settings("hang=stop"))
        try daemon.armed()
        #expect(try daemon.ask("tap")["ok"] == true)
        #expect(try daemon.stop() == 0)
    }
}
