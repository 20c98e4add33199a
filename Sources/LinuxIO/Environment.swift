// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The program's surroundings.
package enum Environment {
    /// The variables that we look at.
    package static var all: [String: String] {
        var variables: [String: String] = [:]
        for name in ["HOME", "SHUTTERD_SOCKET", "NO_COLOR", "TERM"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }

    /// The bytes of one variable, or nil when it is not set.
    package static func bytes(_ name: String) -> [UInt8]? {
        getenv(name).map { value in Array(UnsafeRawBufferPointer(start: value, count: strlen(value))) }
    }

    /// All of it as we were given it, `NAME=value`, for a program of ours that is to see the same.
    package static var whole: [String] {
        ((try? FileSystem.wholeFile("/proc/self/environ")) ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The running kernel's version, as `uname -r` has it.
    package static var kernel: String {
        var facts = utsname()
        guard uname(&facts) == 0 else { return "unknown" }
        return withUnsafeBytes(of: facts.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The program's own path, symbolic links resolved.
    package static var executable: String {
        FileSystem.linkTarget("/proc/self/exe") ?? ""
    }
}
