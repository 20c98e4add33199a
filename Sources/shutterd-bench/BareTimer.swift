// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// What any program needs at the least to say that a debounce time is over: it sleeps until then and writes to a socket.
/// It runs beside the daemon, so that both meet the same machine.
final class BareTimer {
    private let reader: Descriptor
    private let isStopping = Locked(false)
    private var thread: LinuxIO.Thread?

    init(every interval: Duration) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { fail("socketpair") }
        reader = Descriptor(adopting: ends[0])
        let (writer, isStopping) = (Descriptor(adopting: ends[1]), isStopping)
        thread = LinuxIO.Thread(name: "bare-timer") {
            var due = Clock.now
            while !isStopping.withLock({ $0 }) {
                due = due + interval
                Clock.sleep(until: due)
                var nanoseconds = due.nanoseconds
                _ = write(writer.number, &nanoseconds, 8)
            }
        }
    }

    var descriptor: Int32 { reader.number }

    /// The instants that it was to tell of, when it has told.
    func drain() -> [Timestamp] {
        guard let bytes = try? reader.read(upTo: 64 * 8) else { return [] }
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { Timestamp(nanoseconds: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self)) }
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
        thread?.join()
        thread = nil
    }
}
