// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import ShutterCore

@Suite struct ShutterTableTests {
    /// Prints the whole behaviour, one pair a line.
    @Test func allPairs() {
        for situation in Situation.allCases {
            for event in ShutterEvent.allCases {
                let (action, next) = shutterRule(situation, event)
                print("\(situation.rawValue) | \(event.rawValue) | \(action) | \(next?.rawValue ?? "idle")")
            }
        }
    }

    /// What design promises, as properties of all rows.
    @Test func nothingIsEverWedged() {
        for situation in Situation.allCases where situation != .stopping {
            #expect(shutterRule(situation, .quitAsked).1 == .stopping, "SIGTERM stops from \(situation)")
        }
        for event in ShutterEvent.allCases {
            #expect(shutterRule(.stopping, event).1 == .stopping, "nothing revives a stopping daemon")
        }
        for situation in [Situation.recording, .holding] {
            for event in [ShutterEvent.sameModeAsked, .otherModeAsked, .photoAsked, .photoBlocked, .recordAsked] {
                #expect(shutterRule(situation, event).1 == situation, "\(event) does not end a clip")
            }
            #expect(shutterRule(situation, .otherModeAsked).0 == .refuse(.recording))
            for event in [ShutterEvent.cameraLost, .storageLow, .stopAsked] {
                guard case .stop = shutterRule(situation, event).0 else { Issue.record("\(event) closes the clip properly"); continue }
            }
        }
        for situation in [Situation.photoPressed, .photoBursting, .videoPressed, .holding, .exposing] {
            #expect(shutterRule(situation, .cancelled).1 != situation, "a cancelled press leaves \(situation)")
        }
    }

    /// Any order of events ends in an idle or recording state in which every accepted press has one end.
    @Test(arguments: 0..<50) func everyAcceptedPressEndsOnce(seed: Int) {
        var random = Seeded(state: UInt64(seed))
        var settings = ShutterMachine.Settings()
        settings.photo.hold = ShutterMachine.HoldBinding.allCases.randomElement(using: &random)!
        settings.photo.double = ShutterMachine.DoubleBinding.allCases.randomElement(using: &random)!
        settings.video.hold = Bool.random(using: &random) ? .record : .none
        settings.busy = ShutterMachine.Busy.allCases.randomElement(using: &random)!
        var button = Button.Settings(name: .shutter, role: .shutter)
        button.gestures.double = .milliseconds(300)
        button.gestures.maxHold = .seconds(3)
        var pipeline = Pipeline(.init(buttons: [button, Button.Settings(name: .mode, role: .mode)], shutter: settings), mode: .photo, at: us(0))
        var level = Level.inactive
        var open: Set<CaptureID> = []
        /// The clip that is being recorded.
        var clip: CaptureID?
        var now = us(0)

        func take(_ commands: [Command]) {
            for command in commands {
                switch command.kind {
                case let .reserve(id), let .exposureStart(id): open.insert(id)
                case let .discard(id): open.remove(id)
                case let .recordStart(id, _):
                    open.insert(id)
                    #expect(clip == nil, "one clip at a time")
                    clip = id
                case let .recordStop(id, _):
                    #expect(clip == id)
                    clip = nil
                default: break
                }
            }
        }
        func feed(_ input: Pipeline.Input) {
            take(pipeline.handle([(at: now, input: input)], readings: [.shutter: (level: level, at: now)], until: now))
        }
        feed(.event(.sensor(.init(canExpose: seed % 2 == 0))))
        feed(.event(.camera(nil)))
        feed(.event(.encoder(nil)))
        feed(.line(.shutter, .found(.inactive, at: now)))
        for _ in 0..<400 {
            let next = now + .milliseconds(Int64.random(in: 1...700, using: &random))
            while let due = pipeline.deadline, due < next {
                now = max(now, due)
                take(pipeline.handle(readings: [.shutter: (level: level, at: now)], until: now))
            }
            now = next
            switch Int.random(in: 0..<14, using: &random) {
            case 0...3:
                level = level.opposite
                feed(.line(.shutter, .edge(level, at: now, sequence: nil)))
            case 4: feed(.request(nil, .toggleMode))
            case 5: feed(.request(nil, .capture))
            case 6: feed(.request(nil, Bool.random(using: &random) ? .recordStart : .recordStop))
            case 7: feed(.event(.camera(Bool.random(using: &random) ? nil : Refusal("no-camera", ""))))
            case 8: feed(.event(.storage(Bool.random(using: &random) ? nil : Refusal("storage-low", ""))))
            case 10:
                let drive = Drive.Change(Drive.Mode.allCases.randomElement(using: &random)!, time: .seconds(Int64.random(in: 1...4, using: &random)), limit: .count(5))
                feed(.request(nil, .drive(drive)))
            case 9: feed(.request(nil, [.tap(.control), .press, .release].randomElement(using: &random)!))
            default:
                guard let id = open.sorted().randomElement(using: &random) else { continue }
                open.remove(id)
                feed(.event(.finished(id, isSaved: Bool.random(using: &random))))
                if clip == id { clip = nil }
            }
            let tally = pipeline.machine.tally
            #expect(tally.pending >= 0)
        }
        // All ends: everything that is open ends, the button is let go, and what a clip began is closed.
        feed(.request(nil, .quit))
        for id in open.sorted() { feed(.event(.finished(id, isSaved: true))) }
        #expect(pipeline.machine.tally.pending == 0)
        #expect(pipeline.machine.situation == .stopping)
        #expect(pipeline.deadline == nil || pipeline.machine.deadline == nil)
    }
}
