// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Media

@Suite("Photo pipeline")
struct PipelineTests {
    static let clock = MediaClock(
        now: { Timestamp(nanoseconds: 12_000_000_000) }, wall: { ExifTests.wall }, source: { .ntp })

    private func pipeline(_ scratch: Scratch, _ recorder: Recorder? = nil, sidecar: Bool = true, workers: Int = 1) throws -> PhotoPipeline {
        let store = scratch.store(recorder?.operations ?? .system)
        store.refresh()
        return try PhotoPipeline(settings: PhotoSettings(sidecar: sidecar, workers: workers), store: store, clock: Self.clock)
    }

    @Test func savesThePhotoAndItsSidecar() throws {
        let scratch = Scratch()
        let pipeline = try pipeline(scratch)
        pipeline.save(job(7, smallFrame()))
        let result = try #require(results(1, of: pipeline).first)
        let photo = try result.outcome.get()
        #expect(result.id == CaptureID(7))
        #expect(photo.paths == ["IMG_0001.JPG", "IMG_0001.JSON"].map { scratch.root + "/DCIM/100SHUTR/" + $0 })
        #expect(scratch.names() == ["IMG_0001.JPG", "IMG_0001.JSON"])
        #expect(photo.lag == .milliseconds(5) && photo.accepted == Timestamp(nanoseconds: 10_010_000_000))
        let image = try decode(try scratch.read("DCIM/100SHUTR/IMG_0001.JPG"))
        #expect(image.width == 64 && image.height == 48)
        pipeline.shutdown()
        #expect(pipeline.oldestJobSince == nil && pipeline.unfinished == 0)
    }

    @Test func sidecarHasTheCamerasNamesAndOurs() throws {
        let scratch = Scratch()
        let pipeline = try pipeline(scratch)
        pipeline.save(job(1, smallFrame()))
        _ = results(1, of: pipeline)
        let text = String(decoding: try scratch.read("DCIM/100SHUTR/IMG_0001.JSON"), as: UTF8.self)
        #expect(
            text == """
                {
                  "AeState" : 2,
                  "AnalogueGain" : 2,
                  "ColourGains" : [
                    1.5,
                    2.25
                  ],
                  "ColourTemperature" : 5000,
                  "DigitalGain" : 1.5,
                  "ExposureTime" : 10000,
                  "ExposureValue" : -0.5,
                  "Lux" : 400,
                  "SensorTimestamp" : 10000000000,
                  "shutter" : {
                    "accepted_ns" : 10010000000,
                    "clock" : "ntp",
                    "colour" : "rec601 full",
                    "encoded_ns" : 12000000000,
                    "exposure_centre_ns" : 9995000000,
                    "format" : "YUV420",
                    "lag_us" : 5000,
                    "mode" : "photo",
                    "press_ns" : 9990000000,
                    "quality" : 93,
                    "subsampling" : "4:2:0",
                    "synced_ns" : 12000000000,
                    "trigger" : "button"
                  }
                }

                """)
    }

    @Test func sidecarValuesThatJSONDoesNotKnowAreNull() throws {
        var metadata = TestFrame.metadata
        metadata.controls = ["Lux": .number(.nan), "shutter": .text("not ours"), "Model": .text("a/b \"c\""), "AeLocked": .boolean(true),
            "ScalerCrop": .list([.integer(0), .integer(-2), .integer(4608), .integer(2592)]),
            "ScalerCrops": .list([0, 0, 4056, 3040, 8, 2, 640, 480].map { .integer($0) })]
        let shutter = Sidecar.Shutter(
            press: 1, exposureCentre: 2, lag: -3, accepted: 4, encoded: 5, synced: 6, mode: "video", trigger: "control", clock: "none", format: "NV12")
        let text = String(decoding: Sidecar(metadata: metadata, shutter: shutter).serialised(), as: UTF8.self)
        for part in ["\"Lux\" : null", "\"lag_us\" : -3", "\"Model\" : \"a/b \\\"c\\\"\"", "\"AeLocked\" : true", "\"ScalerCrop\" : \"(0, -2)/4608x2592\"", "\"ScalerCrops\" : \"[ (0, 0)/4056x3040, (8, 2)/640x480 ]\""] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(!text.contains("not ours"))
    }

    /// The whole order of a save, with the frame given back before the card is touched.
    @Test func eachStepIsDoneBeforeTheNext() throws {
        let scratch = Scratch()
        let recorder = Recorder(root: scratch.root)
        let pipeline = try pipeline(scratch, recorder)
        // This thread's own hold on the frame ends with `save`.
        recorder.gate.withLock { _ in pipeline.save(job(1, smallFrame { recorder.note("frame given back") })) }
        _ = results(1, of: pipeline)
        let jpeg = ".IMG_0001.JPG.part"
        let json = ".IMG_0001.JSON.part"
        #expect(
            recorder.log == [
                "frame given back", "create \(jpeg)", "write \(jpeg)", "write \(jpeg)", "sync \(jpeg)", "replace counter",
                "publish IMG_0001.JPG", "syncFolder IMG_0001.JPG", "create \(json)", "write \(json)", "sync \(json)",
                "publish IMG_0001.JSON", "syncFolder \(json)",
            ])
    }

    /// What fails, the fault's reason, and what is left: never a part of a photo under a final name, no temporaries.
    @Test(arguments: [
        ("create .IMG_0001.JPG.part", EROFS, "read-only", []), ("write .IMG_0001.JPG.part", ENOSPC, "no-space", []),
        ("write .IMG_0001.JPG.part", EIO, "io", []), ("sync .IMG_0001.JPG.part", EIO, "io", []),
        ("sync .IMG_0001.JPG.part", ENOSPC, "no-space", []), ("publish IMG_0001.JPG", ENOSPC, "no-space", []),
        ("publish IMG_0001.JPG", EACCES, "not-writable", []), ("syncFolder IMG_0001.JPG", EIO, "io", ["IMG_0001.JPG"]),
    ] as [(String, Int32, String, [String])])
    func failuresLeaveNothingBehind(call: String, code: Int32, reason: String, left: [String]) throws {
        let scratch = Scratch()
        let recorder = Recorder(root: scratch.root, failures: [call: code])
        let pipeline = try pipeline(scratch, recorder)
        pipeline.save(job(1, smallFrame()))
        guard case .failure(let fault)? = results(1, of: pipeline).first?.outcome else {
            Issue.record("it did not fail")
            return
        }
        #expect(fault.reason == reason)
        #expect(fault.message.hasPrefix("IMG_0001.JPG was not saved: ") && fault.message.contains(scratch.root), "\(fault.message)")
        #expect(scratch.names() == left)
        // The next one is saved under the next number, without a restart.
        recorder.fail(call, with: nil)
        pipeline.save(job(2, smallFrame()))
        #expect(try results(1, of: pipeline).first?.outcome.get().paths.first?.hasSuffix("IMG_0002.JPG") == true)
    }

    @Test(arguments: ["create .IMG_0001.JSON.part", "write .IMG_0001.JSON.part", "publish IMG_0001.JSON"])
    func aPhotoIsSavedWithoutItsSidecar(call: String) throws {
        let scratch = Scratch()
        let recorder = Recorder(root: scratch.root, failures: [call: ENOSPC])
        let pipeline = try pipeline(scratch, recorder)
        pipeline.save(job(1, smallFrame()))
        let photo = try #require(results(1, of: pipeline).first).outcome.get()
        #expect(photo.paths == [scratch.root + "/DCIM/100SHUTR/IMG_0001.JPG"])
        #expect(scratch.names() == ["IMG_0001.JPG"])
        #expect(pipeline.store.warnings.contains { $0.contains("the sidecar of") })
    }

    @Test func numbersAreInTheOrderOfTheCalls() throws {
        let scratch = Scratch()
        let pipeline = try pipeline(scratch, sidecar: false, workers: 3)
        for number in 1...24 { pipeline.save(job(UInt64(number), smallFrame())) }
        for result in results(24, of: pipeline) {
            let digits = String(result.id.number + 10_000).dropFirst()
            #expect(try result.outcome.get().paths == [scratch.root + "/DCIM/100SHUTR/IMG_\(digits).JPG"])
        }
    }

    @Test func shutdownFinishesAllPhotos() throws {
        let scratch = Scratch()
        let released = Locked(0)
        let pipeline = try pipeline(scratch, workers: 2)
        for number in 1...10 { pipeline.save(job(UInt64(number), smallFrame { released.withLock { $0 += 1 } })) }
        pipeline.shutdown()
        #expect(pipeline.drain().count == 10 && scratch.names().count == 20 && released.withLock { $0 } == 10)
        pipeline.save(job(11, smallFrame()))
        guard case .failure(let fault)? = pipeline.drain().first?.outcome else {
            Issue.record("saved after the end")
            return
        }
        #expect(fault.reason == "stopping")
    }

    @Test func framesAreGivenBackAlsoWhenTheStorageIsNotThere() throws {
        let scratch = Scratch()
        try AtomicFile.replace(scratch.root, with: [1])
        let released = Locked(0)
        let pipeline = try pipeline(scratch)
        #expect(pipeline.status.fault?.reason == "not-a-folder")
        pipeline.save(job(1, smallFrame { released.withLock { $0 += 1 } }))
        guard case .failure(let fault)? = results(1, of: pipeline).first?.outcome else {
            Issue.record("saved nowhere")
            return
        }
        pipeline.shutdown()
        #expect(fault.reason == "not-a-folder" && released.withLock { $0 } == 1)
    }

    @Test func theOldestPhotoIsKnownUntilItIsDone() throws {
        let scratch = Scratch()
        let gate = Locked(false)
        let recorder = Recorder(root: scratch.root)
        var operations = recorder.operations
        operations.create = { path throws(SystemError) in
            _ = gate.wait { $0 ? true : nil }
            return try AtomicFile.create(path)
        }
        let store = scratch.store(operations)
        store.refresh()
        let pipeline = try PhotoPipeline(settings: PhotoSettings(workers: 1), store: store, clock: Self.clock)
        pipeline.save(job(1, smallFrame()))
        #expect(pipeline.oldestJobSince == Timestamp(nanoseconds: 12_000_000_000) && pipeline.unfinished == 1)
        gate.update { $0 = true }
        _ = results(1, of: pipeline)
        #expect(pipeline.oldestJobSince == nil && pipeline.unfinished == 0)
    }
}
