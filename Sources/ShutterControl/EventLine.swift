// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// How the core's commands are told, in `watch` and in `replay` alike: `t_us` is the instant a thing is attributed to,
/// `at_us` the one it was decided, `kind` what it is.
package enum EventLine {
    /// The event of a command, or nil for the ones that only the daemon's parts exchange.
    package static func event(_ command: ShutterCore.Command) -> [String: JSONValue]? {
        guard var event = facts(command.kind) else { return nil }
        event["t_us"] = .int(command.instant.microseconds)
        event["at_us"] = .int(command.decided.microseconds)
        return event
    }

    /// The last line of a replay.
    package static func end(_ outcome: Replay.Outcome) -> [String: JSONValue] {
        [
            "kind": "end",
            "filtered": .int(Int64(outcome.counts.filtered)),
            "widest_filtered_us": .int(outcome.counts.widestFiltered.microseconds),
            "events_lost": .int(Int64(outcome.counts.eventsLost)),
            "level": outcome.levels[.shutter] == .active ? "pressed" : "released",
        ]
    }

    private static func facts(_ kind: ShutterCore.Command.Kind) -> [String: JSONValue]? {
        switch kind {
        case let .press(input): ["kind": "press", "input": .string(input.rawValue)]
        case let .release(input): ["kind": "release", "input": .string(input.rawValue)]
        case let .tap(input): ["kind": "tap", "input": .string(input.rawValue)]
        case let .hold(input): ["kind": "hold", "input": .string(input.rawValue)]
        case let .double(input): ["kind": "double", "input": .string(input.rawValue)]
        case let .cancel(input, reason): ["kind": "cancel", "input": .string(input.rawValue), "reason": .string(reason.rawValue)]
        case let .capture(id, trigger, mode):
            ["kind": "capture", "id": .int(Int64(id.number)), "trigger": .string(trigger.rawValue), "mode": .string(mode.rawValue)]
        case let .discard(id): ["kind": "discard", "id": .int(Int64(id.number))]
        case let .recordStart(id, trigger):
            ["kind": "record-start", "id": .int(Int64(id.number)), "trigger": .string(trigger.rawValue)]
        case let .recordStop(id, reason):
            ["kind": "record-stop", "id": .int(Int64(id.number)), "reason": .string(reason.rawValue)]
        case let .drive(drive): fields(drive).merging(["kind": "drive"]) { first, _ in first }
        case let .countdown(time): ["kind": "countdown", "time_us": .int(time.microseconds)]
        case let .intervalStart(time, beats):
            ["kind": "interval-start", "interval_us": .int(time.microseconds), "beats": beats.map { .int(Int64($0)) } ?? .null]
        case let .intervalEnd(beats, skipped, reason):
            ["kind": "interval-end", "beats": .int(Int64(beats)), "skipped": .int(Int64(skipped)), "reason": .string(reason.rawValue)]
        case let .exposureStart(id): ["kind": "exposure-start", "id": .int(Int64(id.number))]
        case let .exposureEnd(id): ["kind": "exposure-end", "id": .int(Int64(id.number))]
        case let .mode(mode): ["kind": "mode", "mode": .string(mode.rawValue)]
        case let .refused(id, refusal):
            ["kind": "refused", "id": id.map { .int(Int64($0.number)) } ?? .null, "reason": .string(refusal.reason), "message": .string(refusal.message)]
        case let .cue(cue): ["kind": "cue", "cue": .string(cue.word)]
        case let .warning(warning): ["kind": "warning", "reason": .string(warning.word), "message": .string(warning.message)]
        case let .turn(encoder, detents): ["kind": "turn", "input": .string(encoder), "detents": .int(Int64(detents))]
        case let .controls(step, control): ["kind": "controls", "state": .string(step.rawValue), "control": .string(control.rawValue)]
        case let .controlSelected(control): ["kind": "controls", "state": "selected", "control": .string(control.rawValue)]
        case let .control(control, value): ["kind": "control", "control": .string(control.rawValue), "value": .double(value)]
        case let .lock(phase): lock(phase)
        case .anticipate, .anticipateClip, .focus, .reserve, .feedback, .reply, .exit: nil
        }
    }

    private static func lock(_ phase: LockPhase) -> [String: JSONValue] {
        switch phase {
        case .began: ["kind": "lock", "state": "began"]
        case .locked: ["kind": "lock", "state": "locked"]
        case .failed: ["kind": "lock", "state": "failed"]
        case .ended: ["kind": "lock", "state": "ended"]
        case let .cancelled(reason): ["kind": "lock", "state": "cancelled", "reason": .string(reason.rawValue)]
        }
    }
}

extension EventLine {
    /// A drive mode with the values that belong to it.
    package static func fields(_ drive: Drive) -> [String: JSONValue] {
        var fields: [String: JSONValue] = ["drive": .string(drive.mode.rawValue), "setting": .string(drive.words)]
        switch drive.mode {
        case .single, .burst, .bulb: break
        case .timer: fields["timer_us"] = .int(drive.timer.microseconds)
        case .interval:
            fields["interval_us"] = .int(drive.interval.microseconds)
            switch drive.limit {
            case .none: break
            case let .count(count): fields["count"] = .int(Int64(count))
            case let .length(length): fields["length_us"] = .int(length.microseconds)
            }
        }
        return fields
    }
}

extension Timestamp {
    /// Microseconds on the same clock, rounded down.
    package var microseconds: Int64 {
        let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension Cue {
    /// A stable word for programs.
    package var word: String {
        switch self {
        case .off: "off"
        case .starting: "starting"
        case let .idle(mode): "idle-\(mode.rawValue)"
        case .pressed: "pressed"
        case .recording: "recording"
        case .recordingSlowly: "recording-slowly"
        case .holding: "holding"
        case .bursting: "bursting"
        case .countdown: "countdown"
        case .waiting: "waiting"
        case .exposing: "exposing"
        case .value: "value"
        case .choice: "choice"
        case .locked: "locked"
        case .stuck: "stuck"
        case .storageLow: "storage-low"
        case .cameraFault: "camera-fault"
        case .buttonFault: "button-fault"
        case .captured: "captured"
        case .tapped: "tapped"
        case .refused: "refused"
        case .busy: "busy"
        }
    }
}

extension Warning {
    /// A stable word for programs.
    package var word: String {
        switch self {
        case .heldAtStart: "held-at-start"
        case .unstable: "input-unstable"
        case .heldTooLong: "held-too-long"
        case let .holdCannotRecord(refusal): refusal.reason
        case .lineLost: "line-lost"
        case .lineFound: "line-found"
        }
    }

    /// What it means and what to do.
    package var message: String {
        switch self {
        case let .heldAtStart(name):
            "button.\(name) is active at start and nothing was released: its polarity or wiring looks inverted; check `active` and `bias` of [button.\(name)]"
        case let .unstable(name):
            "input unstable: edges on button.\(name) come faster than its debounce time; check wiring, bias and cable"
        case let .heldTooLong(name):
            "button.\(name) was held longer than max_hold; it counts again after its release"
        case let .holdCannotRecord(refusal):
            "the hold is bound to `record`, and nothing can be recorded now (\(refusal.message)): the photo of the press was kept"
        case let .lineLost(name): "the line of button.\(name) is gone; trying to get it back"
        case let .lineFound(name): "the line of button.\(name) is back"
        }
    }
}
