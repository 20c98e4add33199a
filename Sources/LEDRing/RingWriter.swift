// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Writes frames to a ring on a thread of its own, so that a slow bus holds nobody up: the newest frame wins, and a
/// frame that is on the ring already is not sent again. The ring is off at the start and at the end.
package final class RingWriter: RingOutput, @unchecked Sendable {
    /// How long `close` waits for a bus that hangs.
    package static let patience = Duration.milliseconds(500)

    private struct State {
        var frame: [Colour]?
        var text: String?
        var isClosing = false
        var hasClosed = false
        var fault: Fault?
    }

    package let count: Int
    private let state = Locked(State())

    package init(_ driver: some RingDriver) {
        count = driver.count
        let state = state
        // Never joined: a thread that hangs in a driver must not hang the daemon.
        _ = Thread(name: "ring") { Self.run(driver, state) }
    }

    deinit { close() }

    /// Shows a frame of `count` pixels; missing ones are off.
    package func show(_ pixels: [Colour]) {
        var frame = Array(pixels.prefix(count))
        frame += Array(repeating: .off, count: count - frame.count)
        state.update { if !$0.isClosing { $0.frame = frame } }
    }

    /// Shows a line of text beside the ring, where the driver can.
    package func say(_ text: String) {
        state.update { $0.text = text }
    }

    /// What went wrong with the last frame, or nil when it is on the ring.
    package var fault: Fault? { state.withLock { $0.fault } }

    package func close() {
        state.update { $0.isClosing = true }
        _ = state.wait(until: Clock.now + Self.patience) { $0.hasClosed ? true : nil }
    }

    private static func run(_ driver: some RingDriver, _ state: Locked<State>) {
        let off = Array(repeating: Colour.off, count: driver.count)
        var shown: [Colour]?

        func write(_ frame: [Colour]) {
            guard frame != shown else { return }
            do throws(Fault) {
                try driver.write(frame)
                shown = frame
                state.withLock { $0.fault = nil }
            } catch {
                shown = nil
                state.withLock { $0.fault = error }
            }
        }

        write(off)
        var isClosing = false
        while !isClosing {
            let (frame, text, closing) = state.wait { state -> ([Colour]?, String?, Bool)? in
                guard state.frame != nil || state.text != nil || state.isClosing else { return nil }
                defer { (state.frame, state.text) = (nil, nil) }
                return (state.frame, state.text, state.isClosing)
            }
            if let text { driver.say(text) }
            if let frame, !closing { write(frame) }
            isClosing = closing
        }
        write(off)
        driver.close()
        state.update { $0.hasClosed = true }
    }
}
