// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Sound
import TestSupport
import Testing

@testable import Media

/// Clips with sound, from alsa-lib and the sound card of Tests/FakeSound: it hears a beep at every full second of the clock
/// that the pictures' squares tell, so flash and beep are one, and each beep of a clip shows how far they are apart in it.
@Suite("Sound", .serialized, .enabled(if: Bench.areProgramsThere && Card.isThere, "ffmpeg or the sound card of the tests is missing"))
struct SoundTests {
    private static let settings = ClipSettings(width: 320, height: 180, bitrate: 500_000)

    private func bench(_ card: String, _ settings: ClipSettings = settings, operations: FileOperations = .system, make: Take.MakeEncoder? = nil) throws -> Bench {
        try Bench(settings, operations: operations, sound: Card.open(card), make: make)
    }

    private func record(_ bench: Bench, for time: Duration) throws -> SavedClip {
        // As in video mode: the microphone is open before the press.
        bench.recorder.roll(true)
        bench.run(for: .milliseconds(500))
        let id = bench.start()
        bench.run(for: time)
        bench.stop(id)
        return try bench.end(of: id).get()
    }

    /// All kinds of devices, with clocks that are right and wrong.
    @Test(arguments: [
        "card", "card:RATE=44100,CHANNELS=1", "card:RATE=16000,CHANNELS=1", "card:PPM=300", "card:PPM=-300", "card:PPM=2000", "plugged",
        "plugged:PPM=-1000,RATE=44100,CHANNELS=1",
    ]) func pictureAndSoundAreInStep(card: String) throws {
        let bench = try bench(card)
        let clip = try record(bench, for: .seconds(8))
        let film = try Film(mp4s(clip)[0])
        #expect(film.beeps.count >= 7 && film.furthest < 0.010, "\(film)")
        #expect(abs(film.soundLength - film.length) < 0.03 && film.soundStart < 0.03, "\(film)")
        let sidecar = try film.sidecar()
        #expect(sidecar.contains("\"audio\" : \"aac\"") && sidecar.contains("\"audio_padded\" : 0,") && sidecar.contains("\"audio_overruns\" : 0,"), "\(sidecar)")
        #expect(bench.recorder.status.sound.state == .running)
        print("\(card): beeps are off by at most \(film.furthest * 1000) ms")
    }

    /// Sound from before the press, and each file with its own.
    @Test func prerollAndSplits() throws {
        var settings = Self.settings
        settings.preroll = .seconds(2)
        settings.longest = .seconds(3)
        let bench = try bench("card:PPM=200", settings)
        bench.recorder.roll(true)
        bench.run(for: .seconds(4))
        let id = bench.start()
        bench.run(for: .seconds(5))
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        let films = try mp4s(clip).map { try Film($0) }
        #expect(films.count == 3)
        for film in films {
            #expect(film.furthest < 0.010 && abs(film.soundLength - film.length) < 0.03, "\(film)")
            #expect(try film.sidecar().contains("\"audio_padded\" : 0,"))
        }
        // One at the very start of a file is not seen.
        #expect(films.reduce(0) { $0 + $1.beeps.count } >= 4)
        // In photo mode nobody listens.
        bench.recorder.roll(false)
        let limit = Clock.now + patience
        while bench.recorder.status.sound.state != .idle {
            if Clock.now > limit { throw Late("silence") }
            Clock.sleep(until: Clock.now + .milliseconds(5))
        }
    }

    /// A hold in photo mode: it listens from the press on.
    @Test func aHoldInPhotoMode() throws {
        let bench = try bench("card")
        let press = Clock.now
        bench.recorder.anticipate(press)
        bench.run(for: .milliseconds(500))
        let id = bench.start(at: press, mode: .photo)
        bench.recorder.anticipate(nil)
        bench.run(for: .seconds(3))
        bench.stop(id, reason: .release)
        let film = try Film(mp4s(try bench.end(of: id).get())[0])
        #expect(film.furthest < 0.010 && film.beeps.count >= 2 && abs(film.soundLength - film.length) < 0.03, "\(film)")
    }

    /// What is wrong is told once; the clip goes on, and its sound is where it belongs when it comes again.
    @Test(arguments: [("card:GONE_AFTER_MS=2500", "no-sound"), ("card:STALL_AT_MS=2500", "sound-overrun")]) func theCardFails(card: String, reason: String) throws {
        let bench = try bench(card)
        bench.recorder.roll(true)
        bench.run(for: .milliseconds(500))
        let id = bench.start()
        try bench.wait { if case let .sound(fault?) = $0 { fault.reason == reason } else { false } }
        try bench.wait { if case .sound(nil) = $0 { true } else { false } }
        bench.run(for: .milliseconds(1500))
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        let film = try Film(mp4s(clip)[0])
        #expect(film.furthest < 0.010 && film.beeps.count >= 2 && abs(film.soundLength - film.length) < 0.03, "\(film)")
        #expect(try !film.sidecar().contains("\"audio_padded\" : 0,"))
        #expect(clip.dropped == 0)
        // Once more for each time that it is pulled out.
        let told = bench.events.count { if case let .sound(fault?) = $0 { fault.reason == reason } else { false } }
        #expect(told <= 2, "\(bench.events)")
    }

    /// No such card, one that somebody else has, and one that has no clock: clips have silence, and say why.
    @Test(arguments: [("missing", "no-sound"), ("card:BUSY=1", "sound-busy"), ("null", "no-sound")]) func thereIsNoCard(card: String, reason: String) throws {
        let bench = try bench(card)
        let clip = try record(bench, for: .milliseconds(2500))
        let film = try Film(mp4s(clip)[0])
        #expect(film.beeps.isEmpty && film.loudest < 0.001 && film.codes.count > 60, "\(film)")
        #expect(abs(film.soundLength - film.length) < 0.03, "\(film)")
        let sidecar = try film.sidecar()
        #expect(sidecar.contains("audio_fault") && !sidecar.contains("\"audio_padded\" : 0,"), "\(sidecar)")
        let faults = bench.events.compactMap { if case let .sound(fault?) = $0 { fault } else { nil } }
        #expect(faults.map(\.reason) == [reason], "\(faults)")
        print("\(card): \(faults.first?.message ?? "")")
        #expect(bench.recorder.status.sound.state == .failed)
    }

    /// After a dead encoder the sound goes on in the next file; a slow disk does not put it out of step.
    @Test func aDeadEncoderAndASlowDisk() throws {
        var operations = FileOperations.system
        operations.syncData = { file, path throws(SystemError) in
            Clock.sleep(until: Clock.now + .milliseconds(700))
            try FileOperations.system.syncData(file, path)
        }
        let made = Locked(0)
        let bench = try bench("card:PPM=100", operations: operations, make: { layout, start throws(Fault) in
            let count = made.withLock { count in
                count += 1
                return count
            }
            let encoder = try FFmpegEncoder(Self.settings.format("libx264", layout), start: start, threads: 1)
            return count == 1 ? Dying(encoder) : encoder
        })
        let clip = try record(bench, for: .seconds(7))
        #expect(clip.restarts == 1 && mp4s(clip).count == 2)
        for path in mp4s(clip) {
            let film = try Film(path)
            #expect(film.furthest < 0.010 && film.beeps.count >= 1 && abs(film.soundLength - film.length) < 0.03, "\(film)")
        }
    }

    private final class Dying: VideoEncoder {
        private let inner: FFmpegEncoder
        private var left = 60
        init(_ inner: FFmpegEncoder) { self.inner = inner }
        var format: VideoFormat { inner.format }
        func encode(_ frame: Frame, isKey: Bool) throws(Fault) -> [Packet] {
            left -= 1
            if left < 0 { throw Fault("encode", "the encoder is broken") }
            return try inner.encode(frame, isKey: isKey)
        }
        func finish() throws(Fault) -> [Packet] { try inner.finish() }
    }

    /// What is left of a clip with both tracks, cut anywhere, is completed, and what is in it is right.
    @Test func whatIsLeftOfAFile() throws {
        let bench = try bench("card")
        let clip = try record(bench, for: .seconds(3))
        let whole = try FileSystem.wholeFile(mp4s(clip)[0], atMost: 1 << 30)
        let scratch = TemporaryFolder()
        let folder = scratch.path + "/media/DCIM/100SHUTR"
        for (number, part) in [0.45, 0.6, 0.77, 0.93, 0.999].enumerated() {
            let cut = Int(Double(whole.count) * part)
            try AtomicFile.makeFolders(folder)
            // With what a power cut leaves of blocks that were not written.
            try AtomicFile.replace(folder + "/.MOV_000\(number + 1).MP4.part", with: Array(whole[..<cut]) + [UInt8](repeating: 0, count: number % 2 == 0 ? 0 : 4096))
        }
        // All of it, but the end was never written.
        try AtomicFile.replace(folder + "/.MOV_0006.MP4.part", with: Array(whole[..<(whole.count - 300)]) + [UInt8](repeating: 0, count: 300))
        let store = MediaStore(StorageSettings(root: scratch.path + "/media", state: scratch.path, reserve: 0))
        store.refresh()
        #expect(store.recovered.count == 6 && store.status.leftovers.isEmpty, "\(store.status)")
        for path in store.recovered {
            let film = try Film(path)
            #expect(film.codes.count > 25 && film.furthest < 0.010 && film.length - film.soundLength < 0.15, "\(path): \(film)")
        }
    }

    /// Loud noise and utter silence are both found whole again.
    @Test func silenceIsNoDamage() throws {
        let bench = try bench("missing")
        let clip = try record(bench, for: .milliseconds(1800))
        let file = try Descriptor(open: mp4s(clip)[0], O_RDONLY)
        let size = try #require(try FileSystem.file(mp4s(clip)[0])).size
        #expect(try FragmentedMP4.wholeSize(file, subject: "clip") == size)
    }
}
