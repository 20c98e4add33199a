// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// A contact's waveform as field cases write it: the electrical level before t = 0 and (microseconds, level) pairs;
/// button to ground, pull-up, active-low unless said.
struct Waveform {
    var initial: Int
    var changes: [(Int64, Int)]
    var activeLow = true

    func level(_ electrical: Int) -> Level { (electrical == 0) == activeLow ? .active : .inactive }

    /// Every change as an edge that the kernel delivered.
    func events(_ name: InputName = .shutter) -> [Replay.Event] {
        changes.map { Replay.Event(at: us($0.0), .edge(name, level($0.1), sequence: nil)) }
    }
}

func us(_ microseconds: Int64) -> Timestamp { Timestamp(nanoseconds: microseconds * 1000) }
func milliseconds(_ count: Int64) -> Duration { .milliseconds(count) }

struct Setup {
    var debounce = milliseconds(20)
    var hold = milliseconds(800)
    var double: Duration?
    var maxHold: Duration?
    var mode = Mode.photo
    var shutter = ShutterMachine.Settings()
    var captureTime = Duration.zero

    var button: Button.Settings {
        Button.Settings(
            name: .shutter, role: .shutter, debounce: .init(debounce: debounce),
            gestures: .init(hold: hold, double: double, maxHold: maxHold))
    }

    func run(_ waveform: Waveform, also events: [Replay.Event] = []) -> Replay.Outcome {
        run(initial: waveform.level(waveform.initial), waveform.events() + events)
    }

    func run(initial: Level, _ events: [Replay.Event]) -> Replay.Outcome {
        Replay(
            Pipeline.Settings(buttons: [button, Button.Settings(name: .mode, role: .mode)], shutter: shutter), mode: mode,
            initial: [.shutter: initial], events: events.sorted { $0.at < $1.at }, captureTime: captureTime
        ).run()
    }
}

extension Replay.Outcome {
    /// The commands that `replay` prints, without cues: `kind@instant/decided` in microseconds.
    var trace: [String] {
        commands.compactMap { command in
            let word: String
            switch command.kind {
            case .press: word = "press"
            case .release: word = "release"
            case .tap: word = "tap"
            case .hold: word = "hold"
            case .double: word = "double"
            case let .cancel(_, reason): word = "cancel(\(reason.rawValue))"
            case .capture: word = "capture"
            case .discard: word = "discard"
            case .recordStart: word = "record-start"
            case let .recordStop(_, reason): word = "record-stop(\(reason.rawValue))"
            case let .mode(mode): word = "mode(\(mode.rawValue))"
            case let .refused(_, refusal): word = "refused(\(refusal.reason))"
            case let .warning(warning): word = "warning(\(warning))".replacing("ShutterCore.", with: "")
            case let .turn(_, detents): word = "turn(\(detents))"
            case let .controls(step, name): word = "controls(\(step.rawValue) \(name))"
            case let .controlSelected(name): word = "selected(\(name))"
            case let .control(name, value): word = "\(name)=\(value)"
            case let .lock(phase): word = "lock(\(phase))".replacing("ShutterCore.", with: "").replacing("CancelReason.", with: "")
            case .countdown: word = "countdown"
            case .intervalStart: word = "interval-start"
            case let .intervalEnd(_, _, reason): word = "interval-end(\(reason.rawValue))"
            case .exposureStart: word = "exposure-start"
            case .exposureEnd: word = "exposure-end"
            case let .drive(drive): word = "drive(\(drive.mode.rawValue))"
            case .anticipate, .anticipateClip, .focus, .reserve, .cue, .feedback, .reply, .exit: return nil
            }
            return "\(word)@\(command.instant.nanoseconds / 1000)/\(command.decided.nanoseconds / 1000)"
        }
    }

    func count(_ word: String) -> Int { trace.count { $0.hasPrefix(word) } }
    var cues: [Cue] { commands.compactMap { if case let .cue(cue) = $0.kind { cue } else { nil } } }
}
