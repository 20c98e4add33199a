// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

/// A connection to shutterd: one request out, lines in.
struct Connection {
    private let socket: Descriptor
    private let path: String
    private var splitter = LineSplitter(limit: LineSplitter.replyLimit)

    /// To the daemon that is meant.
    init(_ globals: ParsedCommand.Globals) throws(Failure) {
        try self.init(to: Main.socket(globals) { Main.configuredSocket(globals) })
    }

    init(to path: String) throws(Failure) {
        self.path = path
        do throws(SystemError) {
            socket = try Descriptor.connected(to: path, patience: 10)
        } catch {
            throw Self.cannotConnect(error, path)
        }
    }

    func send(_ request: Request) throws(Failure) {
        let bytes = Array((request.line + "\n").utf8)
        guard bytes.count <= LineSplitter.requestLimit else {
            throw Failure(.usage, "line-too-long", "the request is longer than \(LineSplitter.requestLimit) bytes")
        }
        var failure: SystemError?
        bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { try socket.writeAll(buffer, subject: path) } catch { failure = error }
        }
        // One that closes at once may have said why: that is read next.
        if let failure, failure.code != EPIPE, failure.code != ECONNRESET {
            throw Failure(.unavailable, "no-answer", "shutterd on \(path) takes no request (\(failure.reason)); see journalctl -u shutterd")
        }
    }

    /// The next line; nil when the daemon closed the connection after a whole line.
    /// - Parameters:
    ///   - seconds: how long to wait, or nil for ever.
    ///   - endsWithReader: whether to end when nobody reads stdout any more. What was asked for is done all the same.
    mutating func line(within seconds: Int?, endsWithReader: Bool = false) throws(Failure) -> String? {
        let deadline = seconds.map { Clock.now + .seconds($0) }
        while true {
            do throws(LineSplitter.Fault) {
                if let line = try splitter.next() { return line }
            } catch {
                throw Failure(.internal, "bad-reply", "shutterd's answer cannot be read: \(error)")
            }
            // Who has asked for something once wants its exit code; events are sent for a reader alone.
            switch socket.waitToRead(until: deadline, orReaderGoneFrom: deadline == nil || endsWithReader ? Output.standard : nil) {
            case .ready: break
            case .readerGone: exit(0)
            case .late:
                throw Failure(.unavailable, "no-answer", "shutterd on \(path) did not answer within \(seconds ?? 0) s; see journalctl -u shutterd")
            }
            let bytes = try receive()
            if bytes.isEmpty {
                guard splitter.hasUnfinishedLine else { return nil }
                throw Failure(.unavailable, "daemon-ended", "shutterd ended in the middle of its answer; see journalctl -u shutterd")
            }
            splitter.append(bytes)
        }
    }

    /// Bytes that follow the last line; empty when the daemon closed the connection. Ends the program when nobody reads stdout.
    mutating func bytes(within seconds: Int) throws(Failure) -> [UInt8] {
        let rest = splitter.takeRest()
        if !rest.isEmpty { return rest }
        switch socket.waitToRead(until: Clock.now + .seconds(seconds), orReaderGoneFrom: Output.standard) {
        case .ready: return try receive()
        case .readerGone: exit(0)
        case .late: throw Failure(.unavailable, "no-frames", "no picture came for \(seconds) s; see: shutterctl doctor")
        }
    }

    private func receive() throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try socket.read(upTo: 64 << 10) ?? []
        } catch {
            if error.code == ECONNRESET { return [] }
            throw Failure(.io, "socket", "cannot read from \(path): \(error.reason)")
        }
    }

    /// The daemon, which says the same to those whom the permissions let in, was not reached.
    private static func notPermitted(_ path: String) -> String {
        guard let access = Access(path) else { return "not permitted to use \(path); ask the administrator for its group" }
        guard access.mode & 0o060 != 0 else {
            return "user \(access.user) may not control the camera: only root and \(access.owner) may; for others set group in [control]"
        }
        return "user \(access.user) is not in group \(access.group), which may control the camera; add it, and log in again: sudo usermod -aG \(access.group) \(access.user)"
    }

    private static func cannotConnect(_ error: SystemError, _ path: String) -> Failure {
        switch error.code {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            Failure(.unavailable, "not-running", "shutterd is not running: nothing listens on \(path); start it with: sudo systemctl start shutterd")
        case EACCES, EPERM:
            Failure(.notPermitted, "not-permitted", notPermitted(path))
        case EAGAIN:
            Failure(.unavailable, "no-answer", "shutterd on \(path) accepts no connection; see journalctl -u shutterd")
        case ENAMETOOLONG:
            Failure(.usage, "bad-argument", "\(Shown.text(path)) is too long for a socket's path; at most 107 bytes")
        default:
            Failure(.io, "socket", "cannot connect to \(path): \(error.reason)")
        }
    }
}
