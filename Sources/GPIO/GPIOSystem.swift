// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// What is asked of the kernel, so that tests can stand in for it.
package protocol GPIOSystem: Sendable {
    /// The names of chips in /dev, symbolic links among them.
    func nodes() -> [ChipNode]
    func chip(_ path: String) throws(SystemError) -> ChipFacts
    func use(of offset: UInt32, on path: String) throws(SystemError) -> LineUse
    func requestInput(_ offset: UInt32, on path: String, bias: LineBias, withEdges: Bool) throws(SystemError) -> any LineHandle
    func requestOutput(_ offset: UInt32, on path: String, isHigh: Bool) throws(SystemError) -> any LineHandle
    /// Who may use a device, and who we are; nil when it is not there.
    func access(_ path: String) -> Access?
    /// The kernel's version.
    var kernel: String { get }
    var now: Timestamp { get }
}

/// A name of a GPIO chip in /dev: a device, or a link to one.
package struct ChipNode: Equatable, Sendable {
    package var path: String
    /// The device's number: the same for a device and a link to it.
    package var device: UInt64
    package var isLink: Bool

    package init(path: String, device: UInt64, isLink: Bool = false) {
        self.path = path
        self.device = device
        self.isLink = isLink
    }
}

/// A line that is held until the handle goes. Values are electrical. By one thread at a time; never blocks.
package protocol LineHandle: AnyObject {
    /// Readable while edges wait; -1 without edges.
    var descriptor: Int32 { get }
    /// How many edges the kernel keeps.
    var queueSize: Int { get }
    func isHigh() throws(SystemError) -> Bool
    func set(_ isHigh: Bool) throws(SystemError)
    /// Takes the waiting edges, oldest first, at most as many as the queue holds.
    /// - Throws: also when the descriptor is hung up or in error.
    func read() throws(SystemError) -> [EdgeRecord]
}
