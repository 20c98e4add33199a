// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// What outlasts a restart.
struct Memory {
    let store: ModeStore
    /// nil = never set: the settings' one.
    var mode: Mode?
    var drive: Drive?
    /// Whether it does: the last time, it could be written.
    var isStored = true
    /// Values of controls as they were stored last.
    var controls: [ControlName: Double]
}

extension Daemon {
    /// All that outlasts a restart, as it is now.
    func store(_ change: String) {
        log.write(.notice, change)
        let controls = pipeline.knobs.controls.remembered
        let stored = ModeStore.Stored(mode: pipeline.machine.mode, drive: memory.drive, controls: controls)
        (memory.mode, memory.controls) = (stored.mode, controls)
        let store = memory.store
        jobs.run { () -> Fault? in
            do throws(Fault) { try store.store(stored) } catch { return error }
            return nil
        } then: { [self] fault in
            memory.isStored = fault == nil
            if let fault { log.write(.warning, fault.message) }
        }
    }

    /// What is to be remembered, where that has changed. Not at every detent: a card wears.
    func storeControls() {
        let controls = pipeline.knobs.controls.remembered
        guard controls != memory.controls else { return }
        let values = controls.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key)=\($0.value)" }
        store("controls \(values.joined(separator: " "))")
    }
}
