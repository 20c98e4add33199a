// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Sound
import TestSupport
import Testing

@testable import Media
@testable import Simulation

/// Sound cards of Tests/FakeSound, by alsa-lib's own configuration: "card", "plugged" (through alsa-lib's conversions) and
/// "null", the first two with any of its words, as in "card:RATE=44100,PPM=300".
enum Card {
    private static let library = FileSystem.folder(of: Environment.executable) + "/libshutter-sound-fake.so"
    private static let folder = TemporaryFolder()

    /// Tells alsa-lib, once: other threads may read the environment.
    static let isThere: Bool = {
        guard access(library, F_OK) == 0 else { return false }
        let usual = [("RATE", 48_000), ("CHANNELS", 2), ("PPM", 0), ("GONE_AFTER_MS", 0), ("STALL_AT_MS", 0), ("BUSY", 0)]
        let arguments = "@args [ \(usual.map(\.0).joined(separator: " ")) ]\n" + usual.map { "@args.\($0) { type integer default \($1) }\n" }.joined()
        let card = "type fake " + usual.map { "\($0.0.lowercased()) $\($0.0) " }.joined()
        let text = """
            pcm_type.fake { lib "\(library)" }
            pcm.card { \(arguments) \(card) }
            pcm.plugged { \(arguments) type plug slave.pcm { \(card) } }
            pcm.null { type null }

            """
        let path = folder.path + "/alsa.conf"
        guard (try? AtomicFile.replace(path, with: Array(text.utf8))) != nil else { return false }
        return setenv("ALSA_CONFIG_PATH", path, 1) == 0
    }()

    static func open(_ name: String) -> @Sendable () throws(Fault) -> any SoundDevice {
        { () throws(Fault) in try ALSADevice(name) }
    }
}

/// A clip with sound, decoded by ffmpeg.
struct Film: CustomStringConvertible {
    let path: String
    /// What the squares of the pictures say, ns.
    let codes: [Int64]
    /// Where beeps begin, seconds from the first picture on.
    let beeps: [Double]
    /// How far the beep is off that is off furthest, seconds.
    let furthest: Double
    /// Seconds.
    let length: Double
    let soundStart: Double
    /// Where it ends.
    let soundLength: Double
    /// 0…1
    let loudest: Double

    init(_ path: String) throws {
        self.path = path
        codes = try RecorderTests.codes(path)
        let times = try RecorderTests.times(path, "v:0")
        let code0 = try #require(codes.first)
        #expect(codes.count == times.count && zip(codes, times).allSatisfy { abs($0 - code0 - $1) < 12_000 }, "\(path)")
        length = Double(times.last ?? 0) / 1e9 + 1.0 / 30
        let packets = String(decoding: try #require(shell("ffprobe -v error -select_streams a:0 -show_entries packet=pts_time,duration_time -of csv=p=0 \(path)")), as: UTF8.self)
        let lines = packets.split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
        soundStart = lines.first?.first ?? 99
        soundLength = (lines.last ?? []).reduce(0, +)
        // Samples from the place of the first packet on.
        let bytes = try #require(shell("ffmpeg -v error -i \(path) -map a:0 -ac 1 -ar 48000 -f s16le -"), "\(path) cannot be decoded")
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        loudest = Double(samples.map { abs(Int($0)) }.max() ?? 0) / 32768
        var beeps: [Range<Int>] = []
        for (index, sample) in samples.enumerated() where abs(Int(sample)) > 3000 {
            if let last = beeps.last, index - last.upperBound < 9600 {
                beeps[beeps.count - 1] = last.lowerBound..<index
            } else {
                beeps.append(index..<index)
            }
        }
        // Whole ones: one may have begun before the file did, or before the card was heard.
        let start = soundStart
        self.beeps = beeps.filter { (2300...2500).contains($0.count) }.map { start + Double($0.lowerBound) / 48_000 }
        furthest = self.beeps.map { beep in
            let instant = Double(code0 % 1_000_000_000) / 1e9 + beep
            return abs(instant - instant.rounded())
        }.max() ?? 0
    }

    func sidecar() throws -> String { String(decoding: try FileSystem.wholeFile(path.dropLast(3) + "JSON"), as: UTF8.self) }

    var description: String {
        "\(codes.count) pictures, \(length) s; sound from \(soundStart) to \(soundLength) s; beeps at \(beeps), off by \(furthest) s at most"
    }
}
