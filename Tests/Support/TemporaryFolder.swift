// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A fresh folder, gone with the last reference.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Short: a socket's path has 107 bytes.
    package init() {
        var template = Array("/tmp/shutterd-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("mkdtemp: \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    deinit { system("rm -rf --one-file-system \(path)") }
}
