// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import ShutterCore

private let zoom = Control(.zoom, .slider(1...8, step: 0.1, zero: 1), .zoom(x: 0.5, y: 0.5), initial: 1)
private let ev = Control(.ev, .slider(-3...3, step: 0.5, zero: 0), .exposureBias, initial: 0)
private let look = Control(ControlName(rawValue: "look"), .picker(["auto", "warm", "cold"]), .camera("AwbMode"), initial: 0)

private func custom(_ name: String, _ range: ClosedRange<Double> = -10...10, step: Double = 1, zero: Double = 0, initial: Double = 0) -> Control {
    Control(ControlName(rawValue: name), .slider(range, step: step, zero: zero), .told, initial: initial)
}

@Suite struct ControlsModelTests {
    @Test func eightAtMostAndNoneTwice() throws {
        var model = ControlsModel(.init(controls: [zoom, ev, look]))
        #expect(model.refusal(adding: zoom)?.reason == "duplicate")
        var other = look
        other.name = ControlName(rawValue: "other")
        #expect(model.refusal(adding: other)?.message == "the controls look and other both set the camera's AwbMode")
        for number in 4...8 { try model.add(custom("c\(number)")) }
        #expect(model.refusal(adding: custom("c9"))?.reason == "too-many")
        model.remove(ControlName(rawValue: "c5"))
        #expect(model.refusal(adding: custom("c9")) == nil)
        #expect(model.entries.count == 7)
    }

    @Test(arguments: [
        (custom("x", 1...1), "empty range"), (custom("x", step: 0), "step"), (custom("x", step: 30), "step"),
        (custom("x", step: 0.0001), "10000 steps"), (custom("x", initial: 11), "default"), (custom("x", zero: 11), "default"),
        (Control(.zoom, .picker(["one"]), .told, initial: 0), "1 titles"), (Control(.zoom, .picker(["a", "a"]), .told, initial: 0), "twice"),
        (Control(.zoom, .picker(["a", "b"]), .told, initial: 2), "default"),
    ])
    func whatCannotBeIsRefusedWithTheReason(control: Control, words: String) {
        #expect(ControlsModel(.init()).refusal(adding: control)?.message.contains(words) == true)
    }

    @Test(arguments: [(2.04, 2.0), (2.06, 2.1), (0, 1), (99, 8), (1.3, 1.3)])
    func valuesAreSteppedAndClamped(asked: Double, got: Double) {
        var model = ControlsModel(.init(controls: [zoom]))
        #expect(model.set(.zoom, "\(asked)") == .success(.changed(.zoom, got)))
        #expect(model.cameraControls.zoom == got)
    }

    @Test func pickersTakeTitlesAndPositions() {
        var model = ControlsModel(.init(controls: [look]))
        #expect(model.set(look.name, "cold") == .success(.changed(look.name, 2)))
        #expect(model.set(look.name, "1") == .success(.changed(look.name, 1)))
        for bad in ["3", "1.5", "hot", "-1", "nan"] { #expect(throws: Refusal.self) { _ = try model.set(look.name, bad).get() } }
        #expect(model.cameraControls.others == ["AwbMode": 1])
        for bad in ["nan", "inf", "", "2x"] {
            var zoomed = ControlsModel(.init(controls: [zoom]))
            #expect(throws: Refusal.self) { _ = try zoomed.set(.zoom, bad).get() }
        }
    }

    @Test func theCameraSaysWhatItCanDo() {
        var model = ControlsModel(.init(controls: [zoom, ev, look, custom("told")]))
        _ = model.set(.zoom, "6")
        let told = model.adopt(["ScalerCrop": 1...4, "AwbMod": 0...7])
        #expect(told.first == .changed(.zoom, 4))
        #expect(model.entries.map { $0.refusal?.reason } == [nil, "unsupported", "unsupported", nil])
        #expect(model.entries[2].refusal?.message.contains("the nearest is AwbMod") == true)
        #expect(model.set(.zoom, "7") == .success(.changed(.zoom, 4)))
        #expect(throws: Refusal.self) { _ = try model.set(.ev, "1").get() }
        // Turns find what can be used; a camera that can more gives the rest back.
        _ = model.press(at: us(0))
        _ = model.press(at: us(1))
        #expect(model.current?.control.name.rawValue == "told")
        #expect(model.adopt(["ScalerCrop": 1...10, "ExposureValue": -8...8, "AwbMode": 0...7]).isEmpty)
        #expect(model.entries.allSatisfy { $0.refusal == nil })
    }

    @Test func onlyWhatIsToBeRememberedIs() {
        var kept = ev
        kept.isRemembered = true
        var model = ControlsModel(.init(controls: [zoom, kept]), remembered: [.zoom: 3, .ev: -1.1])
        #expect(model.value(of: .zoom) == 1 && model.value(of: .ev) == -1)
        _ = model.set(.ev, "2")
        #expect(model.remembered == [.ev: 2])
    }

    @Test func theLifeOfASession() {
        var model = ControlsModel(.init(controls: [zoom, ev]))
        #expect(model.deadline == nil && model.cue == nil)
        #expect(model.turn(1, at: us(0)) == [.session(.active, .zoom), .session(.fullView, .zoom), .changed(.zoom, 1.1)])
        #expect(model.cue == .value(0.1 / 7, zero: 0) || model.cue != nil)
        #expect(model.turn(2, factor: 4, at: us(500_000)) == [.changed(.zoom, 1.9)])
        #expect(model.deadline == us(1_500_000))
        #expect(model.advance(to: us(1_500_000)) == [.session(.leftFullView, .zoom)])
        #expect(model.press(at: us(2_000_000)) == [.selected(.ev)])
        #expect(model.cue == .value(0.5, zero: 0.5))
        #expect(model.turn(-1, at: us(3_000_000)) == [.session(.fullView, .ev), .changed(.ev, -0.5)])
        #expect(model.advance(to: us(4_000_000)) == [.session(.leftFullView, .ev)])
        #expect(model.advance(to: us(6_000_000)) == [.session(.inactive, .ev)])
        #expect(model.deadline == nil && model.cue == nil)
        // A light press opens it, and changes nothing.
        #expect(model.press(at: us(9_000_000)) == [.session(.active, .ev)])
        #expect(model.close() == [.session(.inactive, .ev)])
    }

    @Test func aHeldButtonRepeats() {
        var model = ControlsModel(.init(controls: [custom("x", -100...100)]))
        _ = model.hold(1, at: us(0))
        var now = us(0)
        while let due = model.deadline, due <= us(2_000_000) {
            now = due
            _ = model.advance(to: now)
        }
        // One at once, then from 0.5 s on every 0.1 s, and after ten of them four at a time.
        #expect(model.value(of: ControlName(rawValue: "x")) == 35)
        model.release()
        while let due = model.deadline { _ = model.advance(to: due) }
        #expect(model.value(of: ControlName(rawValue: "x")) == 35 && model.phase == .inactive)
    }

    /// At the end of the range nothing is repeated, however long the button is held.
    @Test func aHeldButtonEndsWithTheRange() {
        var model = ControlsModel(.init(controls: [custom("x", -3...3)]))
        _ = model.hold(1, at: us(0))
        var turns = 0
        while let due = model.deadline, turns < 100 {
            turns += 1
            _ = model.advance(to: due)
        }
        #expect(turns < 10 && model.value(of: ControlName(rawValue: "x")) == 3 && model.phase == .inactive)
    }

    @Test func withoutAControlATurnIsRefused() {
        var model = ControlsModel(.init())
        #expect(model.turn(1, at: us(0)).count == 1 && model.phase == .inactive)
        model = ControlsModel(.init(controls: [ev]))
        _ = model.adopt([:])
        guard case .refused(let refusal)? = model.press(at: us(0)).first else { return #expect(Bool(false)) }
        #expect(refusal.reason == "unsupported")
    }
}

@Suite struct KnobTests {
    private let names = (a: InputName(rawValue: "encoder_a"), b: InputName(rawValue: "encoder_b"), button: InputName(rawValue: "encoder_button"))

    private func run(_ events: [Replay.Event]) -> Replay.Outcome {
        let buttons = [
            Button.Settings(name: .shutter, role: .shutter), Button.Settings(name: .mode, role: .mode),
            Button.Settings(name: .focus, role: .focus), Button.Settings(name: names.button, role: .control),
        ]
        let knobs = Knobs.Settings(encoders: [.init(name: "encoder")], controls: .init(controls: [zoom, ev]))
        return Replay(
            Pipeline.Settings(buttons: buttons, shutter: .init(photo: .init(hold: .none)), knobs: knobs), mode: .photo,
            events: events.sorted { $0.at < $1.at }
        ).run()
    }

    private func press(_ name: InputName, _ from: Int64, _ to: Int64) -> [Replay.Event] {
        [Replay.Event(at: us(from), .edge(name, .active, sequence: nil)), Replay.Event(at: us(to), .edge(name, .inactive, sequence: nil))]
    }

    /// One detent clockwise.
    private func detent(_ start: Int64) -> [Replay.Event] {
        [(names.a, Level.active), (names.b, .active), (names.a, .inactive), (names.b, .inactive)].enumerated().map { index, edge in
            Replay.Event(at: us(start + Int64(index) * 10_000), .edge(edge.0, edge.1, sequence: nil))
        }
    }

    /// The kernel lost the first edge, and the level is read again at the next one: it is what that edge led to.
    @Test func aLostEdgeTurnsNothingBack() {
        var events = detent(0) + detent(40_000)
        events[0].kind = .level(names.a, .active)
        for (index, number) in zip(1..., [1, 2, 2, 3, 3, 4, 4] as [UInt32]) {
            if case let .edge(name, level, _) = events[index].kind { events[index].kind = .edge(name, level, sequence: number) }
        }
        let turns = run(events).trace.filter { $0.hasPrefix("turn") }.map { $0.prefix { $0 != "@" } }
        #expect(turns.count >= 1 && turns.allSatisfy { $0 == "turn(1)" }, "\(turns)")
    }

    @Test func aTurnAPressAndAPhotoInBetween() {
        let outcome = run(detent(0) + press(names.button, 300_000, 400_000) + press(.shutter, 600_000, 700_000))
        #expect(outcome.trace == [
            "turn(1)@30000/30000", "controls(active zoom)@30000/30000", "controls(full-view zoom)@30000/30000", "zoom=1.1@30000/30000",
            "press@300000/320000", "selected(ev)@320000/320000", "release@400000/420000",
            "press@600000/620000", "capture@600000/620000", "release@700000/720000", "tap@600000/720000",
            "controls(left-full-view ev)@1030000/1030000", "controls(inactive ev)@3320000/3320000",
        ])
        #expect(outcome.cues == [.value(0.1 / 7, zero: 0), .value(0.5, zero: 0.5), .captured, .idle(.photo)] || outcome.cues.last == .idle(.photo))
        #expect(outcome.cues.contains(.value(0.5, zero: 0.5)) && outcome.cues.contains(.captured))
    }

    @Test func aHalfPressLocksAndTheFullPressShoots() {
        let outcome = run(press(.focus, 0, 900_000) + press(.shutter, 300_000, 400_000))
        #expect(outcome.trace == [
            "press@0/20000", "lock(began)@0/20000", "lock(locked)@20000/20000", "press@300000/320000", "capture@300000/320000",
            "release@400000/420000", "tap@300000/420000", "release@900000/920000", "lock(ended)@900000/920000",
        ])
        #expect(outcome.cues.first == .locked && outcome.cues.last == .idle(.photo))
        let locks = outcome.commands.compactMap { if case let .focus(isLocked) = $0.kind { isLocked } else { nil } }
        #expect(locks == [true, false])
    }

    @Test func aChangeOfModeCancelsTheLock() {
        let outcome = run(press(.focus, 0, 900_000) + [Replay.Event(at: us(200_000), .request(.mode(.video)))])
        #expect(outcome.trace.contains("lock(cancelled(modeChanged))@200000/200000"))
        #expect(!outcome.trace.contains { $0.hasPrefix("lock(ended)") })
        #expect(outcome.cues.last == .idle(.video))
    }

    @Test func aLostCameraCancelsTheLock() {
        var pipeline = Pipeline(.init(buttons: [Button.Settings(name: .focus, role: .focus)]), mode: .photo, at: us(0))
        func kinds(_ inputs: [Pipeline.TimedInput], _ end: Timestamp) -> [Command.Kind] { pipeline.handle(inputs, until: end).map(\.kind) }
        _ = kinds([(us(0), .event(.camera(nil))), (us(0), .line(.focus, .found(.inactive, at: us(0))))], us(50_000))
        let began = kinds([(us(60_000), .line(.focus, .edge(.active, at: us(60_000), sequence: nil)))], us(90_000))
        #expect(began.contains(.lock(.began)) && began.contains(.focus(true)) && !began.contains(.cue(.locked)))
        // Only what the camera confirms is shown as locked.
        let locked = kinds([(us(95_000), .knob(.locked(true)))], us(95_000))
        #expect(locked == [.lock(.locked), .cue(.locked)])
        let lost = kinds([(us(99_000), .event(.camera(Refusal("no-frames", "none"))))], us(99_000))
        #expect(lost.contains(.lock(.cancelled(.cameraLost))) && lost.contains(.focus(false)) && lost.contains(.cue(.cameraFault)))
        // While there is no camera, a half press is refused.
        let up = kinds([(us(200_000), .line(.focus, .edge(.inactive, at: us(200_000), sequence: nil)))], us(300_000))
        #expect(!up.contains { if case .lock = $0 { true } else { false } })
        let refused = kinds([(us(400_000), .line(.focus, .edge(.active, at: us(400_000), sequence: nil)))], us(450_000))
        #expect(refused.contains(.cue(.refused)) && !refused.contains(.focus(true)))
    }

    @Test func aLockThatFailsIsSaid() {
        var pipeline = Pipeline(.init(buttons: [Button.Settings(name: .focus, role: .focus)]), mode: .photo, at: us(0))
        _ = pipeline.handle([(us(0), .event(.camera(nil))), (us(0), .line(.focus, .found(.inactive, at: us(0))))], until: us(50_000))
        _ = pipeline.handle([(us(60_000), .line(.focus, .edge(.active, at: us(60_000), sequence: nil)))], until: us(90_000))
        #expect(pipeline.handle([(us(95_000), .knob(.locked(false)))], until: us(95_000)).map(\.kind) == [.lock(.failed), .cue(.refused)])
    }
}
