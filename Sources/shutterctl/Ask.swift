// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxIO
import ShutterControl

extension Main {
    /// Has the daemon do it, and prints what it answers.
    static func ask(_ invocation: Invocation, _ globals: ParsedCommand.Globals) throws(Failure) {
        let verb = invocation.verb
        let wantsThumbnail = invocation.options["thumbnail"] != nil && !globals.json
        if wantsThumbnail { try Output.refuseTerminal(for: "a JPEG", verb.name) }
        let wantsContents = (verb.output == .contents || invocation.options["cat"] != nil) && !globals.json
        if wantsContents { try Output.refuseTerminal(for: "a photo or clip", verb.name) }

        if verb.name == "preview" { return try preview(invocation, globals) }

        var connection = try Connection(globals)
        try connection.send(invocation.request)
        let seconds = if case .daemon(let seconds) = verb.place { seconds } else { 30 }
        guard let line = try connection.line(within: seconds, endsWithReader: globals.isRemote) else {
            throw Failure(.unavailable, "daemon-ended", "shutterd ended before it answered; see journalctl -u shutterd")
        }
        let fields: [String: JSONValue]
        switch try Reply(line: line) {
        case .failure(let failure): throw failure
        case .success(let members): fields = members
        }

        if case .stream = verb.place {
            try watch(&connection, globals)
        } else if globals.json {
            try Output.write(line + "\n")
        } else if wantsThumbnail {
            guard let text = fields["thumbnail"]?.string, let bytes = Data(base64Encoded: text) else {
                throw Failure(.unavailable, "no-thumbnail", "\(fields["path"]?.string ?? "the newest file") has no thumbnail")
            }
            try Output.write(bytes)
        } else if wantsContents {
            guard let path = fields["path"]?.string else { throw Failure(.internal, "bad-reply", "shutterd's answer names no file") }
            try copy(path)
        } else if verb.name == "lag", !invocation.onlyReads {
            try Output.write(CalibrationText.text(fields))
        } else if verb.name == "lag" {
            try Output.write(LagText.text(fields, width: Screen().width))
        } else if verb.name == "controls" {
            try Output.write(ControlsText.text(fields))
        } else {
            try Output.write(Printing.text(fields, as: verb.output))
        }
    }

    /// One line an event, until one side ends.
    private static func watch(_ connection: inout Connection, _ globals: ParsedCommand.Globals) throws(Failure) {
        let start = Clock.now.microseconds
        while let line = try connection.line(within: nil) {
            guard !globals.json else {
                try Output.write(line + "\n")
                continue
            }
            guard let event = try JSONValue(parsing: line).object else { throw Failure(.internal, "bad-reply", "no event: \(Shown.text(line))") }
            try Output.write(Printing.event(event, since: start) + "\n")
        }
        throw Failure(.unavailable, "daemon-ended", "shutterd ended, or this was too slow to keep up; see journalctl -u shutterd")
    }

    /// The bytes of a file to stdout.
    private static func copy(_ path: String) throws(Failure) {
        let file: Descriptor
        do throws(SystemError) { file = try Descriptor(open: path, O_RDONLY) } catch { throw cannotRead(path, error) }
        while true {
            let bytes: [UInt8]?
            do throws(SystemError) { bytes = try file.read(upTo: 1 << 20) } catch { throw cannotRead(path, error) }
            guard let bytes, !bytes.isEmpty else { return }
            try Output.write(bytes)
        }
    }

    static func cannotRead(_ path: String, _ error: SystemError) -> Failure {
        let isDenied = error.code == EACCES || error.code == EPERM
        return Failure(
            isDenied ? .notPermitted : .io, "file",
            "cannot \(error.operation) \(path): \(error.reason)\(isDenied ? "; it must be readable to you" : "")")
    }
}
