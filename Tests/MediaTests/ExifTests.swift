// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Media

@Suite("EXIF")
struct ExifTests {
    /// 2026-11-29 02:25:41.375 UTC
    static let wall: Int64 = 1_795_919_141_375_000_000

    private func jpeg(
        _ settings: PhotoSettings = PhotoSettings(model: "Test camera"), wall: Int64 = wall, zone: Int = 0,
        metadata: FrameMetadata = TestFrame.metadata, width: Int = 648, height: Int = 486
    ) throws -> [UInt8] {
        let frame = TestFrame.make(.packed(.yuv420, width: width, height: height), metadata: metadata) { x, y in (x % 256, y % 256, 99) }
        let encoder = try JPEGEncoder()
        let thumbnail = try encoder.encode(frame, quality: 90, thumbnail: settings.thumbnail)
        let facts = ExifFacts(settings: settings, metadata: metadata, width: width, height: height, orientation: 6, time: ExifTime(wall: wall, zone: zone))
        let head = JPEGFile.head(exif: facts.segment(thumbnail: thumbnail))
        return head + encoder.withJPEG { Array($0[JPEGFile.pictureOffset(in: $0)...]) }
    }

    private func exiftool(_ jpeg: [UInt8], _ arguments: String...) throws -> String {
        let scratch = Scratch()
        try scratch.put(jpeg, at: "x.jpg")
        let path = scratch.root + "/x.jpg"
        let output =
            arguments.count == 1 ? try run("exiftool", arguments[0], path)
            : try run("exiftool", arguments[0], arguments[1], arguments[2], path)
        return try #require(output, "exiftool is in libimage-exiftool-perl")
    }

    @Test(arguments: [
        (648, 486, wall, Optional(PhotoSettings.Size(width: 320, height: 240))), (641, 481, wall, nil),
        (64, 48, 3_000_000_000, PhotoSettings.Size(width: 160, height: 120)), (1920, 1080, wall, PhotoSettings.Size(width: 320, height: 240)),
    ])
    func isValid(width: Int, height: Int, wall: Int64, thumbnail: PhotoSettings.Size?) throws {
        let settings = PhotoSettings(
            thumbnail: thumbnail, model: "Test camera", lens: PhotoSettings.Lens(fNumber: 1.8, focalLength: 4.74))
        let bytes = try jpeg(settings, wall: wall, width: width, height: height)
        let verdict = try exiftool(bytes, "-validate", "-warning", "-a")
        #expect(verdict.contains(": OK") && verdict.split(separator: "\n").count == 1, "\(verdict)")
        _ = try decode(bytes)
    }

    @Test func saysWhatTheCameraSaid() throws {
        let settings = PhotoSettings(
            make: "Raspberry Pi", model: "imx708 \u{e9}", software: "shutterd 1",
            lens: PhotoSettings.Lens(fNumber: 1.8, focalLength: 4.74))
        let text = try exiftool(try jpeg(settings, zone: 19_800), "-s", "-G1", "-n")
        let fields = Dictionary(
            text.split(separator: "\n").compactMap { line -> (String, String)? in
                guard let colon = line.firstRange(of: ": ") else { return nil }
                return (line[..<colon.lowerBound].split(separator: " ").joined(separator: " "), String(line[colon.upperBound...]))
            }, uniquingKeysWith: { first, _ in first })
        let wanted = [
            "[IFD0] Make": "Raspberry Pi", "[IFD0] Model": "imx708 ?", "[IFD0] Software": "shutterd 1",
            "[IFD0] ModifyDate": "2026:11:29 07:55:41", "[IFD0] Orientation": "6",
            "[ExifIFD] DateTimeOriginal": "2026:11:29 07:55:41", "[ExifIFD] CreateDate": "2026:11:29 07:55:41",
            "[ExifIFD] SubSecTime": "375", "[ExifIFD] SubSecTimeOriginal": "375", "[ExifIFD] SubSecTimeDigitized": "375",
            "[ExifIFD] OffsetTime": "+05:30", "[ExifIFD] OffsetTimeOriginal": "+05:30", "[ExifIFD] OffsetTimeDigitized": "+05:30",
            "[ExifIFD] ExposureTime": "0.01", "[ExifIFD] ISO": "300", "[ExifIFD] ExposureCompensation": "-0.5",
            "[ExifIFD] FNumber": "1.8", "[ExifIFD] FocalLength": "4.74", "[ExifIFD] DigitalZoomRatio": "2",
            "[ExifIFD] ColorSpace": "1", "[ExifIFD] ExifImageWidth": "648", "[ExifIFD] ExifImageHeight": "486",
            "[IFD1] Compression": "6",
        ]
        for (name, value) in wanted { #expect(fields[name] == value, "\(name)") }
        #expect(fields["[IFD1] ThumbnailLength"] != nil)
    }

    @Test func theModelIsTheCameraUnlessItIsSaid() throws {
        for (said, wanted) in [("", "imx477"), ("My camera", "My camera")] {
            let frame = TestFrame.make(.packed(.yuv420, width: 64, height: 48), camera: "imx477") { _, _ in (0, 0, 0) }
            let scratch = Scratch()
            let store = scratch.store()
            store.refresh()
            let pipeline = try PhotoPipeline(settings: PhotoSettings(model: said), store: store)
            pipeline.save(job(1, frame))
            _ = results(1, of: pipeline)
            #expect(try exiftool(try scratch.read("DCIM/100SHUTR/IMG_0001.JPG"), "-s3", "-n", "-Model").split(separator: "\n").last.map(String.init) == wanted)
        }
    }

    @Test(arguments: [
        (19_800, "+05:30", "2026:11:29 07:55:41"), (-12_600, "-03:30", "2026:11:28 22:55:41"), (0, "+00:00", "2026:11:29 02:25:41"),
        (-1800, "-00:30", "2026:11:29 01:55:41"), (50_400, "+14:00", "2026:11:29 16:25:41"),
    ])
    func localTimeAndOffset(zone: Int, offset: String, dateTime: String) {
        let time = ExifTime(wall: Self.wall, zone: zone)
        #expect(time.offset == offset && time.dateTime == dateTime && time.subSecond == "375")
    }

    @Test func theSystemsZoneIsTheDefault() throws {
        let time = ExifTime(wall: Self.wall)
        let told = try #require(try run("date", "-d", "@1795919141", "+%Y:%m:%d %H:%M:%S %:z"))
        #expect(told == time.dateTime + " " + time.offset + "\n")
    }

    @Test func aClockInThePastGivesADate() {
        #expect(ExifTime(wall: -5, zone: 0).dateTime == "1970:01:01 00:00:00")
        #expect(ExifTime(wall: .max, zone: 0).dateTime == "2262:04:11 23:47:16")
        #expect(ExifTime(wall: 1_000_000).subSecond == "001")
    }

    /// C07: a camera's wall clock that is off by a factor of 1000 makes no date of 1970 or of the far future.
    @Test(arguments: [
        (nil, ownTime), (wall, wall), (wall / 1000, ownTime), (wall / 1_000_000, ownTime), (Int64.max, ownTime), (-wall, ownTime),
        (0, ownTime), (1_577_836_800_000_000_000, 1_577_836_800_000_000_000), (1_577_836_799_000_000_000, ownTime),
        (4_102_444_800_000_000_000, ownTime),
    ] as [(Int64?, Int64)])
    func implausibleWallClocksAreNotBelieved(told: Int64?, wanted: Int64) {
        let clock = MediaClock(now: { Timestamp(nanoseconds: 12_000_000_000) }, wall: { Self.wall + 5_000_000_000 }, source: { .none })
        var metadata = TestFrame.metadata
        metadata.frameWallClock = told
        #expect(clock.wallTime(of: metadata) == wanted)
    }

    /// Exposed 10 s ± 5 ms after the clock's zero, asked at 12 s.
    static let ownTime = wall + 5_000_000_000 - 2_005_000_000

    @Test(arguments: [
        (wall, true, true, ClockSource.ntp), (wall, false, true, .rtc), (wall, false, false, .none), (3_000_000_000, true, true, .none),
    ])
    func clockSource(wall: Int64, isDisciplined: Bool, hasBattery: Bool, wanted: ClockSource) {
        #expect(ClockSource.judge(wall: wall, isDisciplined: isDisciplined, hasBattery: hasBattery) == wanted)
    }

    @Test func aThumbnailTooLargeForTheSegmentIsLeftOut() {
        let facts = ExifFacts(settings: PhotoSettings(), metadata: TestFrame.metadata, width: 64, height: 64, time: ExifTime(wall: Self.wall))
        let without = facts.segment(thumbnail: [])
        #expect(facts.segment(thumbnail: [UInt8](repeating: 1, count: 65_400)) == without)
        let with = facts.segment(thumbnail: [UInt8](repeating: 1, count: 60_000))
        #expect(with.count > 60_000 && with.count <= ExifFacts.largest)
    }
}
