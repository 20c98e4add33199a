// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import ShutterCore

/// A lock around a value: pthread_mutex(3). `Synchronization.Mutex` crashes the 6.0 compiler on Linux in several shapes.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Changes the value and wakes all that wait on it.
    package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Blocks until `body` returns a value; it is tried again after every `update`.
    package func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// The same, but gives up at `deadline` and returns nil; nil waits without end.
    package func wait<Result>(until deadline: Timestamp?, _ body: (inout Value) -> Result?) -> Result? {
        guard let deadline else { return wait(body) }
        var time = timespec(tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return body(&value) }
        }
    }
}

/// A thread of our own that may block. Signals are left to the loop's thread. One that nobody joins runs on to its end, and
/// leaves nothing behind.
package final class Thread: @unchecked Sendable {
    private var handle = pthread_t()
    private var isJoined = false

    /// A thread that the program cannot do without: where there is none to be had, it says so and ends with 71 (EX_OSERR).
    package convenience init(name: String, nice: Int32 = 0, _ body: @escaping @Sendable () -> Void) {
        do throws(SystemError) {
            try self.init(ifPossible: name, nice: nice, body)
        } catch {
            let line = Array("no thread can be started (\(error)): raise the limit of processes (ulimit -u, TasksMax=)\n".utf8)
            _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
            exit(71)
        }
    }

    /// A thread for one piece of work.
    /// - Parameters:
    ///   - name: at most 15 bytes, as `ps -L` shows it.
    ///   - nice: by how much it gives way to the loop and the camera, -20 to 19; of this thread and those that it starts, as Linux has
    ///     it: setpriority(2).
    /// - Throws: EAGAIN at the limit of processes or memory; see pthread_create(3).
    package init(ifPossible name: String, nice: Int32 = 0, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(Start(name: name, nice: nice, body: body))
        var every = sigset_t()
        var before = sigset_t()
        sigfillset(&every)
        pthread_sigmask(SIG_SETMASK, &every, &before)
        let result = pthread_create(&handle, nil, { context in
            let start = Unmanaged<Start>.fromOpaque(context!).takeRetainedValue()
            clinux_name_thread(start.name)
            let this = __priority_which_t(PRIO_PROCESS.rawValue)
            if start.nice != 0 { setpriority(this, 0, getpriority(this, 0) + start.nice) }
            start.body()
            return nil
        }, start.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard result == 0 else {
            start.release()
            isJoined = true
            throw SystemError("pthread_create", name, code: result)
        }
    }

    deinit { if !isJoined { pthread_detach(handle) } }

    /// Waits for the thread to end; a second time it is known to have. From one thread.
    package func join() {
        guard !isJoined else { return }
        isJoined = true
        pthread_join(handle, nil)
    }

    private final class Start {
        let name: String
        let nice: Int32
        let body: @Sendable () -> Void
        init(name: String, nice: Int32, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.nice = nice
            self.body = body
        }
    }
}

/// Hands values from any thread to the one that polls: an eventfd(2) and a queue.
package final class Mailbox<Value: Sendable>: @unchecked Sendable {
    private let event: Descriptor
    private let queue = Locked<[Value]>([])

    package init() throws(SystemError) {
        event = Descriptor(adopting: try systemCall("eventfd", "mailbox") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
    }

    /// Readable while something waits.
    package var descriptor: Int32 { event.number }

    package func post(_ value: Value) {
        queue.withLock { $0.append(value) }
        eventfd_write(event.number, 1)
    }

    /// Takes all that waits, oldest first.
    package func drain() -> [Value] {
        var count = eventfd_t()
        eventfd_read(event.number, &count)
        return queue.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
