// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Media
import ShutterConfig
import ShutterControl
import ShutterCore

/// Which encoder makes clips, asked of a process of its own, `shutterd --encoder`: FFmpeg has to be loaded to find out, and stays
/// in memory then, which takes more than all of a daemon that is taking photos.
enum EncoderQuestion {
    private static let patience = Duration.seconds(20)

    /// What that process says.
    static func answer(_ settings: Settings) throws(Failure) -> String {
        do throws(Fault) { return try EncoderChoice.choose(settings.clips, hardware: settings.facts.hasEncoder) } catch {
            throw Failure(.unavailable, error.reason, error.message)
        }
    }

    /// Asks it, with the options that we were started with. Blocks until it has ended.
    @Sendable static func ask() throws(Fault) -> String {
        let (text, end): (String, ChildProgram.End?)
        do throws(SystemError) {
            let child = try ChildProgram([Environment.executable] + CommandLine.arguments.dropFirst() + ["--encoder"], environment: Environment.whole)
            (text, end) = try child.finish(within: patience)
        } catch {
            throw Fault("no-encoder", "no encoder could be looked for: \(error)")
        }
        let words = text.split(separator: "\n").joined(separator: "; ")
        let prefix = "shutterd: "
        switch end {
        case .code(0): return words
        case .code: throw Fault("no-encoder", words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words)
        case let .signal(number): throw Fault("no-encoder", "no encoder was found: shutterd --encoder was ended by signal \(number); see what it says")
        case nil: throw Fault("no-encoder", "no encoder was found in \(Int(patience.seconds)) s; see what this says: shutterd --encoder")
        }
    }
}
