// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import Glibc
import LinuxIO
import ShutterCore
import Simulation
import TestSupport
import Testing

@testable import Media

/// Longer than anything takes on a busy machine; only a hang gets that far.
let patience = Duration.seconds(60)

struct Late: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

/// Runs a command of the shell; its output, and nil when it did not end with 0.
func shell(_ command: String) -> [UInt8]? {
    let path = "/tmp/shutterd-recorder-\(getpid())-\(Int.random(in: 0..<Int.max)).out"
    defer { unlink(path) }
    guard system("(\(command)) >\(path) 2>&1") == 0 else { return nil }
    return try? FileSystem.wholeFile(path, atMost: 1 << 30)
}

/// A recorder on a synthetic camera, all of it real but for what a test puts in its place.
final class Bench {
    private let scratch = TemporaryFolder()
    var folder: String { scratch.path }
    let source: SyntheticSource
    let camera: RingCamera
    let store: MediaStore
    let recorder: Recorder
    private(set) var events: [ClipEvent] = []
    private var next: UInt64 = 1

    static let areProgramsThere = shell("ffmpeg -version && ffprobe -version") != nil

    /// - Parameters:
    ///   - choose: nil: what there is.
    ///   - make: nil: libx264.
    init(
        _ settings: ClipSettings = ClipSettings(width: 320, height: 180, bitrate: 500_000), camera: SyntheticSource.Settings = .init(width: 320, height: 180, rate: 30),
        operations: FileOperations = .system, reserve: UInt64 = 0, sound: Microphone.Open? = nil,
        choose: (@Sendable () throws(Fault) -> String)? = nil, make: Take.MakeEncoder? = nil
    ) throws {
        let folder = scratch.path
        source = SyntheticSource(camera)
        self.camera = try RingCamera(source)
        store = MediaStore(StorageSettings(root: folder + "/media", state: folder, reserve: reserve), operations: operations)
        store.refresh()
        recorder = try Recorder(
            settings, feed: self.camera.feed, sound: sound, store: store, clock: .system, remuxPatience: .milliseconds(100), searchPause: .milliseconds(50),
            choose: { () throws(Fault) in
                if let choose { return try choose() }
                return try EncoderChoice.choose(settings, hardware: false)
            },
            make: { name, layout, start throws(Fault) in
                if let make { return try make(layout, start) }
                return try FFmpegEncoder(settings.format(name, layout), start: start, threads: 2)
            })
        self.camera.start()
        _ = try wait { if case .encoder = $0 { true } else { false } }
        let limit = Clock.now + patience
        while self.camera.status.framesCompleted < 3 {
            if Clock.now > limit { throw Late("the camera") }
            Clock.sleep(until: Clock.now + .milliseconds(5))
        }
    }

    deinit {
        recorder.close(until: Clock.now + .seconds(5))
        camera.stop()
    }

    /// Handles events until one passes.
    @discardableResult
    func wait(for isMeant: (ClipEvent) -> Bool) throws -> ClipEvent {
        let limit = Clock.now + patience
        while true {
            for event in recorder.drain() {
                events.append(event)
                if isMeant(event) { return event }
            }
            if Clock.now > limit { throw Late("an event; there were \(events)") }
            _ = Poller.wait([.init(recorder.descriptor)], until: earliest(limit, recorder.deadline))
        }
    }

    /// Handles events for a while.
    func run(for time: Duration) {
        let end = Clock.now + time
        while Clock.now < end {
            events += recorder.drain()
            _ = Poller.wait([.init(recorder.descriptor)], until: earliest(end, recorder.deadline))
        }
    }

    func start(at instant: Timestamp = Clock.now, mode: Mode = .video) -> CaptureID {
        let id = CaptureID(next)
        next += 1
        recorder.start(ClipJob(id: id, press: instant, accepted: Clock.now, mode: mode, trigger: .button))
        return id
    }

    func stop(_ id: CaptureID, reason: StopReason = .press) { recorder.stop(id, at: Clock.now, reason: reason) }

    func end(of id: CaptureID) throws -> Result<SavedClip, Fault> {
        let event = try wait { if case .ended(id, _) = $0 { true } else { false } }
        guard case let .ended(_, outcome) = event else { throw Late("an end") }
        return outcome
    }

    /// Names under DCIM/100SHUTR, hidden ones too, sorted.
    var names: [String] { ((try? FileSystem.names(in: folder + "/media/DCIM/100SHUTR")) ?? []).sorted() }

    /// What our own threads hold open below the folder.
    var openFiles: [String] {
        ((try? FileSystem.names(in: "/proc/self/fd")) ?? []).compactMap { FileSystem.linkTarget("/proc/self/fd/\($0)") }.filter { $0.hasPrefix(folder) }
    }
}

/// A clip's frames, decoded by ffmpeg: what the squares say, ns.
func codes(_ path: String, width: Int = 320) throws -> [Int64] {
    let side = TimeCode.side(width: width)
    let bytes = try #require(shell("ffmpeg -v error -i \(path) -vf format=gray,crop=\(width):\(side):0:0 -fps_mode passthrough -f rawvideo -pix_fmt gray -"), "\(path) cannot be decoded")
    let size = width * side
    return try (0..<bytes.count / size).map { frame in
        try #require(TimeCode.read(luma: Array(bytes[frame * size..<(frame + 1) * size]), width: width, height: side, stride: width), "frame \(frame)").nanoseconds
    }
}

/// The presentation times that the file says, ns.
func times(_ path: String, _ stream: String = "v:0") throws -> [Int64] {
    let text = String(decoding: try #require(shell("ffprobe -v error -select_streams \(stream) -show_entries packet=pts -of csv=p=0 \(path)")), as: UTF8.self)
    return text.split(separator: "\n").compactMap { Int64($0.prefix { $0.isNumber }) }.map { $0 * 100_000 / 9 }
}

func mp4s(_ clip: SavedClip) -> [String] { clip.paths.filter { $0.hasSuffix("MP4") } }
