// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open file descriptor; closed when the last reference goes.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes over an open descriptor.
    package init(adopting number: Int32) {
        self.number = number
    }

    /// open(2), always with O_CLOEXEC.
    package convenience init(open path: String, _ flags: Int32, mode: mode_t = 0o644) throws(SystemError) {
        self.init(adopting: try systemCall("open", path) { Glibc.open(path, flags | O_CLOEXEC, mode) })
    }

    deinit { _ = Glibc.close(number) }

    /// read(2) of at most `count` bytes: nil when nothing waits on a non-blocking descriptor, empty at the end.
    package func read(upTo count: Int) throws(SystemError) -> [UInt8]? {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var result: Int
            repeat { result = Glibc.read(number, buffer.baseAddress, count) } while result < 0 && errno == EINTR
            if result < 0 { failure = errno } else { filled = result }
        }
        if failure == EAGAIN { return nil }
        if failure != 0 { throw SystemError("read", "descriptor \(number)", code: failure) }
        return bytes
    }

    /// pread(2): up to `count` bytes from `offset` on, fewer only at the end of the file.
    package func read(upTo count: Int, at offset: UInt64, subject: String) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = try systemCall("read", subject) { () -> Int in
                bytes.withUnsafeMutableBytes {
                    pread(number, $0.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
                }
            }
            if more == 0 { break }
            filled += more
        }
        return Array(bytes.prefix(filled))
    }

    /// ftruncate(2).
    package func truncate(to size: UInt64, subject: String) throws(SystemError) {
        try systemCall("truncate", subject) { ftruncate(number, off_t(size)) }
    }

    /// write(2) until all of it is written.
    package func writeAll(_ bytes: UnsafeRawBufferPointer, subject: String) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = try systemCall("write", subject) { () -> Int in
                Glibc.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            }
            rest = rest.dropFirst(written)
        }
    }
}
