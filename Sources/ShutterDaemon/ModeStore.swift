// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

/// The mode, the drive mode and the controls across restarts, in `STATE/state.json`. A file that cannot be read is left as it is until the
/// next change.
package struct ModeStore: Sendable {
    private let path: String

    package init(folder: String) {
        path = folder + "/state.json"
    }

    package struct Stored: Equatable, Sendable {
        package var mode: Mode
        /// nil = it was never set.
        package var drive: Drive?
        /// Of the controls that are to be remembered.
        package var controls: [ControlName: Double]

        package init(mode: Mode, drive: Drive? = nil, controls: [ControlName: Double] = [:]) {
            self.mode = mode
            self.drive = drive
            self.controls = controls
        }
    }

    /// nil when nothing was ever stored.
    package func load() throws(Fault) -> Stored? {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.wholeFile(path, atMost: 4096)
        } catch {
            if error.code == ENOENT { return nil }
            throw Fault("state", "the mode of the last run is unknown: \(error)")
        }
        // Not Foundation's decoder: in Swift 6.0, zeros in a key end the program, and a power cut leaves zeros.
        let contents = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
        guard let mode = contents?["mode"]?.string.flatMap(Mode.init(rawValue:)) else {
            throw Fault("state", "the mode of the last run is unknown: \(path) is damaged; it is replaced at the next change of mode")
        }
        let values = contents?["controls"]?.object?.compactMap { name, value in value.number.map { (ControlName(rawValue: name), $0) } } ?? []
        return Stored(mode: mode, drive: contents?["drive"].flatMap(Drive.init), controls: Dictionary(values) { first, _ in first })
    }

    /// Stores them so that a power cut leaves the old or the new ones. Blocks.
    package func store(_ stored: Stored) throws(Fault) {
        var members: [String: JSONValue] = ["mode": .string(stored.mode.rawValue)]
        members["drive"] = stored.drive.map { .object($0.members) }
        if !stored.controls.isEmpty {
            members["controls"] = .object(Dictionary(uniqueKeysWithValues: stored.controls.map { ($0.rawValue, .double($1)) }))
        }
        let line = JSONValue.object(members).line + "\n"
        do throws(SystemError) {
            try AtomicFile.replace(path, with: Array(line.utf8))
        } catch {
            throw Fault("state", "mode and controls will not survive a restart: \(error)")
        }
    }
}
