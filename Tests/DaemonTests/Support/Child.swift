// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxIO
import ShutterCore

/// What a test waited for did not come in time.
struct Late: Error, CustomStringConvertible {
    let description: String
    init(_ what: String) { description = "late: \(what)" }
}

/// Longer than anything takes on a busy machine; only a hang gets that far.
let patience = Duration.seconds(60)

/// A program that runs beside the test: what it prints goes to files, and its end can be waited for.
final class Child: @unchecked Sendable {
    let pid: pid_t
    private let outputPath: String
    private let errorsPath: String
    /// Becomes readable when the program has ended: the other end is the program's alone.
    private let end: Descriptor
    private let code = Locked<Int32?>(nil)

    /// - Parameters:
    ///   - input: what it reads as its standard input; nil = nothing.
    ///   - environment: on top of the test's own.
    init(_ program: String, _ arguments: [String], input: Descriptor? = nil, environment: [String: String] = [:], in folder: Scratch) throws {
        var pair: [Int32] = [0, 0]
        try systemCall("socketpair", program) { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) }
        end = Descriptor(adopting: pair[0])
        let other = Descriptor(adopting: pair[1])
        outputPath = folder.fresh("out")
        errorsPath = folder.fresh("err")
        let files = [
            try input ?? Descriptor(open: "/dev/null", O_RDONLY), try AtomicFile.create(outputPath), try AtomicFile.create(errorsPath), other,
        ]
        pid = try Self.spawn([program] + arguments, files, environment)
        // Where we may: a test is about the program, not about how busy the machine is.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(pid), -15)
    }

    deinit {
        signal(SIGKILL)
        _ = try? exit()
    }

    var output: [UInt8] { (try? FileSystem.wholeFile(outputPath, atMost: 1 << 28)) ?? [] }
    var outputText: String { String(decoding: output, as: UTF8.self) }
    var errors: String { String(decoding: (try? FileSystem.wholeFile(errorsPath)) ?? [], as: UTF8.self) }
    /// Not by `end` alone: OpenSSH closes what it does not know.
    var hasEnded: Bool {
        code.withLock { code in
            if code != nil { return true }
            var info = siginfo_t()
            return waitid(P_PID, id_t(pid), &info, Int32(WEXITED) | Int32(WNOHANG) | Int32(WNOWAIT)) != 0 || info.si_signo != 0
        }
    }
    /// For waiting on its end and on something else.
    var endDescriptor: Int32 { end.number }

    func signal(_ number: Int32) {
        code.withLock { if $0 == nil { kill(pid, number) } }
    }

    /// Waits for its end: the exit code, or the signal's number, negative.
    @discardableResult
    func exit(within time: Duration = patience) throws -> Int32 {
        let limit = Clock.now + time
        while Poller.wait([.init(end.number)], until: limit).isEmpty {
            if Clock.now >= limit { throw Late("the end of process \(pid); it said: \(errors)") }
        }
        while !hasEnded {
            if Clock.now >= limit { throw Late("the end of process \(pid); it said: \(errors)") }
            Clock.sleep(until: Clock.now + .milliseconds(2))
        }
        return code.withLock { code in
            if let code { return code }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let result = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
            code = result
            return result
        }
    }

    private static func spawn(_ words: [String], _ files: [Descriptor], _ environment: [String: String]) throws -> pid_t {
        var variables = ProcessInfo.processInfo.environment
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM", "SHUTTERD_SOCKET"] { variables[name] = nil }
        variables.merge(environment) { $1 }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in files.enumerated() { posix_spawn_file_actions_adddup2(&actions, file.number, Int32(number)) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var every = sigset_t()
        sigfillset(&every)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &every)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) } + [nil]
        let settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + settings).forEach { free($0) } }
        var pid: pid_t = 0
        let result = posix_spawnp(&pid, words[0], &actions, &attributes, arguments, settings)
        guard result == 0 else { throw SystemError("posix_spawn", words[0], code: result) }
        return pid
    }
}

extension Child {
    /// Waits until it has said so on stderr.
    func waitForError(_ text: String) throws {
        let limit = Clock.now + patience
        while !errors.contains(text) {
            if hasEnded || Clock.now > limit { throw Late("\(text); it said: \(errors)") }
            Clock.sleep(until: Clock.now + .milliseconds(5))
        }
    }
}

extension Child {
    /// Waits until SIGSTOP has taken effect: waitid(2).
    func waitUntilStopped() throws {
        var info = siginfo_t()
        try systemCall("waitid", "\(pid)") { waitid(P_PID, id_t(pid), &info, Int32(WSTOPPED) | Int32(WNOWAIT)) }
    }
}
