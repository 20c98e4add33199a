// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import LinuxIO
import ShutterCore
import Testing

@testable import Simulation

/// Keeps what it is lent, up to a limit.
private final class Follower: FrameSubscriber {
    struct State {
        var asked: [UInt64] = []
        var frames: [Frame] = []
        var codes: [Timestamp?] = []
        var missed: [UInt64] = []
    }

    let state = Locked(State())
    let keep: Int

    init(keep: Int) { self.keep = keep }

    func wants(_ metadata: FrameMetadata) -> Bool {
        state.withLock { $0.asked.append(metadata.sequence) }
        return true
    }

    func take(_ frame: Frame) {
        state.update { state in
            state.codes.append(frame.timeCode)
            state.frames.append(frame)
            if state.frames.count > keep { state.frames.removeFirst() }
        }
    }

    func miss(_ metadata: FrameMetadata) { state.update { $0.missed.append(metadata.sequence) } }

    /// Waits until so many frames were handed over or missed.
    func wait(for count: Int) -> State { state.wait { $0.codes.count + $0.missed.count >= count ? $0 : nil } }
}

@Suite(.serialized) struct FrameFeedTests {
    private func makeCamera(buffers: Int = 6) throws -> RingCamera {
        var settings = SyntheticSource.Settings(width: 128, height: 64, rate: 100)
        settings.buffers = buffers
        return try RingCamera(SyntheticSource(settings))
    }

    @Test func everyFrameIsLentOnce() throws {
        let camera = try makeCamera()
        let (one, other) = (Follower(keep: 1), Follower(keep: 0))
        camera.feed.subscribe(one, from: nil)
        camera.feed.subscribe(other, from: nil)
        camera.start()
        let state = one.wait(for: 40)
        _ = other.wait(for: 40)
        camera.feed.unsubscribe(one)
        camera.feed.unsubscribe(other)
        #expect(state.missed.isEmpty)
        #expect(state.asked == Array(state.asked[0]..<state.asked[0] + UInt64(state.asked.count)))
        let codes = state.codes.compactMap(\.self)
        #expect(codes.count == state.codes.count && zip(codes, codes.dropFirst()).allSatisfy { $0 < $1 })
        one.state.withLock { $0.frames = [] }
        other.state.withLock { $0.frames = [] }
        camera.stop()
        #expect(camera.status.framesLent == 0)
    }

    /// Whoever comes late gets what is still there, from the instant it asks for on, and nothing twice.
    @Test func theRingsFramesComeFirst() throws {
        let camera = try makeCamera(buffers: 12)
        camera.start()
        let first = Follower(keep: 0)
        camera.feed.subscribe(first, from: nil)
        let seen = first.wait(for: 20).codes.compactMap(\.self)
        let instant = seen[seen.count - 4]
        let late = Follower(keep: 0)
        camera.feed.subscribe(late, from: instant + .milliseconds(2))
        let state = late.wait(for: 20)
        camera.stop()
        let codes = state.codes.compactMap(\.self)
        #expect(codes.first == instant)
        #expect(state.missed.isEmpty)
        for (one, next) in zip(codes, codes.dropFirst()) { #expect(next - one == .milliseconds(10)) }
    }

    /// However much a subscriber keeps, the sensor always has a buffer, and what it keeps stays as it is.
    @Test func aGreedySubscriberDoesNotStallTheSensor() throws {
        let camera = try makeCamera()
        let greedy = Follower(keep: .max)
        camera.feed.subscribe(greedy, from: nil)
        camera.start()
        let state = greedy.wait(for: 60)
        let status = camera.status
        #expect(status.framesDropped == 0 && status.framesCopied > 0)
        #expect(!state.missed.isEmpty)
        #expect(state.frames.allSatisfy { $0.timeCode == $0.exposureCentre })
        camera.reserve(CaptureID(1), at: Clock.now)
        camera.feed.unsubscribe(greedy)
        greedy.state.withLock { $0.frames = [] }
        #expect(camera.status.framesLent == 0 || !camera.drain().isEmpty)
        camera.stop()
    }
}
