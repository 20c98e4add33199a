// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Stands where a camera should be: presses are refused visibly, and button, ring and control work.
package final class AbsentCamera: Camera {
    private let fault: Fault
    private let events: Mailbox<CameraEvent>

    package init(_ fault: Fault) throws(SystemError) {
        self.fault = fault
        events = try Mailbox()
    }

    package var descriptor: Int32 { events.descriptor }

    package func drain() -> [CameraEvent] { events.drain() }

    package func start() { events.post(.lost(fault)) }

    package func stop() {}

    package func anticipate(_ contact: Timestamp?) {}

    package func reserve(_ id: CaptureID, at instant: Timestamp) { events.post(.reservationFailed(id, fault)) }

    package func release(_ id: CaptureID) {}

    package var status: CameraStatus {
        CameraStatus(state: "failed", reason: fault.reason, name: "", size: "", format: "", rate: 0, lagMode: "", buffers: 0)
    }
}
