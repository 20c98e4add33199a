// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CGpiod
import Glibc
import LinuxIO
import ShutterCore

/// A line requested from the kernel: cgpiod_line, closed with the handle.
final class KernelLine: LineHandle {
    private static let consumer = "shutterd"

    private let line: OpaquePointer
    private let subject: String
    private var buffer: [cgpiod_event]
    let descriptor: Int32

    /// cgpiod_request_input
    init(input offset: UInt32, on path: String, bias: LineBias, withEdges: Bool) throws(SystemError) {
        subject = "\(path) line \(offset)"
        var request: OpaquePointer?
        try check("request", subject, cgpiod_request_input(path, offset, bias.native, withEdges, Self.consumer, &request))
        line = request!
        descriptor = withEdges ? cgpiod_fd(line) : -1
        buffer = Array(repeating: cgpiod_event(), count: withEdges ? Int(cgpiod_queue_size(line)) : 0)
    }

    /// cgpiod_request_output
    init(output offset: UInt32, on path: String, isHigh: Bool) throws(SystemError) {
        subject = "\(path) line \(offset)"
        var request: OpaquePointer?
        try check("request", subject, cgpiod_request_output(path, offset, isHigh, Self.consumer, &request))
        line = request!
        descriptor = -1
        buffer = []
    }

    deinit { cgpiod_line_close(line) }

    var queueSize: Int { buffer.count }

    /// cgpiod_get
    func isHigh() throws(SystemError) -> Bool {
        try check("read", subject, cgpiod_get(line)) == 1
    }

    /// cgpiod_set
    func set(_ isHigh: Bool) throws(SystemError) {
        try check("set", subject, cgpiod_set(line, isHigh))
    }

    /// cgpiod_read
    func read() throws(SystemError) -> [EdgeRecord] {
        switch Poller.state(of: descriptor) {
        case .idle: return []
        case .failed: throw SystemError("wait for", subject, code: ENODEV)
        case .readable: break
        }
        let count = try check("read", subject, cgpiod_read(line, &buffer, Int32(buffer.count)))
        return buffer.prefix(Int(count)).map { event in
            EdgeRecord(stamp: event.timestamp_ns, sequence: event.sequence == 0 ? nil : event.sequence, isRising: event.is_rising)
        }
    }
}

extension LineBias {
    fileprivate var native: cgpiod_bias {
        switch self {
        case .asIs: CGPIOD_BIAS_AS_IS
        case .none: CGPIOD_BIAS_NONE
        case .pullUp: CGPIOD_BIAS_PULL_UP
        case .pullDown: CGPIOD_BIAS_PULL_DOWN
        }
    }
}

/// Our C functions return a negative errno when they fail.
@discardableResult
func check(_ operation: String, _ subject: String, _ result: Int32) throws(SystemError) -> Int32 {
    if result < 0 { throw SystemError(operation, subject, code: -result) }
    return result
}
