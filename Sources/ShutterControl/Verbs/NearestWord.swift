// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The word somebody may have meant.
package enum NearestWord {
    /// The known word with the fewest slips (a letter wrong, missing, too many, or two swapped) from `word`;
    /// nil when none is near enough to be worth naming.
    package static func to(_ word: String, among known: some Sequence<String>) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        let word = word.lowercased()
        var best: (word: String, slips: Int)?
        for candidate in known {
            let slips = slips(from: Array(word.utf8), to: Array(candidate.utf8))
            if slips < best?.slips ?? .max { best = (candidate, slips) }
        }
        guard let best, best.slips <= max(1, max(word.utf8.count, best.word.utf8.count) / 3) else { return nil }
        return best.word
    }

    /// `; did you mean "x"?`, or nothing.
    package static func hint(_ word: String, among known: some Sequence<String>) -> String {
        to(word, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// Optimal string alignment distance.
    private static func slips(from: [UInt8], to: [UInt8]) -> Int {
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
