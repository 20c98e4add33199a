// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

/// Presses of a clean button, as a waveform for `shutterd --input`.
struct PressTrace {
    /// From the start of the waveform, each with its length.
    private(set) var presses: [(at: Duration, length: Duration)] = []
    private(set) var end = Duration.zero

    mutating func press(for length: Duration, then pause: Duration) {
        presses.append((end, length))
        end += length + pause
    }

    mutating func pause(_ pause: Duration) { end += pause }

    /// The simulated button is low when it is pressed.
    var text: String {
        var writer = VCDWriter(initial: [(input: .shutter, high: true)], unit: .nanosecond)
        var text = writer.header
        for press in presses {
            text += writer.change(.shutter, high: false, at: press.at.nanoseconds)
            text += writer.change(.shutter, high: true, at: (press.at + press.length).nanoseconds)
        }
        return text + writer.finish(at: end.nanoseconds)
    }
}
