// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

/// The programs as they were built beside the tests.
enum Programs {
    private static let folder = FileSystem.folder(of: Environment.executable)
    static let daemon = folder + "/shutterd"
    static let control = folder + "/shutterctl"
    static let areThere = access(daemon, X_OK) == 0 && access(control, X_OK) == 0
    static let fakeCamera = folder + "/libshutter-camera-fake.so"
    static let hasFakeCamera = access(fakeCamera, F_OK) == 0
    static let fakeSound = folder + "/libshutter-sound-fake.so"
    static let hasFakeSound = access(fakeSound, F_OK) == 0
    static let faults = folder + "/libshutter-faults.so"
    static let hasFaults = access(faults, F_OK) == 0
    static let boards: String = {
        // Sources/../boards, from this file.
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/boards"
    }()
}

/// A datagram socket as systemd has one for its services.
final class NotifySocket {
    let path: String
    private let socket: Descriptor

    init(in folder: Scratch) throws {
        let path = folder.fresh("notify")
        let socket = Descriptor(adopting: try systemCall("socket", path) {
            Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        })
        self.path = path
        self.socket = socket
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try systemCall("bind", path) {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
    }

    /// Waits until a message with the line comes; false when the sender has ended before, or the time has.
    func wait(for line: String, from child: Child, within time: Duration = patience) throws -> Bool {
        let limit = Clock.now + time
        while true {
            while let bytes = try socket.read(upTo: 4096), !bytes.isEmpty {
                if String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains(Substring(line)) { return true }
            }
            if child.hasEnded || Clock.now >= limit { return false }
            _ = Poller.wait([.init(socket.number), .init(child.endDescriptor)], until: limit)
        }
    }

    /// The next message; nil when none has come in time.
    func next(within time: Duration = patience) throws -> String? {
        let limit = Clock.now + time
        while Clock.now < limit {
            if let bytes = try socket.read(upTo: 8192) { return String(decoding: bytes, as: UTF8.self) }
            _ = Poller.wait([.init(socket.number)], until: limit)
        }
        return nil
    }

    /// Throws away what has come so far.
    func drain() throws { while let bytes = try socket.read(upTo: 4096), !bytes.isEmpty {} }
}

/// A real shutterd with a simulated camera, all of it below one folder.
final class TestDaemon {
    /// Small pictures, quick presses: 640x360, debounce 5 ms, photos at once.
    static let quick = """
        [button.shutter]
        debounce = "5ms"
        [gestures.photo]
        hold = "none"
        [photo]
        size = "640x360"
        [storage]
        reserve = "1MB"

        """

    let scratch: Scratch
    /// The configuration's file.
    let config: String
    let child: Child
    let notify: NotifySocket
    var socket: String { scratch.path + "/control.sock" }
    var media: String { scratch.path + "/media" }

    /// Starts it; it is not ready yet.
    /// - Parameters:
    ///   - settings: the configuration's text.
    ///   - program: shutterd, where it is not the one that was built.
    ///   - isPlaced: whether photos, state and socket go below the folder by `--data`.
    init(
        _ settings: String = quick, in scratch: Scratch = Scratch(), arguments: [String] = [], environment: [String: String] = [:],
        isPlaced: Bool = true, program: String = Programs.daemon
    ) throws {
        self.scratch = scratch
        notify = try NotifySocket(in: scratch)
        config = scratch.fresh("config") + ".toml"
        try AtomicFile.replace(config, with: Array(settings.utf8))
        let words = ["--board", "simulated", "--boards", Programs.boards, "--config", config] + (isPlaced ? ["--data", scratch.path] : [])
        child = try Child(
            program, words + arguments,
            environment: ["NOTIFY_SOCKET": notify.path, "HOME": scratch.path].merging(environment) { $1 }, in: scratch)
    }

    /// Starts it and waits until it takes requests.
    static func ready(
        _ settings: String = quick, in scratch: Scratch = Scratch(), arguments: [String] = [], environment: [String: String] = [:],
        isPlaced: Bool = true, program: String = Programs.daemon
    ) throws -> TestDaemon {
        let daemon = try TestDaemon(settings, in: scratch, arguments: arguments, environment: environment, isPlaced: isPlaced, program: program)
        guard try daemon.notify.wait(for: "READY=1", from: daemon.child) else { throw Late("READY=1; shutterd said: \(daemon.child.errors)") }
        return daemon
    }

    func client() throws -> Client { try Client(socket) }
    func watcher() throws -> Watcher { try Watcher(socket) }
    func ask(_ verb: String, _ args: [String] = []) throws -> JSONValue { try client().ask(verb, args) }

    /// Waits until the camera runs, the buttons are settled, and it is known whether there is an encoder.
    func armed() throws {
        let limit = Clock.now + patience
        // Photos and clips are refused until then, and nothing else tells.
        while true {
            let status = try ask("status")
            let video = status["video"]
            if status["ring"] != "starting", video?["encoder"] != .null || video?["reason"] != .null { return }
            if Clock.now > limit { throw Late("the camera: \(status.line)") }
            Clock.sleep(until: Clock.now + .milliseconds(5))
        }
    }

    /// Ends it as systemd does.
    @discardableResult
    func stop() throws -> Int32 {
        child.signal(SIGTERM)
        return try child.exit()
    }

    /// `shutterctl`, against this daemon.
    func control(_ words: [String], through wrapper: [String] = []) throws -> Child {
        let all = wrapper + [Programs.control] + words + ["--socket", socket]
        let child = try Child(all[0], Array(all.dropFirst()), environment: ["HOME": scratch.path], in: scratch)
        try child.exit()
        return child
    }
}
