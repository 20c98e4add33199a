// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A line for the system's log: a datagram as syslog(3) sends it, which the journal takes too. Never blocks.
package enum Syslog {
    package static let socket = "/dev/log"

    /// Numbers of syslog(3).
    package enum Severity: Int32, Sendable { case warning = 4, info = 6 }

    /// To the facility LOG_AUTHPRIV, which only administrators may read.
    /// - Returns: whether it was taken.
    @discardableResult
    package static func tellAdministrators(_ severity: Severity, _ program: String, _ text: String, socket path: String = socket) -> Bool {
        let authpriv: Int32 = 10 << 3
        let line = Array("<\(authpriv | severity.rawValue)>\(program)[\(getpid())]: \(text)".utf8)
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return false }
        let file = Descriptor(adopting: number)
        let sent = try? withUnixAddress("sendto", path) { address, size in
            line.withUnsafeBytes { sendto(file.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), address, size) }
        }
        return sent == line.count
    }

    /// The name of the user that we are.
    package static var user: String { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())" }
}
