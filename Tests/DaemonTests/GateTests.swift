// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Field case N01 and all that follows from it, against a real OpenSSH server.
@Suite("SSH gate", .enabled(if: Programs.areThere && SSHServer.isPossible, "needs sshd, ssh and ssh-keygen (openssh-server), and shutterd built beside the tests"))
struct GateTests {
    private static let refused: [(command: String, code: Int32)] = [
        ("mode photo; id", 64), ("mode $(id)", 64), ("mode `id`", 64), ("mode photo\nmode video", 64), ("mode 'photo'", 64),
        ("'mode' photo", 64), ("mode photo && reboot", 64), ("--config=/etc/shadow status", 64), ("--config etc status", 64),
        ("--conf=shadow status", 64), ("--socket=x status", 64), (String(repeating: "a", count: 64 << 10), 64), ("sh", 64),
        ("get ../../etc/passwd", 64), ("get '..'", 64), ("get '--json'", 64), ("status | sh", 64), ("mode \"video", 64), ("mode fast", 64),
        ("led off", 77), ("config reload", 77), ("config check", 77), ("replay bounce.vcd", 77), ("ssh-gate --allow status", 77),
        ("scp -t .", 64), ("internal-sftp", 64),
    ]

    @Test func everyInputOfN01() throws {
        let daemon = try TestDaemon.ready()
        let server = try SSHServer(socket: daemon.socket)
        for (command, code) in Self.refused {
            let client = try server.run(command)
            let shown = command.prefix(80)
            #expect(try client.exit() == code, "\(shown): \(client.errors)")
            #expect(client.output.isEmpty, "\(shown)")
            // What the user's shell says for itself is not ours.
            let lines = client.errors.split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("shutterctl: ") } == 1 && lines.last?.hasPrefix("shutterctl: ") == true, "\(shown): \(client.errors)")
        }
        #expect(try daemon.ask("mode")["mode"] == "photo")

        for (command, mode) in [("mode video", "video"), ("mode  photo ", "photo"), (" mode video", "video"), ("mode", "video")] {
            let client = try server.run(command)
            #expect(try client.exit() == 0 && client.outputText == mode + "\n", "\(command): \(client.errors)")
        }
        for nothing in ["", nil, "   "] {
            let client = try server.run(nothing)
            #expect(try client.exit() == 0 && client.outputText.contains("mode:"), "\(client.errors)")
        }
        let json = try server.run("status --json")
        #expect(try JSONValue(parsing: json.outputText.split(separator: "\n").map(String.init).joined())["ok"] == true)
        for help in ["--help", "mode --help", "--version"] { #expect(try server.run(help).exit() == 0) }
    }

    /// What is refused is told to the administrators, escaped and cut; what is done is told too.
    @Test func eachCommandIsALineOfTheLog() throws {
        let daemon = try TestDaemon.ready()
        let server = try SSHServer(socket: daemon.socket)
        func expectLine(_ command: String?, _ parts: [String]) throws {
            try server.run(command)
            let line = try #require(try server.log.next(), "no line for \(command ?? "nothing")")
            for part in parts { #expect(line.contains(part), "\(line)") }
            #expect(line.utf8.count < 300 && line.unicodeScalars.allSatisfy { $0.value >= 0x20 && ($0.value < 0x7f || $0 == "…") }, "\(line)")
        }
        try expectLine("mode video", ["<86>shutterctl[", "from \"127.0.0.1\"", "\"mode video\": allowed"])
        try expectLine("mode photo\nmode video\u{1B}[2J", ["<84>", "\"mode photo\\nmode video\\x1b[2J\": refused (not-allowed)"])
        try expectLine(String(repeating: "a", count: 64 << 10), ["aaa…\"", "refused (line-too-long)"])
        try expectLine(nil, ["asked for nothing: allowed"])
    }

    @Test func eachKeyHasItsOwnList() throws {
        let daemon = try TestDaemon.ready()
        let server = try SSHServer(socket: daemon.socket, keys: [
            "looker": "--allow status,last", "switcher": "--allow mode", "typo": "--allow status,modes", "empty": "--allow ''",
        ])
        let rows: [(key: String, command: String?, code: Int32)] = [
            ("looker", "status", 0), ("looker", nil, 0), ("looker", "mode video", 77), ("looker", "mode", 77), ("looker", "last", 75),
            ("looker", "mode; status", 64), ("switcher", "mode video", 0), ("switcher", "status", 77), ("switcher", nil, 77),
            ("switcher", "get IMG_0001.JPG", 77), ("typo", "status", 78), ("typo", nil, 78), ("empty", "status", 64),
        ]
        for (key, command, code) in rows {
            let client = try server.run(command, key: key)
            #expect(try client.exit() == code, "\(key) \(command ?? ""): \(client.errors)")
        }
        #expect(try server.run("status", key: "typo").errors.contains("did you mean \"mode\"?"))
        // A key that is not in the file gets nowhere.
        #expect(try server.run("status", key: "host").exit() == 255)
    }

    @Test func photosComeThroughUnchanged() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let server = try SSHServer(socket: daemon.socket)
        let taken = try server.run("capture")
        #expect(try taken.exit() == 0, "\(taken.errors)")
        let path = taken.outputText.split(separator: "\n").map(String.init).first ?? ""
        let bytes = try FileSystem.wholeFile(path)
        for command in ["get IMG_0001.JPG", "get 'IMG_0001.JPG'", "get \"IMG_0001.JPG\"", "last --cat"] {
            #expect(try server.run(command).output == bytes, "\(command)")
        }
        #expect(JPEG.decode(try server.run("last --thumbnail").output)?.width == 320)
        let missing = try server.run("get IMG_9999.JPG")
        #expect(try missing.exit() == 64 && missing.output.isEmpty)
        daemon.child.signal(SIGTERM)
        try daemon.child.exit()
        #expect(try server.run("status").exit() == 69)
    }

    /// No terminal, no shell, no other program, no forwarding, no file transfer.
    @Test func nothingButTheGateRuns() throws {
        let daemon = try TestDaemon.ready()
        let server = try SSHServer(socket: daemon.socket)
        let marker = server.scratch.path + "/marker"
        let terminal = try server.run("status", options: ["-tt"])
        #expect(!terminal.outputText.contains("\r\n"), "it got a terminal")
        let subsystem = try server.run("sftp", options: ["-s"])
        #expect(try subsystem.exit() != 0 && subsystem.output.isEmpty)
        for command in ["touch \(marker)", "/bin/sh -c 'touch \(marker)'", "status; touch \(marker)", "$(touch \(marker))"] { try server.run(command) }
        #expect(access(marker, F_OK) != 0)
        // To the daemon's own socket, which is there for sure.
        let forwarded = server.scratch.path + "/forwarded.sock"
        let forward = try server.start("watch", options: ["-L", "\(forwarded):\(daemon.socket)"])
        let limit = Clock.now + patience
        while access(forwarded, F_OK) != 0, !forward.hasEnded, Clock.now < limit { Clock.sleep(until: Clock.now + .milliseconds(10)) }
        if access(forwarded, F_OK) == 0 {
            let client = try Client(forwarded)
            do { try client.send("status") } catch is SystemError {}
            #expect(try client.line() == nil)
        }
        let reverse = try server.run("status", options: ["-R", "0:127.0.0.1:1", "-o", "ExitOnForwardFailure=yes"])
        #expect(try reverse.exit() != 0)
        // sshd itself says so.
        #expect(!server.errors.contains("Accepted password"))
    }

    @Test func fiftyAtOnce() throws {
        let daemon = try TestDaemon.ready()
        let server = try SSHServer(socket: daemon.socket)
        let clients = try (0..<50).map { try server.start($0 % 2 == 0 ? "mode video" : "status --json") }
        for client in clients { #expect(try client.exit() == 0, "\(client.errors)") }
        #expect(try daemon.ask("mode")["mode"] == "video")
        try server.waitForNoGates()
    }

    /// What watches, and what sends, ends with the connection.
    @Test func aCutConnectionEndsTheGate() throws {
        let daemon = try TestDaemon.ready()
        let server = try SSHServer(socket: daemon.socket)
        // More than all buffers on the way hold.
        let folder = daemon.media + "/DCIM/100SHUTR"
        try AtomicFile.makeFolders(folder)
        try AtomicFile.replace(folder + "/IMG_0001.JPG", with: [UInt8](repeating: 0xFF, count: 64 << 20))
        for command in ["watch --json", "get IMG_0001.JPG"] {
            let client = try server.start(command)
            client.signal(SIGSTOP)
            try client.waitUntilStopped()
            client.signal(SIGCONT)
            let limit = Clock.now + patience
            while try server.gates().isEmpty, Clock.now < limit { Clock.sleep(until: Clock.now + .milliseconds(5)) }
            // It reads no more; then it is gone, in the middle.
            client.signal(SIGSTOP)
            try client.waitUntilStopped()
            for _ in 0..<20 { #expect(try daemon.ask("mode", ["toggle"])["ok"] == true) }
            client.signal(SIGKILL)
            try client.exit()
            try server.waitForNoGates()
        }
        #expect(try daemon.ask("status")["ok"] == true)
    }

    /// A reader that stands still loses events, not the daemon's time.
    @Test func aClientThatStopsReading() throws {
        let daemon = try TestDaemon.ready()
        let server = try SSHServer(socket: daemon.socket)
        let watching = try server.start("watch --json")
        let limit = Clock.now + patience
        while watching.output.isEmpty, Clock.now < limit { #expect(try daemon.ask("mode", ["toggle"])["ok"] == true) }
        watching.signal(SIGSTOP)
        try watching.waitUntilStopped()
        let busy = try daemon.client()
        for _ in 0..<20_000 {
            guard try busy.ask("record", ["stop"])["reason"] == "not-recording" else { throw Late("a refusal") }
        }
        #expect(try daemon.ask("status")["ok"] == true)
        watching.signal(SIGCONT)
        while !watching.outputText.contains("\"kind\":\"lost\""), Clock.now < limit { Clock.sleep(until: Clock.now + .milliseconds(100)) }
        let isTold = watching.outputText.contains("\"kind\":\"lost\"")
        #expect(isTold)
        watching.signal(SIGTERM)
        try watching.exit()
        try server.waitForNoGates()
    }
}
