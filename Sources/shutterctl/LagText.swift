// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl

/// `lag` for people: what the photos of this run took, as percentiles and histograms.
enum LagText {
    private static let stages = [
        ("lag", "shutter lag: exposure centre − press"), ("accepted", "press → accepted"), ("encoded", "press → encoded"), ("synced", "press → on the disk"),
    ]

    static func text(_ fields: [String: JSONValue], width: Int?) -> String {
        let count = fields["photos"]?.int ?? 0
        guard count > 0 else { return "no photo has been saved since shutterd started\n" }
        var text = "\(count) photo\(count == 1 ? "" : "s"), in ms\n"
        let columns = ["min", "p50", "p90", "p99", "max"]
        text += pad("", 10) + columns.map { pad($0, 9) }.joined() + "\n"
        let all = stages.compactMap { name, title in Distribution(fields[name]).map { (name: name, title: title, distribution: $0) } }
        for (name, _, one) in all {
            text += name + String(repeating: " ", count: max(0, 10 - name.count))
            text += [one.least, one.p50, one.p90, one.p99, one.most].map { pad(milliseconds($0), 9) }.joined() + "\n"
        }
        for (_, title, one) in all {
            text += "\n\(title)\n" + Bars.text(one.classes.map { (shown($0), $0.count) }, width: width)
        }
        return text
    }

    /// In microseconds where hundredths of a millisecond are too coarse.
    private static func shown(_ one: Distribution.Class) -> String {
        one.to - one.from < 10 ? "\(one.from) … \(one.to) us" : "\(milliseconds(one.from)) … \(milliseconds(one.to))"
    }

    private static func pad(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

    /// Two decimals.
    static func milliseconds(_ microseconds: Int64) -> String {
        let hundredths = (abs(microseconds) + 5) / 10
        return "\(microseconds < 0 && hundredths > 0 ? "-" : "")\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
