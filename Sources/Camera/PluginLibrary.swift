// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CCameraPlugin
import Glibc
import LinuxIO
import ShutterCore

/// The plugin's table of functions. Stays loaded once it was.
final class PluginLibrary: @unchecked Sendable {
    let functions: shutter_camera_plugin

    /// - Parameter paths: tried in this order; the first that is there and fits is the one.
    /// - Throws: `library-mismatch` when none can be loaded, with what the loader says of the last, or speaks another version.
    init(paths: [String]) throws(Fault) {
        do throws(SharedLibrary.Failure) {
            functions = try SharedLibrary.load(
                shutter_camera_plugin.self, paths: paths, symbol: SHUTTER_CAMERA_PLUGIN_SYMBOL, version: SHUTTER_CAMERA_PLUGIN_VERSION)
        } catch {
            switch error {
            case let .absent(paths):
                throw Fault("no-plugin", "the camera plugin is not installed (looked for \(paths.joined(separator: ", "))); install the package shutterd-camera")
            case let .unusable(why): throw Self.mismatch(why)
            }
        }
    }

    private static func mismatch(_ what: String) -> Fault {
        let installed = installedLibraries()
        let found = installed.isEmpty ? "none is installed" : "installed: \(installed.joined(separator: ", "))"
        return Fault("library-mismatch", "the camera plugin cannot be loaded: \(what) (libcamera \(found)); rebuild it with: sudo shutterd-build-camera")
    }

    /// The libcamera libraries that the machine has, by file name.
    private static func installedLibraries() -> [String] {
        let folders = ["/usr/lib", "/usr/local/lib", "/usr/lib/aarch64-linux-gnu", "/usr/lib/arm-linux-gnueabihf", "/usr/lib/x86_64-linux-gnu"]
        var found: Set<String> = []
        for folder in folders {
            guard let directory = opendir(folder) else { continue }
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name.hasPrefix("libcamera.so.") { found.insert(name) }
            }
        }
        return found.sorted()
    }
}
