// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The program's surroundings.
package enum Environment {
    /// The variables that we look at.
    package static var all: [String: String] {
        var variables: [String: String] = [:]
        for name in ["HOME", "SHUTTERD_SOCKET"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }

    /// The bytes of one variable, or nil when it is not set.
    package static func bytes(_ name: String) -> [UInt8]? {
        getenv(name).map { value in Array(UnsafeRawBufferPointer(start: value, count: strlen(value))) }
    }

    /// The running kernel's version, as `uname -r` has it.
    package static var kernel: String {
        var facts = utsname()
        guard uname(&facts) == 0 else { return "unknown" }
        return withUnsafeBytes(of: facts.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The program's own path, symbolic links resolved.
    package static var executable: String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}

/// Reads a whole file, or its first `limit` + 1 bytes, so that the reader sees that it is too large.
package func readFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try Descriptor(open: path, O_RDONLY)
    var bytes: [UInt8] = []
    while bytes.count <= limit, let chunk = try file.read(upTo: min(1 << 20, limit + 1 - bytes.count)), !chunk.isEmpty { bytes += chunk }
    return bytes
}
