// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxIO
import ShutterCore

/// Measured values of one thing, in one unit.
struct Samples {
    private(set) var values: [Double] = []
    var count: Int { values.count }

    mutating func add(_ value: Double) { values.append(value) }
    mutating func add(_ duration: Duration) { add(duration.milliseconds) }

    var median: Double { percentile(50) }
    var p99: Double { percentile(99) }
    var most: Double { values.max() ?? .nan }
    var least: Double { values.min() ?? .nan }

    /// The smallest value that so many percent of all do not exceed.
    func percentile(_ percent: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, max(0, Int((percent / 100 * Double(sorted.count)).rounded(.up)) - 1))]
    }
}

extension Duration {
    var milliseconds: Double { Double(nanoseconds) / 1e6 }
}

/// How long something takes.
func measure(_ body: () -> Void) -> Duration {
    let start = Clock.now
    body()
    return Clock.now - start
}

/// The same on every run and machine (xorshift64).
struct Random: RandomNumberGenerator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// A folder that is gone afterwards.
final class Scratch {
    let path: String

    init() {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/shutterd-bench.XXXXXX".utf8CString)
        guard template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) != nil else {
            fail("cannot make a folder in \(base): \(String(cString: strerror(errno)))")
        }
        path = String(chars: template)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file into it and returns its path.
    func file(_ name: String, _ text: String) -> String {
        let path = path + "/" + name
        do {
            let file = try Descriptor(open: path, O_WRONLY | O_CREAT | O_TRUNC)
            let bytes = Array(text.utf8)
            try bytes.withUnsafeBytes { try file.writeAll($0, subject: path) }
        } catch {
            fail("\(error)")
        }
        return path
    }
}

/// Says what is wrong and ends, and with it the daemons that were started.
func fail(_ message: String) -> Never {
    Spawned.killAll()
    let line = Array("shutterd-bench: \(message)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    exit(70)
}

/// What is going on, on stderr: some of it takes a minute.
func progress(_ message: String) {
    let line = Array("· \(message)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
