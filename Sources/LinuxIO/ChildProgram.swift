// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import ShutterCore

/// A program that runs beside us, in a process group of its own: posix_spawn(3), pidfd_open(2).
///
/// It gets nothing of ours but the environment it is given: no descriptor, no blocked or ignored signal. Its standard input is
/// empty; what it writes to output and errors can be read from `output`.
package final class ChildProgram: Sendable {
    package enum End: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    private let pid: pid_t
    /// Readable when the program has ended.
    package let end: Descriptor
    /// Non-blocking; at its end when all who could write are gone.
    package let output: Descriptor

    /// Starts it; returns when the kernel has loaded it, so it may block as long as the disk does.
    /// - Parameters:
    ///   - words: the absolute path, and the arguments.
    ///   - environment: all of it, `NAME=value`.
    package init(_ words: [String], environment: [String]) throws(SystemError) {
        let program = words.first ?? ""
        var pipe: [Int32] = [-1, -1]
        try systemCall("pipe", program) { clinux_pipe(&pipe) }
        output = Descriptor(adopting: pipe[0])
        let input = Descriptor(adopting: pipe[1])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, input.number, 1)
        posix_spawn_file_actions_adddup2(&actions, input.number, 2)
        // Libraries may have opened some without O_CLOEXEC.
        clinux_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, every) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&every)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &every)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let (arguments, variables) = (words.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
        defer { (arguments + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, program, &actions, &attributes, arguments, variables)
        guard result == 0 else { throw SystemError("posix_spawn", program, code: result) }
        self.pid = pid
        do throws(SystemError) {
            end = Descriptor(adopting: try systemCall("pidfd_open", program) { clinux_pidfd_open(pid) })
        } catch {
            // Nobody would see its end.
            kill(-pid, SIGKILL)
            while waitpid(pid, nil, 0) < 0, errno == EINTR {}
            throw error
        }
    }

    /// Blocks until it has ended; one that takes longer is killed.
    /// - Returns: what it wrote, and how it ended; nil: it was killed.
    package func finish(within patience: Duration) throws(SystemError) -> (text: String, end: End?) {
        let deadline = Clock.now + patience
        var bytes: [UInt8] = []
        while output.waitToRead(until: deadline) == .ready, let more = try output.read(upTo: 4096), !more.isEmpty { bytes += more }
        let isLate = end.waitToRead(until: deadline) == .late
        if isLate {
            signal(SIGKILL)
            _ = end.waitToRead(until: nil)
        }
        let how = reap()
        return (String(decoding: bytes, as: UTF8.self), isLate ? nil : how)
    }

    /// To all of its group. Until `reap`, the number cannot be anybody else's.
    package func signal(_ number: Int32) { kill(-pid, number) }

    /// How it ended, once it has; call it no more then. What it left behind in its group ends with it.
    package func reap() -> End? {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(pid), &info, Int32(WEXITED) | Int32(WNOHANG) | Int32(WNOWAIT)) == 0, info.si_signo != 0 else { return nil }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? .code(status >> 8 & 0xff) : .signal(status & 0x7f)
    }
}

/// Several descriptors in the place of one: readable while one of them is. epoll(7).
package final class WatchSet: Sendable {
    private let file: Descriptor

    package init() throws(SystemError) {
        file = Descriptor(adopting: try systemCall("epoll_create", "a watch set") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    }

    package var descriptor: Int32 { file.number }

    package func add(_ descriptor: Int32) throws(SystemError) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        try systemCall("epoll_ctl", "descriptor \(descriptor)") { epoll_ctl(file.number, EPOLL_CTL_ADD, descriptor, &event) }
    }

    /// A descriptor that is closed everywhere is out without it.
    package func remove(_ descriptor: Int32) { epoll_ctl(file.number, EPOLL_CTL_DEL, descriptor, nil) }
}
