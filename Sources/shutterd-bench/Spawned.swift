// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// A program that was started: posix_spawn(3).
final class Spawned {
    private static let alive = Locked<Set<pid_t>>([])

    let process: pid_t
    /// Taken right before the start.
    let started: Timestamp

    /// - Parameters:
    ///   - words: the program, found in PATH unless it has a slash, and its arguments.
    ///   - environment: besides PATH, HOME and LD_LIBRARY_PATH, which it always has.
    ///   - output: where stdout goes; `/dev/null` when nil.
    ///   - log: a file for stderr.
    init?(_ words: [String], environment: [String: String] = [:], output: Int32? = nil, log: String = "/dev/null") {
        var variables = environment
        for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] where variables[name] == nil {
            variables[name] = getenv(name).map { String(cString: $0) }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var arguments = words.map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + settings).forEach { free($0) } }
        var process = pid_t()
        started = Clock.now
        let result = posix_spawnp(&process, words[0], &actions, nil, &arguments, &settings)
        self.process = process
        guard result == 0 else { return nil }
        Self.alive.withLock { _ = $0.insert(process) }
    }

    func signal(_ number: Int32) { kill(process, number) }

    /// Waits for its end; returns the exit code, or nil when a signal ended it.
    @discardableResult
    func wait() -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        Self.alive.withLock { _ = $0.remove(process) }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    static func killAll() {
        for process in alive.withLock({ $0 }) { kill(process, SIGKILL) }
    }

    /// What a program prints; nil when it fails or is not there.
    static func output(_ words: [String]) -> String? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        let reader = Descriptor(adopting: ends[0])
        let program = Spawned(words, output: ends[1])
        close(ends[1])
        guard let program else { return nil }
        var bytes: [UInt8] = []
        while let more = try? reader.read(upTo: 65536), !more.isEmpty { bytes += more }
        return program.wait() == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
