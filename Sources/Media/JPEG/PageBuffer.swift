// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Anonymous memory of our own that grows, is used again, and goes back to the system when idle; see mmap(2).
///
/// A photo needs megabytes for a moment. `malloc` would keep them resident between photos, and growing a
/// malloc'ed block copies it.
final class PageBuffer {
    private(set) var base: UnsafeMutablePointer<UInt8>?
    private(set) var capacity = 0

    deinit { unmap() }

    /// At least `size` bytes; what was in it is lost when it had to grow. Throws when the system has no address space left for it.
    func reserve(_ size: Int) throws(JPEGFault) -> UnsafeMutablePointer<UInt8> {
        if let base, size <= capacity { return base }
        unmap()
        let page = Int(getpagesize())
        let length = max(1, (size + page - 1) / page) * page
        // NORESERVE: TurboJPEG's worst case is several times what a photo ever takes.
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED else {
            throw JPEGFault("mmap of \(length) bytes: \(String(cString: strerror(errno)))")
        }
        base = memory.assumingMemoryBound(to: UInt8.self)
        capacity = length
        return base!
    }

    /// Gives the pages back; the bytes are zero afterwards. See madvise(2).
    func release() {
        if let base { madvise(base, capacity, MADV_DONTNEED) }
    }

    private func unmap() {
        if let base { munmap(base, capacity) }
        base = nil
        capacity = 0
    }
}
