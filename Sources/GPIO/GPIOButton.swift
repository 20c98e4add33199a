// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A button on a line of the kernel's.
///
///             request                      error
///     away ────────────▶ there (.found) ─────────▶ away (.lost)
///       ▲ │ refused
///       └─┘ after 0.1 s … 5 s
///
/// The loop's thread only.
package final class GPIOButton: ButtonLine {
    package struct Settings: Equatable, Sendable {
        package var address: LineAddress
        /// The voltage of a pressed button.
        package var active: ActiveVoltage
        package var bias: LineBias

        package init(_ address: LineAddress, active: ActiveVoltage = .low, bias: LineBias = .pullUp) {
            self.address = address
            self.active = active
            self.bias = bias
        }
    }

    /// A line that an administrator has to free is asked for no more often than this.
    static let permissionPause = Duration.seconds(5)
    /// A line that goes sooner than this has not recovered.
    static let probation = Duration.seconds(5)
    /// How far a stamp may be from the time that is possible for it. Clocks that are nearer do no harm.
    static let clockTolerance = Duration.milliseconds(50)

    private struct Request {
        var handle: any LineHandle
        var line: FoundLine
        var since: Timestamp
        /// The edges that came before the level was known: the debouncer counts from the next one on.
        var skipped: UInt32
        var usesArrival = false
    }

    private enum State {
        case away(retry: Timestamp)
        case there(Request)
    }

    package let name: InputName
    /// `button.shutter`, for messages.
    package let place: String
    private let settings: Settings
    private let finder: LineFinder
    private let say: (String) -> Void
    private var state = State.away(retry: Timestamp(nanoseconds: 0))
    private var waiting: [LineEvent] = []
    private var backOff = BackOff()
    private var hasToldClock = false
    package private(set) var fault: Fault?

    /// Requests the line at once. If it cannot be had now, it is asked for again from `drain`.
    /// - Parameter say: takes warnings for people.
    /// - Throws: what no waiting will mend: the configuration.
    package init(name: InputName, place: String? = nil, _ settings: Settings, finder: LineFinder, say: @escaping (String) -> Void) throws(Fault) {
        self.name = name
        self.place = place ?? "button.\(name)"
        self.settings = settings
        self.finder = finder
        self.say = say
        if let failure = attempt(), failure.kind == .configuration { throw failure.fault }
    }

    package var descriptor: Int32 {
        switch state {
        case .away: -1
        case let .there(request): request.handle.descriptor
        }
    }

    package var deadline: Timestamp? {
        if !waiting.isEmpty { return Timestamp(nanoseconds: 0) }
        switch state {
        case let .away(retry): return retry
        case .there: return nil
        }
    }

    package func level() -> Level? {
        guard case let .there(request) = state else { return nil }
        do throws(SystemError) { return level(try request.handle.isHigh()) } catch {
            lose(request, error)
            return nil
        }
    }

    package func drain() -> [LineEvent] {
        switch state {
        case let .away(retry): if retry <= finder.system.now { _ = attempt() }
        case let .there(request): readEdges(request)
        }
        defer { waiting = [] }
        return waiting
    }

    // MARK: Edges

    private func level(_ isHigh: Bool) -> Level { isHigh == (settings.active == .high) ? .active : .inactive }

    /// One read: it takes all that came before the levels of this turn were read, or it is full.
    private func readEdges(_ before: Request) {
        var request = before
        let records: [EdgeRecord]
        do throws(SystemError) { records = try request.handle.read() } catch { return lose(request, error) }
        guard let last = records.last else { return }
        let now = finder.system.now
        if !request.usesArrival, let odd = records.first(where: { !isPossible($0.stamp, since: request.since, now) }) {
            request.usesArrival = true
            state = .there(request)
            tellClock(odd.stamp - now.nanoseconds)
        }
        for record in records {
            let instant = request.usesArrival ? now : Timestamp(nanoseconds: record.stamp)
            waiting.append(.edge(level(record.isRising), at: instant, sequence: record.sequence.map { $0 &- request.skipped }))
        }
        // Where edges are counted, the count tells what is missing.
        if records.count >= request.handle.queueSize, last.sequence == nil { waiting.append(.overrun(at: now)) }
    }

    /// An edge comes after its request and before it is read.
    private func isPossible(_ stamp: Int64, since: Timestamp, _ now: Timestamp) -> Bool {
        let instant = Timestamp(nanoseconds: stamp)
        return instant >= since - Self.clockTolerance && instant <= now + Self.clockTolerance
    }

    private func tellClock(_ difference: Int64) {
        if hasToldClock { return }
        hasToldClock = true
        say(
            "\(place): kernel \(finder.system.kernel) stamps edges on another clock (\(difference / 1_000_000) ms away; 5.7 and newer use CLOCK_MONOTONIC): "
                + "the time of arrival is used, so photos are late by the delay of the loop")
    }

    // MARK: Coming and going

    /// Requests the line. Returns why that failed.
    private func attempt() -> LineFault? {
        do throws(LineFault) {
            let line = try finder.find(settings.address)
            let since = finder.system.now
            let handle = try InputRequest(address: settings.address, line: line, bias: settings.bias, system: finder.system).make()
            try settle(handle, line, since)
            return nil
        } catch {
            let now = finder.system.now
            if fault == nil { waiting.append(.lost(at: now)) }
            fault = error.fault
            state = .away(retry: now + (error.kind == .passing ? backOff.next() : Self.permissionPause))
            return error
        }
    }

    /// Finds out how the line stands: the level, with no older edges left that would tell of it once more.
    private func settle(_ handle: any LineHandle, _ line: FoundLine, _ since: Timestamp) throws(LineFault) {
        var skipped: UInt32 = 0
        do throws(SystemError) {
            var isHigh = try handle.isHigh()
            // In a storm there are always new ones.
            for _ in 0..<4 {
                let older = try handle.read()
                guard let last = older.last else { break }
                skipped = last.sequence ?? 0
                isHigh = try handle.isHigh()
            }
            fault = nil
            state = .there(Request(handle: handle, line: line, since: since, skipped: skipped))
            waiting.append(.found(level(isHigh), at: finder.system.now))
        } catch {
            throw LineFault(.passing, "line-lost", "\(line.describe(settings.address)): \(error)")
        }
    }

    /// Closes the line; it is asked for again after a pause.
    private func lose(_ request: Request, _ error: SystemError) {
        let now = finder.system.now
        if now - request.since >= Self.probation { backOff.reset() }
        fault = Fault("line-lost", "\(request.line.describe(settings.address)) is gone (\(error.operation): \(error.reason)); trying to get it back")
        state = .away(retry: now + backOff.next())
        waiting.append(.lost(at: now))
    }
}
