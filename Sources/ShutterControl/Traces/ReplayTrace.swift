// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

extension Trace {
    /// Electrical → logical, for the inputs that are set up.
    /// - Parameter activeHigh: the inputs whose active level is high; the others' is low.
    package func replayEvents(activeHigh: Set<InputName>) throws(Failure) -> (initial: [InputName: Level], events: [Replay.Event]) {
        func level(_ name: InputName, _ high: Bool) -> Level { high == activeHigh.contains(name) ? .active : .inactive }
        var replayed: [Replay.Event] = []
        for event in events {
            let kind: Replay.Kind
            switch event.kind {
            case let .edge(name, high, sequence): kind = .edge(name, level(name, high), sequence: sequence)
            case let .level(name, high): kind = .level(name, level(name, high))
            case let .request(verb, args):
                let invocation = try Invocation(Request(verb, args))
                if invocation.onlyReads { continue }
                kind = .request(try ShutterRequest(invocation))
            }
            replayed.append(Replay.Event(at: Timestamp(nanoseconds: event.at), kind))
        }
        return (Dictionary(uniqueKeysWithValues: initial.map { ($0, level($0, $1)) }), replayed)
    }
}

extension ShutterRequest {
    /// The core's request behind a verb; a `usage` failure for verbs that ask nothing of the core.
    package init(_ invocation: Invocation) throws(Failure) {
        switch (invocation.verb.name, invocation.arguments.first) {
        case ("mode", "photo"): self = .mode(.photo)
        case ("mode", "video"): self = .mode(.video)
        case ("mode", "toggle"): self = .toggleMode
        case ("tap", _): self = .tap(.control)
        case ("press", _): self = .press
        case ("release", _): self = .release
        case ("capture", _): self = .capture
        case ("record", "start"): self = .recordStart
        case ("record", "stop"): self = .recordStop
        case ("set", let name?): self = .set(ControlName(rawValue: name), invocation.arguments.last ?? "")
        case ("drive", _): self = .drive(try Drive.Change(invocation))
        default: throw Failure(.usage, "unknown-verb", "\(invocation.verb.name) changes nothing that a replay could show")
        }
    }
}
