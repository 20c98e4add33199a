// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl

/// `lag --calibrate` for people.
enum CalibrationText {
    static func text(_ fields: [String: JSONValue]) -> String {
        func number(_ name: String) -> Int64 { fields[name]?.int ?? 0 }
        func apart(_ value: Int64, _ after: String, _ before: String) -> String {
            "\(LagText.milliseconds(abs(value))) ms \(value < 0 ? before : after)"
        }
        let half = number("interval_us") / 2
        var rows = [
            ("flashes", "\(number("flashes")), \(number("seen")) of them seen"),
            ("frames", "every \(LagText.milliseconds(number("interval_us"))) ms, exposed for \(LagText.milliseconds(number("exposure_us"))) ms"),
            ("timestamps", apart(number("offset_us"), "late", "early") + ", ± \(LagText.milliseconds(number("uncertainty_us"))) ms"),
        ]
        if number("configured_us") != 0 { rows.append(("offset", "\(LagText.milliseconds(number("configured_us"))) ms, in [camera]")) }
        let proposed = fields["proposed_offset"]?.string
        if proposed == nil {
            rows.append(("photos", "of the press, within the ± \(LagText.milliseconds(half)) ms of half a frame"))
        } else {
            let error = apart(number("error_us"), "after", "before") + " the press"
            let isFar = fields["within_half_frame"]?.bool == false
            rows.append(("photos", isFar ? error + ", more than half a frame" : "\(error), and up to half a frame (\(LagText.milliseconds(half)) ms) either way"))
        }
        let width = rows.map(\.0.count).max() ?? 0
        let table = rows.map { name, value in "\(name)\(String(repeating: " ", count: width - name.count + 2))\(value)\n" }.joined()
        guard let proposed else { return table + "Nothing is to be done.\n" }
        return table + "To cure it, in the configuration: [camera] offset = \"\(proposed)\"\n(and a reaction time added to it, if you set one), then restart shutterd.\n"
    }
}
