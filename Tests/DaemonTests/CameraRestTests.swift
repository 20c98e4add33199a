// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// What runs between presses, and lending the camera: a real daemon on the camera plugin of Tests/FakeCamera.
@Suite(.enabled(if: Programs.areThere && Programs.hasFakeCamera)) struct CameraRestTests {
    private func camera(_ daemon: TestDaemon) throws -> JSONValue { try #require(try daemon.ask("status")["camera"]) }

    private func wait(_ daemon: TestDaemon, until isMeant: (JSONValue) -> Bool) throws {
        let limit = Clock.now + patience
        while !isMeant(try camera(daemon)) {
            if Clock.now > limit { throw Late("the camera: \(try camera(daemon).line)") }
            Clock.sleep(until: Clock.now + .milliseconds(10))
        }
    }

    @Test(arguments: ["ready", "cold"]) func aCameraAtRestIsWokenByAPress(lag: String) throws {
        let scratch = Scratch()
        let daemon = try TestDaemon.ready(
            CameraFaultTests.settings("ae=5,report=\(scratch.path)/report", camera: "lag = \"\(lag)\""), in: scratch)
        try daemon.armed()
        #expect(try camera(daemon)["lag"]?.string == lag)
        #expect(try #require(try camera(daemon)["worst_lag_us"]?.int) > 1_500_000, "as long as none was measured, the bound")
        // Several at once: all of the first frame whose exposure is right, or of their own.
        for _ in 0..<3 { #expect(try daemon.ask("tap")["ok"] == true) }
        let photos = try Photo.all(in: daemon.media)
        #expect(photos.count == 3)
        #expect(photos[0].lag > 100_000, "of the fifth frame at the earliest")
        for photo in photos {
            #expect(photo.timeCode == photo.exposureCentre)
            #expect(photo.doubt == nil)
        }
        // It goes to rest again, and what was measured is told.
        try wait(daemon) { $0["frames"] == 0 }
        #expect(abs(try #require(try camera(daemon)["worst_lag_us"]?.int) - photos[0].lag) <= 1)
        #expect(try daemon.ask("tap")["ok"] == true, "and is woken again")
        #expect(try daemon.stop() == 0)
        let report = String(decoding: try FileSystem.wholeFile("\(scratch.path)/report"), as: UTF8.self)
        let counts = try #require(report.firstMatch(of: /out=(\d+) back=(\d+) live=(\d+)/))
        #expect(counts.1 == counts.2)
        #expect(counts.3 == "0")
    }

    @Test func aColdCameraThatDoesNotWakeFailsThePress() throws {
        let daemon = try TestDaemon.ready(CameraFaultTests.settings("silent-after=0", camera: "lag = \"cold\""))
        try daemon.armed()
        let answer = try daemon.ask("tap")
        #expect(answer["ok"] == false)
        #expect(answer["reason"] == "no-frames")
    }

    @Test(arguments: ["zero", "cold"]) func theCameraIsLentAndTakenBack(lag: String) throws {
        let scratch = Scratch()
        let daemon = try TestDaemon.ready(
            CameraFaultTests.settings("report=\(scratch.path)/report", camera: "lag = \"\(lag)\""), in: scratch)
        try daemon.armed()
        for round in 1...3 {
            #expect(try daemon.control(["camera", "release"]).exit() == 0)
            // What another program would need of it is free: the plugin has closed it.
            let report = String(decoding: try FileSystem.wholeFile("\(scratch.path)/report"), as: UTF8.self)
            #expect(report.split(separator: "\n").count == round)
            #expect(try camera(daemon)["reason"] == "lent")
            let refused = try daemon.control(["tap"])
            #expect(try refused.exit() == 69)
            #expect(refused.errors.contains("shutterctl camera take"))
            #expect(try daemon.control(["camera", "release"]).exit() == 0, "once is enough")
            #expect(try daemon.control(["camera", "take"]).exit() == 0)
            #expect(try daemon.ask("tap")["ok"] == true)
        }
        #expect(try daemon.stop() == 0)
    }

    /// Small frames come from a mode that sees less, and what it cropped must not stay.
    @Test func aPhotoSeesTheWholeViewAfterASmallerMode() throws {
        let settings = CameraFaultTests.settings("modes", camera: "lag = \"ready\"").replacing("640x360", with: "1280x720")
        let daemon = try TestDaemon.ready(settings)
        try daemon.armed()
        for _ in 1...3 {
            try wait(daemon) { $0["size"] == "640x360" && $0["mode"] == "1332x990, 10 bits" && $0["crop"] == "(700, 764)/2664x1498" }
            let path = try #require(try daemon.ask("tap")["path"]?.string)
            let sidecar = try JSONValue(parsing: String(decoding: try FileSystem.wholeFile(path.dropLast(3) + "JSON"), as: UTF8.self))
            // All of the width, and as much of the height as a picture of 16:9 has.
            #expect(sidecar["ScalerCrop"] == "(8, 384)/4056x2280", "\(sidecar["ScalerCrop"]?.line ?? "none")")
        }
        #expect(try daemon.stop() == 0)
    }

    @Test func aCameraThatSomebodyKeepsIsSaidSo() throws {
        let scratch = Scratch()
        let daemon = try TestDaemon.ready(CameraFaultTests.settings("busy-until=\(scratch.path)/free"), in: scratch)
        try wait(daemon) { $0["reason"] == "in-use" }
        #expect(try daemon.ask("camera", ["release"])["ok"] == true)
        let answer = try daemon.ask("camera", ["take"])
        #expect(answer["reason"] == "in-use")
        #expect(try daemon.control(["camera", "take"]).exit() == 69, "it is ours again, and not there all the same")
        try scratch.write("", to: "free")
        try daemon.armed()
    }

    /// A daemon whose shutter is half pressed for 1.3 s, and then all the way; it ends by itself.
    /// - Parameter again: pressed once more afterwards, without a half press.
    private func halfPressed(_ settings: String, again: Bool = false) throws -> TestDaemon {
        let scratch = Scratch()
        var wave = Wave(inputs: [.shutter, .focus])
        wave.set(.focus, pressed: true, at: 0)
        wave.toggle(us: [1_300_000, 1_400_000] + (again ? [2_700_000, 2_800_000] : []))
        wave.set(.focus, pressed: false, at: 1_400_000_000)
        return try TestDaemon.ready(
            settings + "\n[button.focus]\nline = \"terminal\"\n", in: scratch, arguments: ["--input", try wave.file(in: scratch), "--exit-at-end"])
    }

    /// Half pressed, it focuses, and stays so until it is let go of; a camera at rest is awake by then.
    @Test(arguments: ["zero", "cold"]) func aHalfPressFocuses(lag: String) throws {
        let daemon = try halfPressed(CameraFaultTests.settings("af=3", camera: "lag = \"\(lag)\""))
        #expect(try daemon.child.exit() == 0, "\(daemon.child.errors)")
        let photo = try #require(try Photo.all(in: daemon.media).first)
        let sidecar = try JSONValue(parsing: String(decoding: try FileSystem.wholeFile(photo.path.dropLast(3) + "JSON"), as: UTF8.self))
        #expect(sidecar["AfState"] == 2, "focused")
        #expect(abs(photo.lag) <= 50_000, "awake: \(photo.lag)")
    }

    /// A half press keeps exposure and white balance as they are, and the photo shows it; letting go makes them automatic again.
    @Test func aHalfPressLocks() throws {
        let daemon = try halfPressed(CameraFaultTests.settings("lock"), again: true)
        let watcher = try daemon.watcher()
        #expect(try daemon.child.exit() == 0, "\(daemon.child.errors)")
        let photos = try Photo.all(in: daemon.media)
        try #require(photos.count == 2)
        for (photo, isAutomatic) in zip(photos, [false, true]) {
            let sidecar = try JSONValue(parsing: String(decoding: try FileSystem.wholeFile(photo.path.dropLast(3) + "JSON"), as: UTF8.self))
            #expect(sidecar["AeEnable"] == .bool(isAutomatic) && sidecar["AwbEnable"] == .bool(isAutomatic))
        }
        try watcher.readToEnd()
        let states = watcher.events("lock").compactMap { $0["state"]?.string }
        #expect(states == ["began", "locked", "ended"])
    }

    /// Zoom and exposure bias, in libcamera's words, and what the camera has not, refused with the reason.
    @Test func theControlsReachTheCamera() throws {
        let settings = CameraFaultTests.settings("modes") + "\n[controls.zoom]\nmax = 20\n[controls.contrast]\ncamera = \"Contrast\"\n"
        let daemon = try TestDaemon.ready(settings)
        try daemon.armed()
        let controls = try daemon.ask("controls")["controls"]?.array ?? []
        let zoom = try #require(controls.first { $0["name"] == "zoom" })
        // No more than the camera can; what it has not is said.
        #expect((7.5...8.5).contains(zoom["max"]?.number ?? 0), "\(zoom.line)")
        #expect(controls.first { $0["name"] == "contrast" }?["message"]?.string?.contains("no control Contrast") == true)
        _ = try daemon.ask("set", ["zoom", "2"])
        _ = try daemon.ask("set", ["ev", "-1.5"])
        let limit = Clock.now + patience
        while true {
            let path = try #require(try daemon.ask("capture")["path"]?.string)
            let sidecar = try JSONValue(parsing: String(decoding: try FileSystem.wholeFile(path.dropLast(3) + "JSON"), as: UTF8.self))
            if sidecar["ScalerCrop"] == "(1366, 1138)/1332x748" {
                #expect(sidecar["ExposureValue"]?.number ?? -1.5 == -1.5)
                break
            }
            if Clock.now > limit { throw Late("the crop: \(sidecar["ScalerCrop"]?.line ?? "none")") }
        }
        #expect(try daemon.stop() == 0)
    }
}
