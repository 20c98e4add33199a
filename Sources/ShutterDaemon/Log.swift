// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import LinuxIO
import ShutterCore

/// The log: to the journal with fields where stderr is the journal, else lines on stderr. A message that repeats
/// is counted and told of once a while, so that a fault that comes a thousand times a second fills no card.
package final class Log {
    package enum Level: Int32, Sendable {
        // syslog(3)'s numbers.
        case error = 3, warning = 4, notice = 5, info = 6

        var word: String {
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .notice: "notice"
            case .info: "info"
            }
        }
    }

    package typealias Sink = @Sendable (Level, String, [(name: String, value: String)]) -> Void

    /// Repeats within this time are one line.
    private static let window = Duration.seconds(10)

    private let sink: Sink
    private var last: (level: Level, message: String, at: Timestamp)?
    private var repeats = 0

    package init(sink: @escaping Sink = Log.standardSink) {
        self.sink = sink
    }

    /// When pending repeats are to be told of.
    package var deadline: Timestamp? { repeats > 0 ? last.map { $0.at + Self.window } : nil }

    package func write(_ level: Level, _ message: String, _ fields: [(name: String, value: String)] = [], at now: Timestamp = Clock.now) {
        if let last, last.level == level, last.message == message, now - last.at < Self.window {
            repeats += 1
            return
        }
        tellRepeats()
        last = (level, message, now)
        sink(level, message, fields)
    }

    package func advance(to now: Timestamp) {
        if let deadline, deadline <= now {
            tellRepeats()
            last = nil
        }
    }

    private func tellRepeats() {
        if repeats > 0, let last { sink(last.level, "\(last.message) (\(repeats) more of the same)", []) }
        repeats = 0
    }

    /// The journal when stderr leads there (sd_journal_sendv(3)), else stderr.
    package static let standardSink: Sink = { level, message, fields in
        if leadsToJournal, sendToJournal(level, message, fields) { return }
        let rest = fields.map { " \($0.name)=\($0.value)" }.joined()
        let line = Array("shutterd: \(level.word): \(message)\(rest)\n".utf8)
        _ = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }

    /// systemd names the device and inode of the journal's stream in the environment.
    private static let leadsToJournal: Bool = {
        guard let value = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(2, &status) == 0 else { return false }
        return String(cString: value) == "\(status.st_dev):\(status.st_ino)"
    }()

    private static func sendToJournal(_ level: Level, _ message: String, _ fields: [(name: String, value: String)]) -> Bool {
        let lines = ["MESSAGE=\(message)", "PRIORITY=\(level.rawValue)"] + fields.map { "SHUTTERD_\($0.name.uppercased())=\($0.value)" }
        let buffers = lines.map { line in
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: line.utf8.count, alignment: 1)
            bytes.copyBytes(from: line.utf8)
            return bytes
        }
        defer { buffers.forEach { $0.deallocate() } }
        let vectors = buffers.map { iovec(iov_base: $0.baseAddress, iov_len: $0.count) }
        return sd_journal_sendv(vectors, Int32(vectors.count)) == 0
    }
}
