// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// What stands before `$enddefinitions`: the unit of time and which code means which input.
struct VCDHeader {
    /// What a code stands for.
    enum Variable: Equatable {
        /// A one-bit variable, under each name that it was declared with.
        case bit([InputName])
        /// A wider or a real one, or one that nobody asked for.
        case skipped
    }

    private(set) var timescale: Timescale?
    private(set) var variables: [ArraySlice<UInt8>: Variable] = [:]
    /// The names of the first one-bit variables, for errors.
    private(set) var names: [String] = []
    private var codes: [InputName: ArraySlice<UInt8>] = [:]
    private var scopes = 0
    private var file: String
    private var wanted: Set<InputName>?

    init(file: String, wanted: Set<InputName>?) {
        self.file = file
        self.wanted = wanted
    }

    /// Reads up to and including `$enddefinitions $end`.
    mutating func read(_ tokens: inout VCDTokens) throws(TraceFault) {
        var isFirst = true
        while let token = tokens.next() {
            let line = tokens.line
            if token.spells("META"), isFirst {
                // sigrok-cli puts a line of its own first: "META samplerate: 1000000".
                tokens.skipLine()
                continue
            }
            if token.spells("$enddefinitions") {
                try VCDHeader.section(&tokens, "$enddefinitions", file)
                guard timescale != nil else {
                    throw TraceFault(file: file, line: line, "no $timescale before $enddefinitions: it must say what a time unit is, such as $timescale 1 us $end")
                }
                try checkNames(line)
                return
            } else if token.spells("$timescale") {
                let words = try VCDHeader.section(&tokens, "$timescale", file)
                guard let scale = Timescale(words) else {
                    throw TraceFault(file: file, line: line, "$timescale \(Shown.bytes(Array(words.joined(separator: [0x20])))) is none: it is 1, 10 or 100 of s, ms, us, ns, ps or fs")
                }
                guard timescale == nil || timescale == scale else {
                    throw TraceFault(file: file, line: line, "a second $timescale that differs from the first")
                }
                timescale = scale
            } else if token.spells("$var") {
                try declare(try VCDHeader.section(&tokens, "$var", file), line)
            } else if token.spells("$scope") {
                try VCDHeader.section(&tokens, "$scope", file)
                scopes += 1
            } else if token.spells("$upscope") {
                try VCDHeader.section(&tokens, "$upscope", file)
                scopes -= 1
                guard scopes >= 0 else { throw TraceFault(file: file, line: line, "$upscope without a $scope") }
            } else if token.first == UInt8(ascii: "$"), !token.spells("$end") {
                // $date, $version, $comment, and what tools add of their own.
                try VCDHeader.section(&tokens, Shown.bytes(token, limit: 30), file)
            } else {
                let where_ = isFirst ? "not a value change dump: it begins with" : "before $enddefinitions stands"
                throw TraceFault(file: file, line: line, "\(where_) \(Shown.bytes(token, limit: 30))")
            }
            isFirst = false
        }
        throw TraceFault(file: file, line: isFirst ? 0 : tokens.line, isFirst ? "the file is empty" : "$enddefinitions is missing: the file was cut off")
    }

    /// The words up to `$end`.
    @discardableResult
    static func section(_ tokens: inout VCDTokens, _ name: String, _ file: String) throws(TraceFault) -> [ArraySlice<UInt8>] {
        let line = tokens.line
        var words: [ArraySlice<UInt8>] = []
        while let token = tokens.next() {
            if token.spells("$end") { return words }
            // A comment may be long; nothing that is looked at is.
            if words.count < 64 { words.append(token) }
        }
        throw TraceFault(file: file, line: line, "\(name) has no $end: the file was cut off")
    }

    /// `$var wire 1 ! shutter [0] $end`
    private mutating func declare(_ words: [ArraySlice<UInt8>], _ line: Int) throws(TraceFault) {
        guard words.count >= 4 else {
            throw TraceFault(file: file, line: line, "$var needs a type, a size, a code and a name, as in $var wire 1 ! shutter $end")
        }
        guard let size = words[1].decimal, size > 0 || !Self.isBit(words[0]) else {
            throw TraceFault(file: file, line: line, "$var with the size \(Shown.bytes(words[1], limit: 30)): a number of bits is needed")
        }
        let code = words[2]
        guard size == 1, Self.isBit(words[0]) else {
            if variables[code] == nil { variables[code] = .skipped }
            return
        }
        let name = Self.name(words[3])
        if names.count < 8 { names.append(name) }
        let input = InputName(rawValue: name)
        guard wanted?.contains(input) ?? true else {
            if variables[code] == nil { variables[code] = .skipped }
            return
        }
        guard codes.updateValue(code, forKey: input) ?? code == code else {
            throw TraceFault(file: file, line: line, "two variables are named \(Shown.text(name)): rename one of them")
        }
        if case .bit(let inputs) = variables[code] {
            if !inputs.contains(input) { variables[code] = .bit(inputs + [input]) }
        } else {
            variables[code] = .bit([input])
        }
    }

    /// Whether at least one variable is an input.
    private func checkNames(_ line: Int) throws(TraceFault) {
        for case .bit in variables.values { return }
        let there = names.isEmpty ? "it declares no one-bit variable" : "it has " + names.map { Shown.text($0, limit: 20) }.joined(separator: ", ")
        let inputs = wanted.map { " (" + $0.map(\.rawValue).sorted().joined(separator: ", ") + ")" } ?? ""
        throw TraceFault(file: file, line: line, "no variable is named after an input\(inputs); \(there)")
    }

    private static func isBit(_ type: ArraySlice<UInt8>) -> Bool {
        !(type.spells("real") || type.spells("realtime") || type.spells("string") || type.spells("event") || type.spells("parameter"))
    }

    /// Without an index such as `[0]` and the backslash of an escaped name.
    private static func name(_ word: ArraySlice<UInt8>) -> String {
        var word = word
        if word.first == UInt8(ascii: "\\") { word = word.dropFirst() }
        if word.last == UInt8(ascii: "]"), let bracket = word.lastIndex(of: UInt8(ascii: "[")), bracket > word.startIndex {
            word = word[..<bracket]
        }
        return String(decoding: word, as: UTF8.self)
    }
}

/// How long a unit of time is.
struct Timescale: Equatable {
    /// A unit is this many nanoseconds, divided by `parts`.
    var nanoseconds: UInt64
    var parts: UInt64 = 1

    /// `1 us`, `10ns`, `100 ps`, …
    init?(_ words: [ArraySlice<UInt8>]) {
        guard words.count == 1 || words.count == 2 else { return nil }
        let text = words.joined()
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = Array(digits).decimal, [1, 10, 100].contains(number) else { return nil }
        switch String(decoding: text.dropFirst(digits.count), as: UTF8.self) {
        case "s": self.init(nanoseconds: number * 1_000_000_000)
        case "ms": self.init(nanoseconds: number * 1_000_000)
        case "us": self.init(nanoseconds: number * 1000)
        case "ns": self.init(nanoseconds: number)
        case "ps": self.init(nanoseconds: number, parts: 1000)
        case "fs": self.init(nanoseconds: number, parts: 1_000_000)
        default: return nil
        }
    }

    private init(nanoseconds: UInt64, parts: UInt64 = 1) {
        self.nanoseconds = nanoseconds
        self.parts = parts
    }

    /// The nearest nanosecond, or nil when it is more than 292 years.
    func nanoseconds(at time: UInt64) -> Int64? {
        let (high, low) = time.multipliedFullWidth(by: nanoseconds)
        guard high < parts else { return nil }
        let (quotient, remainder) = parts.dividingFullWidth((high, low))
        return Int64(exactly: remainder * 2 >= parts ? quotient &+ 1 : quotient)
    }
}
