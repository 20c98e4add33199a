// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl
import ShutterCore

/// What the daemon keeps about clips.
struct Recording {
    /// Whether it was told which encoder there is, or that there is none.
    var isEncoderKnown = false
    /// Why there is none, as it was last told.
    var encoderFault: Fault?
    var isRolling = false
    var isResting = false
    /// Clips whose bytes wait for the disk.
    var slow: Set<CaptureID> = []
    var last: SavedClip?
}

extension Daemon {
    // MARK: What goes out

    func startClip(_ id: CaptureID, _ command: Command, _ trigger: Trigger) {
        log.write(.notice, "recording", [("id", "\(id.number)")])
        parts.recorder.start(ClipJob(id: id, press: command.instant, accepted: command.decided, mode: pipeline.machine.mode, trigger: trigger))
    }

    func stopClip(_ id: CaptureID, _ command: Command, _ reason: StopReason) {
        log.write(.notice, "recording stops (\(reason.rawValue))", [("id", "\(id.number)")])
        parts.recorder.stop(id, at: command.instant, reason: reason)
    }

    /// In video mode the next press is likely to begin a clip; when nothing is going on, there is time for other things.
    func rollRecorder() {
        let machine = pipeline.machine
        if isIdle != recording.isResting {
            recording.isResting = isIdle
            parts.recorder.rest(isIdle)
        }
        let wants = machine.mode == .video && machine.isReady && machine.situation != .stopping
        guard wants != recording.isRolling else { return }
        recording.isRolling = wants
        parts.recorder.roll(wants)
    }

    // MARK: What comes in

    func takeClipEvents() {
        for event in parts.recorder.drain() { handle(event) }
    }

    private func handle(_ event: ClipEvent) {
        switch event {
        case let .encoder(result): handle(result)
        case let .progress(id, isSlow):
            feed(.event(.clipProgress(id, isSlow: isSlow)))
            takeStorageStatus()
            guard isSlow != recording.slow.contains(id) else { return }
            if isSlow { recording.slow.insert(id) } else { recording.slow.remove(id) }
            let slowest = parts.recorder.status.slowestWrite
            log.write(isSlow ? .warning : .notice, isSlow ? "the disk does not keep up with the clip" : "the disk keeps up again")
            tell("disk", ["id": .int(Int64(id.number)), "state": isSlow ? "slow" : "ok", "slowest_write_us": .int(slowest.microseconds)])
        case let .file(id, clip):
            log.write(.notice, "the clip goes on in another file", [("id", "\(id.number)")])
            tell("file", fields(id, clip))
        case let .restarted(id, fault):
            log.write(.error, "\(fault.message); the clip goes on in another file", [("reason", fault.reason)])
            tell("encoder", ["id": .int(Int64(id.number)), "state": "restarted", "reason": .string(fault.reason), "message": .string(fault.message)])
        case let .sound(fault):
            log.write(
                fault == nil ? .notice : .warning, fault.map { "clips have no sound: \($0.message)" } ?? "sound comes again",
                fault.map { [("reason", $0.reason)] } ?? [])
            tell("sound", ["state": fault == nil ? "ok" : "failed", "reason": fault.map { .string($0.reason) } ?? .null, "message": fault.map { .string($0.message) } ?? .null])
        case let .remuxed(path, fault):
            log.write(fault == nil ? .info : .warning, fault?.message ?? "\(path) is a plain MP4 now", fault.map { [("reason", $0.reason)] } ?? [])
        case let .ended(id, outcome):
            recording.slow.remove(id)
            end(id, outcome)
        }
    }

    private func handle(_ result: Result<String, Fault>) {
        recording.isEncoderKnown = true
        switch result {
        case let .success(name):
            recording.encoderFault = nil
            feed(.event(.encoder(nil)))
            log.write(.info, "clips are made by \(name)")
        case let .failure(fault):
            // It is looked for again and again.
            guard recording.encoderFault != fault else { return }
            recording.encoderFault = fault
            feed(.event(.encoder(Refusal(fault))))
            log.write(.warning, "no clips: \(fault.message)", [("reason", fault.reason)])
        }
    }

    private func end(_ id: CaptureID, _ outcome: Result<SavedClip, Fault>) {
        switch outcome {
        case let .success(clip):
            recording.last = clip
            feed(.event(.finished(id, isSaved: true)))
            log.write(.info, "saved \(clip.paths.first ?? ""), \(clip.frames) frames, \(clip.dropped) dropped", [("id", "\(id.number)")])
            if let fault = clip.fault { log.write(.error, "the clip ended early: \(fault.message)", [("reason", fault.reason)]) }
            tell("saved", fields(id, clip))
            if let request = waiting.removeValue(forKey: id) { reply(request, .success(fields(id, clip))) }
            takeStorageStatus()
        case let .failure(fault):
            fail(id, fault, what: "clip")
        }
    }

    private func fields(_ id: CaptureID, _ clip: SavedClip) -> [String: JSONValue] {
        Self.fields(clip).merging(["id": .int(Int64(id.number))]) { first, _ in first }
    }

    static func fields(_ clip: SavedClip) -> [String: JSONValue] {
        [
            "path": .string(clip.paths.first ?? ""), "paths": .array(clip.paths.map { .string($0) }), "press_ns": .int(clip.press.nanoseconds),
            "first_ns": clip.first.map { .int($0.nanoseconds) } ?? .null, "last_ns": clip.last.map { .int($0.nanoseconds) } ?? .null,
            "lag_us": clip.first.map { .int(($0 - clip.press).microseconds) } ?? .null,
            "frames": .int(Int64(clip.frames)), "dropped": .int(Int64(clip.dropped)), "bytes": .int(Int64(clamping: clip.bytes)),
            "restarts": .int(Int64(clip.restarts)), "ended": .string(clip.ended),
        ]
    }

    /// For `status`.
    var video: JSONValue {
        let video = parts.recorder.status
        return .object([
            "state": .string(video.state), "encoder": video.encoder.map { .string($0) } ?? .null, "size": .string(video.size),
            "reason": video.fault.map { .string($0.reason) } ?? .null, "message": video.fault.map { .string($0.message) } ?? .null,
            "file": video.name.isEmpty ? .null : .string(video.name), "seconds": .double((video.seconds * 10).rounded() / 10),
            "frames": .int(Int64(video.frames)), "dropped": .int(Int64(video.dropped)), "bytes": .int(Int64(clamping: video.bytes)),
            "slow": .bool(!recording.slow.isEmpty), "slowest_write_us": .int(video.slowestWrite.microseconds),
            "restarts": .int(Int64(video.restarts)), "audio": Self.audio(video.sound), "last": recording.last.map { .object(Self.fields($0)) } ?? .null,
        ])
    }

    private static func audio(_ sound: SoundStatus) -> JSONValue {
        .object([
            "state": .string(sound.state.rawValue), "reason": sound.fault.map { .string($0.reason) } ?? .null,
            "message": sound.fault.map { .string($0.message) } ?? .null, "overruns": .int(Int64(sound.overruns)),
        ])
    }
}
