// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// What /proc says about a process, for benchmarks and tests; see proc(5). What cannot be read counts as nothing.
package struct ProcessFacts: Sendable {
    package let process: pid_t

    package init(_ process: pid_t = getpid()) { self.process = process }

    /// What a program may leak.
    package struct Use: Equatable, Sendable, CustomStringConvertible {
        package var descriptors, threads, mappings: Int
        /// Kilobytes.
        package var resident: Int

        package var description: String { "\(descriptors) descriptors, \(threads) threads, \(mappings) mappings, \(resident) KB" }
    }

    package var use: Use {
        let resident = text("status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return Use(
            descriptors: names("fd").count, threads: names("task").count, mappings: text("maps").split(separator: "\n").count,
            resident: resident?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
    }

    /// Resident bytes, by what they are for.
    package struct Memory: Sendable {
        package var all = 0
        /// Whole frames in anonymous mappings that are large enough for one.
        package var frames = 0
        /// Code and data of the program and its libraries; other processes may share it.
        package var files = 0
        /// All the rest: heap, stacks, buffers.
        package var other: Int { all - frames - files }
        package var withoutFrames: Int { all - frames }
    }

    /// - Parameter frame: bytes of one frame.
    package func memory(frame: Int) -> Memory {
        var memory = Memory()
        var (isFile, isLarge) = (false, false)
        for line in text("smaps").split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            if words[0].contains("-"), !words[0].hasSuffix(":") {
                let range = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
                isFile = words.count > 5 && words[5].hasPrefix("/")
                isLarge = words.count < 6 && range.count == 2 && range[1] - range[0] >= frame
            } else if words[0] == "Rss:", let kilobytes = Int(words[1]) {
                let bytes = kilobytes * 1024
                memory.all += bytes
                if isFile { memory.files += bytes }
                if isLarge { memory.frames += bytes / frame * frame }
            }
        }
        return memory
    }

    /// Of the program's or a library's code (mappings that may be executed): how much there is of it, and how much is in memory; bytes.
    /// - Parameter name: its file's, without the folder.
    package func code(of name: String) -> [(size: Int, resident: Int)] {
        var found: [(size: Int, resident: Int)] = []
        var isCode = false
        for line in text("smaps").split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            if words[0].contains("-"), !words[0].hasSuffix(":") {
                isCode = words.count > 5 && words[1].contains("x") && words[5].hasSuffix("/" + name)
                if isCode { found.append((0, 0)) }
            } else if isCode, words.count > 1, let kilobytes = Int(words[1]) {
                if words[0] == "Size:" { found[found.count - 1].size = kilobytes * 1024 }
                if words[0] == "Rss:" { found[found.count - 1].resident = kilobytes * 1024 }
            }
        }
        return found
    }

    package struct Thread: Sendable {
        package var name: String
        /// How much it gives way to others: nice(1).
        package var nice: Int
        /// How often it went to sleep by itself: each is a wake-up.
        package var wakeUps: Int
        package var cpu: Duration
    }

    /// By thread number. The process's own name is that of the loop's thread.
    package var threads: [Int: Thread] {
        var threads: [Int: Thread] = [:]
        for name in names("task") {
            guard let number = Int(name) else { continue }
            let status = text("task/\(name)/status").split(separator: "\n")
            let switches = status.first { $0.hasPrefix("voluntary_ctxt_switches:") }?.split(separator: "\t").last.flatMap { Int($0) }
            let called = text("task/\(name)/comm").filter { $0 != "\n" }
            threads[number] = Thread(
                name: number == Int(process) ? "loop" : called, nice: stat("task/\(name)", 16) ?? 0, wakeUps: switches ?? 0, cpu: cpu("task/\(name)"))
        }
        return threads
    }

    /// In nanoseconds where the kernel keeps them (schedstat), else in ticks.
    private func cpu(_ folder: String) -> Duration {
        if let time = text(folder + "/schedstat").split(separator: " ").first.flatMap({ Int64($0) }) { return .nanoseconds(time) }
        guard let user = stat(folder, 11), let system = stat(folder, 12) else { return .zero }
        return .milliseconds(Int64(user + system) * 1000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    }

    /// A field of `stat`, counted from the state on, as the name may hold anything but ends with the last parenthesis.
    private func stat(_ folder: String, _ field: Int) -> Int? {
        let fields = text(folder + "/stat").split(separator: ")").last?.split(separator: " ") ?? []
        return field < fields.count ? Int(fields[field]) : nil
    }

    private func names(_ folder: String) -> [String] { (try? FileSystem.names(in: "/proc/\(process)/\(folder)")) ?? [] }

    private func text(_ name: String) -> String {
        String(decoding: (try? FileSystem.wholeFile("/proc/\(process)/\(name)", atMost: 16 << 20)) ?? [], as: UTF8.self)
    }
}
