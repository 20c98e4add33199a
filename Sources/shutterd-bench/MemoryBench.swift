// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Resident memory of a running shutterd, without the frames of its camera.
enum MemoryBench {
    private static let photos = 100

    static func run(_ settings: RunningDaemon.Settings) -> Report {
        let size = "\(settings.width)x\(settings.height)"
        progress("memory at \(size): \(photos) photos")
        let frame = FrameLayout.packed(.yuv420, width: settings.width, height: settings.height, alignment: 64).byteCount
        let daemon = RunningDaemon(settings)
        Clock.sleep(until: Clock.now + .seconds(2))
        let before = daemon.facts.memory(frame: frame)
        let control = daemon.connect()
        for _ in 0..<photos where control.ask("tap")["ok"] != true { fail("a photo failed") }
        Clock.sleep(until: Clock.now + .seconds(2))
        let after = daemon.facts.memory(frame: frame)

        var report = Report("memory", "shutterd with a simulated camera of \(size)")
        for (when, memory) in [("after the start", before), ("after \(photos) photos", after)] {
            report.add("\(when), without frames", megabytes(memory.withoutFrames), "MB", goal: 30)
            report.add("    code and libraries", megabytes(memory.files), "MB")
            report.add("    heap, stacks, buffers", megabytes(memory.other), "MB")
            report.add("    frames, not counted", megabytes(memory.frames), "MB")
        }
        report.notes.append(
            "from /proc/PID/smaps: Rss of all mappings less the whole frames of \(frame) bytes in anonymous mappings that can hold one; "
                + "libraries count as ours alone, although others share them")
        return report
    }

    private static func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1e6 }
}
