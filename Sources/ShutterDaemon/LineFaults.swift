// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

/// Notices when a line's fault comes, changes or goes, so that each is told once.
final class LineFaults {
    struct Change: Equatable {
        var name: InputName
        var place: String
        /// nil = the line is there again.
        var fault: Fault?
    }

    private let lines: [any ButtonLine]
    private var last: [InputName: Fault] = [:]

    init(_ lines: [any ButtonLine]) { self.lines = lines }

    /// What has changed since the last call.
    func changes() -> [Change] {
        lines.compactMap { line in
            let fault = line.fault
            guard fault != last[line.name] else { return nil }
            last[line.name] = fault
            return Change(name: line.name, place: line.place, fault: fault)
        }
    }
}

extension Daemon {
    func tell(_ change: LineFaults.Change) {
        let input = change.place
        if let fault = change.fault {
            // A remote that sleeps is no trouble.
            let isAway = input.hasPrefix("input.")
            log.write(isAway ? .notice : .error, "\(input): \(fault.message)", [("reason", fault.reason)])
            tell("button", ["input": .string(change.name.rawValue), "state": isAway ? "away" : "fault", "reason": .string(fault.reason), "message": .string(fault.message)])
        } else {
            log.write(.notice, "\(input): the line is there")
            tell("button", ["input": .string(change.name.rawValue), "state": "ok"])
        }
    }
}
