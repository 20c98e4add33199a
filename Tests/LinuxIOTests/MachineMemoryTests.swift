// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import TestSupport
import Testing

@Suite struct MachineMemoryTests {
    private static let meminfo = "MemTotal:         947404 kB\nMemFree:  1 kB\nCmaTotal:         262144 kB\nCmaFree:          257000 kB\n"

    /// Where the camera's heap leads, and what is read.
    @Test(arguments: [("linux,cma", true), ("system", false), ("", true)]) func itIsReadAsItIs(heap: String, isContiguous: Bool) throws {
        let scratch = TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let folder = scratch.path
        try AtomicFile.replace(folder + "/meminfo", with: Array(Self.meminfo.utf8))
        if !heap.isEmpty { symlink(heap, folder + "/vidbuf_cached") }
        let memory = MachineMemory.read(meminfo: folder + "/meminfo", heaps: folder)
        #expect(memory == MemoryPlan.Memory(total: 947_404 << 10, contiguous: isContiguous ? 262_144 << 10 : nil))
    }

    @Test func thisMachineTells() throws {
        #expect(try #require(MachineMemory.read()).total > 1 << 20)
        #expect(MachineMemory.read(meminfo: "/nowhere") == nil)
    }
}
