// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// A program on the control socket, byte by byte.
final class Client {
    private let socket: Descriptor
    private var splitter = LineSplitter(limit: 64 << 20)

    init(_ path: String) throws { socket = try Descriptor.connected(to: path, patience: 60) }

    func send(_ bytes: [UInt8]) throws {
        var failure: SystemError?
        bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { try socket.writeAll(buffer, subject: "the daemon") } catch { failure = error }
        }
        if let failure { throw failure }
    }

    func send(_ verb: String, _ args: [String] = []) throws { try send(Array((Request(verb, args).line + "\n").utf8)) }

    /// Nothing more is sent; answers are still read.
    func endSending() { shutdown(socket.number, Int32(SHUT_WR)) }

    /// The next line; nil when the daemon has closed.
    func line(within time: Duration = patience) throws -> String? {
        let limit = Clock.now + time
        while true {
            if let line = try splitter.next() { return line }
            if socket.waitToRead(until: limit) == .late { throw Late("a line from the daemon") }
            let bytes: [UInt8]
            do throws(SystemError) { bytes = try socket.read(upTo: 1 << 16) ?? [] } catch {
                if error.code == ECONNRESET { return nil }
                throw error
            }
            if bytes.isEmpty { return nil }
            splitter.append(bytes)
        }
    }

    /// The next line as JSON; throws when there is none.
    func value() throws -> JSONValue { try JSONValue(parsing: try #require(try line(), "the daemon has closed")) }

    func ask(_ verb: String, _ args: [String] = []) throws -> JSONValue {
        try send(verb, args)
        return try value()
    }
}

/// What `watch` tells, over a raw socket.
final class Watcher {
    private let client: Client
    private(set) var seen: [JSONValue] = []

    init(_ path: String) throws {
        client = try Client(path)
        let answer = try client.ask("watch")
        guard answer["ok"] == true else { throw Late("watching: \(answer.line)") }
    }

    /// Reads on until an event passes, and returns it; nil when the daemon has ended before.
    @discardableResult
    func wait(for isMeant: (JSONValue) -> Bool) throws -> JSONValue? {
        while let line = try client.line() {
            let event = try JSONValue(parsing: line)
            seen.append(event)
            if isMeant(event) { return event }
        }
        return nil
    }

    /// Waits for `count` more events of a kind.
    func wait(for kind: String, count: Int = 1) throws {
        for _ in 0..<count { _ = try #require(try wait { $0["kind"]?.string == kind }, "the daemon ended before \(kind)") }
    }

    func readToEnd() throws { try wait { _ in false } }

    func events(_ kind: String) -> [JSONValue] { seen.filter { $0["kind"]?.string == kind } }
}
