// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

extension Main {
    /// `preview`: JPEG after JPEG, which players take for Motion JPEG; or drawn in the terminal.
    static func preview(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let isDrawn = invocation.options["terminal"] != nil
        if !isDrawn {
            guard !Output.standard.isTerminal else {
                throw Failure(.usage, "terminal", "preview: a film is not for a terminal; write preview --terminal, or preview | ffplay -")
            }
        }
        var connection = try Connection(globals)
        try connection.send(Request("preview", isDrawn || invocation.options["pixels"] != nil ? ["--pixels"] : []))
        guard let line = try connection.line(within: 30, endsWithReader: true) else {
            throw Failure(.unavailable, "daemon-ended", "shutterd ended before it answered; see journalctl -u shutterd")
        }
        if case .failure(let failure) = try Reply(line: line) { throw failure }
        guard isDrawn else {
            while case let bytes = try connection.bytes(within: 15), !bytes.isEmpty { try Output.write(bytes) }
            throw Failure(.unavailable, "daemon-ended", "shutterd ended; see journalctl -u shutterd")
        }
        try draw(&connection, columns: invocation.options["columns"].flatMap { Int($0) })
    }

    private static func draw(_ connection: inout Connection, columns: Int?) throws(Failure) {
        var canvas = try PreviewCanvas(columns: columns)
        var reader = PixmapReader()
        while true {
            let bytes = try connection.bytes(within: 15)
            guard !bytes.isEmpty else { throw Failure(.unavailable, "daemon-ended", "shutterd ended; see journalctl -u shutterd") }
            reader.append(bytes)
            // Of several that wait only the newest is worth drawing.
            var newest: Pixmap?
            while let picture = try reader.next() { newest = picture }
            if let newest { try canvas.draw(newest) }
        }
    }
}

/// A picture in memory: red, green, blue of each pixel.
struct Pixmap {
    var width: Int
    var height: Int
    var bytes: ArraySlice<UInt8>

    /// The mean colour of an area given in parts of the whole.
    func mean(_ x: Range<Int>, _ y: Range<Int>) -> (red: Int, green: Int, blue: Int) {
        var sum = (0, 0, 0)
        for row in y {
            var index = bytes.startIndex + (row * width + x.lowerBound) * 3
            for _ in x {
                sum.0 += Int(bytes[index])
                sum.1 += Int(bytes[index + 1])
                sum.2 += Int(bytes[index + 2])
                index += 3
            }
        }
        let count = max(1, x.count * y.count)
        return (sum.0 / count, sum.1 / count, sum.2 / count)
    }
}

/// Splits a stream of binary PPM pictures.
struct PixmapReader {
    private var buffer: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    mutating func next() throws(Failure) -> Pixmap? {
        guard let end = buffer.prefix(40).firstIndex(of: UInt8(ascii: "\n")) else {
            if buffer.count >= 40 { throw Self.nonsense }
            return nil
        }
        let words = String(decoding: buffer[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 4, words[0] == "P6", let width = Int(words[1]), let height = Int(words[2]), (1...4096).contains(width), (1...4096).contains(height)
        else { throw Self.nonsense }
        let size = width * height * 3
        guard buffer.count > end + size else { return nil }
        defer { buffer.removeFirst(end + 1 + size) }
        return Pixmap(width: width, height: height, bytes: ArraySlice(Array(buffer[(end + 1)...(end + size)])))
    }

    private static var nonsense: Failure { Failure(.internal, "bad-reply", "shutterd sends no pictures: do shutterd and shutterctl have the same version?") }
}
