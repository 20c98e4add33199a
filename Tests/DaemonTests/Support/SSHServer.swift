// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxIO
import ShutterCore

/// A real OpenSSH server on a loopback port, with keys made for the test. Whoever logs in is the test's own user.
final class SSHServer {
    static let isPossible = access("/usr/sbin/sshd", X_OK) == 0 && Shell.succeeds("command -v ssh && command -v ssh-keygen")

    let scratch: Scratch
    /// Where the gate's audit lines go.
    let log: NotifySocket
    private let server: Child
    private let port: UInt16
    private var clients = 0

    /// - Parameters:
    ///   - socket: the daemon that the gate asks.
    ///   - allow: per key, what stands after `ssh-gate`; the keys are named so.
    init(socket: String, keys: [String: String] = ["all": ""], in scratch: Scratch = Scratch()) throws {
        self.scratch = scratch
        log = try NotifySocket(in: scratch)
        // sshd wants its folder where it runs as root.
        if geteuid() == 0 { try AtomicFile.makeFolders("/run/sshd") }
        var authorized = ""
        for name in ["host"] + keys.keys.sorted() {
            guard Shell.succeeds("ssh-keygen -q -t ed25519 -N '' -C \(name) -f \(scratch.path)/\(name)") else { throw Late("ssh-keygen") }
            guard let options = keys[name] else { continue }
            let key = String(decoding: try FileSystem.wholeFile("\(scratch.path)/\(name).pub"), as: UTF8.self)
            authorized += "command=\"\(Programs.control) --socket \(socket) ssh-gate --log \(log.path) \(options)\",restrict \(key)"
        }
        try scratch.write(authorized, to: "authorized_keys")
        // A port that was free a moment ago may be taken by now: then another one.
        for _ in 0..<10 {
            let port = try Self.freePort()
            try scratch.write("""
                ListenAddress 127.0.0.1:\(port)
                HostKey \(scratch.path)/host
                AuthorizedKeysFile \(scratch.path)/authorized_keys
                PidFile none
                StrictModes no
                UsePAM no
                PermitRootLogin yes
                MaxStartups 200
                MaxSessions 100
                LogLevel INFO
                Subsystem sftp internal-sftp

                """, to: "sshd_config")
            let child = try Child("/usr/sbin/sshd", ["-D", "-e", "-f", scratch.path + "/sshd_config"], in: scratch)
            do { try child.waitForError("Server listening") } catch { continue }
            (self.port, server) = (port, child)
            return
        }
        throw Late("sshd on a free port")
    }

    deinit { server.signal(SIGTERM) }

    var errors: String { server.errors }

    /// The words of an ssh that does not look at its user's files.
    func words(key: String = "all", _ options: [String] = []) -> [String] {
        ["-F", "none", "-q", "-p", "\(port)", "-i", scratch.path + "/" + key, "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none",
         "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"] + options + ["127.0.0.1"]
    }

    /// `ssh camera COMMAND`, under way.
    func start(_ command: String?, key: String = "all", options: [String] = []) throws -> Child {
        try Child("/usr/bin/ssh", words(key: key, options) + (command.map { ["--", $0] } ?? []), in: scratch)
    }

    /// The same, ended.
    @discardableResult
    func run(_ command: String?, key: String = "all", options: [String] = []) throws -> Child {
        let child = try start(command, key: key, options: options)
        try child.exit()
        return child
    }

    /// Processes of the gate that are there now.
    func gates() throws -> [pid_t] {
        try FileSystem.names(in: "/proc").compactMap { pid_t($0) }.filter { pid in
            guard let line = try? FileSystem.wholeFile("/proc/\(pid)/cmdline") else { return false }
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.first == Programs.control && words.contains(log.path)
        }
    }

    /// Waits until no gate is left.
    func waitForNoGates() throws {
        let limit = Clock.now + patience
        while try !gates().isEmpty {
            if Clock.now > limit { throw Late("the end of the gates \(try gates())") }
            Clock.sleep(until: Clock.now + .milliseconds(10))
        }
    }

    private static func freePort() throws -> UInt16 {
        let probe = Descriptor(adopting: try systemCall("socket", "TCP") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) })
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = try systemCall("bind", "127.0.0.1") { bind(probe.number, address, size) }
                _ = try systemCall("getsockname", "127.0.0.1") { getsockname(probe.number, address, &size) }
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
