// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl

/// The two ways out. stdout carries the answer, stderr one line on what is wrong.
enum Output {
    static let standard = Descriptor(adopting: STDOUT_FILENO)
    private static let errors = Descriptor(adopting: STDERR_FILENO)

    /// Keeps the numbers 0 to 2 from being given to a socket when the caller closed them.
    static func claimStandardDescriptors() {
        var number: Int32
        repeat { number = open("/dev/null", O_RDONLY) } while (0...2).contains(number)
        if number > 2 { close(number) }
    }

    static func write(_ text: String) throws(Failure) {
        try write(Array(text.utf8))
    }

    /// Ends the program quietly when nobody reads on, as after `| head`.
    static func write(_ bytes: some Sequence<UInt8>) throws(Failure) {
        do throws(SystemError) {
            try put(Array(bytes), standard)
        } catch {
            if error.code == EPIPE { exit(0) }
            throw Failure(.io, "stdout", "cannot write the answer to stdout: \(error.reason)")
        }
    }

    /// Throws where bytes of an image would mess up a terminal.
    static func refuseTerminal(for what: String, _ verb: String) throws(Failure) {
        guard standard.isTerminal else { return }
        throw Failure(.usage, "terminal", "\(verb): \(what) is not for a terminal; send it to a file with > FILE")
    }

    /// Says what went wrong.
    /// - Returns: the exit code.
    static func report(_ failure: Failure, asJSON: Bool) -> Int32 {
        if asJSON, failure.reason != "stdout" {
            try? write(Reply.failure(failure).line + "\n")
        }
        try? put(Array("shutterctl: \(Shown.oneLine(failure.message))\n".utf8), errors)
        return failure.word.exitCode
    }

    private static func put(_ bytes: [UInt8], _ file: Descriptor) throws(SystemError) {
        var failure: SystemError?
        bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { try file.writeAll(buffer, subject: "stdout") } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
