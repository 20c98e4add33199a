// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Why something did not happen: the `error` of a reply and the exit code of `shutterctl`, which are one table (sysexits.h).
package enum ErrorWord: String, Sendable, CaseIterable {
    /// The words make no sense.
    case usage
    /// No daemon, or no camera.
    case unavailable
    /// A fault of ours.
    case `internal`
    case cannotCreate = "cannot-create"
    case io
    /// Right, but not now: it is recording, busy, the storage is low.
    case refused
    case notPermitted = "not-permitted"
    case configuration

    package var exitCode: Int32 {
        switch self {
        case .usage: 64
        case .unavailable: 69
        case .internal: 70
        case .cannotCreate: 73
        case .io: 74
        case .refused: 75
        case .notPermitted: 77
        case .configuration: 78
        }
    }

    package init?(exitCode: Int32) {
        guard let word = Self.allCases.first(where: { $0.exitCode == exitCode }) else { return nil }
        self = word
    }
}

/// Something that did not happen, for programs (word and reason) and for people (message).
package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package var word: ErrorWord
    /// A stable word such as `recording`, `unknown-verb`, `not-running`.
    package var reason: String
    /// One line: what is wrong and what to do.
    package var message: String

    package init(_ word: ErrorWord, _ reason: String, _ message: String) {
        self.word = word
        self.reason = reason
        self.message = message
    }

    package var description: String { message }
}
