// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CCameraPlugin
import Glibc
import ShutterCore

/// The plugin's shared library: dlopen(3), the version check, and the table of functions. Stays loaded once it was.
final class PluginLibrary: @unchecked Sendable {
    let functions: shutter_camera_plugin

    /// - Parameter paths: tried in this order; the first that is there and fits is the one.
    /// - Throws: `library-mismatch` when none can be loaded, with what the loader says of the last, or speaks another version.
    init(paths: [String]) throws(Fault) {
        var last = Fault("no-plugin", "the camera plugin is not installed (looked for \(paths.joined(separator: ", "))); install the package shutterd-camera")
        for path in paths where access(path, F_OK) == 0 {
            do throws(Fault) {
                functions = try Self.load(path)
                return
            } catch { last = error }
        }
        throw last
    }

    private static func load(_ path: String) throws(Fault) -> shutter_camera_plugin {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw mismatch(String(cString: dlerror())) }
        do throws(Fault) {
            guard let symbol = dlsym(handle, SHUTTER_CAMERA_PLUGIN_SYMBOL) else { throw mismatch("\(path) is no camera plugin") }
            typealias Entry = @convention(c) () -> UnsafePointer<shutter_camera_plugin>?
            guard let table = unsafeBitCast(symbol, to: Entry.self)() else { throw mismatch("\(path) gives no functions") }
            let expected = UInt32(SHUTTER_CAMERA_PLUGIN_VERSION)
            guard table.pointee.version == expected, table.pointee.size == UInt32(MemoryLayout<shutter_camera_plugin>.size) else {
                throw mismatch("\(path) speaks version \(table.pointee.version) of the plugin interface, and shutterd \(expected)")
            }
            return table.pointee
        } catch {
            dlclose(handle)
            throw error
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
