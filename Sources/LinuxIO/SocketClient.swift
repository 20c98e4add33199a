// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import ShutterCore

extension Descriptor {
    /// Connects to a UNIX stream socket. Connecting and writing fail with EAGAIN when the other end takes nothing for
    /// `patience` seconds. See connect(2), SO_SNDTIMEO.
    package static func connected(to path: String, patience: Int) throws(SystemError) -> Descriptor {
        let socket = Descriptor(adopting: try systemCall("socket", path) {
            Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        })
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(socket.number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let (result, code) = try withUnixAddress("connect", path) { address, size -> (Int32, Int32) in
            while true {
                let result = connect(socket.number, address, size)
                if result == 0 || errno != EINTR { return (result, errno) }
            }
        }
        guard result == 0 else { throw SystemError("connect", path, code: code) }
        return socket
    }

    /// Whether it is a terminal: isatty(3).
    package var isTerminal: Bool { isatty(number) == 1 }

    package enum Wait: Equatable, Sendable { case ready, late, readerGone }

    /// Blocks until there is something to read, or `deadline` (nil = never), or until nobody reads `output` any more. See ppoll(2).
    package func waitToRead(until deadline: Timestamp?, orReaderGoneFrom output: Descriptor? = nil) -> Wait {
        while true {
            // Without events of its own a descriptor tells only of its end: that a pipe's or a socket's other side is closed.
            var polls = [pollfd(fd: number, events: Int16(POLLIN), revents: 0), pollfd(fd: output?.number ?? -1, events: 0, revents: 0)]
            let left = deadline.map { max(0, ($0 - Clock.now).nanoseconds) }
            var time = timespec(tv_sec: Int((left ?? 0) / 1_000_000_000), tv_nsec: Int((left ?? 0) % 1_000_000_000))
            let ready = left == nil ? poll(&polls, 2, -1) : clinux_ppoll(&polls, 2, &time)
            if ready > 0, polls[1].revents != 0 { return .readerGone }
            if ready > 0, polls[0].revents != 0 { return .ready }
            if let deadline, Clock.now >= deadline { return .late }
            // Else it was a signal.
        }
    }
}
