// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterConfig
import ShutterCore

/// What a daemon is made of: the adapters, seen through their protocols, and what is to be known about them.
package struct Parts {
    package var lines: [any ButtonLine]
    /// Knobs that count their detents themselves.
    package var turns: [any TurnSource] = []
    package var camera: any Camera
    package var saver: any PhotoSaver
    package var recorder: any VideoRecorder
    package var catalogue: any Catalogue
    package var ring: any RingOutput
    package var animator: RingAnimator
    /// nil = there is none.
    package var preview: (any PreviewSource)?
    /// For `lag --calibrate`.
    package var meter: (any LightMeter)?
    /// A vibration motor or piezo.
    package var feedback: (any OutputLine)?
    /// More descriptors to poll, each with what is to be done when it is readable (terminal keys, a played waveform).
    package var extras: [Extra]
    /// Asks again whether photos may be saved; may block.
    package var refreshStorage: @Sendable () -> Void
    /// Since when the oldest photo is being saved, for the watchdog.
    package var oldestJob: () -> Timestamp?
    /// Hands other settings to the adapters, as far as `Settings.takeLive` changes them.
    package var adopt: (Settings) -> Void
    /// Called once, when the camera is ready and every button's level has settled.
    package var whenArmed: () -> Void

    package struct Extra {
        package var descriptor: Int32
        package var handle: (Daemon) -> Void

        package init(descriptor: Int32, handle: @escaping (Daemon) -> Void) {
            self.descriptor = descriptor
            self.handle = handle
        }
    }

    package init(
        lines: [any ButtonLine], camera: any Camera, saver: any PhotoSaver, recorder: any VideoRecorder, catalogue: any Catalogue,
        ring: any RingOutput, animator: RingAnimator, preview: (any PreviewSource)? = nil, feedback: (any OutputLine)? = nil, extras: [Extra] = [], refreshStorage: @escaping @Sendable () -> Void,
        oldestJob: @escaping () -> Timestamp?, adopt: @escaping (Settings) -> Void = { _ in }, whenArmed: @escaping () -> Void = {}
    ) {
        self.lines = lines
        self.camera = camera
        self.saver = saver
        self.recorder = recorder
        self.catalogue = catalogue
        self.ring = ring
        self.animator = animator
        self.preview = preview
        self.feedback = feedback
        self.extras = extras
        self.refreshStorage = refreshStorage
        self.oldestJob = oldestJob
        self.adopt = adopt
        self.whenArmed = whenArmed
    }
}
