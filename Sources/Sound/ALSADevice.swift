// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CAlsa
import Glibc
import ShutterCore

/// An ALSA device that sound is read from: a calsa_device. Used by one thread.
package final class ALSADevice: SoundDevice {
    /// How long a read waits, and how much it reads at most.
    private static let patience: Int32 = 200
    private static let frames = 4800

    private let handle: OpaquePointer
    private let name: String
    package let rate: Int
    package let channels: Int

    /// Throws `sound-busy` when somebody else has it, else `no-sound`. calsa_open().
    /// - Parameter name: as `arecord -L` lists them, or "plughw:1" for the card that `arecord -l` has as 1.
    package init(_ name: String) throws(Fault) {
        calsa_quiet()
        var handle: OpaquePointer?
        var (rate, channels): (UInt32, UInt32) = (48_000, 2)
        let code = calsa_open(name, &rate, &channels, &handle)
        guard code >= 0, let handle else {
            let isBusy = code == -EBUSY
            throw Fault(
                isBusy ? "sound-busy" : "no-sound",
                "[video] audio \"\(name)\" cannot be opened: \(Self.words(code)); "
                    + (isBusy ? "end the program that uses it" : "plug it in, or take another device of: arecord -L"))
        }
        self.handle = handle
        self.name = name
        self.rate = Int(rate)
        self.channels = Int(channels)
    }

    deinit { calsa_close(handle) }

    /// calsa_read().
    package func read() throws(Fault) -> Sound {
        var samples = [Int16](repeating: 0, count: Self.frames * channels)
        var at: Int64 = 0
        let count = calsa_read(handle, &samples, UInt(Self.frames), Self.patience, &at)
        if count == 0 { return .nothing }
        if count == -Int(EPIPE) { return .overrun }
        guard count > 0 else { throw Fault("no-sound", "[video] audio \"\(name)\" is gone: \(Self.words(Int32(count)))") }
        samples.removeLast((Self.frames - count) * channels)
        return .samples(samples, from: Timestamp(nanoseconds: at))
    }

    private static func words(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 300)
        calsa_describe(code, &text, text.count)
        return String(chars: text)
    }
}
