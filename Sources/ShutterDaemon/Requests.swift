// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

/// What is asked over the control socket, and what the core answers.
extension Daemon {
    func handle(_ request: ControlServer.ClientRequest) {
        switch (request.invocation.verb.name, request.invocation.arguments.first) {
        case ("status", _), ("mode", nil):
            reply(request.id, .success(request.invocation.verb.name == "mode" ? ["mode": .string(pipeline.machine.mode.rawValue)] : status))
        case ("drive", nil) where request.invocation.onlyReads: reply(request.id, .success(driveFields))
        case ("preview", _): preview(request)
        case ("lag", _): lag(request)
        case ("controls", _): reply(request.id, .success(controlsReport))
        case ("watch", _): control.watch(request.id, now: now)
        case ("last", _), ("list", _), ("get", _): browse(request)
        case let ("camera", action): lendCamera(action == "release", request.id)
        case ("config reload", _): reloadSettings(request.id)
        default:
            do throws(Failure) {
                feed(.request(request.id, try ShutterRequest(request.invocation)))
            } catch {
                reply(request.id, .failure(error))
            }
        }
    }

    private func preview(_ request: ControlServer.ClientRequest) {
        guard parts.preview != nil, pipeline.machine.isReady else {
            let why = parts.camera.status.fault?.reason ?? "starting"
            return reply(request.id, .failure(Failure(.unavailable, why, "there is no picture to show (camera: \(why)); see: shutterctl doctor")))
        }
        control.preview(request.id, request.invocation.options["pixels"] == nil ? .jpeg : .pixels, now: now)
    }

    private func lag(_ request: ControlServer.ClientRequest) {
        let options = request.invocation.options
        if options["calibrate"] != nil { return calibrate(request) }
        let stray = Failure(.usage, "bad-argument", "lag: --flashes goes with --calibrate; usage: shutterctl \(request.invocation.verb.synopsis)")
        reply(request.id, options.isEmpty ? .success(lags.report) : .failure(stray))
    }

    private func browse(_ request: ControlServer.ClientRequest) {
        let catalogue = parts.catalogue
        let invocation = request.invocation
        jobs.run { Browser.answer(invocation, catalogue).line } then: { [self] line in control.reply(request.id, line: line, now: now) }
    }

    func handle(_ answer: Answer, to request: RequestID) {
        switch answer {
        case let .mode(mode):
            // The mode in force, and whether it survives a restart: said once that is known.
            jobs.run {} then: { [self] in
                reply(request, .success(["mode": .string(mode.rawValue), "stored": .bool(memory.isStored)]))
            }
        case .drive:
            // As above.
            jobs.run {} then: { [self] in reply(request, .success(driveFields)) }
        case let .accepted(id):
            if captures.contains(id) || pipeline.machine.isCountingDown(id) || pipeline.machine.isSaving(id) || pipeline.machine.isClosing(id) {
                waiting[id] = request
            } else {
                reply(request, .success(["id": .int(Int64(id.number))]))
            }
        case let .control(name, value):
            if pipeline.knobs.controls.phase == .inactive { storeControls() }
            reply(request, .success(["control": .string(name.rawValue), "value": .double(value)]))
        case .done: reply(request, .success([:]))
        case let .refused(refusal): reply(request, .failure(Failure(refusal)))
        }
    }

    func reply(_ request: RequestID, _ reply: Reply) { control.reply(request, reply, now: now) }
}
