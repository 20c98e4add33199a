// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import TestSupport
import Testing

@testable import Media

@Suite("Raw pictures")
struct RawTests {
    /// Packs rows of samples as MIPI CSI-2 does, or as 16-bit words.
    private static func pack(_ rows: [[UInt16]], _ layout: RawLayout) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: layout.stride * rows.count)
        for (y, row) in rows.enumerated() {
            var line: [UInt8] = []
            if !layout.isPacked {
                for sample in row { line += layout.bits == 8 ? [UInt8(sample)] : [UInt8(sample & 255), UInt8(sample >> 8)] }
            } else {
                let low = layout.bits - 8
                let group = layout.bits == 12 ? 2 : 4
                for start in stride(from: 0, to: row.count, by: group) {
                    let samples = row[start..<start + group]
                    line += samples.map { UInt8($0 >> UInt16(low)) }
                    var rest: UInt32 = 0
                    for (index, sample) in samples.enumerated() { rest |= UInt32(sample & (1 << UInt16(low) - 1)) << UInt32(index * low) }
                    line += (0..<group * low / 8).map { UInt8(truncatingIfNeeded: rest >> UInt32(8 * $0)) }
                }
            }
            bytes.replaceSubrange(y * layout.stride..<y * layout.stride + line.count, with: line)
        }
        return bytes
    }

    @Test(arguments: [
        "SBGGR8", "SRGGB10", "SGBRG12", "SGRBG14", "SRGGB16", "SBGGR10_CSI2P", "SGRBG12_CSI2P", "SGBRG14_CSI2P",
    ]) func everySampleIsThere(format: String) throws {
        let (width, height) = (32, 70)
        let sparse = try #require(RawLayout(format: format, width: width, height: height, stride: 96))
        let limit = UInt32(1) << UInt32(sparse.bits)
        let rows = (0..<height).map { y in (0..<width).map { x in UInt16((UInt32(y * width + x) &* 2_654_435_761 >> 8) % limit) } }
        let bytes = Self.pack(rows, sparse)
        let scratch = Scratch()
        let path = scratch.root + "/x.dng"
        try AtomicFile.makeFolders(scratch.root)
        let facts = ExifFacts(
            settings: PhotoSettings(model: "Test camera"), metadata: TestFrame.metadata, width: width, height: height, orientation: 8,
            time: ExifTime(wall: ExifTests.wall, zone: 0))
        try bytes.withUnsafeBytes { buffer in
            try DNGWriter.write(RawPicture(layout: sparse, bytes: buffer), facts, to: try AtomicFile.create(path), subject: path)
        }
        let file = try FileSystem.wholeFile(path)
        // libtiff writes the strips one after the other behind its head of eight bytes.
        let samples = (0..<width * height).map { UInt16(file[8 + 2 * $0]) | UInt16(file[9 + 2 * $0]) << 8 }
        #expect(samples == rows.flatMap(\.self))
        let verdict = try #require(try run("exiftool", "-validate", path), "exiftool is in libimage-exiftool-perl")
        #expect(verdict.contains(": OK"), "\(verdict)")
        let pattern = try #require(try run("exiftool", "-s3", "-CFAPattern", path))
        let letters = ["R": "Red", "G": "Green", "B": "Blue"]
        let names = format.dropFirst().prefix(4).map { letters[String($0)] ?? "" }
        #expect(pattern == "[\(names[0]),\(names[1])][\(names[2]),\(names[3])]\n")
        let orientation = try run("exiftool", "-s3", "-n", "-Orientation", path)
        #expect(orientation == "8\n")
    }

    @Test(arguments: [
        ("BGGR_PISP_COMP1", 64), ("SBGGR10_IPU3", 64), ("YUV420", 64), ("SBGGR11", 64), ("S", 64), ("", 64), ("SBGGR10", 63), ("SXGGR10", 64),
    ]) func whatCannotBeWrittenIsNoLayout(format: String, stride: Int) {
        #expect(RawLayout(format: format, width: 32, height: 2, stride: stride) == nil)
    }

    @Test func coloursAreWhatTheMetadataSay() {
        var metadata = TestFrame.metadata
        metadata.controls = [
            "SensorBlackLevels": .list([.integer(4096), .integer(4160), .integer(4224), .integer(4288)]),
            "ColourGains": .list([.number(2), .number(1.6)]),
        ]
        let facts = RawFacts(metadata, bits: 10)
        #expect(facts.black == [64, 65, 66, 67])
        #expect(facts.white == 1023)
        #expect(facts.neutral == [0.5, 1, 0.625])
        // Without a correction, the camera's white-balanced colours are sRGB: a grey is a neutral.
        let white: [Float] = [0.9505, 1, 1.089]
        for row in 0..<3 {
            let seen = (0..<3).map { facts.matrix[row * 3 + $0] * white[$0] }.reduce(0, +)
            #expect(abs(seen - facts.neutral[row]) < 0.001)
        }
    }

    @Test func missingOrBadMetadataStillMakesARawPicture() {
        var metadata = TestFrame.metadata
        metadata.controls = ["ColourGains": .list([.number(0), .number(1)]), "ColourCorrectionMatrix": .list(Array(repeating: .number(0), count: 9))]
        let facts = RawFacts(metadata, bits: 12)
        #expect(facts.black == [256, 256, 256, 256])
        #expect(facts.neutral == [1, 1, 1])
        #expect(facts.matrix.filter { !$0.isFinite }.isEmpty)
    }

    // MARK: Files

    private static let layout = RawLayout(format: "SBGGR10", width: 64, height: 48, stride: 128)!

    private func frame() -> Frame {
        let memory = GuardedBytes(count: Self.layout.byteCount)
        let picture = TestFrame.make(.packed(.yuv420, width: 64, height: 48)) { x, y in (x * 2, y * 2, 128) }
        return picture.withBytes { bytes in
            Frame(
                layout: picture.layout, metadata: picture.metadata, bytes: bytes,
                raw: RawPicture(layout: Self.layout, bytes: UnsafeRawBufferPointer(memory.bytes))
            ) { _ = (memory, picture) }
        }
    }

    private func save(_ formats: Set<PhotoSettings.Format>, _ frame: Frame, _ recorder: Recorder, _ scratch: Scratch) throws -> (PhotoResult, MediaStore) {
        let store = scratch.store(recorder.operations)
        store.refresh()
        let pipeline = try PhotoPipeline(settings: PhotoSettings(formats: formats, workers: 1), store: store, clock: PipelineTests.clock)
        pipeline.save(job(1, frame))
        let result = try #require(results(1, of: pipeline).first)
        pipeline.shutdown()
        return (result, store)
    }

    @Test func theDNGStandsBesideItsJPEG() throws {
        let scratch = Scratch()
        let recorder = Recorder(root: scratch.root)
        let (result, _) = try save([.jpeg, .dng], frame(), recorder, scratch)
        let photo = try result.outcome.get()
        #expect(photo.paths.map { String($0.suffix(13)) } == ["/IMG_0001.JPG", "/IMG_0001.DNG", "IMG_0001.JSON"])
        #expect(scratch.names() == ["IMG_0001.DNG", "IMG_0001.JPG", "IMG_0001.JSON"])
        // Nothing gets its name before it was synced, and the JPEG is first.
        let order = recorder.log.filter { $0.hasPrefix("sync ") || $0.hasPrefix("publish ") }
        #expect(order == [
            "sync .IMG_0001.JPG.part", "publish IMG_0001.JPG", "sync .IMG_0001.DNG.part", "publish IMG_0001.DNG", "sync .IMG_0001.JSON.part",
            "publish IMG_0001.JSON",
        ])
    }

    @Test func aDNGAloneIsThePhoto() throws {
        let scratch = Scratch()
        let (result, _) = try save([.dng], frame(), Recorder(root: scratch.root), scratch)
        #expect(try result.outcome.get().paths.first?.hasSuffix("IMG_0001.DNG") == true)
        #expect(scratch.names() == ["IMG_0001.DNG", "IMG_0001.JSON"])
    }

    @Test func aCameraWithoutRawGivesAJPEG() throws {
        let scratch = Scratch()
        let (result, _) = try save([.dng], smallFrame(), Recorder(root: scratch.root), scratch)
        #expect(try result.outcome.get().paths.first?.hasSuffix("IMG_0001.JPG") == true)
    }

    @Test(arguments: ["create .IMG_0001.DNG.part", "sync .IMG_0001.DNG.part", "publish IMG_0001.DNG"])
    func aDNGThatFailsLeavesThePhoto(call: String) throws {
        let scratch = Scratch()
        let (result, store) = try save([.jpeg, .dng], frame(), Recorder(root: scratch.root, failures: [call: ENOSPC]), scratch)
        #expect(try result.outcome.get().paths.count == 2)
        #expect(scratch.names() == ["IMG_0001.JPG", "IMG_0001.JSON"], "and nothing half-written")
        #expect(store.warnings.contains { $0.contains("DNG of") })
    }

    @Test func aJPEGThatFailsLeavesNoDNG() throws {
        let scratch = Scratch()
        let (result, _) = try save([.jpeg, .dng], frame(), Recorder(root: scratch.root, failures: ["publish IMG_0001.JPG": EIO]), scratch)
        let failure = fault { try result.outcome.get() }
        #expect(failure != nil)
        #expect(scratch.names().isEmpty)
    }
}
