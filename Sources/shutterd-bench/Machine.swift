// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl

/// What the numbers were measured on.
enum Machine {
    static var facts: [(name: String, value: String)] {
        var facts = [
            ("cpu", cpu), ("cores", "\(sysconf(Int32(_SC_NPROCESSORS_ONLN)))"), ("kernel", kernel), ("swift", swift),
            ("shutterd", Version.current), ("load", (firstLine("/proc/loadavg") ?? "").split(separator: " ").prefix(3).joined(separator: " ")),
        ]
        if let governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") { facts.append(("governor", governor)) }
        if let commit { facts.append(("commit", commit)) }
        return facts
    }

    /// The device tree's name of a board says more than its CPU's.
    private static var cpu: String {
        if let model = firstLine("/proc/device-tree/model") { return model }
        let lines = String(decoding: (try? FileSystem.wholeFile("/proc/cpuinfo")) ?? [], as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("model name") }
        return line.map { String($0.drop { $0 != ":" }.dropFirst(2)) } ?? "unknown"
    }

    private static var kernel: String {
        let release = firstLine("/proc/sys/kernel/osrelease") ?? "unknown"
        #if arch(arm64)
            return release + " aarch64"
        #elseif arch(x86_64)
            return release + " x86_64"
        #else
            return release
        #endif
    }

    /// The compiler that is at hand, else the oldest that this can have been built with.
    private static var swift: String {
        if let version = Spawned.output(["swift", "--version"])?.split(separator: "\n").first(where: { $0.contains("version") }) {
            return String(version)
        }
        return "6"
    }

    private static var commit: String? {
        let folder = FileSystem.folder(of: Environment.executable)
        guard let commit = Spawned.output(["git", "-C", folder, "rev-parse", "--short", "HEAD"]) else { return nil }
        let changes = Spawned.output(["git", "-C", folder, "status", "--porcelain", "--untracked-files=no"]) ?? ""
        return commit.filter { !$0.isWhitespace } + (changes.isEmpty ? "" : " with changes")
    }

    private static func firstLine(_ path: String) -> String? {
        guard let bytes = try? FileSystem.wholeFile(path), !bytes.isEmpty else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
    }
}
