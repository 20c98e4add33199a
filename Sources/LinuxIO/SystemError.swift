// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call that failed: what was tried, on what, and why.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call or the step, such as `open`.
    package var operation: String
    /// What it was tried on, usually a path.
    package var subject: String
    package var code: Int32

    package init(_ operation: String, _ subject: String, code: Int32 = errno) {
        self.operation = operation
        self.subject = subject
        self.code = code
    }

    package var reason: String { String(cString: strerror(code)) }
    package var description: String { "\(operation) \(subject): \(reason)" }
}

/// Calls until it is not interrupted by a signal; throws what errno says when the result is negative.
@discardableResult
package func systemCall<Result: SignedInteger>(
    _ operation: String, _ subject: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(operation, subject(), code: code) }
    }
}
