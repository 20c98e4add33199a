// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import GPIO
import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

/// A line that is listened to, without the daemon.
final class ListenedLine {
    let name: InputName
    let address: LineAddress
    let settings: ButtonSettings
    let facts: String
    private let handle: any LineHandle

    init(_ name: InputName, _ button: ButtonSettings, _ settings: Settings) throws(Failure) {
        guard button.line != .terminal else {
            throw Failure(.usage, "no-line", "button.\(name) is a key of the terminal, not a line; set line in [button.\(name)]")
        }
        self.name = name
        address = button.line
        self.settings = button
        let system = KernelGPIO()
        do throws(LineFault) {
            let line = try LineFinder(system, headerChip: settings.facts.chip).find(button.line)
            facts = line.describe(button.line)
            if let use = try? system.use(of: line.offset, on: line.path), use.isUsed, use.consumer == "shutterd" {
                throw LineFault(.passing, "in-use", "\(facts) is held by shutterd; stop it first with: sudo systemctl stop shutterd")
            }
            handle = try InputRequest(address: button.line, line: line, bias: button.bias, system: system).make()
        } catch {
            let word: ErrorWord = switch error.kind {
            case .permission: .notPermitted
            case .configuration: .configuration
            case .passing: error.fault.reason == "in-use" ? .refused : .unavailable
            }
            throw Failure(word, error.fault.reason, "button.\(name): \(error.fault.message)")
        }
    }

    var descriptor: Int32 { handle.descriptor }

    func isHigh() throws(Failure) -> Bool {
        do throws(SystemError) { return try handle.isHigh() } catch { throw Failure(.io, "line-lost", "button.\(name): \(error)") }
    }

    func read() throws(Failure) -> [EdgeRecord] {
        do throws(SystemError) { return try handle.read() } catch { throw Failure(.io, "line-lost", "button.\(name): \(error)") }
    }

    /// Whether as many edges came as the kernel keeps, so that some may be gone.
    func isFull(_ records: [EdgeRecord]) -> Bool { records.count >= handle.queueSize && records.last?.sequence == nil }

    func level(_ isHigh: Bool) -> Level { isHigh == (settings.active == .high) ? .active : .inactive }
}

extension Main {
    /// `button record [NAME]`: the lines as they are, into a VCD that sigrok, PulseView and GTKWave read.
    static func recordButton(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        guard let path = invocation.options["output"] else {
            throw Failure(.usage, "missing-argument", "button record: say where to, as in: shutterctl button record -o bounce.vcd")
        }
        let signals = try signals()
        let lines = try listen(invocation.arguments.first, globals)
        let file: Descriptor
        do throws(SystemError) { file = try Descriptor(open: path, O_WRONLY | O_CREAT | O_EXCL) } catch {
            let cure = error.code == EEXIST ? "; it is not written over: choose another name" : ""
            throw Failure(.cannotCreate, "file", "cannot create \(path): \(error.reason)\(cure)")
        }
        func write(_ text: String) throws(Failure) {
            var failure: SystemError?
            Array(text.utf8).withUnsafeBytes { bytes in
                do throws(SystemError) { try file.writeAll(bytes, subject: path) } catch { failure = error }
            }
            if let failure { throw Failure(.io, "file", "cannot write to \(path): \(failure.reason)") }
        }
        let start = Clock.now
        var initial: [(input: InputName, high: Bool)] = []
        for line in lines { initial.append((line.name, try line.isHigh())) }
        var writer = VCDWriter(initial: initial, comment: lines.map(\.facts).joined(separator: ", "))
        try write(writer.header)
        var changes = 0
        let end = try deadline(invocation, start)
        if !globals.json { try Output.write("recording \(lines.map { "\($0.name)" }.joined(separator: ", ")); Ctrl-C ends it\n") }
        while Clock.now < end ?? Clock.now + .seconds(1) {
            _ = Poller.wait([.init(signals.descriptor)] + lines.map { .init($0.descriptor) }, until: end)
            // Edges of several lines, in their order.
            var records: [(line: ListenedLine, record: EdgeRecord)] = []
            for line in lines {
                let new = try line.read()
                records += new.map { (line, $0) }
                if line.isFull(new) { records.append((line, EdgeRecord(stamp: Clock.now.nanoseconds, sequence: nil, isRising: try line.isHigh()))) }
            }
            for (line, record) in records.sorted(by: { $0.record.stamp < $1.record.stamp }) {
                let text = writer.change(line.name, high: record.isRising, at: record.stamp - start.nanoseconds)
                if !text.isEmpty { changes += 1 }
                try write(text)
            }
            if !signals.drain().isEmpty { break }
        }
        try write(writer.finish(at: (Clock.now - start).nanoseconds))
        if globals.json {
            try Output.write(Reply.success(["path": .string(path), "changes": .int(Int64(changes))]).line + "\n")
        } else {
            try Output.write("\(changes) changes in \(path)\n")
        }
    }

    /// `button test [NAME]`: both levels as they change, each change of the switch, and at the end what it all comes to.
    static func testButton(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let signals = try signals()
        let line = try listen(invocation.arguments.first ?? "shutter", globals)[0]
        let screen = Screen()
        let start = Clock.now
        let end = try deadline(invocation, start)
        let initial = try line.isHigh()
        var view = ButtonView(line, isHigh: initial, screen: screen, asJSON: globals.json)
        var study = BounceStudy(debounce: line.settings.debounce)
        study.begin(line.level(initial), at: start)
        try view.begin()
        while Clock.now < end ?? Clock.now + .seconds(1) {
            let wake = earliest(study.deadline, end)
            _ = Poller.wait([.init(signals.descriptor), .init(line.descriptor)], until: wake)
            let records = try line.read()
            for record in records {
                let level = line.level(record.isRising)
                let instant = Timestamp(nanoseconds: record.stamp)
                if let episode = study.edge(to: level, at: instant, sequence: record.sequence) { try view.show(episode, study) }
                try view.edge(isHigh: record.isRising, at: instant - start)
            }
            if line.isFull(records) {
                let isHigh = try line.isHigh()
                if let episode = study.edge(to: line.level(isHigh), at: Clock.now) { try view.show(episode, study) }
            }
            if let episode = study.advance(to: Clock.now) { try view.show(episode, study) }
            if !signals.drain().isEmpty { break }
        }
        if let episode = study.finish() { try view.show(episode, study) }
        try view.end(study)
    }

    private static func signals() throws(Failure) -> Signals {
        do throws(SystemError) { return try Signals([SIGINT, SIGTERM, SIGHUP]) } catch { throw Failure(.internal, "signals", "\(error)") }
    }

    /// Who is not at a terminal cannot interrupt it.
    private static func deadline(_ invocation: Invocation, _ start: Timestamp) throws(Failure) -> Timestamp? {
        if let seconds = invocation.options["seconds"].flatMap({ Int($0) }) { return start + .seconds(seconds) }
        return Output.standard.isTerminal || invocation.verb.name == "button record" ? nil : start + .seconds(30)
    }

    private static func listen(_ name: String?, _ globals: ParsedCommand.Globals) throws(Failure) -> [ListenedLine] {
        let all = try settings(configurationFile(globals), globals).settings
        let buttons = all.buttons.sorted { $0.key.rawValue < $1.key.rawValue }
        guard let name else {
            var lines: [ListenedLine] = []
            for (name, button) in buttons where button.line != .terminal { lines.append(try ListenedLine(name, button, all)) }
            if lines.isEmpty { throw Failure(.usage, "no-line", "no button is on a line: set line in [button.shutter]") }
            return lines
        }
        guard let button = buttons.first(where: { $0.key.rawValue == name }) else {
            throw Failure(.usage, "bad-argument", "there is no [button.\(Shown.oneLine(name))]; there are \(buttons.map(\.key.rawValue).joined(separator: ", "))")
        }
        return [try ListenedLine(button.key, button.value, all)]
    }
}
