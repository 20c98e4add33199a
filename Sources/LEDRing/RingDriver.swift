// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// What knows one kind of ring. Used by `RingWriter`'s thread alone; may block.
package protocol RingDriver: AnyObject, Sendable {
    /// Pixels; 1 for a single LED.
    var count: Int { get }
    /// Shows all pixels at once.
    func write(_ pixels: [Colour]) throws(Fault)
    /// Shows a line of text, where there is room for one.
    func say(_ text: String)
    /// The last call: the ring has been switched off before.
    func close()
}

extension RingDriver {
    package func say(_ text: String) {}
    package func close() {}
}

/// No ring at all.
package final class NoRing: RingDriver {
    package let count: Int
    package init(count: Int = 1) { self.count = count }
    package func write(_ pixels: [Colour]) throws(Fault) {}
}
