// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

/// What the camera and the photos' writer tell, and what becomes of each photo.
extension Daemon {
    func handle(_ event: CameraEvent) {
        switch event {
        case .ready:
            let camera = parts.camera.status
            feed(.event(.sensor(ShutterMachine.Sensor(interval: camera.interval ?? .seconds(1) / 30, canExpose: camera.canExpose))))
            feed(.event(.camera(nil)))
            feed(.knob(.abilities(parts.camera.status.abilities)))
            log.write(.notice, "camera ready", [("camera", parts.camera.status.name)])
            tell("camera", ["state": "ready"])
            answerLending(nil)
        case let .lost(fault):
            feed(.event(.camera(Refusal(fault))))
            log.write(.error, "camera lost: \(fault.message)", [("reason", fault.reason)])
            tell("camera", ["state": "lost", "reason": .string(fault.reason), "message": .string(fault.message)])
            answerLending(fault)
        case let .hopeless(fault):
            guard service.isSupervised else {
                log.write(.error, "only a restart of shutterd may help now: \(fault.message)", [("reason", fault.reason)])
                return
            }
            log.write(.error, "ends, to be started again: \(fault.message)", [("reason", fault.reason)])
            exitCode = ErrorWord.internal.exitCode
            ask(.quit)
        case let .locked(isLocked): feed(.knob(.locked(isLocked)))
        case let .reserved(id, frame):
            if let job = captures.reserved(id, frame) { parts.saver.save(job) }
        case let .reservationFailed(id, fault):
            captures.discard(id)
            fail(id, fault)
        }
    }

    func handle(_ result: PhotoResult) {
        switch result.outcome {
        case let .success(photo):
            lastSaved = photo
            lags.add(photo)
            feed(.event(.finished(result.id, isSaved: true)))
            log.write(.info, "saved \(photo.paths.first ?? ""), lag \(Self.shown(photo.lag))", [("id", "\(result.id.number)")])
            tell("saved", ["id": .int(Int64(result.id.number))].merging(Self.fields(photo)) { first, _ in first })
            if let request = waiting.removeValue(forKey: result.id) { reply(request, .success(Self.fields(photo))) }
        case let .failure(fault):
            fail(result.id, fault)
        }
        takeStorageStatus()
    }

    func fail(_ id: CaptureID, _ fault: Fault, what: String = "photo") {
        feed(.event(.finished(id, isSaved: false)))
        log.write(.error, "\(what) failed: \(fault.message)", [("reason", fault.reason)])
        tell("failed", ["id": .int(Int64(id.number)), "reason": .string(fault.reason), "message": .string(fault.message)])
        if let request = waiting.removeValue(forKey: id) { reply(request, .failure(Failure(fault))) }
    }
}
