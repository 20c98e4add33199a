// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Bytes that end exactly where the page behind them cannot be read: one byte too far and the test dies.
package final class GuardedBytes: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer
    private let mapping: UnsafeMutableRawPointer
    private let length: Int

    package init(count: Int) {
        let page = Int(getpagesize())
        let usable = (count + page - 1) / page * page
        length = usable + page
        mapping = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
        precondition(mapping != MAP_FAILED && mprotect(mapping + usable, page, PROT_NONE) == 0)
        bytes = UnsafeMutableRawBufferPointer(start: mapping + usable - count, count: count)
    }

    deinit { munmap(mapping, length) }
}
