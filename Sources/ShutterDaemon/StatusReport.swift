// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

extension Daemon {
    /// All that `status` tells.
    var status: [String: JSONValue] {
        let machine = pipeline.machine
        var status: [String: JSONValue] = [
            "version": .string(Version.current),
            "pid": .int(Int64(getpid())),
            "uptime_s": .int(Int64((Clock.now - started).seconds)),
            "board": .string(settings.board),
            "mode": .string(machine.mode.rawValue),
            "mode_stored": .bool(memory.isStored),
            "drive": .object(driveFields),
            "hooks": hooks.status,
            "state": .string(machine.situation.rawValue),
            "ring": .string(cue.word),
            "ring_fault": parts.ring.fault.map { .string($0.message) } ?? .null,
            "encoder": .string(parts.recorder.status.encoder ?? "none"),
            "video": video,
            "camera": camera,
            "storage": storage,
            "buttons": .array(pipeline.buttons.map(button)),
            "presses": .object([
                "accepted": .int(Int64(machine.tally.accepted)), "saved": .int(Int64(machine.tally.saved)),
                "refused": .int(Int64(machine.tally.refused)), "failed": .int(Int64(machine.tally.failed)),
                "cancelled": .int(Int64(machine.tally.cancelled)), "pending": .int(Int64(machine.tally.pending)),
                "skipped": .int(Int64(machine.tally.skipped)),
            ]),
        ]
        status["last"] = lastSaved.map { .object(Self.fields($0)) }
        return status
    }

    private var camera: JSONValue {
        let camera = parts.camera.status
        return .object([
            "state": .string(camera.state), "reason": camera.fault.map { .string($0.reason) } ?? .null,
            "message": camera.fault.map { .string($0.message) } ?? .null, "name": .string(camera.name),
            "size": .string(camera.size), "format": .string(camera.format),
            "mode": camera.mode.isEmpty ? .null : .string(camera.mode), "crop": camera.crop.isEmpty ? .null : .string(camera.crop), "rate": .double(camera.rate), "lag": .string(camera.lagMode),
            "worst_lag_us": camera.worstLag.map { .int($0.microseconds) } ?? .null,
            "buffers": .int(Int64(camera.buffers)), "frames": .int(Int64(camera.framesCompleted)),
            "dropped": .int(Int64(camera.framesDropped)), "copied": .int(Int64(camera.framesCopied)), "lent": .int(Int64(camera.framesLent)),
        ])
    }

    private var storage: JSONValue {
        let storage = parts.saver.status
        return .object([
            "root": .string(storage.root), "file_system": .string(storage.fileSystem), "crash_safe": .bool(storage.isCrashSafe),
            "persistent": .bool(storage.isPersistent), "free": storage.free.map { .int(Int64(clamping: $0)) } ?? .null,
            "state": .string(storage.fault?.reason ?? "ok"), "message": storage.fault.map { .string($0.message) } ?? .null,
            "warning": storage.warning.map { .string($0) } ?? .null,
            "leftovers": .array(storage.leftovers.map { .string($0) }),
        ])
    }

    private func button(_ button: Button) -> JSONValue {
        let counts = button.debouncer.counts
        let fault = parts.lines.first { $0.name == button.settings.name }?.fault
        return .object([
            "name": .string(button.settings.name.rawValue), "role": .string(button.settings.role.rawValue),
            "level": .string(button.debouncer.level.map { $0 == .active ? "pressed" : "released" } ?? "unknown"),
            "filtered": .int(Int64(counts.filtered)), "widest_filtered_us": .int(counts.widestFiltered.microseconds),
            "events_lost": .int(Int64(counts.eventsLost)),
            "state": .string(fault?.reason ?? "ok"), "message": fault.map { .string($0.message) } ?? .null,
        ])
    }
}
