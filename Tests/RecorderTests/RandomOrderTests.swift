// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Media

private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

/// The core and the real recorder on a running camera, in any order of press, hold, mode, photo, record and stop.
@Suite("Any order", .serialized, .enabled(if: Bench.areProgramsThere, "ffmpeg is missing"))
struct RandomOrderTests {
    /// C14: no order leaves a file open, or a clip or press without an end.
    @Test(arguments: 0..<10) func nothingStaysOpen(seed: Int) throws {
        var dice = Dice(state: UInt64(seed) &* 77 &+ 1)
        var settings = ClipSettings(width: 128, height: 72, bitrate: 200_000, fragment: .milliseconds(200))
        if seed % 3 == 1 { settings.preroll = .milliseconds(300) }
        if seed % 3 == 2 { settings.longest = .milliseconds(400) }
        let bench = try Bench(settings, camera: .init(width: 128, height: 72, rate: 100))
        var button = Button.Settings(name: .shutter, role: .shutter)
        button.debounce.debounce = .milliseconds(2)
        button.gestures.hold = .milliseconds(40)
        var shutter = ShutterMachine.Settings()
        if seed % 2 == 1 { shutter.video.hold = .record }
        var pipeline = Pipeline(.init(buttons: [button], shutter: shutter), mode: .photo, at: Clock.now)
        var level = Level.inactive
        var isRolling = false
        var (started, ended): (Set<CaptureID>, Set<CaptureID>) = ([], [])
        var saved = 0

        func perform(_ commands: [Command]) {
            for command in commands {
                switch command.kind {
                case let .anticipateClip(instant): bench.recorder.anticipate(instant)
                case let .recordStart(id, trigger):
                    started.insert(id)
                    bench.recorder.start(ClipJob(id: id, press: command.instant, accepted: command.decided, mode: pipeline.machine.mode, trigger: trigger))
                case let .recordStop(id, reason): bench.recorder.stop(id, at: command.instant, reason: reason)
                // Photos are always saved here.
                case let .capture(id, _, _): perform(feed(.event(.finished(id, isSaved: true))))
                default: break
                }
            }
            let wants = pipeline.machine.mode == .video
            if wants != isRolling { bench.recorder.roll(wants) }
            isRolling = wants
        }
        func feed(_ input: Pipeline.Input) -> [Command] {
            let now = Clock.now
            return pipeline.handle([(at: now, input: input)], readings: [.shutter: (level: level, at: now)], until: now)
        }
        func turn(until end: Timestamp) {
            repeat {
                let now = Clock.now
                perform(pipeline.handle(readings: [.shutter: (level: level, at: now)], until: now))
                for event in bench.recorder.drain() {
                    switch event {
                    case let .progress(id, isSlow): perform(feed(.event(.clipProgress(id, isSlow: isSlow))))
                    case let .ended(id, outcome):
                        #expect(ended.insert(id).inserted, "one end")
                        var isSaved = false
                        if case let .success(clip) = outcome {
                            isSaved = true
                            saved += mp4s(clip).count
                        } else {
                            Issue.record("\(outcome)")
                        }
                        perform(feed(.event(.finished(id, isSaved: isSaved))))
                    case .encoder, .file, .restarted, .sound, .remuxed: break
                    }
                }
                _ = Poller.wait([.init(bench.recorder.descriptor)], until: earliest(end, pipeline.deadline, bench.recorder.deadline))
            } while Clock.now < end
        }

        perform(feed(.event(.camera(nil))))
        perform(feed(.event(.encoder(nil))))
        perform(feed(.line(.shutter, .found(.inactive, at: Clock.now))))
        turn(until: Clock.now + .milliseconds(10))
        for _ in 0..<40 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0...4:
                level = level.opposite
                perform(feed(.line(.shutter, .edge(level, at: Clock.now, sequence: nil))))
            case 5, 6: perform(feed(.request(nil, .toggleMode)))
            case 7: perform(feed(.request(nil, .capture)))
            case 8: perform(feed(.request(nil, .recordStart)))
            default: perform(feed(.request(nil, .recordStop)))
            }
            turn(until: Clock.now + .milliseconds(Int64.random(in: 0...80, using: &dice)))
            #expect(Situation.allCases.contains(pipeline.machine.situation))
        }
        perform(feed(.request(nil, .quit)))
        let limit = Clock.now + patience
        while ended != started, Clock.now < limit { turn(until: Clock.now + .milliseconds(20)) }
        bench.recorder.close(until: Clock.now + .seconds(5))
        #expect(ended == started && pipeline.machine.tally.pending == 0 && pipeline.machine.situation == .stopping)
        #expect(bench.openFiles.isEmpty)
        #expect(bench.names.count { $0.hasSuffix("MP4") } == saved && bench.names.allSatisfy { !$0.hasPrefix(".") })
        let status = bench.recorder.status
        #expect(status.state == "idle" && status.restarts == 0)
        // Every frame has gone back to the camera, once the last encoder has let go of it.
        while bench.camera.status.framesLent > 0, Clock.now < limit { Clock.sleep(until: Clock.now + .milliseconds(5)) }
        #expect(bench.camera.status.framesLent == 0)
        for path in bench.names where path.hasSuffix("MP4") { #expect(try !codes(bench.folder + "/media/DCIM/100SHUTR/" + path, width: 128).isEmpty) }
    }
}
