// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Listens while clips are recorded or likely, on a thread of its own, and keeps the sound of the last seconds.
///
/// Whatever becomes of the device, clips go on: sound that was not captured is silence, and counted.
final class Microphone: @unchecked Sendable {
    typealias Open = @Sendable () throws(Fault) -> any SoundDevice

    /// A device that has brought nothing forth for so long is opened anew.
    private static let patience = Duration.seconds(2)
    /// How far a device may be ahead of the time. One without a clock of its own would keep a processor busy.
    private static let haste = Duration.seconds(5)
    /// How long a device that has failed must be well before that is told.
    private static let trial = Duration.seconds(1)
    /// Clips may be written so much later than they were seen, when the disk is slow.
    private static let lateness = Duration.seconds(20)
    /// The end of a clip's sound has to come through the device.
    private static let grace = Duration.milliseconds(400)

    private struct State {
        var isWanted = false
        var isClosing = false
        var isDone = false
        var history: SoundHistory
        var status = SoundStatus()
    }

    private let open: Open
    private let clock: MediaClock
    private let tell: @Sendable (Fault?) -> Void
    private let state: Locked<State>
    private let thread = Locked<Thread?>(nil)

    // The thread's own.
    /// What was told last.
    private var told: Fault?

    /// - Parameters:
    ///   - preroll: how long before the press a clip may begin.
    ///   - tell: called with a fault when no sound comes, or some was lost, and with nil when it comes again.
    init(preroll: Duration, clock: MediaClock, open: @escaping Open, tell: @escaping @Sendable (Fault?) -> Void) {
        self.open = open
        self.clock = clock
        self.tell = tell
        var state = State(history: SoundHistory(preroll + Self.lateness))
        state.status.state = .idle
        self.state = Locked(state)
        thread.withLock { $0 = Thread(name: "microphone") { self.run() } }
    }

    // MARK: From other threads

    /// Whether clips are recorded or likely. It is closed while they are not.
    func listen(_ isWanted: Bool) {
        state.update { $0.isWanted = isWanted }
    }

    /// Waits for the thread, but not beyond the deadline: a driver may keep it.
    func close(until deadline: Timestamp) {
        state.update { $0.isClosing = true }
        guard state.wait(until: deadline, { $0.isDone ? () : nil }) != nil else { return }
        thread.withLock { thread in defer { thread = nil }; return thread }?.join()
    }

    var status: SoundStatus { state.withLock { $0.status } }

    /// Takes sound in whole blocks, as far as it has come.
    /// - Parameters:
    ///   - end: the place behind the last frame that is wanted.
    ///   - isLast: what is still on its way is waited for, and the last block is whole, too.
    /// - Returns: the samples, and how many frames of them are silence because none was captured.
    func take(from place: Int64, to end: Int64, block: Int, isLast: Bool) -> (samples: [Int16], missing: Int) {
        let block = Int64(block)
        var wanted = max(0, isLast ? (end - place + block - 1) / block * block : (end - place) / block * block)
        if isLast {
            _ = state.wait(until: clock.now() + Self.grace) { state in
                state.history.end >= place + wanted || state.status.state != .running ? () : nil
            }
        }
        return state.withLock { state in
            // From a device that has none now, none comes later.
            if !isLast, state.status.state == .running { wanted = min(wanted, max(0, (state.history.end - place) / block * block)) }
            return state.history.copy(from: place, frames: Int(wanted))
        }
    }

    // MARK: The thread

    private func run() {
        var backOff = BackOff(first: .seconds(1), longest: .seconds(30))
        while state.wait({ $0.isClosing ? false : $0.isWanted ? true : nil }) {
            do throws(Fault) {
                try hear()
                backOff.reset()
                state.update { $0.status.state = .idle }
            } catch {
                if error.reason != told?.reason { tell(error) }
                told = error
                state.update { state in
                    state.status.state = .failed
                    state.status.fault = error
                }
                let next = clock.now() + backOff.next()
                _ = state.wait(until: next) { $0.isClosing || !$0.isWanted ? () : nil }
            }
        }
        state.update { $0.isDone = true }
    }

    /// Until it is no longer wanted.
    private func hear() throws(Fault) {
        state.update { if $0.status.fault == nil { $0.status.state = .opening } }
        let device = try open()
        let placer = try SoundPlacer(rate: device.rate, channels: device.channels)
        let opened = clock.now()
        var last = opened
        var frames = 0
        var hasToldOverrun = false
        while state.withLock({ $0.isWanted && !$0.isClosing }) {
            switch try device.read() {
            case .nothing:
                guard clock.now() - last < Self.patience else {
                    throw Fault("no-sound", "[video] audio has brought nothing forth for \(Int(Self.patience.seconds)) s: it is opened anew")
                }
            case .overrun:
                state.update { $0.status.overruns += 1 }
                if !hasToldOverrun {
                    told = Fault("sound-overrun", "some sound was lost, because the machine was too busy to take it")
                    tell(told)
                }
                hasToldOverrun = true
            case let .samples(samples, from):
                last = clock.now()
                frames += samples.count / device.channels
                guard Double(frames) / Double(device.rate) < (last - opened + Self.haste).seconds else {
                    throw Fault("no-sound", "[video] audio delivers sound faster than time passes: that is no microphone")
                }
                let (place, out) = try placer.place(samples, from: from)
                state.update { state in
                    state.history.append(out, at: place)
                    state.status.state = .running
                    state.status.fault = nil
                }
                if told != nil, last - opened >= Self.trial {
                    told = nil
                    tell(nil)
                }
            }
        }
    }
}
