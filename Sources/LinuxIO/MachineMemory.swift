// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// What proc(5) says of the machine's memory, and where cameras get theirs.
package enum MachineMemory {
    /// nil where /proc/meminfo cannot be read.
    package static func read(meminfo: String = "/proc/meminfo", heaps: String = "/dev/dma_heap") -> MemoryPlan.Memory? {
        guard let bytes = try? FileSystem.wholeFile(meminfo, atMost: 1 << 16) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let total = field("MemTotal", text) else { return nil }
        // On a Pi this is a link: to the system's heap where the camera has an IOMMU, else to the contiguous one.
        let isAnywhere = FileSystem.linkTarget(heaps + "/vidbuf_cached")?.hasSuffix("system") ?? false
        let contiguous = isAnywhere ? nil : field("CmaTotal", text).flatMap { $0 > 0 ? $0 : nil }
        return MemoryPlan.Memory(total: total, contiguous: contiguous)
    }

    /// `MemTotal:  947404 kB`
    private static func field(_ name: String, _ text: String) -> UInt64? {
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            return line.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1024 }
        }
        return nil
    }
}
