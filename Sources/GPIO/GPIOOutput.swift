// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A line that we drive. It is requested when it is first set, and again after an error; inactive when it is let go.
package final class GPIOOutput: OutputLine, @unchecked Sendable {
    /// A line that cannot be had is asked for no more often than this.
    static let patience = Duration.seconds(1)

    private struct State {
        var handle: (any LineHandle)?
        /// The last failure, which is repeated until it makes sense to try again.
        var failure: (fault: Fault, until: Timestamp)?
    }

    package let address: LineAddress
    private let active: ActiveVoltage
    private let finder: LineFinder
    private let state = Locked(State())

    package init(_ address: LineAddress, active: ActiveVoltage, finder: LineFinder) {
        self.address = address
        self.active = active
        self.finder = finder
    }

    /// Lines that are there, and inactive.
    package static func open(_ addresses: [LineAddress], active: ActiveVoltage, finder: LineFinder) throws(Fault) -> [any OutputLine] {
        var lines: [any OutputLine] = []
        for address in addresses {
            let line = GPIOOutput(address, active: active, finder: finder)
            try line.set(false)
            lines.append(line)
        }
        return lines
    }

    deinit { try? state.withLock { $0.handle }?.set(active == .low) }

    package func set(_ isActive: Bool) throws(Fault) {
        let outcome = state.withLock { state -> Result<Void, Fault> in
            do throws(Fault) { return .success(try set(isActive, &state)) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    private func set(_ isActive: Bool, _ state: inout State) throws(Fault) {
        let isHigh = isActive == (active == .high)
        if let handle = state.handle {
            do throws(SystemError) {
                return try handle.set(isHigh)
            } catch {
                // The chip went, and may be back under another number.
                state.handle = nil
            }
        }
        if let (fault, until) = state.failure, finder.system.now < until { throw fault }
        do throws(LineFault) {
            state.handle = try request(isHigh)
            state.failure = nil
        } catch {
            state.failure = (error.fault, finder.system.now + Self.patience)
            throw error.fault
        }
    }

    /// The line has the voltage from the request on.
    private func request(_ isHigh: Bool) throws(LineFault) -> any LineHandle {
        let system = finder.system
        let line = try finder.find(address)
        do throws(SystemError) {
            return try system.requestOutput(line.offset, on: line.path, isHigh: isHigh)
        } catch {
            throw LineFault(busy: line, address, system) ?? LineFault(opening: line.path, error, system, prefix: line.describe(address))
        }
    }
}
