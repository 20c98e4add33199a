// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// The keys of a terminal: most work a button of the simulation, as long as there is one; the others are events for the daemon.
package final class TerminalKeys: EventSource, @unchecked Sendable {
    package enum Event: Equatable, Sendable {
        /// `m`
        case mode
        /// `q`
        case quit
    }

    /// What to tell people.
    package static let help = "space press · h down/up · b bounce · f half · +-c controls · m mode · q quit"

    private let mailbox: Mailbox<Event>
    private let wake: Mailbox<Void>
    private var terminal: TerminalMode?
    private var thread: Thread?

    /// - Parameter input: a terminal is put into single-key mode; a pipe or file is read as it is, without `quit` at its end.
    package init(input: Int32 = STDIN_FILENO, buttons: [SimulatedButton]) throws(SystemError) {
        mailbox = try Mailbox()
        wake = try Mailbox()
        terminal = try TerminalMode(input)
        let (mailbox, wake) = (mailbox, wake)
        thread = Thread(name: "sim-keys") { Self.read(input, wake, buttons, mailbox) }
    }

    deinit { close() }

    package var descriptor: Int32 { mailbox.descriptor }

    package func drain() -> [Event] { mailbox.drain() }

    /// Puts the terminal back as it was.
    package func close() {
        guard let thread else { return }
        wake.post(())
        thread.join()
        self.thread = nil
        terminal = nil
    }

    /// What a key does to which button.
    private static let meanings: [UInt8: (name: InputName, key: KeyPresses.Key)] = [
        UInt8(ascii: " "): (.shutter, .space), UInt8(ascii: "h"): (.shutter, .hold), UInt8(ascii: "b"): (.shutter, .bounce),
        UInt8(ascii: "f"): (.focus, .hold), UInt8(ascii: "c"): (.control, .space), UInt8(ascii: "+"): (.up, .space),
        UInt8(ascii: "="): (.up, .space), UInt8(ascii: "-"): (.down, .space),
    ]

    private static func read(_ input: Int32, _ wake: Mailbox<Void>, _ buttons: [SimulatedButton], _ mailbox: Mailbox<Event>) {
        var presses = buttons.map { _ in KeyPresses() }
        while true {
            var polled = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            // Rounded up, so that what was waited for is due.
            let timeout = presses.compactMap(\.deadline).min().map { Int32(max(0, ($0 - Clock.now).nanoseconds + 999_999) / 1_000_000) } ?? -1
            poll(&polled, 2, timeout)
            if polled[1].revents != 0 { break }
            var bytes = [UInt8](repeating: 0, count: 64)
            var count = 0
            if polled[0].revents != 0 {
                count = Glibc.read(input, &bytes, bytes.count)
                if count <= 0 { break }
            }
            let now = Clock.now
            for (index, button) in buttons.enumerated() {
                for edge in presses[index].advance(to: now) { button.set(edge.level, at: edge.at) }
            }
            for byte in bytes.prefix(count) {
                switch byte {
                case UInt8(ascii: "m"): mailbox.post(.mode)
                case UInt8(ascii: "q"): mailbox.post(.quit)
                default:
                    guard let meaning = meanings[byte], let index = buttons.firstIndex(where: { $0.name == meaning.name }) else { continue }
                    for edge in presses[index].handle(meaning.key, at: now) { buttons[index].set(edge.level, at: edge.at) }
                }
            }
        }
        // Nobody is left to let go of them.
        for button in buttons { button.release() }
    }
}
