// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import LinuxIO
import ShutterCore
import Simulation

/// From the start of the process until it may be pressed.
enum StartBench {
    private static let runs = 20

    static func run(_ settings: RunningDaemon.Settings) -> Report {
        let size = "\(settings.width)x\(settings.height)"
        progress("start at \(size): \(runs) times")
        var (bare, ready, armed, camera, rest) = (Samples(), Samples(), Samples(), Samples(), Samples())
        for round in 0...runs {
            let version = measure {
                guard Spawned([RunningDaemon.executable, "--version"])?.wait() == 0 else { fail("shutterd does not run") }
            }
            let own = cameraTime(settings)
            let daemon = RunningDaemon(settings)
            daemon.stop()
            // The first one fills the page cache.
            if round == 0 { continue }
            bare.add(version)
            ready.add(daemon.untilReady)
            armed.add(daemon.untilArmed)
            camera.add(own)
            rest.add(daemon.untilArmed - own)
        }
        var report = Report("start", "shutterd with a simulated camera of \(size), median of \(runs) starts")
        report.add("shutterd --version: loading the program", bare.median, "ms")
        report.add("until READY=1", ready.median, "ms")
        report.add("until armed", armed.median, "ms")
        report.add("    p99", armed.p99, "ms")
        report.add("the camera's own part of it", camera.median, "ms")
        report.add("until armed, without the camera's own", rest.median, "ms", goal: 150)
        report.add("    p99", rest.p99, "ms")
        report.notes.append(
            "told by sd_notify; the camera's own: its buffers made and painted, and its first frame, measured in this program; "
                + "the 20 ms in which the button's level settles run meanwhile")
        return report
    }

    /// What the same camera takes by itself.
    private static func cameraTime(_ settings: RunningDaemon.Settings) -> Duration {
        let start = Clock.now
        var synthetic = SyntheticSource.Settings(width: settings.width, height: settings.height, rate: Double(settings.rate))
        synthetic.buffers = 6
        guard let camera = try? RingCamera(SyntheticSource(synthetic)) else { fail("the camera does not start") }
        camera.start()
        while true {
            _ = Poller.wait([Poller.Interest(camera.descriptor)], until: nil)
            for case .ready in camera.drain() { return Clock.now - start }
        }
    }
}
