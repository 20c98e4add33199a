// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

extension Trace {
    /// Reads a trace in the format that the file's name ends in: `.vcd` or `.jsonl`.
    ///
    /// - Parameter inputs: the names of the inputs that there are.
    package init(_ bytes: [UInt8], file: String, inputs: Set<InputName> = [.shutter, .mode, .focus]) throws(TraceFault) {
        let name = file.lowercased()
        // Some editors put a byte order mark in front.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if name.hasSuffix(".vcd") {
            self = try VCDReader.read(bytes, file: file, inputs: inputs)
        } else if name.hasSuffix(".jsonl") {
            self = try JSONLinesReader.read(bytes, file: file, inputs: inputs)
        } else {
            throw TraceFault(file: file, line: 0, "the name must end in .vcd or .jsonl")
        }
    }
}
