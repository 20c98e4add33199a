// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

/// A real shutterd with a simulated camera, in a folder of its own.
final class RunningDaemon {
    struct Settings {
        var width = 640
        var height = 360
        /// Frames a second.
        var rate = 30
        var debounce = Duration.milliseconds(20)
        var presses: PressTrace?
        /// Photos a second of a burst; nil: every frame.
        var burstRate: Int? = 5
        /// Whether the camera is off until a press.
        var isCold = false

        static let small = Settings()
        static let large = Settings(width: JPEGBench.layout.width, height: JPEGBench.layout.height)

        fileprivate var toml: String {
            """
            board = "simulated"
            [button.shutter]
            debounce = "\(debounce.microseconds)us"
            [drive]
            burst_rate = \(burstRate.map { "\($0)" } ?? "\"every-frame\"")
            [camera]
            lag = "\(isCold ? "cold" : "auto")"
            [photo]
            size = "\(width)x\(height)"
            [storage]
            reserve = "1MB"
            [simulation]
            rate = \(rate)

            """
        }
    }

    private let scratch = Scratch()
    private let program: Spawned
    /// From right before the start to READY=1, and to `armed`.
    let untilReady: Duration
    let untilArmed: Duration

    /// Returns once it is armed.
    init(_ settings: Settings) {
        let notify = NotifySocket(path: scratch.path + "/notify")
        var words = [Self.executable, "--config", scratch.file("shutterd.toml", settings.toml), "--data", scratch.path + "/data"]
        if let presses = settings.presses { words += ["--input", scratch.file("presses.vcd", presses.text)] }
        let log = scratch.path + "/log"
        guard let program = Spawned(words, environment: ["NOTIFY_SOCKET": notify.path], log: log) else {
            fail("cannot start \(Self.executable)")
        }
        self.program = program
        guard let ready = notify.wait(for: "READY=1", patience: .seconds(30)),
            let armed = notify.wait(for: "STATUS=armed", patience: .seconds(30))
        else {
            let text = String(decoding: (try? FileSystem.wholeFile(log)) ?? [], as: UTF8.self)
            fail("shutterd does not start: \(text.isEmpty ? "it says nothing" : text)")
        }
        untilReady = ready - program.started
        untilArmed = armed - program.started
    }

    deinit { stop() }

    private var isStopped = false

    func stop() {
        if isStopped { return }
        isStopped = true
        program.signal(SIGTERM)
        if program.wait() != 0 { progress("shutterd did not end well") }
    }

    var facts: ProcessFacts { ProcessFacts(program.process) }

    /// Somebody empties the card.
    func removePhotos() {
        let photos = scratch.path + "/data/media/DCIM"
        for folder in (try? FileSystem.names(in: photos)) ?? [] { try? FileManager.default.removeItem(atPath: photos + "/" + folder) }
    }

    func connect() -> ControlConnection { ControlConnection(scratch.path + "/data/control.sock") }

    /// The shutterd beside this program; built when it is not there.
    static let executable: String = {
        let path = FileSystem.folder(of: Environment.executable) + "/shutterd"
        if access(path, X_OK) == 0 { return path }
        progress("building shutterd")
        guard Spawned(["swift", "build", "-c", "release", "--product", "shutterd"])?.wait() == 0, access(path, X_OK) == 0 else {
            fail("there is no \(path); build it with: swift build -c release --product shutterd")
        }
        return path
    }()
}

/// A client of the control socket.
final class ControlConnection {
    private let socket: Descriptor
    private var splitter = LineSplitter(limit: LineSplitter.replyLimit)
    private var arrival = Clock.now

    init(_ path: String) {
        do throws(SystemError) { socket = try Descriptor.connected(to: path, patience: 10) } catch { fail("\(error)") }
    }

    var descriptor: Int32 { socket.number }

    func ask(_ verb: String, _ arguments: [String] = []) -> [String: JSONValue] {
        begin(verb, arguments)
        return answer
    }

    /// Asks, and does not wait.
    func begin(_ verb: String, _ arguments: [String] = []) {
        let bytes = Array((Request(verb, arguments).line + "\n").utf8)
        do {
            try bytes.withUnsafeBytes { try socket.writeAll($0, subject: "control socket") }
        } catch {
            fail("\(error)")
        }
    }

    /// What is answered to what was begun.
    var answer: [String: JSONValue] {
        guard let reply = line(until: Clock.now + .seconds(60)) else { fail("shutterd does not answer") }
        return reply.value
    }

    /// The next line and when it came; nil when none did.
    func line(until deadline: Timestamp) -> (value: [String: JSONValue], at: Timestamp)? {
        while true {
            if let text = try? splitter.next(), let value = try? JSONValue(parsing: text).object { return (value, arrival) }
            guard socket.waitToRead(until: deadline) == .ready else { return nil }
            arrival = Clock.now
            guard let bytes = try? socket.read(upTo: 65536), !bytes.isEmpty else { return nil }
            splitter.append(bytes)
        }
    }
}
