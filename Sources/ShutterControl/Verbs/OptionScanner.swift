// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore
import CLinux
import Glibc

/// getopt_long(3): splits words into options and operands.
enum OptionScanner {
    struct Scan: Equatable {
        /// In the order given; the value of a switch is empty.
        var options: [(name: String, value: String)] = []
        var operands: [String] = []
        /// How many words were used up; fewer than all only when it stopped at the first operand.
        var used = 0

        static func == (left: Scan, right: Scan) -> Bool {
            left.operands == right.operands && left.used == right.used
                && left.options.elementsEqual(right.options) { $0 == $1 }
        }
    }

    /// - Parameter stopsAtOperand: whether to stop there and leave the operand and what follows it alone.
    ///
    /// Long options may be shortened as far as they stay unique. Throws a `usage` failure. Not to be called on two threads at once.
    static func scan(
        _ words: [String], _ known: [Verb.Option], stopsAtOperand: Bool, program: String = "shutterctl"
    ) throws(Failure) -> Scan {
        // No option is a digit, so -1 and -0.5 are numbers: getopt takes them for what they are behind this.
        let shown = words.map { isNegativeNumber($0) ? Self.number + $0 : $0 }
        let arguments = CStrings([program] + shown)
        let names = CStrings(known.map(\.name))
        defer { withExtendedLifetime((arguments, names)) {} }
        // Values from 256 on are positions in `known`; below are letters.
        var options = known.indices.map {
            option(name: names[$0], has_arg: known[$0].value == nil ? no_argument : required_argument, flag: nil, val: Int32(256 + $0))
        }
        options.append(option())
        // "+" stops at the first operand, "-" hands operands over where they stand; ":" tells a missing value from an unknown option.
        let letters = (stopsAtOperand ? "+:" : "-:") + known.compactMap { option in option.letter.map { "\($0)\(option.value == nil ? "" : ":")" } }.joined()

        var scan = Scan()
        clinux_getopt_start()
        while true {
            // Only with an unknown letter does getopt stay at the same word.
            let word = max(1, Int(clinux_getopt_index()))
            let result = clinux_getopt_next(Int32(words.count + 1), arguments.pointer, letters, options)
            let value = clinux_getopt_value().map { plain(String(cString: $0)) } ?? ""
            switch result {
            case -1:
                scan.used = Int(clinux_getopt_index()) - 1
                if !stopsAtOperand { scan.operands += words[scan.used...] }
                return scan
            case 1:
                scan.operands.append(value)
            case Int32(UInt8(ascii: ":")):
                let culprit = Int(clinux_getopt_culprit()) - 256
                let name = known.indices.contains(culprit) ? known[culprit].synopsis : words[word - 1]
                throw Failure(.usage, "missing-value", "\(name): the value is missing; see \(program) --help")
            case Int32(UInt8(ascii: "?")):
                throw unknown(words.indices.contains(word - 1) ? words[word - 1] : "", known, program)
            case 256...:
                scan.options.append((known[Int(result) - 256].name, value))
            default:
                guard let option = known.first(where: { $0.letter?.asciiValue == UInt8(truncatingIfNeeded: result) }) else {
                    throw Failure(.internal, "getopt", "getopt_long returned \(result)")
                }
                scan.options.append((option.name, value))
            }
        }
    }

    /// Stands before a negative number while getopt reads it.
    private static let number = "\u{1}"

    private static func isNegativeNumber(_ word: String) -> Bool {
        word.utf8.count > 1 && word.hasPrefix("-") && word.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func plain(_ word: String) -> String { word.hasPrefix(number) && isNegativeNumber(String(word.dropFirst())) ? String(word.dropFirst()) : word }

    private static func unknown(_ word: String, _ known: [Verb.Option], _ program: String) -> Failure {
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        if word.contains("="), let option = known.first(where: { $0.name == name }), option.value == nil {
            return Failure(.usage, "unexpected-value", "--\(name) takes no value; see \(program) --help")
        }
        let alike = known.map(\.name).filter { !name.isEmpty && $0.hasPrefix(name) }
        if word.hasPrefix("--"), alike.count > 1 {
            let list = alike.map { "--\($0)" }.joined(separator: " or ")
            return Failure(.usage, "ambiguous-option", "--\(name) may mean \(list); write it out")
        }
        let hint = NearestWord.to(name, among: known.map(\.name)).map { "; did you mean --\($0)?" } ?? ""
        return Failure(.usage, "unknown-option", "unknown option \(Shown.text(word))\(hint.isEmpty ? ";" : hint) see \(program) --help")
    }
}

/// C strings that live as long as this does.
private final class CStrings {
    private var strings: [UnsafeMutablePointer<CChar>?]
    let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    init(_ words: [String]) {
        strings = words.map { strdup($0) } + [nil]
        pointer = .allocate(capacity: strings.count)
        pointer.initialize(from: strings, count: strings.count)
    }

    deinit {
        // getopt may have reordered `pointer`, not the strings.
        for string in strings { free(string) }
        pointer.deallocate()
    }

    subscript(position: Int) -> UnsafePointer<CChar>? { UnsafePointer(strings[position]) }
}
