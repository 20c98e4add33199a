// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// A kind of value: how it is read from TOML, how it is written, and what may stand there.
struct Kind<Value>: Sendable {
    /// What may stand there, for the reference: `1ms…2s`.
    let expected: String
    let read: @Sendable (TomlNode) throws(Complaint) -> Value
    /// As TOML.
    let show: @Sendable (Value) -> String

    init(
        _ expected: String, read: @escaping @Sendable (TomlNode) throws(Complaint) -> Value,
        show: @escaping @Sendable (Value) -> String
    ) {
        self.expected = expected
        self.read = read
        self.show = show
    }

    /// The same, or one of some words that mean nil; the first of them is written.
    func or(_ words: String...) -> Kind<Value?> where Value: Sendable {
        let (expected, read, show) = (expected, read, show)
        return Kind<Value?>("\(expected), or \(quoted(words[0]))") { node throws(Complaint) in
            if case .string(let text) = node.value, words.contains(text) { return nil }
            do throws(Complaint) { return try read(node) } catch {
                throw Complaint(error.node, error.message + "; or \(quoted(words[0]))")
            }
        } show: { value in
            value.map(show) ?? quoted(words[0])
        }
    }
}

/// What is wrong with a value, as the end of the sentence "KEY = VALUE …".
struct Complaint: Error {
    /// The value, or the element of it that is to blame.
    let node: TomlNode
    let message: String

    init(_ node: TomlNode, _ message: String) {
        self.node = node
        self.message = message
    }
}

// MARK: Plain values

extension Kind<Bool> {
    static let flag = Kind("true or false") { node throws(Complaint) in
        guard case .boolean(let flag) = node.value else { throw Complaint(node, "must be true or false, not \(node.kind)") }
        return flag
    } show: { "\($0)" }
}

extension Kind<String> {
    static let text = Kind("text") { node throws(Complaint) in
        try readString(node)
    } show: { quoted($0) }

    /// Absolute, or in the home folder.
    static let path = Kind("an absolute path, or one that begins with ~/") { node throws(Complaint) in
        let path = try readString(node)
        guard path.hasPrefix("/") || path.hasPrefix("~/") else {
            throw Complaint(node, "is no absolute path; begin it with / or ~/")
        }
        return path
    } show: { quoted($0) }
}

extension Kind<[String]> {
    static let texts = Kind("an array of texts") { node throws(Complaint) in
        var texts: [String] = []
        for element in try readArray(node, of: "texts") { texts.append(try readString(element)) }
        return texts
    } show: { "[" + $0.map(quoted).joined(separator: ", ") + "]" }
}

extension Kind<Int> {
    static func whole(_ range: ClosedRange<Int>) -> Kind {
        let expected = "\(range.lowerBound)…\(range.upperBound)"
        return Kind(expected) { node throws(Complaint) in
            guard case .integer(let number) = node.value else {
                throw Complaint(node, "must be a whole number, not \(node.kind)")
            }
            guard let value = Int(exactly: number), range.contains(value) else {
                throw Complaint(node, "is out of range; allowed: \(expected)")
            }
            return value
        } show: { "\($0)" }
    }
}

extension Kind<Int> {
    static func oneOf(_ numbers: [Int]) -> Kind {
        let expected = numbers.map(String.init).joined(separator: " | ")
        return Kind(expected) { node throws(Complaint) in
            guard case .integer(let number) = node.value else {
                throw Complaint(node, "must be a whole number, not \(node.kind)")
            }
            guard let value = Int(exactly: number), numbers.contains(value) else {
                throw Complaint(node, "is none of " + numbers.map(String.init).joined(separator: ", "))
            }
            return value
        } show: { "\($0)" }
    }
}

extension Kind<Double> {
    static func number(_ range: ClosedRange<Double>) -> Kind {
        let expected = "\(shortest(range.lowerBound))…\(shortest(range.upperBound))"
        return Kind(expected) { node throws(Complaint) in
            let value: Double
            switch node.value {
            case .number(let number): value = number
            case .integer(let number): value = Double(number)
            case .string, .boolean, .date, .array, .table: throw Complaint(node, "must be a number, not \(node.kind)")
            }
            guard range.contains(value) else { throw Complaint(node, "is out of range; allowed: \(expected)") }
            return value
        } show: { "\($0)" }
    }
}

// MARK: Words of a fixed list

extension Kind where Value: RawRepresentable<String> & CaseIterable & Sendable {
    static func choice() -> Kind {
        let words = Value.allCases.map(\.rawValue)
        return Kind(words.joined(separator: " | ")) { node throws(Complaint) in
            let word = try readString(node)
            guard let value = Value(rawValue: word) else {
                let hint = NearestWord.to(word, among: words).map { "; did you mean \(quoted($0))?" } ?? ""
                throw Complaint(node, "is none of " + words.joined(separator: ", ") + hint)
            }
            return value
        } show: { quoted($0.rawValue) }
    }
}

extension Kind {
    /// At least one word, none of them twice.
    static func choices<Word: RawRepresentable<String> & CaseIterable & Sendable>() -> Kind where Value == [Word] {
        let one = Kind<Word>.choice()
        return Kind("an array of \(one.expected)") { node throws(Complaint) in
            var words: [Word] = []
            for element in try readArray(node, of: "words") {
                let word = try one.read(element)
                if words.contains(where: { $0.rawValue == word.rawValue }) { throw Complaint(element, "stands there twice") }
                words.append(word)
            }
            if words.isEmpty { throw Complaint(node, "is empty; allowed: \(one.expected)") }
            return words
        } show: { "[" + $0.map(one.show).joined(separator: ", ") + "]" }
    }
}

// MARK: Quantities

extension Kind<Duration> {
    static func duration(_ range: ClosedRange<Duration>) -> Kind {
        let expected = "\(shown(range.lowerBound))…\(shown(range.upperBound))"
        return Kind(expected) { node throws(Complaint) in
            let value = Duration.microseconds(try Quantity.duration.read(node))
            guard range.contains(value) else { throw Complaint(node, "is out of range; allowed: \(expected)") }
            return value
        } show: { quoted(shown($0)) }
    }
}

extension Kind where Value: FixedWidthInteger & Sendable {
    static func quantity(_ quantity: Quantity, _ range: ClosedRange<Value>) -> Kind {
        let expected = "\(quantity.show(Int64(range.lowerBound)))…\(quantity.show(Int64(range.upperBound)))"
        return Kind(expected) { node throws(Complaint) in
            guard let value = Value(exactly: try quantity.read(node)), range.contains(value) else {
                throw Complaint(node, "is out of range; allowed: \(expected)")
            }
            return value
        } show: { quoted(quantity.show(Int64($0))) }
    }
}

// MARK: Help

/// A duration as it is written in a file: `1500us`, `20ms`.
package func shown(_ duration: Duration) -> String { Quantity.duration.show(duration.microseconds) }

func readString(_ node: TomlNode) throws(Complaint) -> String {
    guard case .string(let text) = node.value else { throw Complaint(node, "must be a string, not \(node.kind)") }
    return text
}

func readArray(_ node: TomlNode, of what: String) throws(Complaint) -> [TomlNode] {
    guard case .array(let elements) = node.value else { throw Complaint(node, "must be an array of \(what), not \(node.kind)") }
    return elements
}

private func shortest(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
}
