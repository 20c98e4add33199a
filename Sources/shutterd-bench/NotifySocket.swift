// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// systemd's end of sd_notify(3): tells when a daemon says something, without looking at its log.
final class NotifySocket {
    let path: String
    private let socket: Descriptor

    init(path: String) {
        self.path = path
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        socket = Descriptor(adopting: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard result == 0 else { fail("bind \(path): \(String(cString: strerror(errno)))") }
    }

    /// Waits for a message with this line; returns when it came, or nil when it did not within `patience`.
    func wait(for line: String, patience: Duration) -> Timestamp? {
        let deadline = Clock.now + patience
        while socket.waitToRead(until: deadline) == .ready {
            let now = Clock.now
            guard let bytes = try? socket.read(upTo: 4096) else { return nil }
            if String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains(Substring(line)) { return now }
        }
        return nil
    }
}
