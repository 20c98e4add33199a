// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// Why there is no line, and whether it makes sense to try again.
package struct LineFault: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// May pass: busy, unplugged, not there yet.
        case passing
        /// Needs an administrator; tried again, but seldom.
        case permission
        /// Needs another configuration.
        case configuration
    }

    package var kind: Kind
    package var fault: Fault

    package init(_ kind: Kind, _ reason: String, _ message: String) {
        self.kind = kind
        fault = Fault(reason, message)
    }
}

extension LineFault {
    /// A device that could not be opened.
    init(opening path: String, _ error: SystemError, _ system: any GPIOSystem, prefix: String) {
        guard error.code == EACCES || error.code == EPERM else {
            self.init(.passing, error.code == ENOENT ? "no-line" : "io", "\(prefix): \(error)")
            return
        }
        let complaint = system.access(path)?.complaint(udevGroup: "gpio", subsystem: "gpio") ?? "\(error)"
        self.init(.permission, "permission-denied", "\(prefix): \(complaint)")
    }
}

/// Requests an input with edges; when that fails, finds out why: the same errno has several causes with different cures.
package struct InputRequest {
    let address: LineAddress
    let line: FoundLine
    let bias: LineBias
    let system: any GPIOSystem

    package init(address: LineAddress, line: FoundLine, bias: LineBias, system: any GPIOSystem) {
        self.address = address
        self.line = line
        self.bias = bias
        self.system = system
    }

    package func make() throws(LineFault) -> any LineHandle {
        do throws(SystemError) { return try request() } catch {
            switch error.code {
            case EACCES, EPERM:
                throw LineFault(opening: line.path, error, system, prefix: "\(address)")
            case EBUSY: return try busy(error)
            case EINVAL where bias != .asIs && isThere(bias: .asIs, withEdges: true):
                throw LineFault(
                    .configuration, "no-bias",
                    "\(name): kernel \(system.kernel) refuses bias = \"\(bias.rawValue)\" (5.5 and newer can do it); fit a resistor and write bias = \"as-is\"")
            case _ where isThere(bias: bias, withEdges: false): throw noEdges(error)
            default:
                throw LineFault(.passing, error.code == ENODEV || error.code == ENOENT ? "no-line" : "io", "\(name): \(error)")
            }
        }
    }

    private var name: String { line.describe(address) }

    private func request(bias: LineBias? = nil, withEdges: Bool = true) throws(SystemError) -> any LineHandle {
        try system.requestInput(line.offset, on: line.path, bias: bias ?? self.bias, withEdges: withEdges)
    }

    /// The request is given back at once.
    private func isThere(bias: LineBias, withEdges: Bool) -> Bool {
        do throws(SystemError) {
            _ = try request(bias: bias, withEdges: withEdges)
            return true
        } catch {
            return false
        }
    }

    /// Another user has the line, or only its interrupt, which the kernel counts as a use of the line too; or both are
    /// free by now.
    private func busy(_ error: SystemError) throws(LineFault) -> any LineHandle {
        if isThere(bias: bias, withEdges: false) {
            if let handle = try? request() { return handle }
            throw noEdges(error)
        }
        throw LineFault(busy: line, address, system) ?? LineFault(.passing, "in-use", "\(name): \(error)")
    }

    private func noEdges(_ error: SystemError) -> LineFault {
        LineFault(
            .passing, "no-edges",
            "\(name): edge detection is unavailable on this line (\(error.reason)), although the line is free: its interrupt is taken by a driver, or the chip has none; choose another line, or free the interrupt (gpio-keys and other overlays in config.txt)")
    }
}

extension LineFault {
    /// A line that somebody has; nil when it is free.
    init?(busy line: FoundLine, _ address: LineAddress, _ system: any GPIOSystem) {
        guard let use = try? system.use(of: line.offset, on: line.path), use.isUsed else { return nil }
        let advice = use.consumer == "shutterd"
            ? "another shutterd has it: waiting for it to end"
            : "free the line (the program or overlay that has it; see gpioinfo), or choose another one"
        let consumer = use.consumer.isEmpty ? "a user without a name" : "\"\(use.consumer)\""
        self.init(.passing, "in-use", "\(line.describe(address)) is in use by \(consumer); \(advice)")
    }
}
