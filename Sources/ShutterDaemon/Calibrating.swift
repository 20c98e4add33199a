// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterConfig
import ShutterControl
import ShutterCore

/// `lag --calibrate`, while it runs: the ring is its own, and is lit and put out in turns.
struct Calibrating {
    /// Of all flashes together.
    static let longest = Duration.seconds(240)
    static let usual = 20

    var request: RequestID
    /// How many flashes there are to be.
    var wanted: Int
    var interval: Duration
    /// What was going on when it began, and has to go on.
    var situation: Situation
    /// When the ring is changed next, or the last frames are there.
    var due: Timestamp
    var shown: Timestamp?
    var changes: [LagCalibration.Change?] = []

    /// Even steps light the ring, odd ones put it out.
    var step: Int { changes.count + (shown == nil ? 0 : 1) }
    var hasEnded: Bool { step == 2 * wanted }

    func pause(afterStep step: Int) -> Duration { interval * (step % 2 == 0 ? LagCalibration.litIntervals : LagCalibration.darkIntervals) }

    /// Those of which both instants are known.
    var flashes: [LagCalibration.Flash] {
        stride(from: 0, to: changes.count - 1, by: 2).compactMap { index in
            guard let lit = changes[index], let out = changes[index + 1] else { return nil }
            return .init(lit: lit, out: out)
        }
    }
}

extension Daemon {
    func calibrate(_ request: ControlServer.ClientRequest) {
        do throws(Failure) {
            calibration = try begin(request)
            log.write(.notice, "calibrating: the ring flashes")
        } catch {
            reply(request.id, .failure(error))
        }
    }

    private func begin(_ request: ControlServer.ClientRequest) throws(Failure) -> Calibrating {
        let machine = pipeline.machine
        let camera = parts.camera.status
        guard calibration == nil else { throw Failure(.refused, "calibrating", "the ring is being flashed already; wait for the answer to that") }
        guard !machine.isRecording else { throw Failure(.recording) }
        guard isUndisturbed(machine.situation) else { throw Failure(.refused, "busy", "a press or photo is under way; try again when it is over") }
        guard settings.ring.driver != .none else {
            throw Failure(.unavailable, "no-ring", "there is no ring to flash: set driver in [ring]")
        }
        if let fault = parts.ring.fault { throw Failure(.unavailable, fault.reason, "there is no ring to flash: \(fault.message)") }
        guard let meter = parts.meter, machine.isReady, let interval = camera.interval else {
            let why = camera.fault?.reason ?? "starting"
            throw Failure(.unavailable, why, "the camera is not ready (\(why)); see: shutterctl doctor")
        }
        let wanted = request.invocation.options["flashes"].flatMap { Int($0) } ?? Calibrating.usual
        let length = interval * (LagCalibration.litIntervals + LagCalibration.darkIntervals) * Double(wanted)
        guard length <= Calibrating.longest else {
            throw Failure(.refused, "too-slow", "\(wanted) flashes would take \(Int(length.seconds)) s at \(interval.microseconds / 1000) ms a frame: take fewer --flashes, or a shorter exposure")
        }
        // The ring is dark for some frames first; a camera that rests has to be woken, and to run evenly.
        let lead = camera.lagMode == "zero" ? interval * LagCalibration.darkIntervals : .seconds(3)
        parts.ring.show(Array(repeating: .off, count: parts.ring.count))
        jobs.run { meter.begin() } then: {}
        return Calibrating(request: request.id, wanted: wanted, interval: interval, situation: machine.situation, due: now + lead)
    }

    /// Nothing but the flashes is going on.
    private func isUndisturbed(_ situation: Situation) -> Bool {
        let machine = pipeline.machine
        return captures.isEmpty && machine.tally.pending == 0 && machine.situation == situation && [.photoIdle, .videoIdle].contains(situation)
    }

    /// Once a turn: the next flash, or the end. A press goes first.
    func advanceCalibration() {
        guard let running = calibration else { return }
        if pipeline.machine.situation == .stopping {
            endCalibration(.failure(Failure(Refusal.stopping)))
        } else if !isUndisturbed(running.situation) {
            endCalibration(.failure(Failure(.refused, "interrupted", "a press or another request came in between; try again")))
        } else if !pipeline.machine.isReady {
            let why = parts.camera.status.fault
            endCalibration(.failure(Failure(.unavailable, why?.reason ?? "no-camera", "the camera was lost meanwhile: \(why?.message ?? "see: shutterctl doctor")")))
        } else if let fault = parts.ring.fault {
            endCalibration(.failure(Failure(.unavailable, fault.reason, "the ring failed meanwhile: \(fault.message)")))
        } else if running.due <= now {
            flash()
        }
    }

    private func flash() {
        guard var running = calibration else { return }
        if let shown = running.shown {
            // A bus that took so long has not shown it at an instant that is known.
            running.changes.append(parts.ring.lastWrite.flatMap { $0.began >= shown ? $0 : nil })
            running.shown = nil
        }
        if running.hasEnded {
            calibration = running
            return judge(running)
        }
        let step = running.step
        running.shown = now
        running.due = now + running.pause(afterStep: step)
        calibration = running
        parts.ring.show(step % 2 == 0 ? animator.light.white(parts.ring.count) : Array(repeating: .off, count: parts.ring.count))
    }

    private func judge(_ running: Calibrating) {
        releaseRing()
        let (meter, flashes, made, configured, request) = (parts.meter, running.flashes, running.wanted, settings.camera.offset, running.request)
        jobs.run { () -> Result<LagCalibration, Fault> in
            let frames = meter?.end() ?? []
            do throws(Fault) { return .success(try LagCalibration.judge(frames, flashes: flashes, made: made)) } catch { return .failure(error) }
        } then: { [self] result in
            switch result {
            case let .success(found):
                let fields = CalibrationReport.fields(found, configured: configured)
                log.write(.notice, "calibrated: the camera's timestamps are \(Self.shown(found.offset)) from the truth")
                reply(request, .success(fields))
            case let .failure(fault):
                log.write(.warning, "not calibrated: \(fault.message)", [("reason", fault.reason)])
                reply(request, .failure(Failure(fault.reason == "unsteady" ? .refused : .unavailable, fault.reason, fault.message)))
            }
        }
    }

    /// Without a result.
    func endCalibration(_ answer: Reply) {
        guard let running = calibration else { return }
        let meter = parts.meter
        jobs.run { _ = meter?.end() } then: {}
        releaseRing()
        reply(running.request, answer)
    }

    /// The ring shows again what there is to show.
    private func releaseRing() {
        calibration = nil
        ringDue = now
    }
}

/// What `lag --calibrate` answers.
enum CalibrationReport {
    /// `-4.4ms`, as the configuration reads it.
    private static func tenths(_ offset: Duration) -> String {
        let tenths = (abs(offset.microseconds) + 50) / 100
        return "\(offset < .zero ? "-" : "")\(tenths / 10).\(tenths % 10)ms"
    }

    /// `error_us` = what a photo shows − the press, beside the half frame that the nearest frame may be off.
    static func fields(_ found: LagCalibration, configured: Duration) -> [String: JSONValue] {
        let error = configured - found.offset
        let isWell = abs(error.nanoseconds) <= max(found.uncertainty, found.interval / 20).nanoseconds
        func side(_ side: LagCalibration.Agreement) -> JSONValue {
            .object([
                "offset_us": .int(side.middle.microseconds), "uncertainty_us": .int(side.uncertainty.microseconds), "agreeing": .int(Int64(side.count)),
            ])
        }
        func share(_ part: Double) -> JSONValue { .double((part * 1000).rounded() / 1000) }
        return [
            "flashes": .int(Int64(found.flashes)), "seen": .int(Int64(found.seen)),
            "offset_us": .int(found.offset.microseconds), "uncertainty_us": .int(found.uncertainty.microseconds), "lit": side(found.lit), "out": side(found.out),
            "interval_us": .int(found.interval.microseconds), "exposure_us": .int(found.exposure.microseconds),
            "x": share(found.x), "y": share(found.y), "rise": share(found.rise),
            "configured_us": .int(configured.microseconds), "error_us": .int(error.microseconds),
            "within_half_frame": .bool(abs(error.nanoseconds) <= found.interval.nanoseconds / 2),
            // In tenths of a millisecond: finer than any of it is known.
            "proposed_offset": isWell ? .null : .string(tenths(found.offset)),
        ]
    }
}
