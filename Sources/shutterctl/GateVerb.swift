// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl

extension Main {
    /// `ssh-gate`: what sshd runs in the place of the client's command, which it hands over in SSH_ORIGINAL_COMMAND.
    /// - Parameter own: what the line in authorized_keys says; the client has no say in files.
    /// - Returns: the exit code, which the client gets.
    static func passGate(_ gate: Invocation, _ own: ParsedCommand.Globals) -> Int32 {
        let command = Environment.bytes("SSH_ORIGINAL_COMMAND")
        func tell(_ failure: Failure?) {
            let text = Gate.audit(user: Syslog.user, connection: Environment.bytes("SSH_CONNECTION"), command: command, failure: failure)
            Syslog.tellAdministrators(failure == nil ? .info : .warning, "shutterctl", text, socket: gate.options["log"] ?? Syslog.socket)
        }
        do throws(Failure) {
            let asked = try Gate(allow: gate.options["allow"]).read(command ?? [])
            tell(nil)
            switch asked {
            case .help(let verb): try Output.write(verb.map(Help.about) ?? Help.overview)
            case .version: try Output.write("shutterctl \(Version.current)\n")
            case .run(let invocation, var globals):
                (globals.socket, globals.config, globals.boards, globals.isRemote) = (own.socket, own.config, own.boards, true)
                return run(invocation, globals)
            }
            return 0
        } catch {
            tell(error)
            return Output.report(error, asJSON: false)
        }
    }
}
