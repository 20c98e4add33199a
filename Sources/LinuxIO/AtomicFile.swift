// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Files that are wholly there under their name, or not at all, whenever the power goes.
package enum AtomicFile {
    /// Writes `bytes` under a temporary name in the same folder, fsyncs, renames over `path`, fsyncs the folder.
    package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o644) throws(SystemError) {
        let temporary = path + ".tmp"
        do throws(SystemError) {
            let file = try Descriptor(open: temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
            var failure: SystemError?
            bytes.withUnsafeBytes { buffer in
                do throws(SystemError) { try file.writeAll(buffer, subject: temporary) } catch { failure = error }
            }
            if let failure { throw failure }
            try sync(file, subject: temporary)
            try systemCall("rename", path) { rename(temporary, path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Renames without replacing: throws EEXIST when `to` is there. renameat2(2) with RENAME_NOREPLACE, else link(2)
    /// and unlink(2), else (file systems with neither) a look and a rename, which is safe for a single writer.
    package static func publish(_ from: String, as to: String) throws(SystemError) {
        do throws(SystemError) {
            try systemCall("rename", to) { clinux_renameat2(AT_FDCWD, from, AT_FDCWD, to, UInt32(RENAME_NOREPLACE)) }
        } catch {
            guard error.code == EINVAL || error.code == ENOSYS else { throw error }
            do throws(SystemError) {
                try systemCall("link", to) { link(from, to) }
                unlink(from)
            } catch {
                guard error.code == EPERM || error.code == ENOSYS || error.code == EOPNOTSUPP else { throw error }
                if access(to, F_OK) == 0 { throw SystemError("rename", to, code: EEXIST) }
                try systemCall("rename", to) { rename(from, to) }
            }
        }
    }

    /// fsync(2).
    package static func sync(_ file: Descriptor, subject: String) throws(SystemError) {
        try systemCall("fsync", subject) { fsync(file.number) }
    }

    /// fsync(2) of the folder that holds `path`, so that a rename in it survives.
    package static func syncFolder(of path: String) throws(SystemError) {
        let cut = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        let folder = cut.isEmpty ? "/" : String(cut)
        try sync(try Descriptor(open: folder, O_RDONLY | O_DIRECTORY), subject: folder)
    }
}
