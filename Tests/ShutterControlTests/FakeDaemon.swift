// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// Answers one connection with bytes that are laid down, and remembers what was asked.
final class FakeDaemon: Sendable {
    enum Ending: Sendable { case close, stayOpen }

    let socket: String
    private let asked = Locked<String?>(nil)
    private let thread: Thread

    init(answering answer: [[UInt8]], then ending: Ending = .stayOpen) throws {
        let path = "/tmp/shutterctl-test-\(getpid())-\(UInt64.random(in: 0 ... .max)).sock"
        let listener = try SocketListener(path: path, group: nil)
        socket = path
        let asked = asked
        nonisolated(unsafe) let listening = listener
        thread = Thread(name: "fake daemon") {
            let limit = Clock.now + .seconds(20)
            guard !Poller.wait([.init(listening.descriptor)], until: limit).isEmpty, let (connection, _) = listening.accept() else { return }
            var request: [UInt8] = []
            while !request.contains(0x0a), !Poller.wait([.init(connection.number)], until: limit).isEmpty {
                guard let bytes = try? connection.read(upTo: 65536), !bytes.isEmpty else { break }
                request += bytes
            }
            asked.withLock { $0 = String(decoding: request, as: UTF8.self) }
            for piece in answer {
                var sent = 0
                while sent < piece.count {
                    let count = piece.withUnsafeBytes { Glibc.send(connection.number, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL)) }
                    if count > 0 { sent += count } else if errno != EAGAIN { return }
                    if count < 0 { _ = Poller.wait([.init(connection.number, wantsToWrite: true)], until: limit) }
                }
                Clock.sleep(until: Clock.now + .milliseconds(20))
            }
            if ending == .stayOpen { _ = Poller.wait([.init(connection.number)], until: limit) }
        }
    }

    /// The request, after the client has ended.
    func request() -> String? {
        thread.join()
        return asked.withLock { $0 }
    }
}

/// The program as it was built beside the tests, and what it does.
enum Program {
    static let path: String? = {
        let path = FileSystem.folder(of: Environment.executable) + "/shutterctl"
        return access(path, X_OK) == 0 ? path : nil
    }()

    struct Run: Equatable {
        var output: [UInt8]
        var errors: String
        var code: Int32
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// - Parameter words: as for a shell.
    static func run(_ words: String, socket: String = "/nonexistent/control.sock") -> Run {
        let errors = "/tmp/shutterctl-test-\(getpid())-\(UInt64.random(in: 0 ... .max)).err"
        defer { unlink(errors) }
        guard let pipe = popen("SHUTTERD_SOCKET=\(socket) exec \(path!) \(words) 2>\(errors)", "r") else { return Run(output: [], errors: "popen", code: -1) }
        let output = bytes(pipe)
        let status = pclose(pipe)
        guard let file = fopen(errors, "r") else { return Run(output: output, errors: "", code: -1) }
        defer { fclose(file) }
        return Run(output: output, errors: String(decoding: bytes(file), as: UTF8.self), code: status & 0x7f == 0 ? status >> 8 : -status)
    }

    private static func bytes(_ file: UnsafeMutablePointer<FILE>) -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { result += chunk.prefix(count) }
        return result
    }
}
