// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import ShutterCore

/// Waits on descriptors: ppoll(2).
package enum Poller {
    package struct Interest {
        package var descriptor: Int32
        package var wantsToRead: Bool
        package var wantsToWrite: Bool

        package init(_ descriptor: Int32, wantsToRead: Bool = true, wantsToWrite: Bool = false) {
            self.descriptor = descriptor
            self.wantsToRead = wantsToRead
            self.wantsToWrite = wantsToWrite
        }
    }

    /// Blocks until a descriptor is ready or has failed, or `deadline` is there (nil = for ever). A signal ends it early.
    /// - Returns: the indices that are ready, hung up or in error.
    package static func wait(_ interests: [Interest], until deadline: Timestamp?) -> [Int] {
        var polls = interests.map {
            pollfd(fd: $0.descriptor, events: ($0.wantsToRead ? Int16(POLLIN) : 0) | ($0.wantsToWrite ? Int16(POLLOUT) : 0), revents: 0)
        }
        // Rounded up by ppoll itself: it never wakes early.
        let left = deadline.map { max(0, ($0 - Clock.now).nanoseconds) }
        var time = timespec(tv_sec: Int((left ?? 0) / 1_000_000_000), tv_nsec: Int((left ?? 0) % 1_000_000_000))
        let ready = left == nil
            ? poll(&polls, nfds_t(polls.count), -1)
            : clinux_ppoll(&polls, UInt(polls.count), &time)
        guard ready > 0 else { return [] }
        return polls.indices.filter { polls[$0].revents != 0 }
    }

    package enum State {
        case idle, readable
        /// Hung up, in error or closed.
        case failed
    }

    /// How a descriptor stands, without waiting.
    package static func state(of descriptor: Int32) -> State {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var result: Int32
        repeat { result = poll(&entry, 1, 0) } while result < 0 && errno == EINTR
        if result < 0 || Int32(entry.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 { return .failed }
        return result == 0 ? .idle : .readable
    }
}
