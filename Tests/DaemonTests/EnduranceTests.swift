// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

/// A camera is trusted for months: what each press, clip, client and reload costs has to be given back.
@Suite("Endurance", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct EnduranceTests {
    @Test func pressesAndClipsLeaveNothing() throws {
        // A press may become a clip: an encoder starts with each.
        let settings = TestDaemon.quick.replacing("[gestures.photo]\nhold = \"none\"", with: "[gestures.photo]\nhold = \"record\"")
        let daemon = try TestDaemon.ready(settings)
        try daemon.armed()
        func rounds(_ count: Int) throws {
            for _ in 0..<count {
                for _ in 0..<10 { #expect(try daemon.ask("tap")["ok"] == true) }
                #expect(try daemon.ask("mode", ["video"])["ok"] == true)
                #expect(try daemon.ask("record", ["start"])["ok"] == true)
                #expect(try daemon.ask("record", ["stop"])["ok"] == true)
                #expect(try daemon.ask("mode", ["photo"])["ok"] == true)
                #expect(try daemon.ask("reload")["ok"] == true)
            }
        }
        // What is made once, and what is kept for the next time.
        try rounds(5)
        let before = ProcessFacts(daemon.child.pid).use
        try rounds(20)
        let after = ProcessFacts(daemon.child.pid).use
        #expect(before.resident > 0 && before.descriptors > 0, "\(before)")
        #expect(after.descriptors - before.descriptors < 5 && after.threads - before.threads < 5, "\(before) → \(after)")
        // A stack is two mappings; a picture has 345 KB.
        #expect(after.mappings - before.mappings < 50 && after.resident - before.resident < 8_000, "\(before) → \(after)")
        #expect(try daemon.stop() == 0)
    }

    /// A press finds the program in memory, however long ago it was started, and goes before what is being encoded.
    @Test func aPressFindsItReady() throws {
        let daemon = try TestDaemon.ready(TestDaemon.quick)
        try daemon.armed()
        let facts = ProcessFacts(daemon.child.pid)
        #expect(facts.code(of: "shutterd").isEmpty == false)
        let limit = Clock.now + .seconds(10)
        while facts.code(of: "shutterd").contains(where: { $0.resident < $0.size }), Clock.now < limit { Clock.sleep(until: Clock.now + .milliseconds(20)) }
        #expect(facts.code(of: "shutterd").allSatisfy { $0.resident == $0.size }, "\(facts.code(of: "shutterd"))")
        let threads = facts.threads.values
        let loop = try #require(threads.first { $0.name == "loop" }).nice
        #expect(threads.filter { $0.name.hasPrefix("photo-") }.map { $0.nice - loop } == [10, 10])
        #expect(threads.first { $0.name == "camera" }?.nice == loop)
        // Looking for an encoder loads libraries, which must not drive it out.
        #expect(try daemon.ask("mode", ["video"])["ok"] == true && daemon.ask("record", ["start"])["ok"] == true)
        // A clip's frames cannot wait: beside a busy camera on one core, an encoder that gives way brings nothing forth for seconds.
        func video() -> Int? { facts.threads.values.first { $0.name == "video" }?.nice }
        while video() == nil, Clock.now < limit + .seconds(20) { Clock.sleep(until: Clock.now + .milliseconds(20)) }
        #expect(video() == loop)
        #expect(try daemon.ask("record", ["stop"])["ok"] == true)
        #expect(facts.code(of: "shutterd").allSatisfy { $0.resident == $0.size }, "\(facts.code(of: "shutterd"))")
        #expect(try daemon.stop() == 0)
    }
}
