// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@Suite struct ThreadTests {
    /// A recorder's encoder has a thread for each press: in months there are more of them than a process may have stacks.
    @Test func oneThatNobodyJoinsLeavesNothing() throws {
        func stacks() throws -> Int { String(decoding: try FileSystem.wholeFile("/proc/self/maps"), as: UTF8.self).split(separator: "\n").count }
        let before = try stacks()
        for _ in 0..<1000 {
            let hasRun = Locked(false)
            _ = Thread(name: "brief") { hasRun.update { $0 = true } }
            hasRun.wait { $0 ? () : nil }
        }
        // Each would leave a stack and its guard page; what other tests have running is far less.
        #expect(try stacks() - before < 1000)
    }

    /// The second time there is no such thread any more, or another one has its place.
    @Test func joiningTwiceIsFine() {
        let thread = Thread(name: "brief") {}
        thread.join()
        for _ in 0..<10 { _ = Thread(name: "other") {} }
        thread.join()
    }
}
