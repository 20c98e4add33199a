// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// What a running shutterd does when nothing moves.
enum IdleBench {
    private static let time = Duration.seconds(20)

    static func run(isCold: Bool) -> Report {
        var settings = RunningDaemon.Settings.small
        settings.isCold = isCold
        progress("idle, camera \(isCold ? "off" : "on"): \(Int(time.seconds)) s")
        let daemon = RunningDaemon(settings)
        // The ring's first movement is over by then.
        Clock.sleep(until: Clock.now + .seconds(2))
        let start = Clock.now
        let before = daemon.facts.threads
        Clock.sleep(until: start + time)
        let after = daemon.facts.threads
        let seconds = (Clock.now - start).seconds

        var report = Report("idle", "shutterd with a simulated camera of \(settings.width)x\(settings.height) at \(settings.rate) fps, \(isCold ? "off until a press" : "running"), \(Int(time.seconds)) s, no press")
        var (wakeUps, cpu) = (0.0, 0.0)
        for (number, thread) in after.sorted(by: { $0.key < $1.key }) {
            guard let old = before[number] else { continue }
            let rate = Double(thread.wakeUps - old.wakeUps) / seconds
            let share = (thread.cpu - old.cpu).seconds / seconds * 100
            let isCamera = thread.name == "camera"
            if !isCamera { (wakeUps, cpu) = (wakeUps + rate, cpu + share) }
            report.add("\(thread.name) wake-ups", rate, "/s", goal: isCamera ? nil : 1)
            report.add("    CPU", share, "% of a core", goal: thread.name == "loop" ? 0.5 : nil)
        }
        report.add("all but the camera's: wake-ups", wakeUps, "/s", goal: 1)
        report.add("    CPU", cpu, "% of a core", goal: 0.5)
        report.notes.append("voluntary context switches and schedstat of /proc/PID/task/*; the camera's own thread draws each frame")
        return report
    }
}
