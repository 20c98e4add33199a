// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl

/// Wiring only: words in, exit code out.
@main
struct Main {
    static func main() {
        // A daemon or a pager that goes away is an error of write(2), not our end.
        signal(SIGPIPE, SIG_IGN)
        Output.claimStandardDescriptors()
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(Failure) {
            switch try ParsedCommand(words) {
            case .help(let verb): try Output.write(verb.map(Help.about) ?? Help.overview)
            case .version: try Output.write("shutterctl \(Version.current)\n")
            case .run(let invocation, let globals): exit(run(invocation, globals))
            }
        } catch {
            exit(Output.report(error, asJSON: false))
        }
    }

    static func run(_ invocation: Invocation, _ globals: ParsedCommand.Globals) -> Int32 {
        do throws(Failure) {
            switch invocation.verb.name {
            case "replay": try replay(invocation, globals)
            case "config check": try checkConfiguration(invocation, globals)
            case "config show": try showConfiguration(invocation, globals)
            case "config init": try makeConfiguration(invocation, globals)
            case "led test": try testRing(invocation, globals)
            case "led off": try switchRingOff(globals)
            case "button test": try testButton(invocation, globals)
            case "button record": try recordButton(invocation, globals)
            case "completion": try Output.write(Completion.script(for: invocation.arguments[0]))
            case "man": try manual(invocation)
            case "doctor": return try examine(invocation, globals)
            case "ssh-setup": try setUpSSH(invocation)
            case "ssh-gate": return passGate(invocation, globals)
            default: try ask(invocation, globals)
            }
            return 0
        } catch {
            return Output.report(error, asJSON: globals.json)
        }
    }
}
