// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Looks for settings that contradict each other or the board. Each is readable; together they may not work.
struct Checker {
    let settings: Settings
    let origins: [String: Origin]
    /// Keys whose value could not be read, so that nothing can be said about them.
    let broken: Set<String>
    /// What is blamed when a thing is missing from all files; may be empty.
    let file: String
    /// Whether everything was read that may set something, so that what is missing can be blamed.
    let isComplete: Bool
    let complaint: (_ program: String) -> String?
    private(set) var faults: [SettingsFault] = []
    private(set) var warnings: [SettingsFault] = []

    init(_ assembly: Assembly, file: String, isComplete: Bool, complaint: @escaping (String) -> String? = { _ in nil }) {
        settings = assembly.settings
        origins = assembly.origins
        broken = assembly.broken
        self.file = file
        self.isComplete = isComplete
        self.complaint = complaint
    }

    mutating func checkAll() {
        checkButtons()
        checkGestures()
        checkDrive()
        checkKnobs()
        checkLines()
        checkRing()
        checkCamera()
        checkPhotoAndVideo()
        checkPlaces()
        checkHooks()
        checkSimulation()
    }

    // MARK: What a fault looks like

    /// A demand on two keys. The one that was set later is where the fault is; the sentence names both.
    mutating func require(_ isMet: Bool, _ left: String, _ relation: String, _ right: String) {
        if isMet || broken.contains(left) || broken.contains(right) { return }
        let (one, other) = (origins[left], origins[right])
        let isLeftToBlame = isLater(one, than: other)
        let leftPlace = isLeftToBlame ? "" : " (\(place(one)))"
        let rightPlace = isLeftToBlame ? " (\(place(other)))" : ""
        let message = "\(shown(left))\(leftPlace) \(relation) \(shown(right))\(rightPlace)"
        blame(isLeftToBlame ? one : other, message)
    }

    /// A demand on one key.
    mutating func require(_ isMet: Bool, _ path: String, _ message: String) {
        if isMet || broken.contains(path) { return }
        blame(origins[path], "\(shown(path)) \(message)")
    }

    mutating func blame(_ origin: Origin?, _ message: String) {
        faults.append(SettingsFault(file: origin?.file ?? file, position: origin?.position, message: message))
    }

    mutating func warn(_ origin: Origin?, _ message: String) {
        warnings.append(SettingsFault(file: origin?.file ?? file, position: origin?.position, message: message))
    }

    func place(_ origin: Origin?) -> String { origin?.place ?? "the default" }

    /// `camera.lag = "zero"`
    private func shown(_ path: String) -> String {
        let parts = path.split(separator: ".").map(String.init)
        let key = Schema.user.key(at: parts)!
        return "\(path) = \(key.show(settings, parts[1]))"
    }

    /// The user's file is later than the profile, and that later than the defaults.
    private func isLater(_ one: Origin?, than other: Origin?) -> Bool {
        guard let one else { return false }
        guard let other else { return true }
        if (one.board == nil) != (other.board == nil) { return one.board == nil }
        return one.position > other.position
    }
}
