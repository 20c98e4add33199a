// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A terminal that hands over single keys, put back as it was when this goes, when the process exits, and when a
/// signal kills it. One at a time.
package final class TerminalMode {
    private let number: Int32

    /// nil when the descriptor is no terminal.
    package init?(_ number: Int32) throws(SystemError) {
        guard isatty(number) == 1 else { return nil }
        self.number = number
        var before = termios()
        try systemCall("tcgetattr", "terminal") { tcgetattr(number, &before) }
        saved.pointee = before
        Self.installOnce
        savedFor = number
        clinux_cbreak(&before)
        try systemCall("tcsetattr", "terminal") { tcsetattr(number, TCSADRAIN, &before) }
    }

    deinit { restoreTerminal() }

    /// Columns and rows of a terminal now, or nil; see ioctl_tty(2).
    package static func size(_ number: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    private static let installOnce: Void = {
        atexit { restoreTerminal() }
        // The daemon takes SIGINT, SIGTERM and SIGHUP itself: these are left for what it cannot take.
        for signal in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGQUIT] {
            Glibc.signal(signal) { number in
                restoreTerminal()
                Glibc.signal(number, SIG_DFL)
                raise(number)
            }
        }
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            sigaction(signal, nil, &action)
            guard action.__sigaction_handler.sa_handler == nil else { continue }
            Glibc.signal(signal) { number in
                restoreTerminal()
                Glibc.signal(number, SIG_DFL)
                raise(number)
            }
        }
    }()
}

// What a signal handler needs must be there without a lock: plain globals, set before the terminal is changed.
// Not a global termios: Swift gives it 57 bytes, the C struct without its padding, and writes all 60.
private nonisolated(unsafe) let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
private nonisolated(unsafe) var savedFor: Int32 = -1

/// Async-signal-safe: tcsetattr(3) and write(2).
private func restoreTerminal() {
    guard savedFor >= 0 else { return }
    tcsetattr(savedFor, TCSANOW, saved)
    // Shows the cursor, in case that a ring was drawn.
    _ = write(savedFor, "\u{1B}[?25h", 6)
    savedFor = -1
}
