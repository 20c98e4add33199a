// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

extension Fault {
    /// A device file that cannot be used: what is wrong and what to do.
    /// - Parameters:
    ///   - needs: the line of config.txt that makes it.
    ///   - group: whose members may use it; nil when only udev can tell.
    ///   - kind: what it should be, with its article.
    static func device(_ error: SystemError, needs: String, group: String?, kind: String) -> Fault {
        let path = error.subject
        switch error.code {
        case ENOENT, ENODEV, ENXIO, ENOTDIR:
            return Fault("no-device", "\(path) is not there: add \(needs) to /boot/firmware/config.txt and reboot")
        case EACCES, EPERM:
            let cure = group.map { "add the daemon's user to the group \($0), and restart it" } ?? "let a udev rule give it to the daemon's group"
            return Fault("permission-denied", "not permitted to use \(path): \(cure)")
        case EBUSY:
            return Fault("in-use", "\(path) is used by another program: stop that, or give the ring another device")
        case ENOTTY, EINVAL:
            return Fault("wrong-device", "\(path) is not \(kind) (\(error.operation): \(error.reason)): correct ring.device")
        default:
            return Fault("io", "cannot \(error.operation) \(path): \(error.reason); it is tried again")
        }
    }
}
