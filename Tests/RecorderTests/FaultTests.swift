// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Media
@testable import Simulation

/// An encoder that fails in some way after so many frames; libx264 until then.
private final class Failing: VideoEncoder {
    enum Way: String, CaseIterable { case hangs, bringsNothing, bringsEmptyPackets, throwsFault }

    private let inner: FFmpegEncoder
    private let way: Way
    private var left: Int
    private let release: Locked<Bool>

    init(_ inner: FFmpegEncoder, _ way: Way, after frames: Int, release: Locked<Bool>) {
        self.inner = inner
        self.way = way
        left = frames
        self.release = release
    }

    var format: VideoFormat { inner.format }

    func encode(_ frame: Frame, isKey: Bool) throws(Fault) -> [Packet] {
        left -= 1
        if left >= 0 { return try inner.encode(frame, isKey: isKey) }
        switch way {
        case .hangs:
            release.wait { $0 ? () : nil }
            return []
        case .bringsNothing: return []
        // What comes out of libavcodec with nothing in it never leaves FFmpegEncoder.
        case .bringsEmptyPackets: return []
        case .throwsFault: throw Fault("encode", "the encoder is broken")
        }
    }

    func finish() throws(Fault) -> [Packet] { try inner.finish() }
}

@Suite("Recorder faults", .serialized, .enabled(if: Bench.areProgramsThere, "ffmpeg is missing"))
struct FaultTests {
    private static let settings = ClipSettings(width: 320, height: 180, bitrate: 500_000)

    /// What was short when it was looked for the first time is there later.
    @Test func anEncoderIsLookedForAgain() throws {
        let tries = Locked(0)
        let bench = try Bench(choose: { () throws(Fault) in
            let count = tries.withLock { count in
                count += 1
                return count
            }
            if count < 3 { throw Fault("no-encoder", "try \(count)") }
            return "libx264"
        })
        #expect(bench.recorder.status.encoder == nil && bench.recorder.status.fault?.message == "try 1")
        try bench.wait { if case .encoder(.success) = $0 { true } else { false } }
        #expect(bench.recorder.status.encoder == "libx264" && bench.recorder.status.fault == nil)
        let id = bench.start()
        try bench.wait { if case .progress(id, _) = $0 { true } else { false } }
        bench.stop(id)
        #expect(try bench.end(of: id).get().frames > 0)
        // One that was found is not looked for again.
        bench.run(for: .milliseconds(500))
        #expect(tries.withLock { $0 } == 3)
    }

    /// Whether a stop is one is known a second later, with a long `debounce`: by then, later frames would long be on the card.
    @Test func framesThatAStopMayLeaveOutWait() throws {
        var settings = Self.settings
        settings.judgement = .seconds(1)
        let bench = try Bench(settings)
        let id = bench.start()
        bench.run(for: .milliseconds(2600))
        let released = Clock.now
        bench.run(for: .milliseconds(900))
        bench.recorder.stop(id, at: released, reason: .release)
        let clip = try bench.end(of: id).get()
        // What waits to be judged makes no card slow.
        #expect(!bench.events.contains { if case .progress(_, true) = $0 { true } else { false } })
        let last = try #require(try codes(clip.paths[0]).last)
        #expect(last <= released.nanoseconds && last > released.nanoseconds - 40_000_000, "\(released.nanoseconds - last)")
    }

    /// A sensor of 30 a second makes a clip of 25.
    @Test func aClipIsNoFasterThanItIsToBe() throws {
        let bench = try Bench(ClipSettings(width: 320, height: 180, rate: 25, bitrate: 500_000))
        let id = bench.start()
        bench.run(for: .seconds(3))
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        let instants = try codes(clip.paths[0])
        let steps = zip(instants.dropFirst(), instants).map { ($0 - $1 + 500_000) / 1_000_000 }
        #expect(steps.allSatisfy { $0 == 33 || $0 == 34 || $0 == 67 } && clip.dropped == 0, "\(steps)")
        let mean = Double(instants[instants.count - 1] - instants[0]) / Double(instants.count - 1) / 1_000_000
        #expect(abs(mean - 40) < 1.5, "\(mean) ms")
    }

    /// The matrix in the file's header says how to turn it, plain MP4 or not. What ffmpeg shows has it turned.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]) func playersTurnIt(orientation: UInt8) throws {
        let camera = SyntheticSource.Settings(width: 320, height: 180, rate: 30)
        var turned = camera
        turned.orientation = orientation
        var settings = Self.settings
        settings.isFaststart = orientation == 6
        let bench = try Bench(settings, camera: turned)
        let id = bench.start()
        bench.run(for: .milliseconds(700))
        bench.stop(id)
        let path = try bench.end(of: id).get().paths[0]
        if settings.isFaststart {
            bench.recorder.rest(true)
            try bench.wait { if case .remuxed(_, nil) = $0 { true } else { false } }
        }
        // As the camera saw it, and turned by EXIF's rule; the filters are those of ffmpeg's manual.
        let filters = ["null", "hflip", "hflip,vflip", "vflip", "transpose=0", "transpose=1", "transpose=3", "transpose=2"]
        func picture(_ options: String, _ filter: String) throws -> [UInt8] {
            try #require(shell("ffmpeg -v error \(options) -i \(path) -frames:v 1 -vf \(filter),format=gray -f rawvideo -"))
        }
        #expect(try picture("", "null") == picture("-noautorotate", filters[Int(orientation) - 1]))
    }

    /// C17: what was recorded is kept, and the clip goes on in a new file.
    @Test(arguments: Failing.Way.allCases.map(\.rawValue)) func anEncoderThatStopsIsReplaced(name: String) throws {
        let way = try #require(Failing.Way(rawValue: name))
        let made = Locked(0)
        let release = Locked(false)
        defer { release.update { $0 = true } }
        let bench = try Bench(make: { layout, start throws(Fault) in
            let inner = try FFmpegEncoder(Self.settings.format("libx264", layout), start: start, threads: 1)
            let count = made.withLock { count in
                count += 1
                return count
            }
            return count == 1 ? Failing(inner, way, after: 40, release: release) : inner
        })
        let id = bench.start()
        try bench.wait { if case .restarted(id, _) = $0 { true } else { false } }
        try bench.wait { if case .file(id, _) = $0 { true } else { false } }
        try bench.wait { if case .progress(id, false) = $0 { true } else { false } }
        bench.run(for: .milliseconds(1200))
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        let files = mp4s(clip)
        #expect(files.count == 2 && clip.restarts == 1 && bench.recorder.status.restarts == 1)
        let (first, second) = (try codes(files[0]), try codes(files[1]))
        #expect(first.count == 40, "\(clip)")
        let last = try #require(first.last)
        #expect(second.count > 20 && second[0] > last)
        // Nothing is in both, and the gap is the time that it took to notice.
        #expect(second[0] - last < (way == .throwsFault ? 1_000_000_000 : 4_500_000_000))
    }

    /// The first encoder may have to be read from a slow card: that is no silence, and the frames of that time are in the clip.
    @Test func anEncoderThatOpensSlowlyIsWaitedFor() throws {
        let bench = try Bench(make: { layout, start throws(Fault) in
            Clock.sleep(until: Clock.now + .seconds(4))
            return try FFmpegEncoder(Self.settings.format("libx264", layout), start: start, threads: 1)
        })
        let id = bench.start()
        bench.run(for: .milliseconds(600))
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        #expect(clip.restarts == 0 && clip.frames > 10, "\(clip)")
        #expect(try mp4s(clip).flatMap { try codes($0) }.count == clip.frames)
    }

    /// C04 during a clip: the camera is stopped and started, and its frames are counted from the start again.
    @Test func aCameraThatIsStartedAgainGoesOn() throws {
        let bench = try Bench()
        let id = bench.start()
        bench.run(for: .milliseconds(1500))
        bench.source.stall(true)
        // A restart comes after two seconds and three frames.
        bench.run(for: .seconds(3))
        bench.source.stall(false)
        bench.run(for: .milliseconds(1500))
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        let shown = try mp4s(clip).flatMap { try codes($0) }
        #expect(shown.count > 20 && shown == shown.sorted(), "\(clip)")
        let gap = zip(shown, shown.dropFirst()).map { $1 - $0 }.max() ?? 0
        #expect(gap > 2_000_000_000, "it never stalled: \(gap)")
    }

    /// What fails at the very end takes nothing with it that is on the disk.
    @Test func theLastFragmentIsAllThatItsFailureCosts() throws {
        var operations = FileOperations.system
        let isFull = Locked(false)
        operations.write = { file, bytes, path throws(SystemError) in
            if isFull.withLock({ $0 }), path.contains(".MP4") { throw SystemError("write", path, code: ENOSPC) }
            try FileOperations.system.write(file, bytes, path)
        }
        let bench = try Bench(ClipSettings(width: 320, height: 180, bitrate: 500_000, fragment: .seconds(1)), operations: operations)
        let id = bench.start()
        bench.run(for: .milliseconds(2600))
        isFull.withLock { $0 = true }
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        #expect(clip.fault?.reason == "no-space" && clip.frames >= 25, "\(clip)")
        #expect(try codes(mp4s(clip)[0]).count == clip.frames && !bench.names.contains { $0.hasPrefix(".") }, "\(bench.names)")
    }

    /// An encoder that never works ends the clip; what was asked for is answered.
    @Test func anEncoderThatNeverWorksIsGivenUp() throws {
        let bench = try Bench(make: { _, _ throws(Fault) in throw Fault("encode", "the encoder is broken") })
        let id = bench.start()
        let outcome = try bench.end(of: id)
        #expect(throws: Fault.self) { try outcome.get() }
        #expect(bench.names.isEmpty && bench.openFiles.isEmpty)
        let restarts = bench.events.count { if case .restarted = $0 { true } else { false } }
        #expect(restarts == 3)
    }

    /// Slower than the clip: told, frames are dropped evenly and counted, and timestamps stay true.
    @Test func aSlowDisk() throws {
        var operations = FileOperations.system
        let isSlow = Locked(true)
        operations.syncData = { file, path throws(SystemError) in
            if isSlow.withLock({ $0 }) { Clock.sleep(until: Clock.now + .milliseconds(2500)) }
            try FileOperations.system.syncData(file, path)
        }
        let bench = try Bench(operations: operations)
        let id = bench.start()
        try bench.wait { if case .progress(id, true) = $0 { true } else { false } }
        isSlow.withLock { $0 = false }
        try bench.wait { if case .progress(id, false) = $0 { true } else { false } }
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        let (codes, times) = (try codes(mp4s(clip)[0]), try times(mp4s(clip)[0]))
        #expect(clip.slowestWrite >= .milliseconds(2500))
        #expect(codes.count == times.count && zip(codes, times).allSatisfy { abs($0 - codes[0] - $1) < 12_000 })
        let missing = zip(codes, codes.dropFirst()).reduce(0) { $0 + Int((($1.1 - $1.0) + 16_666_667) / 33_333_333) - 1 }
        #expect(missing == clip.dropped)
    }

    /// An encoder that is slower than the sensor: evenly, so that the clip limps but does not stand still.
    @Test func aSlowEncoderDropsEvenly() throws {
        let bench = try Bench(camera: .init(width: 320, height: 180, rate: 60), make: { layout, start throws(Fault) in
            Slow(try FFmpegEncoder(Self.settings.format("libx264", layout), start: start, threads: 1))
        })
        let id = bench.start()
        bench.run(for: .seconds(6))
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        let (codes, times) = (try codes(mp4s(clip)[0]), try times(mp4s(clip)[0]))
        #expect(codes.count == times.count && zip(codes, times).allSatisfy { abs($0 - codes[0] - $1) < 12_000 })
        #expect(clip.dropped > 10)
        // Not in heaps: no gap is longer than a few frames at 30.
        let gaps = zip(codes, codes.dropFirst()).map { $1 - $0 }
        #expect((gaps.max() ?? 0) <= 6 * 33_400_000, "\(gaps.max() ?? 0)")
    }

    private final class Slow: VideoEncoder {
        let inner: FFmpegEncoder
        init(_ inner: FFmpegEncoder) { self.inner = inner }
        var format: VideoFormat { inner.format }
        func encode(_ frame: Frame, isKey: Bool) throws(Fault) -> [Packet] {
            Clock.sleep(until: Clock.now + .milliseconds(70))
            return try inner.encode(frame, isKey: isKey)
        }
        func finish() throws(Fault) -> [Packet] { try inner.finish() }
    }

    struct Step: Sendable, CustomTestStringConvertible {
        var operation: String
        var code: Int32
        /// Calls that still work.
        var after: Int
        /// Files under a final name afterwards.
        var isSaved: Bool
        var testDescription: String { "\(operation) fails with \(String(cString: strerror(code))) after \(after)" }
    }

    static let steps = [
        Step(operation: "create", code: ENOSPC, after: 0, isSaved: false), Step(operation: "create", code: EROFS, after: 0, isSaved: false),
        Step(operation: "write", code: ENOSPC, after: 0, isSaved: false), Step(operation: "write", code: ENOSPC, after: 3, isSaved: true),
        Step(operation: "write", code: EROFS, after: 3, isSaved: true), Step(operation: "write", code: EIO, after: 3, isSaved: true),
        Step(operation: "sync", code: ENOSPC, after: 3, isSaved: true), Step(operation: "sync", code: EIO, after: 1, isSaved: false),
        Step(operation: "publish", code: EROFS, after: 0, isSaved: false), Step(operation: "publish", code: ENOSPC, after: 0, isSaved: false),
    ]

    /// No file that is not whole ever has a final name; what is on the disk is kept, and the next start completes it.
    @Test(arguments: steps) func theDiskFails(step: Step) throws {
        let left = Locked(step.after)
        let isBroken = Locked(true)
        @Sendable func pass(_ operation: String, _ path: String) throws(SystemError) {
            // Sidecars go the same way, and are not counted.
            guard operation == step.operation, path.hasSuffix("MP4.part") || path.hasSuffix("MP4"), isBroken.withLock({ $0 }) else { return }
            let isLeft = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if !isLeft { throw SystemError(operation, path, code: step.code) }
        }
        let system = FileOperations.system
        var operations = system
        operations.create = { path throws(SystemError) in
            try pass("create", path)
            return try system.create(path)
        }
        operations.write = { file, bytes, path throws(SystemError) in
            try pass("write", path)
            try system.write(file, bytes, path)
        }
        operations.syncData = { file, path throws(SystemError) in
            try pass("sync", path)
            try system.syncData(file, path)
        }
        operations.publish = { from, to throws(SystemError) in
            try pass("publish", to)
            try system.publish(from, to)
        }
        let bench = try Bench(operations: operations)
        let id = bench.start()
        if step.operation == "publish" {
            bench.run(for: .milliseconds(1300))
            bench.stop(id)
        }
        // Otherwise it ends by itself.
        let outcome = try bench.end(of: id)
        let reason = ["No space left on device": "no-space", "Read-only file system": "read-only", "Input/output error": "io"][String(cString: strerror(step.code))]
        switch outcome {
        case let .success(clip):
            #expect(step.isSaved && clip.fault?.reason == reason && clip.ended == reason, "\(clip)")
            let frames = try codes(mp4s(clip)[0])
            #expect(frames.count == clip.frames && frames.count > 10)
        case let .failure(fault):
            #expect(!step.isSaved && fault.reason == reason, "\(fault)")
            #expect(bench.names.allSatisfy { $0.hasPrefix(".") })
        }
        #expect(bench.openFiles.isEmpty)
        // It works again when the disk does, without a restart of anything; and what was left is completed by the next start.
        isBroken.withLock { $0 = false }
        let again = bench.start()
        try bench.wait { if case .progress(again, _) = $0 { true } else { false } }
        bench.stop(again)
        #expect(try bench.end(of: again).get().frames > 0)
        let next = MediaStore(bench.store.settings)
        next.refresh()
        if step.operation == "publish" {
            let path = try #require(next.recovered.first)
            #expect(try codes(path).count > 20)
        }
        #expect(bench.names.allSatisfy { !$0.hasPrefix(".") })
    }

    /// The sensor falls silent: what came before is kept.
    @Test func aCameraThatStops() throws {
        let bench = try Bench()
        let id = bench.start()
        try bench.wait { if case .progress(id, _) = $0 { true } else { false } }
        bench.run(for: .milliseconds(800))
        bench.source.stall(true)
        bench.run(for: .milliseconds(300))
        bench.stop(id, reason: .cameraLost)
        let clip = try bench.end(of: id).get()
        #expect(clip.ended == "camera-lost")
        #expect(try codes(mp4s(clip)[0]).count == clip.frames)
        bench.source.stall(false)
        // A stop whose last frame never comes ends all the same.
        let other = bench.start()
        try bench.wait { if case .progress(other, _) = $0 { true } else { false } }
        bench.source.stall(true)
        bench.stop(other)
        #expect(try bench.end(of: other).get().ended == "press")
    }

    /// A clip has one frame at least, however soon it was stopped.
    @Test func theShortestClip() throws {
        let bench = try Bench()
        let id = bench.start()
        bench.stop(id)
        let clip = try bench.end(of: id).get()
        #expect(clip.frames >= 1 && clip.frames <= 2)
        #expect(try codes(mp4s(clip)[0]).count == clip.frames)
    }
}
