// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ShutterCore

@Suite struct MemoryPlanTests {
    private struct Row: Sendable {
        var memory: MemoryPlan.Memory
        var lag: MemoryPlan.Lag?
        var buffers: Int
        var frame: UInt64
        /// nil: refused.
        var plan: MemoryPlan.Plan?
    }

    /// 4608x2592 and 1920x1080 as YUV420.
    private static let large: UInt64 = 17_915_904
    private static let small: UInt64 = 3_110_400

    private static let rows: [Row] = [
        // A Pi 5 with 8 GB: from anywhere.
        Row(memory: .init(total: 8_000_000_000), buffers: 6, frame: large, plan: .init(lag: .zero, buffers: 6)),
        // A Pi 4 with 256 MB of contiguous memory.
        Row(memory: .init(total: 4_000_000_000, contiguous: 256 << 20), buffers: 6, frame: large, plan: .init(lag: .zero, buffers: 6)),
        Row(memory: .init(total: 4_000_000_000, contiguous: 256 << 20), buffers: 20, frame: large, plan: .init(lag: .zero, buffers: 11)),
        // A Zero 2 W with 64 MB of it.
        Row(memory: .init(total: 440_000_000, contiguous: 64 << 20), buffers: 6, frame: large, plan: .init(lag: .ready, buffers: 2)),
        Row(memory: .init(total: 440_000_000, contiguous: 64 << 20), lag: .cold, buffers: 6, frame: large, plan: .init(lag: .cold, buffers: 2)),
        Row(memory: .init(total: 440_000_000, contiguous: 64 << 20), lag: .zero, buffers: 6, frame: large, plan: nil),
        Row(memory: .init(total: 440_000_000, contiguous: 64 << 20), lag: .zero, buffers: 6, frame: small, plan: .init(lag: .zero, buffers: 6)),
        Row(memory: .init(total: 440_000_000, contiguous: 16 << 20), buffers: 6, frame: large, plan: nil),
        Row(memory: .init(total: 8_000_000_000), lag: .ready, buffers: 6, frame: large, plan: .init(lag: .ready, buffers: 6)),
        // Two were asked for: that is enough, then.
        Row(memory: .init(total: 8_000_000_000), buffers: 2, frame: large, plan: .init(lag: .zero, buffers: 2)),
    ]

    @Test(arguments: rows.indices) func theRingFitsTheMemory(row: Int) {
        let row = Self.rows[row]
        do throws(Fault) {
            #expect(try MemoryPlan.plan(row.memory, lag: row.lag, buffers: row.buffers, frame: row.frame) == row.plan)
        } catch {
            #expect(row.plan == nil)
            #expect(error.reason == "no-memory")
            #expect(error.message.contains("18 MB"), "the numbers are told")
            #expect(error.message.contains(row.lag == .zero ? "[camera] lag = \"ready\"" : "[photo] size"))
        }
    }
}
