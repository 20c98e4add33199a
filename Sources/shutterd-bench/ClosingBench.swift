// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Media
import ShutterCore

/// From the request to stop until the clip is saved, after 5 s and after 2 h of clip. The frames come as fast as they are
/// encoded and written, with the stamps of a camera of 30 frames a second.
enum ClosingBench {
    private static let rate = 30
    private static let (short, long) = (5, 7200)

    static func run() -> Report {
        let store = Scratch()
        var closings: [Int: Samples] = [short: Samples(), long: Samples()]
        for seconds in [short, short, short, short, short, long, short, short, short, short, short, long, short, short, short, short, short] {
            if seconds == long { progress("closing: a clip of \(long / 3600) h") }
            closings[seconds]?.add(closing(seconds, in: store.path))
        }
        var report = Report("closing", "from the stop until the clip is saved; on the disk of \(store.path)")
        for seconds in [short, long] {
            let samples = closings[seconds] ?? Samples()
            report.add("after \(seconds) s, median of \(samples.count)", samples.median, "ms")
            report.add("    least", samples.least, "ms")
            report.add("    most", samples.most, "ms")
        }
        return report
    }

    private static func closing(_ seconds: Int, in folder: String) -> Duration {
        let store = MediaStore(StorageSettings(root: folder + "/media", state: folder, reserve: 0))
        store.refresh()
        let camera = FastCamera(rate: rate)
        guard let recorder = try? Recorder(
            ClipSettings(width: FastCamera.width, height: FastCamera.height, rate: rate, bitrate: 200_000, encoder: .software),
            feed: camera, sound: nil, store: store, choose: { () throws(Fault) in "libx264" })
        else { fail("the recorder does not start") }
        let id = CaptureID(1)
        // So that the end is now.
        let start = Clock.now - .seconds(Int64(seconds))
        var isStarted = false
        while !isStarted { for case .encoder in events(of: recorder) { isStarted = true } }
        recorder.start(ClipJob(id: id, press: start, accepted: start, mode: .video, trigger: .control))
        for frame in 0...seconds * rate {
            camera.show(frame, at: start + .seconds(1) * frame / rate)
            if frame % rate == 0 { _ = recorder.drain() }
        }
        // The rest of what was recorded is on the disk.
        Clock.sleep(until: Clock.now + .milliseconds(200))
        let stopped = Clock.now
        recorder.stop(id, at: start + .seconds(Int64(seconds)) - .milliseconds(1), reason: .request)
        while true {
            for case let .ended(_, outcome) in events(of: recorder) {
                let time = Clock.now - stopped
                guard case let .success(clip) = outcome, clip.frames >= seconds * rate - 1, clip.dropped == 0 else { fail("a clip went wrong: \(outcome)") }
                recorder.close(until: Clock.now + .seconds(5))
                for path in clip.paths { unlink(path) }
                return time
            }
        }
    }

    private static func events(of recorder: Recorder) -> [ClipEvent] {
        _ = Poller.wait([.init(recorder.descriptor)], until: earliest(Clock.now + .seconds(1), recorder.deadline))
        return recorder.drain()
    }
}

/// Shows grey frames when it is told to, and waits while enough of them are lent.
private final class FastCamera: FrameFeed, @unchecked Sendable {
    static let (width, height) = (64, 48)
    private static let most = 4

    private let layout = FrameLayout.packed(.yuv420, width: width, height: height)
    private let memory: [UnsafeMutableRawPointer]
    private let subscriber = Locked<(any FrameSubscriber)?>(nil)
    private let lent = Locked(0)

    init(rate: Int) {
        let count = layout.byteCount
        memory = (0..<rate).map { shade in
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
            memset(bytes, Int32(100 + shade), count)
            return bytes
        }
    }

    deinit { for bytes in memory { bytes.deallocate() } }

    func subscribe(_ subscriber: any FrameSubscriber, from instant: Timestamp?) { self.subscriber.withLock { $0 = subscriber } }
    func unsubscribe(_ subscriber: any FrameSubscriber) { self.subscriber.withLock { $0 = nil } }

    func show(_ number: Int, at instant: Timestamp) {
        lent.wait { $0 < Self.most ? () : nil }
        let metadata = FrameMetadata(sequence: UInt64(number), sensorTimestamp: instant, exposureTime: .zero)
        guard let subscriber = subscriber.withLock({ $0 }), subscriber.wants(metadata) else { return }
        lent.withLock { $0 += 1 }
        subscriber.take(Frame(
            layout: layout, metadata: metadata, bytes: UnsafeRawBufferPointer(start: memory[number % memory.count], count: layout.byteCount),
            giveBack: { [self] in lent.update { $0 -= 1 } }))
    }
}
