// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import GPIO
import Glibc
import LEDRing
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

extension Main {
    /// `led off`: what the unit runs after every end of the daemon, be it a crash. Takes no lock and asks nobody.
    static func switchRingOff(_ globals: ParsedCommand.Globals) throws(Failure) {
        let all = try settings(configurationFile(globals), globals).settings
        do throws(Fault) {
            let driver = try open(all)
            try driver.write(Array(repeating: .off, count: driver.count))
            driver.close()
        } catch {
            throw failure(error)
        }
    }

    /// `led test [CUE]`: each cue for a while, until it is interrupted. As JSON it prints the frames, as they are handed to the
    /// ring: what a camera, or a kernel's trace, should see.
    static func testRing(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let all = try settings(configurationFile(globals), globals, orOnAnyMachine: true).settings
        if (try? Descriptor.connected(to: socket(globals) { all.control.socket }, patience: 1)) != nil {
            throw Failure(.refused, "already-running", "shutterd is running and shows its own cues; stop it first with: sudo systemctl stop shutterd")
        }
        let signals = try claimed("signals") { () throws(SystemError) in try Signals([SIGINT, SIGTERM, SIGHUP]) }
        let driver: any RingDriver
        do throws(Fault) { driver = try open(all, onTerminal: true) } catch { throw failure(error) }
        let writer = RingWriter(driver)
        defer { writer.close() }
        var animator = RingAnimator(
            count: max(1, driver.count), theme: all.ring.theme, reduceMotion: all.ring.reduceMotion, isOnOff: all.ring.hardware.isOnOff(),
            brightness: all.ring.brightness, budget: Double(all.ring.budget))
        let words = invocation.arguments.first.map { [$0] } ?? VerbTable.ringCues
        for word in words {
            guard let cue = Cue(sample: word) else { continue }
            if driver is TerminalRing { writer.say(word) } else if !globals.json { try Output.write("\(word)\n") }
            let time = words.count == 1 ? Duration.seconds(6) : .milliseconds(3200)
            let isLast = try play(cue, on: writer, &animator, for: time, signals, prints: globals.json)
            if let fault = writer.fault { throw failure(fault) }
            if isLast { return }
        }
    }

    /// - Returns: whether a signal wants it to end.
    private static func play(
        _ cue: Cue, on writer: RingWriter, _ animator: inout RingAnimator, for time: Duration, _ signals: Signals, prints: Bool
    ) throws(Failure) -> Bool {
        let start = Clock.now
        // A moment plays over a state, and `pressed` is drawn over the one before: both begin with a photo's idle.
        let begin = cue.isMoment || cue == .pressed ? start + .milliseconds(800) : start
        animator.handle(begin == start ? cue : .idle(.photo), at: start)
        var isShown = begin == start
        var last: [Colour] = []
        while Clock.now < start + time {
            let now = Clock.now
            if !isShown, now >= begin {
                animator.handle(cue, at: now)
                isShown = true
            }
            let frame = animator.frame(at: now)
            writer.show(frame)
            if prints, frame != last {
                let pixels = frame.map { JSONValue.array([$0.red, $0.green, $0.blue].map { .double(Double($0)) }) }
                let event: JSONValue = ["cue": .string(cue.word), "t_us": .int(now.microseconds), "pixels": .array(pixels)]
                try Output.write(event.line + "\n")
            }
            last = frame
            let next = min(animator.deadline ?? start + time, isShown ? start + time : begin, start + time)
            _ = Poller.wait([.init(signals.descriptor)], until: next)
            if !signals.drain().isEmpty { return true }
        }
        return false
    }

    private static func open(_ all: Settings, onTerminal: Bool = false) throws(Fault) -> any RingDriver {
        let ring = all.ring
        if ring.driver == .terminal, onTerminal, Output.standard.isTerminal {
            do throws(SystemError) { return try TerminalRing(count: ring.count, keys: "Ctrl-C ends it") } catch {
                throw Fault("io", "\(error)")
            }
        }
        return try ring.hardware.open { () throws(Fault) in
            try GPIOOutput.open(ring.lines, active: ring.active, finder: LineFinder(headerChip: all.facts.chip))
        }
    }

    private static func claimed<Part>(_ what: String, _ make: () throws(SystemError) -> Part) throws(Failure) -> Part {
        do throws(SystemError) { return try make() } catch { throw Failure(.internal, "not-started", "\(what): \(error)") }
    }

    private static func failure(_ fault: Fault) -> Failure {
        let word: ErrorWord = switch fault.reason {
        case "no-device", "no-line", "line-lost": .unavailable
        case "permission-denied": .notPermitted
        case "in-use": .refused
        case "wrong-device", "wrong-chip", "wrong-count", "wrong-speed", "buffer-too-small": .configuration
        default: .io
        }
        return Failure(word, fault.reason, fault.message)
    }
}

extension Cue {
    /// What `led test` shows for a word; times and values are examples.
    fileprivate init?(sample word: String) {
        let samples: [Cue] = [
            .starting, .idle(.photo), .idle(.video), .pressed, .recording, .recordingSlowly, .holding, .bursting,
            .countdown(left: .milliseconds(2500), of: .seconds(5)), .waiting, .exposing, .value(0.7, zero: 0.5), .choice(1, of: 4), .locked, .stuck, .storageLow,
            .cameraFault, .buttonFault, .captured, .tapped, .refused, .busy,
        ]
        guard let cue = samples.first(where: { $0.word == word }) else { return nil }
        self = cue
    }
}
