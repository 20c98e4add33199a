// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// A recorded input: what happened on the lines and the control socket, for `shutterctl replay` and the simulation.
package struct Trace: Equatable, Sendable {
    /// The electrical level (true = high) of each input before the trace began. An input that never changes may be missing.
    package var initial: [InputName: Bool]
    /// In the order they happened; equal times keep the file's order.
    package var events: [TraceEvent]
    /// The last time the file speaks of, in ns; at least that of the last event.
    package var end: Int64

    package init(initial: [InputName: Bool] = [:], events: [TraceEvent] = [], end: Int64? = nil) {
        self.initial = initial
        self.events = events
        self.end = end ?? events.last?.at ?? 0
    }

    /// Bytes of a file that are read at most: 64 MiB.
    package static let largestFile = 64 << 20
    /// Events that are kept at most; a million is hours of bouncing, and about 100 MB.
    package static let mostEvents = 1_000_000
    /// The latest instant, in ns: 146 years, which leaves as much for what is added to it.
    package static let latest = Int64.max / 2
}

package struct TraceEvent: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The kernel delivered an edge to this level (true = high), with its sequence number if the file has it.
        case edge(InputName, high: Bool, sequence: UInt32?)
        /// The real level is this from now on, whatever was delivered: what a re-read would see.
        case level(InputName, high: Bool)
        /// A control request.
        case request(verb: String, args: [String])
    }

    /// Nanoseconds since the trace's zero.
    package var at: Int64
    package var kind: Kind

    package init(at: Int64, _ kind: Kind) {
        self.at = at
        self.kind = kind
    }
}

/// A trace that cannot be read, and where. Reads as `file:line: message`.
package struct TraceFault: Error, Equatable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1; 0 when it is about the whole file.
    package var line: Int
    package var message: String

    package init(file: String, line: Int, _ message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}
