// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// How many full-size frames there is memory for, and what that means for the lag.
package enum MemoryPlan {
    /// What the machine has, bytes.
    package struct Memory: Equatable, Sendable {
        package var total: UInt64
        /// The part that cameras without an IOMMU take their buffers from; nil = theirs come from anywhere.
        package var contiguous: UInt64?

        package init(total: UInt64, contiguous: UInt64? = nil) {
            self.total = total
            self.contiguous = contiguous
        }

        /// For frames: three quarters of what only cameras and displays use, or a third of all.
        package var forFrames: UInt64 { contiguous.map { $0 / 4 * 3 } ?? total / 3 }
    }

    package enum Lag: String, Sendable, CaseIterable { case zero, ready, cold }

    package struct Plan: Equatable, Sendable {
        package var lag: Lag
        package var buffers: Int

        package init(lag: Lag, buffers: Int) {
            self.lag = lag
            self.buffers = buffers
        }
    }

    /// The frame before the press, the one after it, and one that is being filled.
    private static let leastForZero = 3
    /// With less than this, presses in a row wait for each other: then frames that run all the time are not worth it.
    private static let goodForZero = 4
    private static let least = 2

    /// - Parameters:
    ///   - lag: nil = as it suits the memory.
    ///   - frame: bytes of a full-size frame.
    /// - Throws: `no-memory`, with the numbers.
    package static func plan(_ memory: Memory, lag: Lag?, buffers: Int, frame: UInt64) throws(Fault) -> Plan {
        let fitting = Int(clamping: memory.forFrames / max(1, frame))
        let needed = lag == .zero ? min(buffers, leastForZero) : min(buffers, least)
        guard fitting >= needed else {
            let megabytes = { (bytes: UInt64) in "\((bytes + 500_000) / 1_000_000) MB" }
            let advice = lag == .zero && fitting >= least ? "lower [photo] size, or set [camera] lag = \"ready\"" : "lower [photo] size"
            throw Fault(
                "no-memory",
                "\(needed) frames of \(megabytes(frame)) need more than the \(megabytes(memory.forFrames)) that this machine has for them; \(advice)")
        }
        let count = min(buffers, fitting)
        return Plan(lag: lag ?? (count >= min(goodForZero, buffers) ? .zero : .ready), buffers: count)
    }
}
