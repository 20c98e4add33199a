// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A plugin of ours: a shared library that is loaded at run time, so that what it is linked to can be missing or be too much.
///
/// It has one function, which gives a table of others: a C struct that begins with its version and its size, both uint32_t.
package enum SharedLibrary {
    package enum Failure: Error, Equatable {
        /// None of the paths is there.
        case absent([String])
        /// Why it cannot be used.
        case unusable(String)
    }

    /// The file's name.
    package enum Plugin: String {
        case camera = "libshutter-camera.so"
        case video = "libshutter-video.so"
    }

    /// Where a plugin can be, best first: beside the program, as in a build; what shutterd-build-camera made on this machine; where it
    /// was installed with the program.
    /// - Parameter folder: the program's own, else that of this one.
    package static func places(of plugin: Plugin, forProgramsIn folder: String? = nil) -> [String] {
        let folder = folder ?? FileSystem.folder(of: Environment.executable)
        let made = plugin == .camera ? ["/var/lib/shutterd-camera"] : []
        return ([folder] + made + ["\(FileSystem.folder(of: folder))/lib/shutterd"]).map { "\($0)/\(plugin.rawValue)" }
    }

    /// Loads the first that is there and fits, for good: dlopen(3). Takes its time, at the first call.
    ///
    /// Symbols that the plugin itself needs are all looked up now (it is linked with `-z now`), and those of the libraries below when
    /// they are called, which saves memory.
    /// - Parameters:
    ///   - symbol: `const struct TABLE *symbol(void)`.
    ///   - version: the only one that will do.
    /// - Throws: what is wrong with the last that is there.
    package static func load<Table>(_ table: Table.Type, paths: [String], symbol: String, version: Int32) throws(Failure) -> Table {
        var failure = Failure.absent(paths)
        for path in paths where access(path, F_OK) == 0 {
            do throws(Failure) { return try load(table, path, symbol, UInt32(version)) } catch { failure = error }
        }
        throw failure
    }

    /// Takes code that was only used once out of this process's memory: madvise(2) for all libraries, but not the program itself. What is needed
    /// comes back from the page cache, some microseconds for each page.
    package static func letGoOfCode() { clinux_let_go_of_code() }

    /// Reads all of the program's own code, so that what is done for the first time takes no longer than later. May block.
    package static func fetchOwnCode() { clinux_fetch_code() }

    private static func load<Table>(_ table: Table.Type, _ path: String, _ symbol: String, _ version: UInt32) throws(Failure) -> Table {
        guard let handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL) else { throw .unusable(String(cString: dlerror())) }
        var complaint = "\(path) is no such plugin (it has no \(symbol))"
        if let entry = dlsym(handle, symbol) {
            typealias Entry = @convention(c) () -> UnsafeRawPointer?
            if let found = unsafeBitCast(entry, to: Entry.self)() {
                let head = found.load(as: (version: UInt32, size: UInt32).self)
                if head.version == version, head.size == UInt32(MemoryLayout<Table>.size) {
                    // FFmpeg brings along more than a hundred libraries: 15 MB of what has just been read.
                    letGoOfCode()
                    return found.load(as: table)
                }
                complaint = "\(path) speaks version \(head.version) of the plugin interface, and shutterd \(version)"
            } else {
                complaint = "\(path) gives no functions"
            }
        }
        dlclose(handle)
        throw .unusable(complaint)
    }
}
