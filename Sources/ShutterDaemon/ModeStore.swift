// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxIO
import ShutterCore

/// The mode across restarts, in `STATE/state.json`. A file that cannot be read is left as it is until the next change.
package struct ModeStore: Sendable {
    private struct Contents: Codable {
        var mode: Mode
    }

    private let path: String

    package init(folder: String) {
        path = folder + "/state.json"
    }

    /// The stored mode; nil when none was ever stored.
    package func load() throws(Fault) -> Mode? {
        do {
            let file = try Descriptor(open: path, O_RDONLY)
            let bytes = try file.read(upTo: 4096) ?? []
            return try JSONDecoder().decode(Contents.self, from: Data(bytes)).mode
        } catch let error as SystemError {
            if error.code == ENOENT { return nil }
            throw Fault("state", "the mode of the last run is unknown: \(error)")
        } catch {
            throw Fault("state", "the mode of the last run is unknown: \(path) is damaged; it is replaced at the next change of mode")
        }
    }

    /// Stores the mode so that a power cut leaves the old or the new one. Blocks.
    package func store(_ mode: Mode) throws(Fault) {
        let data = try? JSONEncoder().encode(Contents(mode: mode))
        do throws(SystemError) {
            try AtomicFile.replace(path, with: Array(data ?? Data()) + [UInt8(ascii: "\n")])
        } catch {
            throw Fault("state", "the mode will not survive a restart: \(error)")
        }
    }
}
