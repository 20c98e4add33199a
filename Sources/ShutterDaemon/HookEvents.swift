// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

/// What a hook is told: the facts that `watch` tells of the same event, as variables.
enum HookEvents {
    /// Of our own surroundings, only what programs need to work at all.
    private static let inherited = ["HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "TZ"]

    /// Which hooks an event is for.
    static func event(_ fields: [String: JSONValue]) -> HookSettings.Event? {
        let state = fields["state"]?.string
        return switch fields["kind"]?.string {
        case "saved": fields["frames"] == nil ? .photoSaved : .clipSaved
        case "record-start": .recordingStarted
        case "record-stop": .recordingStopped
        case "mode": .modeChanged
        case "drive": .driveChanged
        case "control": .controlChanged
        case "controls": .controls
        case "failed": .fault
        case "camera" where state == "lost", "storage" where state == "fault", "button" where state == "fault": .fault
        default: nil
        }
    }

    /// `SHUTTERD_EVENT`, `SHUTTERD_MODE`, and each field by its name in capitals.
    static func environment(_ fields: [String: JSONValue], _ event: HookSettings.Event, hook: String, mode: Mode) -> [String] {
        var variables = ["MODE": mode.rawValue]
        for (name, value) in fields {
            guard let text = text(value) else { continue }
            variables[String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }).uppercased()] = text
        }
        variables["EVENT"] = event.rawValue
        variables["KIND"] = fields["kind"]?.string
        variables["HOOK"] = hook
        variables["NUMBER"] = fields["path"]?.string.flatMap(number)
        var environment = inherited.compactMap { name in Environment.bytes(name).map { "\(name)=\(String(decoding: $0, as: UTF8.self))" } }
        if !environment.contains(where: { $0.hasPrefix("PATH=") }) { environment.append("PATH=/usr/local/bin:/usr/bin:/bin") }
        // A zero would end the text.
        return environment + variables.sorted { $0.key < $1.key }.map { "SHUTTERD_\($0.key)=\($0.value.replacing("\0", with: ""))" }
    }

    /// Of `…/IMG_0001.JPG`: `0001`.
    private static func number(_ path: String) -> String? {
        let stem = path.split(separator: "/").last?.split(separator: ".").first ?? ""
        let digits = stem.reversed().prefix { $0.isNumber }.reversed()
        return digits.isEmpty ? nil : String(digits)
    }

    /// Lists have a line each.
    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .null, .object: nil
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .array(let values): values.compactMap(text).joined(separator: "\n")
        case .int, .double: value.line
        }
    }
}
