// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import ShutterCore

/// Signals as events: signalfd(2). Make it before any thread, so that all of them inherit the mask.
package final class Signals: EventSource {
    private let file: Descriptor

    package init(_ numbers: [Int32]) throws(SystemError) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in numbers { sigaddset(&mask, number) }
        pthread_sigmask(SIG_BLOCK, &mask, nil)
        file = Descriptor(adopting: try systemCall("signalfd", "signals") { signalfd(-1, &mask, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) })
        // A client that goes away is an error of write(2), not the end of the process.
        signal(SIGPIPE, SIG_IGN)
    }

    package var descriptor: Int32 { file.number }

    /// The numbers of the signals that came.
    package func drain() -> [Int32] {
        var numbers: [Int32] = []
        var info = signalfd_siginfo()
        while Glibc.read(file.number, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
            numbers.append(Int32(info.ssi_signo))
        }
        return numbers
    }
}
