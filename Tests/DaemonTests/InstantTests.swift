// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore
import Testing

/// The photo is of the instant of the press: read back from every picture of 200 random presses.
@Suite("Instants", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct InstantTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var rate: Int64
        var frame = "nearest"
        var offset: Int64 = 0
        var presses = 200
        /// ms
        var debounce: Int64 = 5
        var testDescription: String { "\(presses) presses at \(rate) fps, \(frame), offset \(offset) ms, debounce \(debounce) ms" }
        /// One frame, rounded up.
        var interval: Int64 { (1_000_000_000 + rate - 1) / rate }
    }

    static let cases = [
        Case(rate: 10), Case(rate: 30), Case(rate: 56), Case(rate: 30, frame: "first-after", presses: 60),
        Case(rate: 30, offset: 30, presses: 60), Case(rate: 30, offset: -30, presses: 60),
        // Decided long after the ring of frames has gone round.
        Case(rate: 56, presses: 4, debounce: 1000),
    ]

    @Test(arguments: cases) func everyPhotoIsOfItsPress(_ one: Case) throws {
        var dice = Dice(UInt64(one.rate) &* 1000 &+ UInt64(bitPattern: one.offset))
        var wave = Wave()
        var presses: [Int64] = []
        var time: Int64 = 0
        for _ in 0..<one.presses {
            presses.append(time)
            wave.set(pressed: true, at: time)
            time += .random(in: 1_200_000...2_400_000, using: &dice) * one.debounce
            wave.set(pressed: false, at: time)
            time += .random(in: 3_000_000...15_000_000, using: &dice) * min(one.debounce, 100)
            if one.debounce > 100 { time += one.debounce * 1_000_000 }
        }
        let scratch = Scratch()
        let settings = TestDaemon.quick.replacing("5ms", with: "\(one.debounce)ms").replacing("debounce", with: "hold = \"5s\"\ndebounce") + """
            [camera]
            buffers = 64
            frame = "\(one.frame)"
            offset = "\(one.offset)ms"
            [simulation]
            rate = \(one.rate)
            """
        let daemon = try TestDaemon(settings, in: scratch, arguments: ["--input", wave.file(in: scratch), "--exit-at-end"])
        #expect(try daemon.child.exit() == 0, "\(daemon.child.errors)")

        let photos = try Photo.all(in: daemon.media)
        try #require(photos.count > one.presses / 2, "\(photos.count) photos; \(daemon.child.errors)")
        // A machine that is busy with other things may refuse a press, but never silently; the others are as they should be.
        if photos.count < one.presses {
            #expect(daemon.child.errors.contains("refused: ") || daemon.child.errors.contains("photo failed: "), "\(photos.count) photos")
        }
        let zero = try #require(Self.zero(of: photos.map(\.press), among: presses), "a photo of no press")
        for photo in photos {
            #expect(presses.contains(photo.press - zero), "\(photo)")
            #expect(photo.timeCode == photo.exposureCentre, "\(photo)")
            #expect(abs((photo.exposureCentre - photo.press) - photo.lag * 1000) < 1000, "\(photo)")
            if one.frame == "nearest" {
                #expect(abs(photo.exposureCentre - photo.press - one.offset * 1_000_000) <= one.interval / 2 + 1000, "\(photo)")
            } else {
                let wait = photo.exposureCentre - photo.exposure / 2 - photo.press
                #expect(0 <= wait && wait <= one.interval + 1000, "\(photo)")
            }
        }
    }

    /// The instant of the waveform's zero for which every photo is of one of its presses.
    private static func zero(of photos: [Int64], among presses: [Int64]) -> Int64? {
        let wanted = Set(presses)
        return presses.map { photos[0] - $0 }.first { zero in photos.allSatisfy { wanted.contains($0 - zero) } }
    }
}
