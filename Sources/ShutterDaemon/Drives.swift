// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

extension Daemon {
    /// `drive`, without words: what is set, and what of it is under way.
    var driveFields: [String: JSONValue] {
        let machine = pipeline.machine
        var fields = EventLine.fields(machine.drive)
        fields["stored"] = .bool(memory.isStored)
        let left = machine.due.map { JSONValue.double((max(0, ($0 - now).seconds) * 10).rounded() / 10) }
        switch machine.situation {
        case .countingDown: fields["left_s"] = left
        case .interval: fields["next_s"] = left
        case .exposing: fields["longest_s"] = left
        case .photoIdle, .photoPressed, .photoBursting, .videoIdle, .videoPressed, .recording, .holding, .stopping: break
        }
        if let series = machine.series ?? machine.lastSeries {
            fields["running"] = .bool(machine.series != nil)
            fields["beats"] = .int(Int64(series.beats))
            fields["skipped"] = .int(Int64(series.skipped))
        }
        return fields
    }

    /// Begins the exposure whose frame the photo will be.
    func startExposure(_ id: CaptureID, _ command: ShutterCore.Command) {
        captures.reserve(id)
        parts.camera.beginExposure(id, at: command.instant)
    }
}

extension Drive {
    /// For the state file.
    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "mode": .string(mode.rawValue), "timer_us": .int(timer.microseconds), "interval_us": .int(interval.microseconds),
        ]
        switch limit {
        case .none: break
        case let .count(count): members["count"] = .int(Int64(count))
        case let .length(length): members["length_us"] = .int(length.microseconds)
        }
        return members
    }

    /// What is damaged or out of range is as it is by default.
    init?(_ value: JSONValue) {
        guard let mode = value["mode"]?.string.flatMap(Mode.init(rawValue:)) else { return nil }
        func time(_ name: String, in range: ClosedRange<Duration>) -> Duration? {
            value[name]?.int.map { Duration.microseconds($0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        self.init()
        self.mode = mode
        timer = time("timer_us", in: Self.timers) ?? timer
        interval = time("interval_us", in: Self.intervals) ?? interval
        if let count = value["count"]?.int.flatMap({ Int(exactly: $0) }), Self.counts.contains(count) {
            limit = .count(count)
        } else if let length = time("length_us", in: Self.lengths) {
            limit = .length(length)
        }
    }
}
