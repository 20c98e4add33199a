// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Resident memory of a running shutterd, without the frames of its camera.
enum MemoryBench {
    private static let photos = 100

    private static let clip = Duration.seconds(3)

    /// - Parameter withClip: a small frame is no larger than what an encoder keeps, and could not be told from that.
    static func run(_ settings: RunningDaemon.Settings, withClip: Bool) -> Report {
        let size = "\(settings.width)x\(settings.height)"
        progress("memory at \(size): \(photos) photos\(withClip ? ", a clip" : "")")
        let frame = FrameLayout.packed(.yuv420, width: settings.width, height: settings.height, alignment: 64).byteCount
        let daemon = RunningDaemon(settings)
        let control = daemon.connect()
        var report = Report("memory", "shutterd with a simulated camera of \(size)")
        func measure(_ when: String, goal: Double? = nil) {
            Clock.sleep(until: Clock.now + .seconds(2))
            let memory = daemon.facts.memory(frame: frame)
            report.add("\(when), without frames", megabytes(memory.withoutFrames), "MB", goal: goal)
            report.add("    code and libraries", megabytes(memory.files), "MB")
            report.add("    heap, stacks, buffers", megabytes(memory.other), "MB")
            report.add("    frames, not counted", megabytes(memory.frames), "MB")
        }
        measure("after the start", goal: 30)
        for _ in 0..<photos where control.ask("tap")["ok"] != true { fail("a photo failed") }
        measure("after \(photos) photos", goal: 30)
        if withClip {
            guard control.ask("mode", ["video"])["ok"] == true else { fail("there is no video mode") }
            measure("in video mode")
            guard control.ask("record", ["start"])["ok"] == true else { fail("no clip was begun") }
            Clock.sleep(until: Clock.now + clip)
            guard control.ask("record", ["stop"])["ok"] == true, control.ask("mode", ["photo"])["ok"] == true else { fail("the clip was not ended") }
            measure("after a clip, in photo mode")
        }
        report.notes.append(
            "from /proc/PID/smaps: Rss of all mappings less the whole frames of \(frame) bytes in anonymous mappings that can hold one; "
                + "libraries count as ours alone, although others share them")
        return report
    }

    private static func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1e6 }
}
