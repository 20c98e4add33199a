// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The word somebody may have meant.
package enum NearestWord {
    /// The known word with the fewest slips (a letter wrong, missing, too many, or two swapped) from `word`;
    /// nil when none is near enough to be worth naming.
    package static func to(_ word: String, among known: some Sequence<String>) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        let wanted = Array(plain(word).utf8)
        // One slip in a short word, two in a longer one: more would propose words that have nothing to do with it.
        var limit = wanted.count < 2 ? 0 : wanted.count < 5 ? 1 : 2
        var best: String?
        for candidate in known {
            let slips = slips(from: wanted, to: Array(plain(candidate).utf8))
            if slips <= limit, best == nil || slips < limit { (best, limit) = (candidate, slips) }
        }
        return best
    }

    /// `; did you mean "x"?`, or nothing.
    package static func hint(_ word: String, among known: some Sequence<String>) -> String {
        to(word, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// Without what people vary: case, hyphens, and a unit at the end (`debounce-ms`).
    private static func plain(_ word: String) -> String {
        let word = String(word.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
        for unit in ["_us", "_ms", "_s", "_sec", "_seconds", "_mb", "_ma"] where word.hasSuffix(unit) && word.count > unit.count {
            return String(word.dropLast(unit.count))
        }
        return word
    }

    /// Optimal string alignment distance.
    private static func slips(from: [UInt8], to: [UInt8]) -> Int {
        if from.isEmpty || to.isEmpty { return max(from.count, to.count) }
        var beforeLast: [Int] = []
        var last = Array(0...to.count)
        for row in 1..<(from.count + 1) {
            var current = [row] + Array(repeating: 0, count: to.count)
            for column in 1..<(to.count + 1) {
                let same = from[row - 1] == to[column - 1]
                current[column] = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, from[row - 1] == to[column - 2], from[row - 2] == to[column - 1] {
                    current[column] = min(current[column], beforeLast[column - 2] + 1)
                }
            }
            (beforeLast, last) = (last, current)
        }
        return last[to.count]
    }
}
