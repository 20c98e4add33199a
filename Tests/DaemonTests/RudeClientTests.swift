// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

/// Clients that ask and do not listen.
@Suite("Rude clients", .enabled(if: Programs.areThere, "shutterd was not built beside the tests"))
struct RudeClientTests {
    private func processorTime(_ daemon: TestDaemon) -> Duration {
        ProcessFacts(daemon.child.pid).threads.values.reduce(.zero) { $0 + $1.cpu }
    }

    /// Who reads no answer is not read from either: what he sends waits with him, and costs neither memory nor time.
    @Test func requestsWithoutEndWaitWithTheirSender() throws {
        let daemon = try TestDaemon.ready(TestDaemon.quick)
        try daemon.armed()
        let socket = try Descriptor.connected(to: daemon.socket, patience: 60)
        let requests = Array(String(repeating: "{\"verb\": \"status\"}\n", count: 5000).utf8)
        var sent = 0
        var isFull = false
        let limit = Clock.now + patience
        while !isFull, sent < 64 << 20, Clock.now < limit {
            let count = requests.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
            if count > 0 { sent += count } else {
                // Nothing has moved for a while.
                var polled = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
                isFull = poll(&polled, 1, 1000) == 0
            }
        }
        #expect(isFull && sent < 8 << 20, "\(sent) bytes were taken")
        // Half a hang-up makes its descriptor readable, for as long as the answer is not taken.
        shutdown(socket.number, Int32(SHUT_WR))
        let before = processorTime(daemon)
        Clock.sleep(until: Clock.now + .seconds(2))
        let used = processorTime(daemon) - before
        #expect(used < .seconds(1), "\(used) in 2 s")
        #expect(try daemon.ask("status")["ok"] == true)
    }
}
