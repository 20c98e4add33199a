// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Writes frames to a ring on a thread of its own, so that a slow bus holds nobody up: the newest frame wins, and a
/// frame that is on the ring already is not sent again. The ring is off at the start and at the end.
///
/// A ring that fails is opened and written again after a while, twice as long each time, up to 30 s.
package final class RingWriter: RingOutput, EventSource, @unchecked Sendable {
    package typealias Opener = @Sendable () throws(Fault) -> any RingDriver

    /// How long `close` waits for a bus that hangs.
    package static let patience = Duration.milliseconds(500)

    private struct State {
        var frame: [Colour]?
        var text: String?
        var isClosing = false
        var hasClosed = false
        var fault: Fault?
        var lastWrite: LagCalibration.Change?
    }

    package let count: Int
    private let state = Locked(State())
    private let changes: Mailbox<Fault?>?

    /// A ring that is there.
    package convenience init(_ driver: some RingDriver) {
        self.init(count: driver.count, driver: driver) { () throws(Fault) in driver }
    }

    /// A ring that may come later, or come back.
    package convenience init(count: Int, open: @escaping Opener) {
        self.init(count: count, driver: nil, open: open)
    }

    private init(count: Int, driver: (any RingDriver)?, open: @escaping Opener) {
        self.count = count
        changes = try? Mailbox()
        let worker = Worker(count: count, driver: driver, open: open)
        let (state, changes) = (state, changes)
        // Never joined: a thread that hangs in a driver must not hang the daemon.
        _ = Thread(name: "ring") { Self.run(worker, state, changes) }
    }

    deinit { close() }

    /// Shows a frame of `count` pixels; missing ones are off.
    package func show(_ pixels: [Colour]) {
        var frame = Array(pixels.prefix(count))
        frame += Array(repeating: .off, count: count - frame.count)
        state.update { if !$0.isClosing { $0.frame = frame } }
    }

    /// Shows a line of text beside the ring, where the driver can.
    package func say(_ text: String) {
        state.update { $0.text = text }
    }

    /// What went wrong with the last frame, or nil when it is on the ring.
    package var fault: Fault? { state.withLock { $0.fault } }

    package var lastWrite: LagCalibration.Change? { state.withLock { $0.lastWrite } }

    /// Readable when the fault has changed.
    package var descriptor: Int32 { changes?.descriptor ?? -1 }

    /// The faults as they came; nil is the end of one.
    package func drain() -> [Fault?] { changes?.drain() ?? [] }

    package func close() {
        state.update { $0.isClosing = true }
        _ = state.wait(until: Clock.now + Self.patience) { $0.hasClosed ? true : nil }
    }

    private static func run(_ worker: Worker, _ state: Locked<State>, _ changes: Mailbox<Fault?>?) {
        func write() {
            let fault = worker.write()
            let isNew = state.update { state in
                defer { (state.fault, state.lastWrite) = (fault, worker.lastWrite) }
                return state.fault != fault
            }
            if isNew { changes?.post(fault) }
        }

        write()
        var isClosing = false
        while !isClosing {
            let news = state.wait(until: worker.retry) { state -> (frame: [Colour]?, text: String?, isClosing: Bool)? in
                guard state.frame != nil || state.text != nil || state.isClosing else { return nil }
                defer { (state.frame, state.text) = (nil, nil) }
                return (state.frame, state.text, state.isClosing)
            }
            if let text = news?.text { worker.driver?.say(text) }
            if let frame = news?.frame { worker.wanted = frame }
            isClosing = news?.isClosing ?? false
            if !isClosing, worker.isDue { write() }
        }
        worker.wanted = Array(repeating: .off, count: worker.wanted.count)
        write()
        worker.driver?.close()
        state.update { $0.hasClosed = true }
    }
}

/// The writer's thread's own: the driver while it works, and when to try again while it does not.
private final class Worker: @unchecked Sendable {
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(30)

    private(set) var driver: (any RingDriver)?
    var wanted: [Colour]
    /// When a ring that failed is tried again.
    private(set) var retry: Timestamp?
    private(set) var lastWrite: LagCalibration.Change?
    private let open: RingWriter.Opener
    private let canReopen: Bool
    private var shown: [Colour]?
    private var pause = Worker.firstPause

    init(count: Int, driver: (any RingDriver)?, open: @escaping RingWriter.Opener) {
        self.driver = driver
        self.open = open
        canReopen = driver == nil
        wanted = Array(repeating: .off, count: count)
    }

    var isDue: Bool { retry.map { $0 <= Clock.now } ?? (wanted != shown) }

    /// Brings the wanted frame to the ring, unless it is there. Returns what went wrong.
    func write() -> Fault? {
        guard wanted != shown else { return nil }
        do throws(Fault) {
            // `??` would lose the type of the error.
            if driver == nil { driver = try open() }
            let began = Clock.now
            try driver?.write(wanted)
            lastWrite = .init(began: began, ended: Clock.now)
            (shown, retry, pause) = (wanted, nil, Self.firstPause)
            return nil
        } catch {
            if canReopen {
                driver?.close()
                driver = nil
            }
            shown = nil
            retry = Clock.now + pause
            pause = min(pause + pause, Self.longestPause)
            return error
        }
    }
}
