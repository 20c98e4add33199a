// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Takes over from `new` what can change while the daemon runs. The rest (lines, devices, sizes, places) is opened or
    /// allocated once, and waits for a restart; so do the values that a start begins with, such as the mode.
    package mutating func takeLive(from new: Settings) {
        for (name, button) in new.buttons where buttons[name] != nil {
            buttons[name]?.debounce = button.debounce
            buttons[name]?.hold = button.hold
            buttons[name]?.double = button.double
            buttons[name]?.maxHold = button.maxHold
        }
        gestures = new.gestures
        shutter.busy = new.shutter.busy
        drive.burstRate = new.drive.burstRate
        ring.brightness = new.ring.brightness
        ring.budget = new.ring.budget
        ring.theme = new.ring.theme
        ring.reduceMotion = new.ring.reduceMotion
        photo.quality = new.photo.quality
        photo.thumbnail = new.photo.thumbnail
        photo.sidecar = new.photo.sidecar
        photo.make = new.photo.make
        photo.model = new.photo.model
        storage.reserve = new.storage.reserve
        hooks = new.hooks
    }

    /// The dotted paths of the keys whose value is another one in `other`, in the order of the schema.
    package func changes(to other: Settings) -> [String] {
        var paths: [String] = []
        for key in Schema.user.keys {
            for name in names(of: key, and: other) {
                let path = key.path.map { $0 == "*" ? name : $0 }.joined(separator: ".")
                if isThere(key, name) != other.isThere(key, name) || key.show(self, name) != key.show(other, name) { paths.append(path) }
            }
        }
        return paths
    }

    /// What may stand for the `*` of a key's path.
    private func names(of key: Key, and other: Settings) -> [String] {
        guard key.path.contains("*") else { return [""] }
        return Set(self.names(in: key.path[0]) + other.names(in: key.path[0])).sorted()
    }

    private func isThere(_ key: Key, _ name: String) -> Bool {
        !key.path.contains("*") || names(in: key.path[0]).contains(name)
    }
}
