// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

extension Fault {
    /// A failed call on the way to a saved file, in words.
    ///
    /// - Parameter what: what did not happen, such as `IMG_0001.JPG was not saved`.
    init(_ what: String, _ error: SystemError) {
        let (reason, advice) = Self.advice(error.code)
        self.init(reason, "\(what): \(error.description). \(advice)")
    }

    private static func advice(_ code: Int32) -> (reason: String, advice: String) {
        switch code {
        case ENOSPC: ("no-space", "Free some space there, or put in another card")
        case EDQUOT: ("no-space", "The quota is used up: free some space there")
        case EROFS: ("read-only", "Mount it for writing, or check the card: the kernel makes a damaged file system read-only. A service also needs ReadWritePaths= for it")
        case EIO: ("io", "The card or disk reports errors: save what is on it, and replace it")
        case EACCES, EPERM: ("not-writable", "Give the folder to the user that shutterd runs as")
        case ENOTDIR: ("not-a-folder", "Something else has the name of a folder: move it away, or set [storage] root")
        case EAGAIN, ENOMEM, EMFILE, ENFILE: ("io", "Memory, threads or files that may be open have run out: end other programs, or raise the service's limits")
        case ENOENT, ENODEV, ENXIO: ("missing", "Check that the card is in and mounted, and [storage] root")
        default: ("io", "Check the card, and [storage] root")
        }
    }
}
