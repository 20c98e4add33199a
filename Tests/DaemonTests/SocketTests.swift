// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// What anyone may send: one clear answer each, and the daemon lives.
@Suite("Socket", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct SocketTests {
    private static let nonsense: [(bytes: [UInt8], reason: String)] = [
        (Array("\n".utf8), "bad-json"),
        (Array("status\n".utf8), "bad-json"),
        (Array("{\"verb\": \"sta\u{0}tus\"}\n".utf8), "not-text"),
        ([0, 0, 0, 10], "not-text"),
        ([0x7B, 0xFF, 0xFE, 0x7D, 10], "not-text"),
        (Array("[]\n".utf8), "bad-request"),
        (Array("{\"verb\": 7}\n".utf8), "bad-request"),
        (Array("{\"verb\": \"mode\", \"args\": \"video\"}\n".utf8), "bad-request"),
        (Array("{\"verb\": \"mode\", \"argv\": [\"video\"]}\n".utf8), "bad-request"),
        (Array("{\"verb\": \"explode\"}\n".utf8), "unknown-verb"),
        (Array("{\"verb\": \"mode\", \"args\": [\"fast\"]}\n".utf8), "bad-argument"),
        (Array("{\"verb\": \"get\", \"args\": [\"../../etc/passwd\"]}\n".utf8), "bad-argument"),
        (Array("{\"verb\": \"replay\", \"args\": [\"/etc/passwd\"]}\n".utf8), ""),
        ([UInt8](repeating: UInt8(ascii: "["), count: 60_000) + [10], "bad-json"),
    ]

    @Test func nonsenseIsAnsweredAndForgiven() throws {
        let daemon = try TestDaemon.ready()
        let client = try daemon.client()
        for (bytes, reason) in Self.nonsense {
            try client.send(bytes)
            let answer = try client.value()
            #expect(answer["ok"] == false && answer["error"] == "usage", "\(answer.line)")
            if !reason.isEmpty { #expect(answer["reason"]?.string == reason, "\(answer.line)") }
            #expect(answer["message"]?.string?.isEmpty == false)
        }
        #expect(try client.ask("status")["ok"] == true)
    }

    @Test(arguments: [false, true]) func aMegabyteWithoutEnd(hasEnd: Bool) throws {
        let daemon = try TestDaemon.ready()
        let client = try daemon.client()
        do { try client.send([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20) + (hasEnd ? [10] : [])) } catch is SystemError {}
        let answer = try client.value()
        #expect(answer["reason"] == "line-too-long" && answer["error"] == "usage", "\(answer.line)")
        #expect(try client.line() == nil)
        #expect(try daemon.ask("status")["ok"] == true)
    }

    @Test func manyRequestsInOneWrite() throws {
        let daemon = try TestDaemon.ready()
        let client = try daemon.client()
        let lines = ["mode", "list", "mode", "last", "list", "mode"].map { Request($0).line + "\n" }
        try client.send(Array(lines.joined().utf8))
        for key in ["mode", "entries", "mode", "reason", "entries", "mode"] {
            let answer = try client.value()
            #expect(answer[key] != nil, "\(answer.line)")
        }
    }

    /// As `printf … | nc -N -U` does.
    @Test func aClientThatOnlyReadsOn() throws {
        let daemon = try TestDaemon.ready()
        for verbs in [["status"], ["list"], ["list", "list"], ["mode", "list", "mode"]] {
            let client = try daemon.client()
            try client.send(Array(verbs.map { Request($0).line + "\n" }.joined().utf8))
            client.endSending()
            for _ in verbs { #expect(try client.value()["ok"] == true) }
            #expect(try client.line() == nil)
        }
        let half = try daemon.client()
        try half.send(Array("{\"verb\":".utf8))
        half.endSending()
        #expect(try half.line() == nil)
        #expect(try daemon.ask("status")["ok"] == true)
    }

    @Test func aClientThatGoesAwayInBetween() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let watcher = try daemon.watcher()
        for count in 1...5 {
            try daemon.client().send("capture")
            try watcher.wait(for: "saved")
            #expect(try daemon.ask("status")["presses"]?["saved"]?.int == Int64(count))
        }
    }

    @Test func clientsThatNeverRead() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let deaf = try daemon.client()
        try deaf.send("watch")
        let greedy = try daemon.client()
        try greedy.send(Array(String(repeating: Request("status").line + "\n", count: 1000).utf8))
        // More than the kernel holds for it and the daemon keeps for it.
        let busy = try daemon.client()
        for _ in 0..<3000 { #expect(try busy.ask("record", ["stop"])["reason"] == "not-recording") }
        for _ in 0..<5 { #expect(try busy.ask("capture")["ok"] == true) }
        let status = try daemon.ask("status")
        #expect(status["presses"]?["saved"] == 5 && status["presses"]?["pending"] == 0, "\(status.line)")

        // When all places are taken, the deaf one leaves first.
        let watchers = try (0..<62).map { _ in try daemon.watcher() }
        #expect(try daemon.ask("status")["ok"] == true)
        withExtendedLifetime(watchers) {}

        // What it finds at last: that something is missing, or that it was dropped.
        #expect(try deaf.value()["ok"] == true)
        var isTold = false
        while !isTold, let line = try deaf.line() { isTold = try JSONValue(parsing: line)["kind"] == "lost" }
    }

    /// One place is kept from nobody: who waits for an answer goes before who does nothing.
    @Test func twoHundredConnections() throws {
        let daemon = try TestDaemon.ready()
        let idle = try (0..<200).map { _ in try daemon.client() }
        #expect(try daemon.ask("status")["ok"] == true)
        #expect(try idle[199].ask("status")["ok"] == true)

        let watchers = try (0..<20).map { _ in try daemon.watcher() }
        daemon.child.signal(SIGSTOP)
        try daemon.child.waitUntilStopped()
        // As many as the kernel keeps in line.
        let crowd = try (0..<64).map { _ in
            let client = try daemon.client()
            try client.send("mode")
            return client
        }
        daemon.child.signal(SIGCONT)
        for client in crowd { #expect(try client.value()["mode"] == "photo") }

        let more = try (0..<44).map { _ in try daemon.watcher() }
        let late = try daemon.client()
        // It may be closed already; why can be read all the same.
        do { try late.send("status") } catch is SystemError {}
        let refused = try late.value()
        #expect(refused["reason"] == "too-many-clients" && refused["error"] == "refused", "\(refused.line)")
        withExtendedLifetime((watchers, more)) {}
    }

    @Test func twoDaemons() throws {
        let daemon = try TestDaemon.ready()
        let second = try TestDaemon(in: daemon.scratch)
        #expect(try second.child.exit() == 75)
        #expect(second.child.errors.contains("another shutterd is running"))
        #expect(second.child.errors.filter { $0 == "\n" }.count == 1)
        // The same state, another socket.
        let third = try TestDaemon(in: daemon.scratch, arguments: ["--socket", daemon.scratch.path + "/other.sock"])
        #expect(try third.child.exit() == 75)
        #expect(try daemon.ask("status")["ok"] == true)
    }

    @Test func aSocketLeftBehind() throws {
        let scratch = Scratch()
        let dead = try TestDaemon.ready(in: scratch)
        dead.child.signal(SIGKILL)
        try dead.child.exit()
        #expect(access(dead.socket, F_OK) == 0)
        let refused = try dead.control(["status"])
        #expect(try refused.exit() == 69 && refused.errors.contains("not running"), "\(refused.errors)")
        let daemon = try TestDaemon.ready(in: scratch)
        #expect(try daemon.ask("status")["ok"] == true)
        #expect(try daemon.stop() == 0)
        #expect(access(daemon.socket, F_OK) != 0)
    }
}
