// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Who is at the other end of a UNIX socket, as the kernel says (SO_PEERCRED, SO_PEERGROUPS; unix(7)).
package struct Peer: Equatable, Sendable {
    package var process: Int32
    package var user: UInt32
    package var groups: Set<UInt32>
}

/// A UNIX stream socket that is listened on; its file is removed with it.
package final class SocketListener {
    package let path: String
    private let file: Descriptor
    private var spare: Descriptor?

    /// No descriptor is to be had: who waits can neither be taken nor dropped, and the socket stays readable. Ask again in a while.
    package private(set) var isStuck = false

    /// Why the group could not be let in: the socket is its owner's alone.
    package private(set) var groupFault: SystemError?

    /// Binds to `path`. The caller holds the lock that proves a socket standing there to be a dead daemon's.
    /// - Parameter group: may connect, besides the owner and root; nil: nobody else may.
    package init(path: String, group: UInt32?) throws(SystemError) {
        self.path = path
        file = Descriptor(adopting: try systemCall("socket", path) {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        })
        unlink(path)
        // The file that bind(2) makes has these permissions from the first moment on.
        try systemCall("fchmod", path) { fchmod(file.number, 0o600) }
        let (result, code) = try withUnixAddress("bind", path) { (bind(file.number, $0, $1), errno) }
        guard result == 0 else { throw SystemError("bind", path, code: code) }
        if let group {
            do throws(SystemError) {
                // A service that runs as the group needs no chown(2), and its sandbox allows none.
                var facts = stat()
                try systemCall("stat", path) { stat(path, &facts) }
                if facts.st_gid != group { try systemCall("chown", path) { chown(path, uid_t.max, group) } }
                try systemCall("chmod", path) { chmod(path, 0o660) }
            } catch {
                groupFault = error
            }
        }
        try systemCall("listen", path) { listen(file.number, 64) }
        spare = Self.nothing
    }

    deinit { unlink(path) }

    private static var nothing: Descriptor? { try? Descriptor(open: "/dev/null", O_RDONLY) }

    package var descriptor: Int32 { file.number }

    /// The next waiting connection, or nil. Connections that vanished meanwhile are skipped.
    package func accept() -> (connection: Descriptor, peer: Peer)? {
        isStuck = false
        if spare == nil { spare = Self.nothing }
        while true {
            let number = clinux_accept(file.number)
            if number < 0 {
                switch errno {
                case EINTR, ECONNABORTED: continue
                case EMFILE, ENFILE:
                    // Out of descriptors: take the connection with the spare one and drop it, or poll would spin.
                    spare = nil
                    let dropped = clinux_accept(file.number)
                    if dropped >= 0 { close(dropped) }
                    isStuck = dropped < 0
                    spare = Self.nothing
                    return nil
                default: return nil
                }
            }
            let connection = Descriptor(adopting: number)
            var credentials = clinux_peer()
            guard clinux_peer_credentials(number, &credentials) == 0 else { continue }
            var groups = [gid_t](repeating: 0, count: 128)
            let count = clinux_peer_groups(number, &groups, Int32(groups.count))
            let all = Set(groups.prefix(max(0, Int(count)))).union([credentials.gid])
            return (connection, Peer(process: credentials.pid, user: credentials.uid, groups: all))
        }
    }
}

/// A lock that one process holds as long as it lives: flock(2) on a file that stays.
package final class InstanceLock {
    private let file: Descriptor

    /// - Throws: EWOULDBLOCK when another process holds it.
    package init(path: String) throws(SystemError) {
        // For reading only: a file open for writing would keep its file system from being remounted read-only.
        file = try Descriptor(open: path, O_RDONLY | O_CREAT, mode: 0o600)
        try systemCall("lock", path) { flock(file.number, LOCK_EX | LOCK_NB) }
    }
}

/// The number of a group of this machine, or nil (getgrnam(3)).
package func groupNumber(_ name: String) -> UInt32? {
    getgrnam(name)?.pointee.gr_gid
}
