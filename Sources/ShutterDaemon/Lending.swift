// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

/// `shutterctl camera release|take`.
extension Daemon {
    /// Answered when the camera is closed, or well again, or cannot be had.
    func lendCamera(_ isLent: Bool, _ request: RequestID) {
        guard !pipeline.machine.isRecording else { return reply(request, .failure(Failure(.recording))) }
        let fault = parts.camera.status.fault
        if lending.isEmpty, (fault?.reason == "lent") == isLent {
            // Ours, it may be one that cannot be had: that has been tried, and is told at once.
            if let fault, !isLent { return reply(request, .failure(Failure(Refusal(fault)))) }
            return reply(request, .success([:]))
        }
        lending.append((request, isLent))
        parts.camera.lend(isLent)
    }

    func answerLending(_ fault: Fault?) {
        let waiting = lending
        lending = []
        for (request, isLent) in waiting {
            if isLent == (fault?.reason == "lent"), isLent || fault == nil {
                reply(request, .success([:]))
            } else {
                reply(request, .failure(Failure(Refusal(fault ?? Fault("refused", "the camera was asked for by somebody else meanwhile")))))
            }
        }
    }
}
