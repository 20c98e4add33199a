// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// What the kernel says about files, folders and links, and about the file system under a path.
package enum FileSystem {
    /// Room on a file system.
    package struct Space: Equatable, Sendable {
        /// Bytes that an ordinary process may still use.
        package var free: UInt64
        /// Bytes in all.
        package var size: UInt64
        /// Whether no further file can be made although bytes are left.
        package var isOutOfFiles: Bool

        package init(free: UInt64, size: UInt64, isOutOfFiles: Bool = false) {
            self.free = free
            self.size = size
            self.isOutOfFiles = isOutOfFiles
        }
    }

    /// statvfs(3).
    package static func space(at path: String) throws(SystemError) -> Space {
        var facts = statvfs()
        try systemCall("statvfs", path) { statvfs(path, &facts) }
        let block = UInt64(facts.f_frsize)
        // File systems that make files as they go (btrfs, vfat) count none at all.
        return Space(
            free: UInt64(facts.f_bavail) * block, size: UInt64(facts.f_blocks) * block,
            isOutOfFiles: facts.f_files > 0 && facts.f_favail == 0)
    }

    /// The type's name as the kernel has it (`ext4`, `vfat`, `tmpfs`, …), or its magic number in hexadecimal; see statfs(2).
    package static func type(at path: String) throws(SystemError) -> String {
        var facts = statfs()
        try systemCall("statfs", path) { statfs(path, &facts) }
        let magic = UInt32(truncatingIfNeeded: facts.f_type)
        let name = names[magic] ?? "0x" + String(magic, radix: 16)
        // ext2, ext3 and ext4 share one number, as do all FUSE file systems.
        return name == "ext4" || name == "fuse" ? mountedType(of: path) ?? name : name
    }

    private static let names: [UInt32: String] = [
        UInt32(EXT4_SUPER_MAGIC): "ext4", UInt32(BTRFS_SUPER_MAGIC): "btrfs", UInt32(XFS_SUPER_MAGIC): "xfs",
        UInt32(F2FS_SUPER_MAGIC): "f2fs", UInt32(MSDOS_SUPER_MAGIC): "vfat", UInt32(EXFAT_SUPER_MAGIC): "exfat",
        UInt32(TMPFS_MAGIC): "tmpfs", UInt32(RAMFS_MAGIC): "ramfs", UInt32(OVERLAYFS_SUPER_MAGIC): "overlay",
        UInt32(SQUASHFS_MAGIC): "squashfs", UInt32(NFS_SUPER_MAGIC): "nfs", UInt32(FUSE_SUPER_MAGIC): "fuse",
        UInt32(CIFS_SUPER_MAGIC): "cifs", UInt32(SMB2_SUPER_MAGIC): "cifs",
    ]

    /// The type in the line of proc_pid_mountinfo(5) that has the path's device number.
    private static func mountedType(of path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0, let table = try? wholeFile("/proc/self/mountinfo") else { return nil }
        let device = "\(clinux_major(facts.st_dev)):\(clinux_minor(facts.st_dev))"
        return mountedType(device: device, in: String(decoding: table, as: UTF8.self))
    }

    static func mountedType(device: String, in table: String) -> String? {
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[2] == device, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex
            else { continue }
            return String(fields[dash + 1])
        }
        return nil
    }

    /// The folder that a name stands in, as dirname(3) has it: `.` for a name without one.
    package static func folder(of path: String) -> String {
        let cut = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        return cut.isEmpty ? "/" : String(cut)
    }

    /// Whether nothing has that name. What is there but out of reach, as in a folder that may not be entered, is not missing.
    package static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    /// What a symbolic link says; nil when there is none. See readlink(2).
    package static func linkTarget(_ path: String) -> String? {
        // CChar, as readlink() has it: converting an array of UInt8 in passing breaks the stack with Swift 6.0.
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &target, target.count)
        return length < 0 ? nil : String(chars: target.prefix(length))
    }

    /// All bytes of a file, also of those in /proc that have no size.
    package static func wholeFile(_ path: String, atMost limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
        let file = try Descriptor(open: path, O_RDONLY)
        var bytes: [UInt8] = []
        while bytes.count < limit {
            guard let more = try file.read(upTo: min(65536, limit - bytes.count)), !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    /// What lstat(2) says about a name; nil when nothing has it.
    package static func file(_ path: String) throws(SystemError) -> File? {
        var facts = stat()
        do throws(SystemError) {
            try systemCall("lstat", path) { lstat(path, &facts) }
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        return File(
            size: UInt64(clamping: facts.st_size),
            modified: nanoseconds(facts.st_mtim),
            isRegular: facts.st_mode & S_IFMT == S_IFREG, isFolder: facts.st_mode & S_IFMT == S_IFDIR)
    }

    /// Since 1970. A file may have any time, also one that 64 bits have no room for: then the nearest that they have.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, isTooMuch) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isStillTooMuch) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isTooMuch || isStillTooMuch ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    package struct File: Equatable, Sendable {
        /// Bytes.
        package var size: UInt64
        /// Nanoseconds since 1970.
        package var modified: Int64
        /// False for folders, links and devices.
        package var isRegular: Bool
        package var isFolder: Bool
    }

    /// The number of the device that a name leads to, and whether it is a link to it; nil when it is no device.
    package static func device(_ path: String) -> (number: UInt64, isLink: Bool)? {
        var target = stat()
        var link = stat()
        guard stat(path, &target) == 0, lstat(path, &link) == 0 else { return nil }
        guard target.st_mode & S_IFMT == S_IFCHR || target.st_mode & S_IFMT == S_IFBLK else { return nil }
        return (UInt64(target.st_rdev), link.st_mode & S_IFMT == S_IFLNK)
    }

    /// The names in a folder, without `.` and `..`, in no order; see readdir(3).
    package static func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = opendir(folder) else { throw SystemError("opendir", folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError("readdir", folder) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }
}
