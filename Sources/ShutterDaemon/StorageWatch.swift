// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

/// What the daemon knows about the room for photos.
struct StorageWatch {
    /// How often the room on the card is looked at while nothing is saved, and a storage fault is looked at again.
    static let interval = Duration.seconds(10)
    /// The same while somebody presses in vain.
    static let leastInterval = Duration.seconds(1)

    var fault: Fault?
    /// As it was last told.
    var warning: String?
    var nextLook: Timestamp
}

extension Daemon {
    func refreshStorage() {
        room.nextLook = now + StorageWatch.interval
        let refresh = parts.refreshStorage
        jobs.run { refresh() } then: { [self] in takeStorageStatus() }
    }

    /// So that the next press finds out that a fault has passed.
    func lookAtStorageAgain() {
        if room.nextLook - now <= StorageWatch.interval - StorageWatch.leastInterval { refreshStorage() }
    }

    func takeStorageStatus() {
        let status = parts.saver.status
        if status.warning != room.warning {
            room.warning = status.warning
            if let warning = status.warning { log.write(.warning, warning) }
        }
        guard status.fault != room.fault else { return }
        room.fault = status.fault
        feed(.event(.storage(status.fault.map(Refusal.init))))
        if let fault = status.fault {
            log.write(.error, "photos are refused: \(fault.message)", [("reason", fault.reason)])
            tell("storage", ["state": "fault", "reason": .string(fault.reason), "message": .string(fault.message)])
        } else {
            log.write(.notice, "photos can be saved again")
            tell("storage", ["state": "ok"])
        }
    }

    func lookAtStorage() {
        let status = parts.saver.status
        for leftover in status.leftovers { log.write(.warning, "found the unfinished file of an earlier run: \(leftover)") }
        // Whoever made the parts has told it.
        room.warning = status.warning
        takeStorageStatus()
    }
}
