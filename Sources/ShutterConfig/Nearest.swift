// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The word that was probably meant, or nil when none is near. Case, hyphens and a unit at the end do not count:
/// `debounce-ms` is near `debounce`.
func nearest(to word: String, among known: [String]) -> String? {
    let wanted = plain(word)
    // One slip in a short word, two in a longer one: more would propose words that have nothing to do with it.
    let limit = wanted.count < 3 ? 0 : wanted.count < 5 ? 1 : 2
    return known.map { (word: $0, distance: distance(wanted, plain($0))) }
        .filter { $0.distance <= limit }
        .min { $0.distance < $1.distance }?.word
}

/// Without what people vary.
func plain(_ word: String) -> String {
    var word = word.prefix(64).lowercased()
    word = String(word.map { $0 == "-" || $0 == " " ? "_" : $0 })
    for unit in ["_us", "_ms", "_s", "_sec", "_seconds", "_mb", "_ma"] where word.hasSuffix(unit) && word.count > unit.count {
        return String(word.dropLast(unit.count))
    }
    return word
}

/// Damerau-Levenshtein (optimal string alignment): letters wrong, missing, too many, or two swapped.
func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var rows = [Array(0...right.count)]
    for i in 1...left.count {
        var row = [i]
        for j in 1...right.count {
            let same = left[i - 1] == right[j - 1]
            var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (same ? 0 : 1))
            if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                best = min(best, rows[i - 2][j - 2] + 1)
            }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[left.count][right.count]
}
