// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

/// One connection on the control socket: bytes in, bytes out, both bounded.
final class ControlClient {
    enum Phase: Equatable {
        /// Its next line is a request.
        case listening
        /// A request is being worked on; nothing more is read meanwhile.
        case waiting
        /// It gets events until one side ends.
        case watching
        /// It gets pictures until one side ends.
        case previewing(PreviewKind)
    }

    /// Events that a watcher may lag behind.
    private static let mostEvents = 1000
    /// A reply must be taken within this time.
    private static let patience = Duration.seconds(10)
    /// How long somebody who wants pictures may stand still in the middle of one.
    private static let standstill = Duration.seconds(30)
    /// How long the rest of a line without end is read and dropped, so that its sender gets to read why.
    private static let discarding = Duration.seconds(2)

    let id: UInt64
    let peer: Peer
    private(set) var phase = Phase.listening
    private let connection: Descriptor
    private var splitter = LineSplitter(limit: LineSplitter.requestLimit)
    private var output: ArraySlice<UInt8> = []
    private var events: [String] = []
    private var eventsLost = 0
    private var hasEnded = false
    private var discards = false
    private(set) var isClosed = false
    private var givesUp: Timestamp?

    init(id: UInt64, connection: Descriptor, peer: Peer) {
        self.id = id
        self.connection = connection
        self.peer = peer
    }

    /// It gets what comes until one side ends.
    private var isFollowing: Bool {
        switch phase {
        case .watching, .previewing: true
        case .listening, .waiting: false
        }
    }

    /// Nothing of it is under way: it may be closed to make room.
    var isIdle: Bool { phase == .listening && output.isEmpty }
    /// It watches, and has not read for so long that events had to go.
    var isDeaf: Bool { eventsLost > 0 }
    var deadline: Timestamp? { givesUp }

    /// Nothing is read that would have to be kept: who has not taken the last reply yet has to wait with the next request.
    private var wantsToRead: Bool { !hasEnded && (isFollowing || discards || isIdle) }

    /// A peer that only waits for an answer is not polled for its hang-up: writing to it will tell.
    var interest: Poller.Interest {
        let wantsToWrite = !output.isEmpty
        return Poller.Interest(wantsToRead || wantsToWrite ? connection.number : -1, wantsToRead: wantsToRead, wantsToWrite: wantsToWrite)
    }

    /// Reads and writes what can be without blocking.
    func service() {
        if wantsToRead { read() }
        flush()
    }

    /// The next request line, when one is complete and none is being worked on.
    func nextLine() -> Result<String, Failure>? {
        guard phase == .listening, output.isEmpty, !isClosed, !discards else { return nil }
        do throws(LineSplitter.Fault) {
            if let line = try splitter.next() {
                phase = .waiting
                return .success(line)
            }
        } catch {
            if case .tooLong = error { discards = true }
            phase = .waiting
            return .failure(error.failure)
        }
        if hasEnded { isClosed = true }
        return nil
    }

    /// - Parameter line: a `Reply`'s.
    func reply(_ line: String, now: Timestamp) {
        guard phase == .waiting else { return }
        phase = .listening
        send(line, now: now)
    }

    /// Answers and turns it into a watcher.
    func watch(now: Timestamp) {
        phase = .watching
        send(Reply.success([:]).line, now: now)
    }

    /// Answers, and sends pictures from now on, one after the other without anything in between.
    func preview(_ kind: PreviewKind, now: Timestamp) {
        phase = .previewing(kind)
        send(Reply.success([:]).line, now: now)
    }

    /// A new picture, unless the one before has not gone out yet: who is slow sees fewer of them.
    func offer(_ picture: PreviewPicture, now: Timestamp) {
        guard phase == .previewing(picture.kind), output.isEmpty else { return }
        output = picture.bytes[...]
        // Who takes nothing at all for longer has left, or might as well have.
        givesUp = now + Self.standstill
        flush()
    }

    /// Refuses it for good.
    func dismiss(_ failure: Failure, now: Timestamp) {
        discards = true
        phase = .listening
        send(Reply.failure(failure).line, now: now)
    }

    /// Queues an event line; the oldest goes when the watcher is too slow.
    func post(_ line: String) {
        guard phase == .watching else { return }
        if events.count >= Self.mostEvents {
            events.removeFirst()
            eventsLost += 1
        }
        events.append(line)
        flush()
    }

    func close() { isClosed = true }

    func advance(to now: Timestamp) {
        if let due = givesUp, due <= now { isClosed = true }
    }

    private func send(_ line: String, now: Timestamp) {
        output.append(contentsOf: line.utf8)
        output.append(UInt8(ascii: "\n"))
        flush()
        if discards {
            givesUp = now + Self.discarding
        } else {
            givesUp = output.isEmpty || isFollowing ? nil : now + Self.patience
        }
    }

    private func read() {
        do throws(SystemError) {
            guard let bytes = try connection.read(upTo: 16384) else { return }
            if bytes.isEmpty {
                hasEnded = true
                if isFollowing || discards { isClosed = true }
            } else if phase == .listening, !discards {
                splitter.append(bytes)
            }
        } catch {
            isClosed = true
        }
    }

    private func flush() {
        while !isClosed {
            if output.isEmpty {
                guard let line = nextEvent() else { break }
                output = ArraySlice(line.utf8)
                output.append(UInt8(ascii: "\n"))
            }
            let written = output.withUnsafeBytes {
                Glibc.send(connection.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if written < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN { isClosed = true }
                return
            }
            output = output.dropFirst(written)
            if output.isEmpty { output = [] }
        }
        if output.isEmpty, !discards { givesUp = nil }
    }

    private func nextEvent() -> String? {
        if eventsLost > 0 {
            defer { eventsLost = 0 }
            return JSONValue.object(["kind": "lost", "count": .int(Int64(eventsLost))]).line
        }
        return events.isEmpty ? nil : events.removeFirst()
    }
}
