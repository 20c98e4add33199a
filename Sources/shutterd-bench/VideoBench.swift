// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Media
import ShutterCore

/// Processor time for a clip of 1080p30, against ffmpeg with the same encoder and settings and the same frames.
enum VideoBench {
    private static let (width, height, rate, seconds, bitrate) = (1920, 1080, 30, 8, 10_000_000)
    private static let rounds = 3

    static func run() -> Report {
        let scratch = Scratch()
        let scene = MovingScene(width: width, height: height, frames: rate)
        let raw = scratch.path + "/frames.yuv"
        scene.write(to: raw)
        var (ours, theirs, ratios) = (Samples(), Samples(), Samples())
        for round in 1...rounds {
            progress("video: \(seconds) s, round \(round) of \(rounds)")
            let mine = record(scene, in: scratch.path)
            guard let other = encode(raw, in: scratch.path) else {
                var report = Report("video", "ffmpeg is missing, or cannot encode with libx264")
                report.add("ours, of a core", mine / Double(seconds) * 100, "%")
                return report
            }
            ours.add(mine / Double(seconds) * 100)
            theirs.add(other / Double(seconds) * 100)
            ratios.add(mine / other)
        }
        var report = Report("video", "\(width)x\(height) at \(rate) fps, libx264 at \(bitrate / 1_000_000) Mbit/s for \(seconds) s, median of \(rounds) rounds")
        report.add("ffmpeg, of a core", theirs.median, "%")
        report.add("ours, of a core", ours.median, "%")
        report.add("    to ffmpeg", ratios.median, "times")
        report.notes.append("user and system time, from getrusage(2); ours with a sync each half second and sidecar, ffmpeg's with fragments of a second and no sync")
        return report
    }

    /// CPU seconds of this process while it records in real time.
    private static func record(_ scene: MovingScene, in folder: String) -> Double {
        let store = MediaStore(StorageSettings(root: folder + "/media", state: folder, reserve: 0))
        store.refresh()
        let settings = ClipSettings(width: width, height: height, rate: rate, bitrate: bitrate, encoder: .software)
        guard let recorder = try? Recorder(settings, feed: scene, sound: nil, store: store, choose: { () throws(Fault) in "libx264" }) else { fail("the recorder does not start") }
        defer { recorder.close(until: Clock.now + .seconds(5)) }
        func next(_ isMeant: (ClipEvent) -> Bool) -> ClipEvent {
            while true {
                _ = Poller.wait([.init(recorder.descriptor)], until: earliest(Clock.now + .seconds(1), recorder.deadline))
                for event in recorder.drain() where isMeant(event) { return event }
            }
        }
        _ = next { if case .encoder = $0 { true } else { false } }
        let before = used(RUSAGE_SELF)
        let start = Clock.now
        let id = CaptureID(1)
        recorder.start(ClipJob(id: id, press: start, accepted: start, mode: .video, trigger: .control))
        for frame in 0..<seconds * rate {
            let instant = start + .seconds(1) * frame / rate
            Clock.sleep(until: instant)
            scene.show(frame, at: instant)
            _ = recorder.drain()
        }
        recorder.stop(id, at: Clock.now, reason: .request)
        guard case let .ended(_, outcome) = next({ if case .ended = $0 { true } else { false } }) else { fail("no end of the clip") }
        let after = used(RUSAGE_SELF)
        guard case let .success(clip) = outcome else { fail("a clip went wrong: \(outcome)") }
        if clip.dropped > 0 { progress("video: \(clip.dropped) frames were dropped: the machine is too busy for this to be worth anything") }
        for path in clip.paths { unlink(path) }
        return after - before
    }

    /// CPU seconds of ffmpeg; nil when it fails.
    private static func encode(_ raw: String, in folder: String) -> Double? {
        let before = used(RUSAGE_CHILDREN)
        let output = folder + "/peer.mp4"
        let words = [
            "ffmpeg", "-v", "error", "-y", "-re", "-stream_loop", "\(seconds - 1)", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(width)x\(height)", "-r", "\(rate)",
            "-i", raw, "-c:v", "libx264", "-preset", "superfast", "-tune", "zerolatency", "-bf", "0", "-g", "\(rate)", "-sc_threshold", "0", "-b:v", "\(bitrate)", "-maxrate",
            "\(bitrate)", "-bufsize", "\(bitrate)", "-threads", "2", "-movflags", "frag_keyframe+empty_moov+default_base_moof", output,
        ]
        guard let code = Spawned(words)?.wait(), code == 0 else { return nil }
        return used(RUSAGE_CHILDREN) - before
    }

    /// User and system time so far, seconds.
    private static func used(_ who: __rusage_who) -> Double {
        // The C library names a type of its own for it.
        var usage = rusage()
        getrusage(__rusage_who_t(who.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}

/// A second of a scene that moves to the side, shown over and over.
private final class MovingScene: FrameFeed, @unchecked Sendable {
    private let layout: FrameLayout
    private let memory: UnsafeMutableRawBufferPointer
    private let frames: Int
    private let subscriber = Locked<(any FrameSubscriber)?>(nil)

    init(width: Int, height: Int, frames: Int) {
        layout = .packed(.yuv420, width: width, height: height)
        self.frames = frames
        memory = .allocate(byteCount: layout.byteCount * frames, alignment: 64)
        let scene = TestScene(layout)
        for frame in 0..<frames {
            for plane in layout.planes.indices {
                let bytes = layout.rowBytes(plane: plane)
                // Eight pixels a frame, and the same way in the planes of half width.
                let shift = frame * (plane == 0 ? 8 : 4)
                for row in 0..<layout.rows(plane: plane) {
                    let line = layout.planes[plane].offset + row * layout.planes[plane].stride
                    let target = memory.baseAddress! + frame * layout.byteCount + line
                    memcpy(target, scene.bytes.baseAddress! + line + shift, bytes - shift)
                    memcpy(target + bytes - shift, scene.bytes.baseAddress! + line, shift)
                }
            }
        }
    }

    deinit { memory.deallocate() }

    func subscribe(_ subscriber: any FrameSubscriber, from instant: Timestamp?) { self.subscriber.withLock { $0 = subscriber } }
    func unsubscribe(_ subscriber: any FrameSubscriber) { self.subscriber.withLock { $0 = nil } }

    func show(_ number: Int, at instant: Timestamp) {
        let metadata = FrameMetadata(sequence: UInt64(number), sensorTimestamp: instant, exposureTime: .zero)
        guard let subscriber = subscriber.withLock({ $0 }), subscriber.wants(metadata) else { return }
        let start = number % frames * layout.byteCount
        subscriber.take(Frame(layout: layout, metadata: metadata, bytes: UnsafeRawBufferPointer(rebasing: memory[start..<start + layout.byteCount]), giveBack: { [self] in _ = self }))
    }

    func write(to path: String) {
        do {
            let file = try Descriptor(open: path, O_WRONLY | O_CREAT | O_TRUNC)
            try file.writeAll(UnsafeRawBufferPointer(memory), subject: path)
        } catch {
            fail("\(error)")
        }
    }
}
