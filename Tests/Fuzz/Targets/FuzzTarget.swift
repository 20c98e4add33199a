// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterConfig
import ShutterControl
import ShutterCore

/// What reads bytes from outside, and what it promises whatever they are. A broken promise ends the process.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case socket, reply, gate, vcd, jsonl, toml, firmware

    package func run(_ bytes: [UInt8]) {
        switch self {
        case .socket: Self.socket(bytes)
        case .reply: Self.reply(bytes)
        case .gate: Self.gate(bytes)
        case .vcd, .jsonl: Self.trace(bytes, self == .vcd ? "x.vcd" : "x.jsonl")
        case .toml: Self.toml(bytes)
        case .firmware: Self.firmware(bytes)
        }
    }

    /// What a client sends, in pieces of the size of the first byte.
    private static func socket(_ bytes: [UInt8]) {
        var splitter = LineSplitter(limit: 4096)
        let size = max(1, Int(bytes.first ?? 1))
        for start in stride(from: 0, to: bytes.count, by: size) {
            splitter.append(bytes[start..<min(start + size, bytes.count)])
            while true {
                do throws(LineSplitter.Fault) {
                    guard let line = try splitter.next() else { break }
                    precondition(!line.contains("\n") && line.utf8.count <= 4096)
                    request(line)
                } catch {
                    if case .tooLong = error { return }
                }
            }
        }
    }

    private static func request(_ line: String) {
        do throws(Failure) {
            let request = try Request(line: line)
            let again = try Request(line: request.line)
            precondition(again == request, "a request changes on its way")
            let invocation = try Invocation(request)
            let returned = try Invocation(invocation.request)
            precondition(returned == invocation, "an invocation changes on its way")
            precondition(invocation.verb.place != .offline)
        } catch { expectOneLine(error) }
    }

    /// What the daemon answers, as shutterctl prints it.
    private static func reply(_ bytes: [UInt8]) {
        guard let line = String(validating: bytes, as: UTF8.self) else { return }
        do throws(Failure) {
            guard case .success(let fields) = try Reply(line: line) else { return }
            for output in [Verb.Output.fields, .value("mode"), .paths, .events] {
                for scalar in Printing.text(fields, as: output).unicodeScalars { precondition(scalar == "\n" || scalar.properties.generalCategory != .control) }
            }
            _ = Printing.event(fields, since: 0)
            _ = Distribution(fields["lag"])
        } catch { expectOneLine(error) }
    }

    private static func gate(_ bytes: [UInt8]) {
        do throws(Failure) {
            let words = try GateTokenizer.split(bytes)
            for word in words { precondition(word.text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }) }
            guard case .run(let invocation, let globals) = try Gate(allow: "status,mode,last,get,watch").read(bytes) else { return }
            precondition(["status", "mode", "last", "get", "watch"].contains(invocation.verb.name), "the list does not hold")
            precondition(globals.socket == nil && globals.config == nil && globals.boards == nil, "a file was named")
            for argument in invocation.arguments { precondition(!argument.contains("/") && !argument.hasPrefix(".")) }
        } catch { expectOneLine(error) }
        let line = Gate.audit(user: "pi", connection: bytes, command: bytes, failure: nil)
        precondition(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && ($0.value < 0x7f || $0 == "…") } && line.utf8.count < 1000)
    }

    private static func trace(_ bytes: [UInt8], _ file: String) {
        do throws(TraceFault) {
            let trace = try Trace(bytes, file: file, inputs: [.shutter, .mode])
            var last: Int64 = 0
            for event in trace.events {
                precondition(event.at >= last, "time runs backwards")
                last = event.at
            }
            precondition(trace.end >= last)
            guard trace.events.count < 200 else { return }
            do throws(Failure) {
                let (initial, events) = try trace.replayEvents(activeHigh: [])
                let buttons = [Button.Settings(name: .shutter, role: .shutter), Button.Settings(name: .mode, role: .mode)]
                let tally = Replay(.init(buttons: buttons), mode: .photo, initial: initial, events: events).run().tally
                // What is held at the end is not over.
                precondition(tally.pending <= 1 && tally.failed == 0, "a press has no end")
            } catch { expectOneLine(error) }
        } catch {
            precondition(!error.description.contains("\n") && error.description.utf8.count < 1000, "\(error)")
        }
    }

    private static let boards = [BoardText(name: "test", text: SettingsText(file: "test.toml", bytes: Array("[board]\ntitle = \"Test\"\n[camera]\nsource = \"simulated\"\n".utf8)))]

    private static func toml(_ bytes: [UInt8]) {
        let surroundings = Surroundings(boards: boards, model: nil, board: "test", home: "/home/pi")
        do throws(SettingsFaults) {
            let loaded = try Settings.resolve(SettingsText(file: "x.toml", bytes: bytes), in: surroundings)
            // What is shown reads as the same.
            let again = try? Settings.resolve(SettingsText(file: "y.toml", bytes: Array(loaded.text().utf8)), in: surroundings)
            precondition(again == nil || again!.settings.changes(to: loaded.settings).isEmpty, "what is shown is something else")
            var live = Settings()
            live.takeLive(from: loaded.settings)
            _ = live.changes(to: loaded.settings)
        } catch {
            precondition(!error.faults.isEmpty)
            for fault in error.faults { precondition(!fault.description.contains("\n"), fault.description) }
        }
    }

    private static func firmware(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let firmware = FirmwareText(text, file: "config.txt", model: "Raspberry Pi 4 Model B") { name in name == "a" ? text : nil }
        for setting in ["dtparam=spi=on", "core_freq_min=500"] {
            if firmware.has(setting) { precondition(firmware.lines.contains { $0.counts }) }
            _ = firmware.elsewhere(setting)
        }
    }

    private static func expectOneLine(_ failure: Failure) {
        precondition(!failure.message.contains("\n") && !failure.message.isEmpty, failure.message)
    }
}
