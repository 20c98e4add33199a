// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file of sysfs: one value, read and written whole.
package struct Attribute: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var exists: Bool { access(path, F_OK) == 0 }

    /// Without the line's end.
    package func read() throws(SystemError) -> String {
        let bytes = try FileSystem.wholeFile(path, atMost: 65536)
        return String(decoding: bytes.reversed().drop { $0 == 10 || $0 == 32 }.reversed(), as: UTF8.self)
    }

    /// In one write(2), as sysfs wants it.
    package func write(_ text: String) throws(SystemError) {
        let file = try Descriptor(open: path, O_WRONLY | O_TRUNC)
        var text = text
        let count = text.utf8.count
        let written = try systemCall("write", path) { text.withUTF8 { Glibc.write(file.number, $0.baseAddress, $0.count) } }
        if written != count { throw SystemError("write", path, code: EIO) }
    }

    /// The path with all links followed; nil when nothing is there. See realpath(3).
    package static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
