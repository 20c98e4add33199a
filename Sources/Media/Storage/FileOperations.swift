// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// What the storage does to files. Tests put failing and recording ones in the place of the system's: no file system
/// here answers EIO on demand. Every call may block.
package struct FileOperations: Sendable {
    /// A new file, open for writing; EEXIST when it is there.
    package var create: @Sendable (_ path: String) throws(SystemError) -> Descriptor
    package var write: @Sendable (_ file: Descriptor, _ bytes: UnsafeRawBufferPointer, _ path: String) throws(SystemError) -> Void
    package var sync: @Sendable (_ file: Descriptor, _ path: String) throws(SystemError) -> Void
    /// Syncs the bytes, and of the rest what is needed to read them.
    package var syncData: @Sendable (_ file: Descriptor, _ path: String) throws(SystemError) -> Void
    /// Renames without replacing.
    package var publish: @Sendable (_ from: String, _ to: String) throws(SystemError) -> Void
    /// Syncs the folder that holds the path.
    package var syncFolder: @Sendable (_ path: String) throws(SystemError) -> Void
    package var remove: @Sendable (_ path: String) -> Void
    package var makeFolders: @Sendable (_ path: String) throws(SystemError) -> Void
    package var checkWritable: @Sendable (_ folder: String) throws(SystemError) -> Void
    /// Writes, syncs and renames over.
    package var replace: @Sendable (_ path: String, _ bytes: [UInt8]) throws(SystemError) -> Void
    package var space: @Sendable (_ path: String) throws(SystemError) -> FileSystem.Space
    package var fileSystemType: @Sendable (_ path: String) throws(SystemError) -> String

    package static let system = FileOperations(
        create: { path throws(SystemError) in try AtomicFile.create(path) },
        write: { file, bytes, path throws(SystemError) in try file.writeAll(bytes, subject: path) },
        sync: { file, path throws(SystemError) in try AtomicFile.sync(file, subject: path) },
        syncData: { file, path throws(SystemError) in try AtomicFile.syncData(file, subject: path) },
        publish: { from, to throws(SystemError) in try AtomicFile.publish(from, as: to) },
        syncFolder: { path throws(SystemError) in try AtomicFile.syncFolder(of: path) },
        remove: { path in AtomicFile.remove(path) },
        makeFolders: { path throws(SystemError) in try AtomicFile.makeFolders(path) },
        checkWritable: { folder throws(SystemError) in try AtomicFile.checkWritable(folder) },
        replace: { path, bytes throws(SystemError) in try AtomicFile.replace(path, with: bytes) },
        space: { path throws(SystemError) in try FileSystem.space(at: path) },
        fileSystemType: { path throws(SystemError) in try FileSystem.type(at: path) })
}
