// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import ShutterCore

/// A device of the kernel's input layer: gpio-keys, a rotary-encoder, a Bluetooth remote. Its keys are button lines, and one
/// of its axes may be a knob.
///
/// A remote that sleeps is no fault of the camera's: it is looked for again and again, seldom, and its keys are as released
/// meanwhile. The loop's thread only.
package final class InputDevice {
    package struct Settings: Equatable, Sendable {
        package var name: String
        /// `/dev/input/…`, or what the device calls itself.
        package var device: String
        /// By the line that they are.
        package var keys: [InputName: [InputKey]]
        package var turn: InputAxis?

        package init(name: String, device: String, keys: [InputName: [InputKey]], turn: InputAxis? = nil) {
            self.name = name
            self.device = device
            self.keys = keys
            self.turn = turn
        }
    }

    private let settings: Settings
    private var device: Descriptor?
    private var retry = Timestamp(nanoseconds: 0)
    private var backOff = BackOff()
    private var down: Set<UInt16> = []
    private var waiting: [InputName: [LineEvent]] = [:]
    private var turns: [TurnEvent] = []
    /// The kernel's queue ran over: what follows up to the next report belongs to what was lost.
    private var isSkipping = false
    private var fault: Fault?

    package init(_ settings: Settings) {
        self.settings = settings
        open()
    }

    /// Its keys, one line for each of what they are for.
    package var lines: [any ButtonLine] {
        let names = settings.keys.keys.sorted { $0.rawValue < $1.rawValue }
        return names.enumerated().map { Line(self, $1, isFirst: $0 == 0) }
    }

    /// Its knob.
    package var knob: (any TurnSource)? { settings.turn == nil ? nil : Knob(self) }

    fileprivate var descriptor: Int32 { device?.number ?? -1 }
    fileprivate var deadline: Timestamp? {
        if !waiting.isEmpty || !turns.isEmpty { return Timestamp(nanoseconds: 0) }
        return device == nil ? retry : nil
    }

    // MARK: Coming and going

    private func open() {
        do throws(SystemError) {
            let path = try find()
            let device = try Descriptor(open: path, O_RDONLY | O_NONBLOCK)
            // Unless told otherwise, it stamps with the wall clock, which jumps.
            if clinux_input_use_monotonic(device.number) < 0 { throw SystemError("set the clock of", path, code: errno) }
            self.device = device
            backOff.reset()
            (fault, isSkipping, down) = (nil, false, keysDown(device))
            let now = Clock.now
            for (name, keys) in settings.keys { waiting[name, default: []].append(.found(level(keys), at: now)) }
        } catch {
            miss(error)
        }
    }

    private func find() throws(SystemError) -> String {
        if settings.device.hasPrefix("/") { return settings.device }
        // Without any device there is no folder.
        let names = (try? FileSystem.names(in: "/dev/input")) ?? []
        for name in names.sorted() where name.hasPrefix("event") {
            guard let device = try? Descriptor(open: "/dev/input/\(name)", O_RDONLY | O_NONBLOCK) else { continue }
            var text = [CChar](repeating: 0, count: 256)
            guard clinux_input_name(device.number, &text, text.count) >= 0 else { continue }
            if String(chars: text) == settings.device { return "/dev/input/\(name)" }
        }
        throw SystemError("find", "an input device named \"\(settings.device)\"", code: ENODEV)
    }

    private func miss(_ error: SystemError) {
        let advice = error.code == EACCES ? "; add the user of shutterd to the group input" : "; it is used as soon as it is there"
        fault = Fault(error.code == EACCES ? "permission-denied" : "no-device", "\(error)\(advice)")
        retry = Clock.now + backOff.next()
    }

    private func lose(_ error: SystemError) {
        device = nil
        down = []
        let now = Clock.now
        for name in settings.keys.keys { waiting[name, default: []].append(.lost(at: now)) }
        miss(error)
    }

    private func keysDown(_ device: Descriptor) -> Set<UInt16> {
        var bits = [UInt8](repeating: 0, count: 0x300 / 8)
        guard clinux_input_keys(device.number, &bits, bits.count) >= 0 else { return [] }
        var down: Set<UInt16> = []
        for code in 0..<bits.count * 8 where bits[code / 8] & (1 << UInt8(code % 8)) != 0 { down.insert(UInt16(code)) }
        return down
    }

    fileprivate func level(_ keys: [InputKey]) -> Level { keys.contains { down.contains($0.code) } ? .active : .inactive }
    fileprivate func level(of name: InputName) -> Level? { device == nil ? nil : level(settings.keys[name] ?? []) }
    fileprivate var currentFault: Fault? { fault }
    fileprivate var name: String { settings.name }

    // MARK: Events

    /// Takes what has come; whoever asks first does it for all.
    private func read() {
        guard let device else {
            if retry <= Clock.now { open() }
            return
        }
        var events = [clinux_input_event](repeating: clinux_input_event(), count: 64)
        while true {
            let count = clinux_input_read(device.number, &events, events.count)
            let code = errno
            if count < 0, code == EINTR { continue }
            if count < 0, code == EAGAIN { return }
            guard count > 0 else { return lose(SystemError("read", "input.\(settings.name)", code: count < 0 ? code : ENODEV)) }
            for event in events.prefix(Int(count)) { take(event, device) }
        }
    }

    private func take(_ event: clinux_input_event, _ device: Descriptor) {
        let instant = Timestamp(nanoseconds: event.time_ns)
        switch Int32(event.type) {
        case EV_SYN where Int32(event.code) == SYN_DROPPED: isSkipping = true
        case EV_SYN where isSkipping:
            isSkipping = false
            change(to: keysDown(device), at: instant, isOverrun: true)
        case EV_KEY where !isSkipping && event.value != 2:
            // 2 is the kernel's repetition of a key that is held.
            change(to: event.value == 1 ? down.union([event.code]) : down.subtracting([event.code]), at: instant)
        case EV_REL where !isSkipping && event.code == settings.turn?.code: turns.append(TurnEvent(Int(event.value), at: instant))
        default: break
        }
    }

    private func change(to keys: Set<UInt16>, at instant: Timestamp, isOverrun: Bool = false) {
        let before = settings.keys.mapValues(level)
        down = keys
        for (name, keys) in settings.keys {
            if isOverrun { waiting[name, default: []].append(.overrun(at: instant)) }
            if level(keys) != before[name] { waiting[name, default: []].append(.edge(level(keys), at: instant, sequence: nil)) }
        }
    }

    fileprivate func drain(_ name: InputName) -> [LineEvent] {
        read()
        return waiting.removeValue(forKey: name) ?? []
    }

    fileprivate func drainTurns() -> [TurnEvent] {
        read()
        defer { turns = [] }
        return turns
    }

    private final class Line: ButtonLine {
        let device: InputDevice
        let name: InputName
        /// The one that tells of the device's fault.
        let isFirst: Bool

        init(_ device: InputDevice, _ name: InputName, isFirst: Bool) { (self.device, self.name, self.isFirst) = (device, name, isFirst) }

        var descriptor: Int32 { device.descriptor }
        var deadline: Timestamp? { device.deadline }
        var fault: Fault? { isFirst ? device.currentFault : nil }
        var place: String { "input.\(device.name)" }
        func level() -> Level? { device.level(of: name) }
        func drain() -> [LineEvent] { device.drain(name) }
    }

    private final class Knob: TurnSource {
        let device: InputDevice
        init(_ device: InputDevice) { self.device = device }

        var name: String { device.name }
        var descriptor: Int32 { device.descriptor }
        var deadline: Timestamp? { device.deadline }
        func drain() -> [TurnEvent] { device.drainTurns() }
    }
}
