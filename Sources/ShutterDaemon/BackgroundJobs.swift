// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// One thread for short work that may block (folders, state files): never the loop's own.
package final class BackgroundJobs {
    private struct Job: Sendable {
        var id: UInt64
        var work: @Sendable () -> any Sendable
    }

    private let queue = Locked<(jobs: [Job], isClosed: Bool)>((jobs: [], isClosed: false))
    private let results: Mailbox<(id: UInt64, value: any Sendable)>
    private var completions: [UInt64: (any Sendable) -> Void] = [:]
    private var nextID: UInt64 = 0
    private var thread: Thread?

    package init(name: String = "jobs") throws(SystemError) {
        results = try Mailbox()
        thread = Thread(name: name) { [queue, results] in
            while let job = queue.wait({ state -> Job?? in
                if let next = state.jobs.first {
                    state.jobs.removeFirst()
                    return .some(next)
                }
                return state.isClosed ? .some(nil) : nil
            }) {
                results.post((id: job.id, value: job.work()))
            }
        }
    }

    package var descriptor: Int32 { results.descriptor }
    package var isIdle: Bool { completions.isEmpty }

    /// Runs `work` on the thread, then `completion` on the loop.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value, then completion: @escaping (Value) -> Void) {
        nextID += 1
        completions[nextID] = { completion($0 as! Value) }
        let job = Job(id: nextID, work: work)
        queue.update { $0.jobs.append(job) }
    }

    /// Runs the completions of what is finished.
    package func drain() {
        for result in results.drain() { completions.removeValue(forKey: result.id)?(result.value) }
    }

    /// Finishes what is queued and ends the thread.
    package func close() {
        queue.update { $0.isClosed = true }
        thread?.join()
        thread = nil
    }
}
