// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterConfig
import ShutterControl
import ShutterCore

extension Daemon {
    /// Reads the configuration again, on a thread that may block: the settings, or all their faults.
    package typealias Reload = @Sendable () -> Result<Settings, SettingsFaults>

    /// `config reload` and SIGHUP: what can change while it runs does, what cannot is named, and a faulty file changes nothing.
    func reloadSettings(_ request: RequestID?) {
        let reload = reload
        jobs.run { reload() } then: { [self] result in
            switch result {
            case let .failure(error):
                for fault in error.faults { log.write(.error, "configuration not reloaded: \(fault)") }
                if let request {
                    let list = error.faults.map(\.description).joined(separator: "; ")
                    reply(request, .failure(Failure(.configuration, "configuration", "the settings stay as they were: \(list)")))
                }
            case let .success(new):
                let outcome = adopt(new)
                log.write(outcome.waiting.isEmpty ? .notice : .warning, outcome.message)
                tell("config", outcome.fields)
                guard let request else { return }
                reply(request, .success(outcome.fields.merging(["message": .string(outcome.message)]) { first, _ in first }))
            }
        }
    }

    private func adopt(_ new: Settings) -> ReloadOutcome {
        var live = settings
        live.takeLive(from: new)
        let changed = live.changes(to: new)
        let outcome = ReloadOutcome(
            applied: settings.changes(to: live), waiting: changed.filter { !isOverruled($0) }, overruled: changed.filter(isOverruled))
        guard !outcome.applied.isEmpty else { return outcome }
        let before = settings.ring
        settings = live
        pipeline.adopt(live.pipeline)
        parts.adopt(live)
        hooks.adopt(live.hooks)
        if live.ring != before { redraw(live.ring) }
        refreshStorage()
        return outcome
    }

    /// Values that a first start begins with: what is set later outlives restarts, and goes before them.
    private func isOverruled(_ path: String) -> Bool {
        path == "shutter.mode" ? memory.mode != nil : path.hasPrefix("drive.") && memory.drive != nil
    }

    private func redraw(_ ring: RingSettings) {
        animator = RingAnimator(
            count: animator.count, theme: ring.theme, reduceMotion: ring.reduceMotion, isOnOff: animator.isOnOff,
            brightness: ring.brightness, budget: Double(ring.budget))
        // `pressed` is drawn over the state before it.
        if cue == .pressed { animator.handle(.idle(pipeline.machine.mode), at: now) }
        animator.handle(cue, at: now)
        ringDue = now
    }
}

/// What a reload has come to, by the keys' dotted paths.
private struct ReloadOutcome {
    /// They have another value now.
    var applied: [String]
    /// They will have after a restart.
    var waiting: [String]
    /// What was set with `shutterctl` goes before them.
    var overruled: [String]

    var message: String {
        if applied.isEmpty, waiting.isEmpty, overruled.isEmpty { return "the configuration is sound, and nothing in it has changed" }
        var parts = [applied.isEmpty ? "nothing changes now" : "in effect now: \(applied.joined(separator: ", "))"]
        if !waiting.isEmpty { parts.append("after a restart of shutterd: \(waiting.joined(separator: ", "))") }
        if !overruled.isEmpty { parts.append("overruled by what was set with shutterctl: \(overruled.joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }

    var fields: [String: JSONValue] {
        ["applied": Self.list(applied), "restart": Self.list(waiting), "overruled": Self.list(overruled)]
    }

    private static func list(_ words: [String]) -> JSONValue { .array(words.map { .string($0) }) }
}
