// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

extension Daemon {
    /// All that `controls` tells.
    var controlsReport: [String: JSONValue] {
        let controls = pipeline.knobs.controls
        let session: JSONValue = .string(controls.phase.rawValue)
        let current: JSONValue = controls.current.map { .string($0.control.name.rawValue) } ?? .null
        return ["session": session, "current": current, "controls": .array(controls.entries.map(Self.fields))]
    }

    private static func fields(_ entry: ControlsModel.Entry) -> JSONValue {
        let control = entry.control
        var fields: [String: JSONValue] = [
            "name": .string(control.name.rawValue), "value": .double(entry.value), "min": .double(entry.limits.lowerBound),
            "max": .double(entry.limits.upperBound), "step": .double(control.step), "default": .double(control.initial),
            "camera": control.target.cameraName.map { .string($0) } ?? .null, "remember": .bool(control.isRemembered),
            "reason": entry.refusal.map { .string($0.reason) } ?? .null, "message": entry.refusal.map { .string($0.message) } ?? .null,
        ]
        if case let .picker(titles) = control.kind {
            fields["titles"] = .array(titles.map { .string($0) })
            fields["title"] = .string(titles[Int(entry.value)])
        }
        return .object(fields)
    }
}
