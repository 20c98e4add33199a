// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

extension Main {
    /// `replay FILE`: what the core would have done.
    static func replay(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let trace = try readTrace(invocation.arguments[0], inputs: [.shutter, .mode, .focus])
        _ = trace
        throw Failure(.internal, "not-built", "replay: the runner is not joined yet")
    }

    /// Reads a .vcd or .jsonl file; what is wrong in it is told as `file:line: message`.
    private static func readTrace(_ path: String, inputs: Set<InputName>) throws(Failure) -> Trace {
        var bytes: [UInt8] = []
        do throws(SystemError) {
            let file = try Descriptor(open: path, O_RDONLY)
            // One byte more than is taken, so that the reader sees that it is too large.
            while bytes.count <= Trace.largestFile, let chunk = try file.read(upTo: 1 << 20), !chunk.isEmpty { bytes += chunk }
        } catch {
            throw cannotRead(path, error)
        }
        do throws(TraceFault) {
            return try Trace(bytes, file: path, inputs: inputs)
        } catch {
            throw Failure(.usage, "bad-trace", error.description)
        }
    }
}
