// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import ShutterControl
import ShutterCore

/// Answers `last`, `list` and `get` from the folders. Blocks.
enum Browser {
    static func answer(_ invocation: Invocation, _ catalogue: any Catalogue) -> Reply {
        do throws(Fault) {
            switch invocation.verb.name {
            case "list":
                return .success(["entries": .array(try catalogue.entries().map { .object(fields($0)) })])
            case "get":
                let name = invocation.arguments.first ?? ""
                guard let entry = try catalogue.entry(named: name) else {
                    return .failure(Failure(.usage, "no-such-file", "there is no \(Shown.text(name)); see `shutterctl list`"))
                }
                return .success(fields(entry))
            default:
                guard let entry = try catalogue.newest() else {
                    return .failure(Failure(.refused, "nothing-saved", "no photo or clip has been saved yet"))
                }
                var members = fields(entry)
                if invocation.options["thumbnail"] != nil {
                    members["thumbnail"] = .string(Data(try catalogue.thumbnail(of: entry)).base64EncodedString())
                }
                return .success(members)
            }
        } catch {
            return .failure(Failure(error.reason == "bad-name" ? .usage : .io, error.reason, error.message))
        }
    }

    private static func fields(_ entry: MediaEntry) -> [String: JSONValue] {
        [
            "name": .string(entry.name), "path": .string(entry.path), "size": .int(Int64(clamping: entry.size)),
            "modified": .int(entry.modified / 1_000_000_000),
        ]
    }
}
