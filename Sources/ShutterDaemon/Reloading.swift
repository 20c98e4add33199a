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
                let (applied, waiting) = adopt(new)
                let message = Self.outcome(applied, waiting)
                log.write(waiting.isEmpty ? .notice : .warning, message)
                tell("config", ["applied": Self.list(applied), "restart": Self.list(waiting)])
                guard let request else { return }
                reply(request, .success(["applied": Self.list(applied), "restart": Self.list(waiting), "message": .string(message)]))
            }
        }
    }

    /// The keys that have another value now, and those that will have after a restart.
    private func adopt(_ new: Settings) -> (applied: [String], waiting: [String]) {
        var live = settings
        live.takeLive(from: new)
        let (applied, waiting) = (settings.changes(to: live), live.changes(to: new))
        guard !applied.isEmpty else { return (applied, waiting) }
        let before = settings.ring
        settings = live
        pipeline.adopt(live.pipeline)
        parts.adopt(live)
        hooks.adopt(live.hooks)
        if live.ring != before { redraw(live.ring) }
        refreshStorage()
        return (applied, waiting)
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

    private static func outcome(_ applied: [String], _ waiting: [String]) -> String {
        if applied.isEmpty, waiting.isEmpty { return "the configuration is sound, and nothing in it has changed" }
        let now = applied.isEmpty ? "nothing changes now" : "in effect now: \(applied.joined(separator: ", "))"
        return waiting.isEmpty ? now : "\(now); after a restart of shutterd: \(waiting.joined(separator: ", "))"
    }

    private static func list(_ words: [String]) -> JSONValue { .array(words.map { .string($0) }) }
}
