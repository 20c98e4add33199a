// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

/// Runs the programs of `[hooks]`: a few at a time, a bounded queue of them, each for a bounded time. Nothing here waits for
/// one but `close`, and that not for long: they are started on a thread of their own, and their ends are descriptors.
final class HookRunner {
    /// What waits to be run, or runs.
    private struct Job: Sendable {
        var name: String
        var words: [String]
        var environment: [String]
        var timeout: Duration
    }

    private struct Run {
        let job: Job
        let program: ChildProgram
        /// When it is told to end, and killed.
        var ends: Timestamp
        var isTold = false
        var line = ""
        var bytes = 0
        /// nil = nothing more is read.
        var output: Descriptor?
    }

    private static let atOnce = 2
    private static let mostWaiting = 32
    /// From SIGTERM to SIGKILL.
    private static let grace = Duration.seconds(2)
    /// Of a program's output, bytes; then its pipe is closed.
    private static let mostOutput = 16384

    private var hooks: [String: HookSettings]
    private let log: Log
    private let watched: WatchSet
    /// Starts them: loading a program may block.
    private var starter: BackgroundJobs?
    private var waiting: [Job] = []
    private var starting = 0
    private var runs: [Run] = []
    private var isClosed = false
    private var counts = (done: 0, failed: 0, dropped: 0)

    init(_ hooks: [String: HookSettings], log: Log) throws(SystemError) {
        self.hooks = hooks
        self.log = log
        watched = try WatchSet()
    }

    /// Other hooks from the next event on.
    func adopt(_ hooks: [String: HookSettings]) { self.hooks = hooks }

    var descriptor: Int32 { watched.descriptor }
    var deadline: Timestamp? { runs.map(\.ends).min() }
    var isIdle: Bool { waiting.isEmpty && starting == 0 && runs.isEmpty }

    var status: JSONValue {
        .object([
            "running": .int(Int64(runs.count + starting)), "waiting": .int(Int64(waiting.count)), "done": .int(Int64(counts.done)),
            "failed": .int(Int64(counts.failed)), "dropped": .int(Int64(counts.dropped)),
        ])
    }

    /// Queues the hooks of an event.
    func take(_ fields: [String: JSONValue], mode: Mode) {
        guard !hooks.isEmpty, let event = HookEvents.event(fields) else { return }
        for (name, hook) in hooks.sorted(by: { $0.key < $1.key }) where hook.event == event {
            guard waiting.count < Self.mostWaiting, !isClosed else {
                counts.dropped += 1
                log.write(.warning, "hook \(name) was left out: \(Self.mostWaiting) wait already")
                continue
            }
            let environment = HookEvents.environment(fields, event, hook: name, mode: mode)
            waiting.append(Job(name: name, words: hook.run, environment: environment, timeout: hook.timeout))
        }
        startNext()
    }

    private func startNext() {
        guard !isClosed else { return }
        while !waiting.isEmpty, runs.count + starting < Self.atOnce {
            let job = waiting.removeFirst()
            do throws(SystemError) {
                let starter = try readyStarter()
                starting += 1
                starter.run { () -> Result<ChildProgram, SystemError> in
                    do throws(SystemError) { return .success(try ChildProgram(job.words, environment: job.environment)) } catch { return .failure(error) }
                } then: { [self] result in
                    starting -= 1
                    began(job, result)
                }
            } catch {
                fail(job.name, "\(error)")
            }
        }
    }

    private func readyStarter() throws(SystemError) -> BackgroundJobs {
        if let starter { return starter }
        let new = try BackgroundJobs(name: "hooks")
        try watched.add(new.descriptor)
        starter = new
        return new
    }

    private func began(_ job: Job, _ result: Result<ChildProgram, SystemError>) {
        do throws(SystemError) {
            let program = try result.get()
            try watched.add(program.end.number)
            try watched.add(program.output.number)
            runs.append(Run(job: job, program: program, ends: Clock.now + job.timeout, output: program.output))
            // It came too late to be waited for.
            if isClosed { program.signal(SIGKILL) }
        } catch {
            if case let .success(program) = result { program.signal(SIGKILL) }
            fail(job.name, "\(error)")
        }
    }

    private func fail(_ name: String, _ why: String) {
        counts.failed += 1
        log.write(.error, "hook \(name): \(why)", [("hook", name)])
    }

    /// Takes what has come: programs that were started, their output, their ends, and the end of their time.
    func drain(now: Timestamp) {
        starter?.drain()
        for index in runs.indices {
            read(&runs[index])
            guard runs[index].ends <= now else { continue }
            runs[index].program.signal(runs[index].isTold ? SIGKILL : SIGTERM)
            if !runs[index].isTold { log.write(.warning, "hook \(runs[index].job.name) took longer than its time, and is ended", [("hook", runs[index].job.name)]) }
            runs[index].isTold = true
            runs[index].ends = now + Self.grace
        }
        runs.removeAll { run in
            guard let end = run.program.reap() else { return false }
            finish(run, end)
            return true
        }
        startNext()
    }

    private func finish(_ run: Run, _ end: ChildProgram.End) {
        var run = run
        while read(&run) {}
        if !run.line.isEmpty { tell(run.line, run) }
        watched.remove(run.program.end.number)
        if let output = run.output { watched.remove(output.number) }
        switch end {
        case _ where run.isTold: counts.failed += 1
        case .code(0): counts.done += 1
        case let .code(code): fail(run.job.name, "\(run.job.words[0]) ended with \(code)")
        case let .signal(number): fail(run.job.name, "\(run.job.words[0]) was ended by signal \(number)")
        }
    }

    /// Takes a little of its output: who writes without end must not keep the loop. False when there is none.
    @discardableResult
    private func read(_ run: inout Run) -> Bool {
        guard let output = run.output, let bytes = try? output.read(upTo: 4096) else { return false }
        run.bytes += bytes.count
        for piece in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if piece.offset > 0 {
                tell(run.line, run)
                run.line = ""
            }
            run.line += piece.element.prefix(max(0, 500 - run.line.count))
        }
        guard bytes.isEmpty || run.bytes >= Self.mostOutput else { return true }
        if !bytes.isEmpty { log.write(.warning, "hook \(run.job.name) writes too much; the rest is not taken", [("hook", run.job.name)]) }
        watched.remove(output.number)
        run.output = nil
        return false
    }

    private func tell(_ line: String, _ run: Run) {
        if !line.isEmpty { log.write(.info, "hook \(run.job.name): \(Shown.oneLine(line))", [("hook", run.job.name)]) }
    }

    /// Lets what runs and waits end, until `limit`; then ends it.
    func close(until limit: Timestamp) {
        while !isIdle, Clock.now < limit {
            _ = Poller.wait([.init(descriptor)], until: earliest(deadline, limit))
            drain(now: Clock.now)
        }
        isClosed = true
        if !waiting.isEmpty {
            counts.dropped += waiting.count
            log.write(.warning, "the daemon ends: \(waiting.count) hooks were not run")
            waiting = []
        }
        for run in runs { run.program.signal(SIGTERM) }
        let last = Clock.now + Self.grace
        while !(runs.isEmpty && starting == 0), Clock.now < last {
            _ = Poller.wait([.init(descriptor)], until: last)
            drain(now: Clock.now)
        }
        for run in runs {
            run.program.signal(SIGKILL)
            log.write(.warning, "hook \(run.job.name) was killed: the daemon ends", [("hook", run.job.name)])
        }
        // A program that cannot be loaded in time keeps its thread until the process ends.
        if starting == 0 { starter?.close() }
    }
}
