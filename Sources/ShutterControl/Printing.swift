// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Replies as people read them. What comes from outside is kept on its line.
package enum Printing {
    /// What goes to stdout for a success, with its line ends; empty when the exit code says it all.
    package static func text(_ fields: [String: JSONValue], as output: Verb.Output) -> String {
        switch output {
        case .nothing, .contents:
            return ""
        case .fields:
            return aligned(flat(fields))
        case .value(let name):
            return fields[name].map { plain($0) + "\n" } ?? ""
        case .paths:
            let paths = [fields["path"]].compactMap(\.self) + (fields["paths"]?.array ?? [])
            let entries = (fields["entries"]?.array ?? []).compactMap { $0["path"] }
            // A path is often in both.
            let list = fields["paths"] == nil ? paths + entries : (fields["paths"]?.array ?? []) + entries
            return list.filter { $0 != .null }.map { plain($0) + "\n" }.joined()
        case .events:
            return event(fields) + "\n"
        }
    }

    /// `+1.250 s  capture id=1 trigger=button`: when, what, and the rest by name.
    /// - Parameter start: the zero of the times, in microseconds on the events' clock; nil = no times.
    package static func event(_ fields: [String: JSONValue], since start: Int64? = nil) -> String {
        var words = [fields["kind"].map(plain) ?? "event"]
        if let start {
            let time = fields["t_us"]?.int.map { shown($0 - start) } ?? ""
            words[0] = String(repeating: " ", count: max(0, 11 - time.count)) + "\(time)  \(words[0])"
        }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) where name != "kind" {
            // For people: what they can look up elsewhere is left out.
            if start != nil, name == "t_us" || name.hasSuffix("_ns") || (name == "paths" && fields["path"] != nil) { continue }
            if start != nil, name == "at_us", let at = value.int, let t = fields["t_us"]?.int {
                // When it was decided, where that is another time.
                if at - t >= 1000 { words.append("decided=+\((at - t + 500) / 1000)ms") }
                continue
            }
            let text = plain(value)
            words.append("\(Shown.oneLine(name))=\(text.isEmpty || text.contains(" ") ? Shown.oneLine(value.line) : text)")
        }
        return words.joined(separator: " ")
    }

    /// `+1.250 s`
    private static func shown(_ microseconds: Int64) -> String {
        let milliseconds = (abs(microseconds) + 500) / 1000
        let rest = "\(milliseconds % 1000)"
        return "\(microseconds < 0 ? "-" : "+")\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
    }

    /// A value without quotes, on one line.
    private static func plain(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): Shown.oneLine(text)
        case .null: "-"
        case .bool(let flag): flag ? "yes" : "no"
        case .array(let values): values.isEmpty ? "-" : values.map(plain).joined(separator: ", ")
        // JSON leaves DEL and the controls above it as they are, and terminals obey them.
        case .int, .double, .object: Shown.oneLine(value.line)
        }
    }

    /// `camera.state`, `buttons.shutter.level`, … in the order of their names; what stands at the top before what is nested.
    private static func flat(_ members: [String: JSONValue], _ prefix: String = "") -> [(String, String)] {
        var rows: [(String, String)] = []
        var nested: [(String, [String: JSONValue])] = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let objects = value.array?.compactMap(\.object) ?? []
            if let object = value.object {
                nested.append((name, object))
            } else if !objects.isEmpty, objects.count == value.array?.count {
                for (position, object) in objects.enumerated() {
                    let own = object["name"]?.string ?? "\(position + 1)"
                    nested.append(("\(name).\(own)", object.filter { $0.key != "name" }))
                }
            } else {
                rows.append((prefix + name, plain(value)))
            }
        }
        return nested.reduce(rows) { $0 + flat($1.1, "\(prefix)\($1.0).") }
    }

    private static func aligned(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            "\(Shown.oneLine(name)):\(String(repeating: " ", count: width - name.count + 1))\(value)\n"
        }.joined()
    }
}
