// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore
import Testing

/// Random damage with fixed seeds: nothing traps, and whatever is read keeps its promises.
struct MutationTests {
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    private static func damaged(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &dice) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &dice)
            let other = Int.random(in: 0..<bytes.count, using: &dice)
            switch Int.random(in: 0..<7, using: &dice) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert([0x20, 0x0a, 0x24, 0x23, 0x30, 0x22, 0x7b, 0x39].randomElement(using: &dice)!, at: place)
            case 3: bytes.removeSubrange(min(place, other)..<max(place, other))
            case 4: bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)], at: place)
            case 5: bytes = Array(bytes[..<place])
            default: bytes.swapAt(place, other)
            }
        }
        return bytes
    }

    private func expectSound(_ trace: Trace) {
        var last: Int64 = 0
        // Of these, edges were lost before the first.
        var unknown: Set<InputName> = []
        var seen: Set<InputName> = []
        for case .edge(let input, _, let sequence) in trace.events.map(\.kind) where seen.insert(input).inserted && sequence ?? 0 > 1 { unknown.insert(input) }
        for event in trace.events {
            #expect(event.at >= last)
            last = event.at
            switch event.kind {
            case .edge(let input, _, _), .level(let input, _): #expect(trace.initial[input] != nil || unknown.contains(input))
            case .request: break
            }
        }
        #expect(trace.end >= last)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func vcd(_ seed: UInt64) {
        var dice = Dice(state: seed)
        for row in VCDReaderTests.good {
            for _ in 0..<30 {
                let bytes = Self.damaged(Array(row.text.utf8), &dice)
                do throws(TraceFault) {
                    expectSound(try VCDReader.read(bytes, file: "m.vcd"))
                } catch {
                    #expect(!error.description.contains("\n") && error.description.utf8.count < 400, "\(error)")
                }
            }
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func jsonLines(_ seed: UInt64) {
        var dice = Dice(state: seed)
        for row in JSONLinesReaderTests.good {
            for _ in 0..<30 {
                let bytes = Self.damaged(Array(row.text.utf8), &dice)
                do throws(TraceFault) {
                    expectSound(try JSONLinesReader.read(bytes, file: "m.jsonl"))
                } catch {
                    #expect(!error.description.contains("\n") && error.description.utf8.count < 400, "\(error)")
                }
            }
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func wire(_ seed: UInt64) {
        var dice = Dice(state: seed)
        let lines = [
            Request("last", ["--thumbnail"]).line, Request("mode", ["video"]).line,
            Reply.success(["mode": "video", "n": [1, 2.5, nil, ["a": false]]]).line, Reply.failure(Failure(.refused, "recording", "m")).line,
        ]
        for _ in 0..<200 {
            var splitter = LineSplitter(limit: 100)
            for line in lines {
                splitter.append(Self.damaged(Array((line + "\n").utf8), &dice))
                read: while true {
                    do throws(LineSplitter.Fault) {
                        guard let text = try splitter.next() else { break read }
                        #expect(text.utf8.count <= 100)
                        if let request = try? Request(line: text) { _ = try? Invocation(request) }
                        if let reply = try? Reply(line: text) { #expect((try? Reply(line: reply.line)) == reply) }
                    } catch {
                        if case .tooLong = error { return }
                    }
                }
            }
        }
    }
}
