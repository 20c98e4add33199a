// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import GPIO
import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

extension Doctor {
    /// Chips, then each line that is read: who has it, and how it stands.
    mutating func checkLines() {
        let inputs = settings.lines.filter { $0.line.line != .terminal }
        var outputs: [(String, LineAddress)] = settings.ring.driver == .gpio ? settings.ring.lines.map { ("ring", $0) } : []
        if let line = settings.feedback.line { outputs.append(("feedback", line)) }
        guard !inputs.isEmpty || !outputs.isEmpty else {
            tell("lines", .ok, "no GPIO line is used")
            return
        }
        guard checkChips() else { return }
        for (name, input) in inputs {
            if let number = input.line.headerNumber, number == 2 || number == 3, input.bias == .pullDown || input.active == .high {
                tell(input.place, .fault, "\(input.line) has a pull-up of 1.8 kΩ on the board: with active = \"high\" and a pull-down it always reads as \(input.isButton ? "pressed" : "closed")",
                     cure: "wire it to ground and write active = \"low\" in [\(input.table)], or use another line")
            }
            // What a file tree cannot tell.
            if machine.isReal { check(input, name) }
        }
        if machine.isReal { for (name, line) in outputs { checkOutput(line, name) } }
    }

    private mutating func checkChips() -> Bool {
        let chips = machine.names("/dev").filter { $0.hasPrefix("gpiochip") && isNumber($0.dropFirst("gpiochip".count)) }
        guard !chips.isEmpty else {
            tell("gpio", .fault, "there is no GPIO chip (/dev/gpiochip*)", cure: "use Raspberry Pi OS's own kernel, or board = \"simulated\" without hardware")
            return false
        }
        var isFine = true
        for chip in chips where !checkNode("gpio", "/dev/\(chip)", missing: "", group: "gpio", subsystem: "gpio", quiet: true) { isFine = false }
        if isFine { tell("gpio", .ok, chips.map { "/dev/\($0)" }.joined(separator: ", ")) }
        return isFine
    }

    private mutating func check(_ input: Settings.InputLine, _ name: InputName) {
        let system = KernelGPIO()
        let finder = LineFinder(system, headerChip: settings.facts.chip)
        do throws(LineFault) {
            let line = try finder.find(input.line)
            if let use = try? system.use(of: line.offset, on: line.path), use.isUsed {
                return tellHolder(use, line, input, name)
            }
            let handle = try InputRequest(address: input.line, line: line, bias: input.bias, system: system).make()
            guard let isHigh = try? handle.isHigh() else {
                return tell(input.place, .fault, "\(line.describe(input.line)) cannot be read", cure: "see: journalctl -k")
            }
            let facts = "\(line.describe(input.line)), bias \(input.bias.rawValue), \(isHigh ? "high" : "low")"
            let isActive = isHigh == (input.active == .high)
            if !input.isButton {
                // Either is right between two detents.
                tell(input.place, .ok, "\(facts): \(isActive ? "closed" : "open")")
            } else if isActive {
                tell(input.place, .warning, "\(facts): pressed now; if nobody presses it, its polarity or wiring looks inverted",
                     cure: "see both levels live with: shutterctl button test \(name), then correct `active` and `bias` in [\(input.table)]")
            } else {
                tell(input.place, .ok, "\(facts): released")
            }
        } catch {
            let (message, cure) = Self.split(error.fault.message)
            tell(input.place, .fault, message, cure: cure)
        }
    }

    private mutating func tellHolder(_ use: LineUse, _ line: FoundLine, _ input: Settings.InputLine, _ name: InputName) {
        let holder = use.consumer.isEmpty ? "a user without a name" : use.consumer
        guard use.consumer == "shutterd" else {
            return tell(input.place, .fault, "\(line.describe(input.line)) is held by \(holder)",
                        cure: "end that program or remove its overlay from config.txt (see gpioinfo), or choose another line")
        }
        let level = daemonFields("buttons")?.array?.first { $0["name"]?.string == name.rawValue }?["level"]?.string
        tell(input.place, .ok, "\(line.describe(input.line)), held by shutterd\(level.map { ": \($0)" } ?? "")")
    }

    private mutating func checkOutput(_ address: LineAddress, _ name: String) {
        let system = KernelGPIO()
        do throws(LineFault) {
            let line = try LineFinder(system, headerChip: settings.facts.chip).find(address)
            if let use = try? system.use(of: line.offset, on: line.path), use.isUsed, use.consumer != "shutterd" {
                return tell(name, .fault, "\(line.describe(address)) is held by \(use.consumer.isEmpty ? "a user without a name" : use.consumer)",
                            cure: "end that program or remove its overlay from config.txt (see gpioinfo), or choose another line")
            }
            tell(name, .ok, line.describe(address))
        } catch {
            let (message, cure) = Self.split(error.fault.message)
            tell(name, .fault, message, cure: cure)
        }
    }

    /// A fault's sentence, and what is to be done, which stands after the last semicolon.
    static func split(_ message: String) -> (message: String, cure: String?) {
        guard let end = message.lastIndex(of: ";") else { return (message, nil) }
        return (String(message[..<end]), String(message[message.index(end, offsetBy: 2, limitedBy: message.endIndex)!...]))
    }

    func daemonFields(_ name: String) -> JSONValue? { if case .status(let status) = daemon { status[name] } else { nil } }
}

extension Settings.InputLine {
    /// `button.shutter`, `encoder.dial`
    fileprivate var table: String { place.split(separator: ".").prefix(2).joined(separator: ".") }
    /// A push button, of an encoder as well; not one of the two lines that tell how it is turned.
    fileprivate var isButton: Bool { !place.hasPrefix("encoder.") || place.hasSuffix(".button") }
}
