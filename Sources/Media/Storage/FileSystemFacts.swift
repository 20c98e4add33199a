// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// What a file system promises about files that were synced.
struct FileSystemFacts: Equatable {
    /// As the kernel names it.
    var name: String
    /// A synced file survives a power cut.
    var isCrashSafe: Bool
    /// Files survive a restart of the machine.
    var isPersistent: Bool
    /// What the user should know; nil: nothing.
    var note: String?

    init(name: String) {
        self.name = name
        switch name {
        case "ext4", "ext3", "btrfs", "xfs", "f2fs":
            (isCrashSafe, isPersistent) = (true, true)
        case "ext2", "vfat", "exfat":
            (isCrashSafe, isPersistent) = (false, true)
            note = "\(name) has no journal: a power cut while it is written to can damage it, and photos saved before with it"
        case "tmpfs", "ramfs":
            (isCrashSafe, isPersistent) = (false, false)
            note = "\(name) is in memory: photos are gone after a restart"
        case "overlay":
            (isCrashSafe, isPersistent) = (false, false)
            note = "overlay: photos may not survive a restart (a read-only system usually keeps changes in memory)"
        case "squashfs":
            (isCrashSafe, isPersistent) = (false, true)
            note = "squashfs cannot be written to"
        default:
            (isCrashSafe, isPersistent) = (false, true)
            note = "\(name): not known whether saved photos survive a power cut there"
        }
    }
}
