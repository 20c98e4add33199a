// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Bytes in, lines out, of bounded length; a CR before the LF is dropped.
package struct LineSplitter: Sendable {
    /// For requests, on the daemon's side: 64 KiB.
    package static let requestLimit = 64 << 10
    /// For replies, on the client's side: 16 MiB, since a reply may carry a thumbnail or a list of 100000 photos.
    package static let replyLimit = 16 << 20

    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        /// The line is longer than the limit. Nothing after it can be trusted: close the connection.
        case tooLong(limit: Int)
        /// The line holds a NUL or is not UTF-8. It is dropped; the next line may be read.
        case notText

        package var description: String {
            switch self {
            case .tooLong(let limit): "the line is longer than \(limit) bytes"
            case .notText: "the line is not UTF-8 text, or holds a NUL"
            }
        }

        package var failure: Failure {
            switch self {
            case .tooLong: Failure(.usage, "line-too-long", description)
            case .notText: Failure(.usage, "not-text", description)
            }
        }
    }

    private let limit: Int
    private var buffer: [UInt8] = []
    /// Where the next line starts in `buffer`, and how far it was searched for an end.
    private var start = 0
    private var searched = 0

    /// - Parameter limit: bytes in a line, without its end.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether a line has begun that has no end yet.
    package var hasUnfinishedLine: Bool { start < buffer.count }

    /// Takes bytes as they come. Call `next` until it returns nil before the next `append`: that bounds the memory.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Takes what came after the last line, where something else than lines follows.
    package mutating func takeRest() -> [UInt8] {
        defer { (buffer, start, searched) = ([], 0, 0) }
        return Array(buffer[start...])
    }

    /// The next line without its end, or nil until more bytes come.
    package mutating func next() throws(Fault) -> String? {
        while searched < buffer.count, buffer[searched] != UInt8(ascii: "\n") { searched += 1 }
        // One byte more than the limit, for the CR.
        guard searched - start <= limit + 1 else { throw .tooLong(limit: limit) }
        guard searched < buffer.count else { return nil }
        var line = buffer[start..<searched]
        searched += 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count <= limit else {
            searched -= 1
            throw .tooLong(limit: limit)
        }
        start = searched
        guard !line.contains(0), let text = String(validating: line, as: UTF8.self) else { throw .notText }
        return text
    }
}
