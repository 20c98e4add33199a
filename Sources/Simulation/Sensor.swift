// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// One run of the synthetic camera, from start to stop, on its thread.
struct Sensor {
    let pool: FramePool
    let scene: Scene
    let timing: FrameTiming
    let start: Timestamp

    private static let longestAbsence = Duration.seconds(2)

    func run(_ drawn: Locked<[Scene.Drawn]>) {
        var index: UInt64 = 0
        var isReady = false
        while true {
            // Drawn ahead: what it shows is known before it is exposed.
            let metadata = metadata(index)
            let buffer = pool.state.withLock { $0.isStalled ? nil : $0.ring.acquire() }
            if let buffer {
                drawn.withLock {
                    scene.draw(pool.memory(buffer), &$0[buffer], exposureCentre: metadata.exposureCentre, sequence: index)
                }
            }
            guard wait(until: start + timing.complete(index)) else { break }
            if let buffer {
                pool.answer { state in
                    guard !state.isStalled else {
                        state.ring.abandon(buffer)
                        return []
                    }
                    return state.ring.complete(buffer, metadata)
                }
                if !isReady { pool.mailbox.post(.ready) }
                isReady = true
            }
            index += 1
            // A busy machine does not keep a sensor from exposing: late frames are drawn as they would have been. Only
            // after a long absence (a stopped process) are they gone.
            let elapsed: Duration = Clock.now - start
            if elapsed > timing.complete(index) + Self.longestAbsence {
                let next = timing.firstComplete(after: elapsed)
                pool.state.withLock { $0.ring.skip(next - index) }
                index = next
            }
        }
        pool.copyOut()
    }

    /// Waits, copying frames out and failing reservations meanwhile. False when the camera is to stop.
    private func wait(until instant: Timestamp) -> Bool {
        while true {
            let isStopping: Bool? = pool.state.wait(until: earliest(instant, pool.state.withLock { $0.ring.deadline })) { state in
                if state.isStopping { return true }
                return state.copies.isEmpty ? nil : false
            }
            if isStopping == true { return false }
            pool.copyOut()
            let now = Clock.now
            pool.answer { $0.ring.expire(now) }
            if now >= instant { return true }
        }
    }

    private func metadata(_ index: UInt64) -> FrameMetadata {
        let end = start + timing.end(index)
        let gain = 2.0
        return FrameMetadata(
            sequence: index, sensorTimestamp: end, exposureTime: timing.exposure, analogueGain: gain, digitalGain: 1,
            colourTemperature: 5200,
            controls: [
                "SensorTimestamp": .integer(end.nanoseconds),
                "SensorSequence": .integer(Int64(index)),
                "ExposureTime": .integer(timing.exposure.microseconds),
                "FrameDuration": .integer(timing.interval.microseconds),
                "AnalogueGain": .number(gain),
                "DigitalGain": .number(1),
                "ColourGains": .list([.number(1.8), .number(1.6)]),
                "ColourTemperature": .integer(5200),
                "Lux": .number(400),
            ])
    }
}
