// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Files that are wholly there under their name, or not at all, whenever the power goes.
package enum AtomicFile {
    /// Writes `bytes` under a temporary name in the same folder, fsyncs, renames over `path`, fsyncs both again.
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
            try systemCall("rename", path) { Glibc.rename(temporary, path) }
            // FAT keeps a file's size and place in its folder, and a renamed file's are empty there until it is synced.
            try sync(file, subject: path)
        } catch {
            unlink(temporary)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Renames without replacing: throws EEXIST when `to` is there. renameat2(2) with RENAME_NOREPLACE, else link(2)
    /// and unlink(2), else (file systems with neither) a look and a rename, which is safe for a single writer.
    ///
    /// The file is fsynced once more, for FAT (see `replace`); where that is not needed, the fsync of the folder that
    /// follows has less to do.
    package static func publish(_ from: String, as to: String, calls: RenameCalls = .kernel) throws(SystemError) {
        try rename(from, withoutReplacing: to, calls)
        try sync(try Descriptor(open: to, O_RDONLY | O_NOFOLLOW), subject: to)
    }

    /// rename(2) of a file that is written and synced over another; on return that survives a power cut.
    package static func exchange(_ from: String, over to: String) throws(SystemError) {
        try systemCall("rename", to) { Glibc.rename(from, to) }
        // For FAT (see `replace`).
        try sync(try Descriptor(open: to, O_RDONLY | O_NOFOLLOW), subject: to)
        try syncFolder(of: to)
    }

    private static func rename(_ from: String, withoutReplacing to: String, _ calls: RenameCalls) throws(SystemError) {
        do throws(SystemError) {
            try systemCall("rename", to) { calls.renameWithoutReplacing(from, to) }
        } catch {
            guard error.code == EINVAL || error.code == ENOSYS else { throw error }
            do throws(SystemError) {
                try systemCall("link", to) { calls.link(from, to) }
                unlink(from)
            } catch {
                guard error.code == EPERM || error.code == ENOSYS || error.code == EOPNOTSUPP else { throw error }
                if access(to, F_OK) == 0 { throw SystemError("rename", to, code: EEXIST) }
                try systemCall("rename", to) { Glibc.rename(from, to) }
            }
        }
    }

    /// The calls that not every file system has. Tests put others in their place: a kernel with only ext4 and
    /// tmpfs never takes the ways that FAT and FUSE need.
    package struct RenameCalls: Sendable {
        package var renameWithoutReplacing: @Sendable (_ from: String, _ to: String) -> Int32
        package var link: @Sendable (_ from: String, _ to: String) -> Int32

        package init(
            renameWithoutReplacing: @escaping @Sendable (String, String) -> Int32,
            link: @escaping @Sendable (String, String) -> Int32
        ) {
            self.renameWithoutReplacing = renameWithoutReplacing
            self.link = link
        }

        package static let kernel = RenameCalls(
            renameWithoutReplacing: { clinux_renameat2(AT_FDCWD, $0, AT_FDCWD, $1, UInt32(RENAME_NOREPLACE)) },
            link: { Glibc.link($0, $1) })
    }

    /// fsync(2).
    package static func sync(_ file: Descriptor, subject: String) throws(SystemError) {
        try systemCall("fsync", subject) { fsync(file.number) }
    }

    /// fdatasync(2).
    package static func syncData(_ file: Descriptor, subject: String) throws(SystemError) {
        try systemCall("fdatasync", subject) { fdatasync(file.number) }
    }

    /// fsync(2) of the folder that holds `path`, so that a rename in it survives. File systems that cannot sync
    /// a folder answer EINVAL; that is all they can do, so it is no error.
    package static func syncFolder(of path: String) throws(SystemError) {
        let folder = FileSystem.folder(of: path)
        do throws(SystemError) {
            try sync(try Descriptor(open: folder, O_RDONLY | O_DIRECTORY), subject: folder)
        } catch {
            if error.operation != "fsync" || error.code != EINVAL { throw error }
        }
    }

    /// mkdir(2) of the folder and all above it that are missing. Each new one survives a power cut: its parent is
    /// fsynced. Throws ENOTDIR when something else has the name.
    package static func makeFolders(_ path: String, mode: mode_t = 0o755) throws(SystemError) {
        if isFolder(path) { return }
        let parent = FileSystem.folder(of: path)
        if parent != path { try makeFolders(parent, mode: mode) }
        do throws(SystemError) {
            try systemCall("mkdir", path) { mkdir(path, mode) }
        } catch {
            guard error.code == EEXIST else { throw error }
            if !isFolder(path) { throw SystemError("mkdir", path, code: ENOTDIR) }
        }
        try syncFolder(of: path)
    }

    /// A new file for writing; throws EEXIST when something has the name, be it a dangling link.
    package static func create(_ path: String, mode: mode_t = 0o644) throws(SystemError) -> Descriptor {
        try Descriptor(open: path, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    }

    /// unlink(2). What is not there, or cannot be removed, is left to the next start.
    package static func remove(_ path: String) {
        unlink(path)
    }

    /// Throws EROFS or EACCES where nothing can be written; access(2).
    package static func checkWritable(_ folder: String) throws(SystemError) {
        try systemCall("access", folder) { access(folder, W_OK | X_OK) }
    }

    /// Whether something has the name; access(2).
    package static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}
