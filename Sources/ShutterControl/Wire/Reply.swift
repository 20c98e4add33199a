// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// One answer on the control socket: `{"ok": true, …}` or `{"ok": false, "error": …, "reason": …, "message": …}`.
///
/// What a success carries, by verb: `mode` → `mode`; `capture`, `tap`, `record stop`, `last`, `get` → `path` or `paths`;
/// `last --thumbnail` → also `thumbnail` (a JPEG in base64); `list` → `entries`, each with `name`, `path`, `size`
/// (bytes) and `modified` (seconds since 1970). `watch` answers once and then sends one object a line, each with `kind` (see `EventLine`).
package enum Reply: Equatable, Sendable {
    case success([String: JSONValue])
    case failure(Failure)

    /// Parses one line. Throws an `internal` failure: the two ends do not speak the same language.
    package init(line: String) throws(Failure) {
        var parsed: JSONValue?
        do throws(Failure) { parsed = try JSONValue(parsing: line) } catch { parsed = nil }
        guard var members = parsed?.object, let ok = members["ok"]?.bool else {
            throw Failure(.internal, "bad-reply", "the daemon answered \(Shown.text(line)), which is no reply: do shutterd and shutterctl have the same version?")
        }
        members["ok"] = nil
        if ok {
            self = .success(members)
        } else {
            let word = members["error"]?.string ?? ""
            let reason = members["reason"]?.string ?? word
            self = .failure(Failure(ErrorWord(rawValue: word) ?? .internal, reason, members["message"]?.string ?? reason))
        }
    }

    /// The reply as one line, without the line's end.
    package var line: String {
        var members: [String: JSONValue]
        switch self {
        case .success(let fields):
            members = fields
            members["ok"] = true
        case .failure(let failure):
            members = [
                "ok": false, "error": .string(failure.word.rawValue), "reason": .string(failure.reason),
                "message": .string(failure.message),
            ]
        }
        return JSONValue.object(members).line
    }
}
