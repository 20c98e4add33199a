// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Reads what the kernel delivered, one JSON object a line, for when that differs from the waveform:
/// `{"t_us": 168, "input": "shutter", "edge": "falling", "seq": 3}`, `{"t_us": 60000, "input": "shutter", "level": 1}` and
/// `{"t_us": 5, "verb": "mode", "args": ["video"]}`.
package struct JSONLinesReader {
    private let file: String
    private let inputs: Set<InputName>
    private var trace = Trace()
    /// The first thing that is told of each input.
    private var firstEdges: [InputName: (high: Bool, sequence: UInt32?, at: Int64)] = [:]
    private var firstLevels: [InputName: (high: Bool, at: Int64)] = [:]
    private var line = 0
    /// The first of those that nothing has followed so far.
    private var blankLine: Int?

    /// - Parameters:
    ///   - file: how errors name it.
    ///   - inputs: the inputs that there are; any other name is an error.
    package static func read(_ bytes: [UInt8], file: String, inputs: Set<InputName> = [.shutter, .mode, .focus]) throws(TraceFault) -> Trace {
        guard bytes.count <= Trace.largestFile else {
            throw TraceFault(file: file, line: 0, "larger than \(Trace.largestFile >> 20) MiB: cut out the part that matters")
        }
        var reader = JSONLinesReader(file, inputs)
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            reader.line += 1
            try reader.read(rest[..<end])
            rest = rest[min(end + 1, rest.endIndex)...]
        }
        guard !reader.trace.events.isEmpty else { throw TraceFault(file: file, line: 0, "the file is empty") }
        reader.trace.end = reader.trace.events.last?.at ?? 0
        reader.findInitialLevels()
        return reader.trace
    }

    /// A level that is told at the very start, unless an edge of that instant led to it; else the one from which the first edge led away; else the
    /// first that is told. The kernel numbers a line's edges from 1 on, also those that it drops: before a first one with a higher number, edges were
    /// lost, so that it tells nothing of the level before, and the line is taken for open.
    private mutating func findInitialLevels() {
        for (input, level) in firstLevels {
            let edge = firstEdges[input]
            let isAfterEdge = edge.map { $0.at == level.at && $0.high == level.high } ?? false
            if edge == nil || level.at == 0 && !isAfterEdge { trace.initial[input] = level.high }
        }
        for (input, edge) in firstEdges where trace.initial[input] == nil && edge.sequence ?? 0 <= 1 { trace.initial[input] = !edge.high }
    }

    private init(_ file: String, _ inputs: Set<InputName>) {
        self.file = file
        self.inputs = inputs
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(TraceFault) {
        guard bytes.count <= LineSplitter.requestLimit else { throw fault("the line is longer than \(LineSplitter.requestLimit) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("not UTF-8 text") }
        // Editors leave some at the end.
        if text.allSatisfy(\.isWhitespace) { return blankLine = blankLine ?? line }
        if let blankLine { throw TraceFault(file: file, line: blankLine, "a blank line: each line is one JSON object") }
        guard let members = try parse(text).object else { throw fault("not a JSON object: \(Shown.text(text))") }
        let at = try time(members["t_us"])
        guard at >= trace.events.last?.at ?? 0 else { throw fault("time goes backwards: t_us is less than in the line before") }
        guard trace.events.count < Trace.mostEvents else { throw fault("more than \(Trace.mostEvents) lines: cut out the part that matters") }
        let kind = try kind(members)
        switch kind {
        case let .edge(input, high, sequence): if firstEdges[input] == nil { firstEdges[input] = (high, sequence, at) }
        case let .level(input, high): if firstLevels[input] == nil { firstLevels[input] = (high, at) }
        case .request: break
        }
        trace.events.append(TraceEvent(at: at, kind))
    }

    private mutating func kind(_ members: [String: JSONValue]) throws(TraceFault) -> TraceEvent.Kind {
        let kinds = ["edge", "level", "verb"].filter { members[$0] != nil }
        guard kinds.count == 1, let word = kinds.first else {
            // A key that is nearly right explains a missing one best.
            if kinds.isEmpty { try check(members, allowed: ["t_us", "input", "edge", "level", "seq", "verb", "args"]) }
            throw fault(kinds.isEmpty ? "none of \"edge\", \"level\" and \"verb\" is there" : "only one of \(kinds.map { "\"\($0)\"" }.joined(separator: ", ")) may be there")
        }
        switch word {
        case "edge":
            try check(members, allowed: ["t_us", "input", "edge", "seq"])
            let input = try input(members["input"])
            let high: Bool
            switch members["edge"]?.string {
            case "rising": high = true
            case "falling": high = false
            default: throw fault("\"edge\" is \"rising\" or \"falling\"")
            }
            var sequence: UInt32?
            if let given = members["seq"] {
                guard let number = given.int.flatMap({ UInt32(exactly: $0) }) else { throw fault("\"seq\" is a whole number from 0 to \(UInt32.max)") }
                sequence = number
            }
            return .edge(input, high: high, sequence: sequence)
        case "level":
            try check(members, allowed: ["t_us", "input", "level"])
            let input = try input(members["input"])
            guard let level = members["level"]?.int, level == 0 || level == 1 else { throw fault("\"level\" is 0 or 1") }
            return .level(input, high: level == 1)
        default:
            try check(members, allowed: ["t_us", "verb", "args"])
            let request = try request(members)
            return .request(verb: request.verb, args: request.args)
        }
    }

    private func parse(_ text: String) throws(TraceFault) -> JSONValue {
        do throws(Failure) { return try JSONValue(parsing: text) } catch { throw fault(error.message) }
    }

    private func request(_ members: [String: JSONValue]) throws(TraceFault) -> Request {
        do throws(Failure) {
            let request = try Request(.object(members.filter { $0.key != "t_us" }))
            // What asks nothing of the core cannot be replayed.
            _ = try ShutterRequest(try Invocation(request))
            return request
        } catch {
            throw fault(error.message)
        }
    }

    private func time(_ value: JSONValue?) throws(TraceFault) -> Int64 {
        let limit = Trace.latest / 1000
        switch value {
        case .int(let time) where time >= 0 && time <= limit: return time * 1000
        case .double(let time) where time >= 0 && time <= Double(limit): return Int64((time * 1000).rounded())
        case nil: throw fault("\"t_us\" is missing")
        default: throw fault("\"t_us\" is a number of microseconds from 0 on")
        }
    }

    private func input(_ value: JSONValue?) throws(TraceFault) -> InputName {
        guard let value else { throw fault("\"input\" is missing") }
        guard let name = value.string else { throw fault("\"input\" is the name of an input, such as \"shutter\"") }
        let input = InputName(rawValue: name)
        guard inputs.contains(input) else {
            let known = inputs.map(\.rawValue).sorted()
            let hint = NearestWord.hint(name, among: known)
            throw fault("unknown input \(Shown.text(name))\(hint.isEmpty ? "; there are \(known.joined(separator: ", "))" : hint)")
        }
        return input
    }

    private func check(_ members: [String: JSONValue], allowed: [String]) throws(TraceFault) {
        guard let other = members.keys.filter({ !allowed.contains($0) }).min() else { return }
        throw fault("unknown key \(Shown.text(other))\(NearestWord.hint(other, among: allowed))")
    }

    private func fault(_ message: String) -> TraceFault {
        TraceFault(file: file, line: line, message)
    }
}
