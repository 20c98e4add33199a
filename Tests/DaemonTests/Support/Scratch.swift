// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport

/// A fresh folder, gone with the last reference.
final class Scratch: Sendable {
    private let folder = TemporaryFolder()
    private let count = Locked(0)
    var path: String { folder.path }

    /// A name that nobody else has.
    func fresh(_ name: String) -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return "\(path)/\(name)-\(number)"
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = "\(path)/\(name)"
        try AtomicFile.replace(path, with: Array(text.utf8))
        return path
    }
}

/// Commands of the machine that a test needs.
enum Shell {
    /// The exit code.
    @discardableResult
    static func run(_ command: String) throws -> Int32 { system(command) >> 8 & 0xff }

    static func succeeds(_ command: String) -> Bool { system("(\(command)) >/dev/null 2>&1") == 0 }
}

/// A small file system of its own over a folder.
final class Mounted: Sendable {
    let path: String

    /// Whether this machine lets us mount.
    static let isPossible = geteuid() == 0 && Shell.succeeds("d=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d && rmdir $d")

    init(tmpfs path: String, size: String) throws {
        self.path = path
        try AtomicFile.makeFolders(path)
        guard Shell.succeeds("mount -t tmpfs -o size=\(size),mode=755 tmpfs \(path)") else { throw SystemError("mount", path, code: EPERM) }
    }

    deinit { _ = Shell.succeeds("umount -l \(path)") }

    func remount(_ option: String) throws {
        guard Shell.succeeds("mount -o remount,\(option) \(path)") else { throw SystemError("remount", path, code: EBUSY) }
    }

    /// Takes all room, until `free`.
    func fill() throws {
        _ = Shell.succeeds("dd if=/dev/zero of=\(path)/filler bs=4096")
    }

    func free() { unlink("\(path)/filler") }
}
