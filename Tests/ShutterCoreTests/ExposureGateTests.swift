// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ShutterCore

@Suite struct ExposureGateTests {
    private static func frame(exposure: Int64, gain: Double? = 1, controls: [String: MetadataValue] = [:]) -> FrameMetadata {
        FrameMetadata(
            sequence: 0, sensorTimestamp: Timestamp(nanoseconds: 0), exposureTime: .microseconds(exposure), analogueGain: gain,
            controls: controls)
    }

    /// What was asked for, what the camera reports, the doubt.
    private static let rows: [(ExposureGate.Wish, FrameMetadata, ExposureDoubt?)] = [
        (.init(), frame(exposure: 10_000), nil),
        (.init(exposure: .milliseconds(10)), frame(exposure: 10_000), nil),
        (.init(exposure: .milliseconds(10)), frame(exposure: 9_500), nil),
        (.init(exposure: .milliseconds(10)), frame(exposure: 10_501), .notConfirmed),
        (.init(exposure: .milliseconds(10)), frame(exposure: 9_499), .notConfirmed),
        (.init(exposure: .milliseconds(10)), frame(exposure: 0), .notConfirmed),
        (.init(gain: 2), frame(exposure: 10_000, gain: 2.1), nil),
        (.init(gain: 2), frame(exposure: 10_000, gain: 2.2), .notConfirmed),
        (.init(gain: 2), frame(exposure: 10_000, gain: nil), .notConfirmed),
        (.init(), frame(exposure: 10_000, controls: ["AeLocked": .boolean(false)]), .notConverged),
        (.init(), frame(exposure: 10_000, controls: ["AeLocked": .boolean(true)]), nil),
        (.init(), frame(exposure: 10_000, controls: ["AeState": .integer(0)]), nil),
        (.init(), frame(exposure: 10_000, controls: ["AeState": .integer(1)]), .notConverged),
        (.init(), frame(exposure: 10_000, controls: ["AeState": .integer(2), "AeLocked": .boolean(false)]), nil),
        // Nothing is automatic.
        (.init(exposure: .milliseconds(10), gain: 1), frame(exposure: 10_000, controls: ["AeLocked": .boolean(false)]), nil),
    ]

    @Test(arguments: rows.indices) func metadataIsTrusted(row: Int) {
        let (wish, frame, doubt) = Self.rows[row]
        var gate = ExposureGate(wish)
        #expect(gate.judge(frame, at: Timestamp(nanoseconds: 0)) == .take(doubt), "before any start, everything is taken")
        gate.start(at: Timestamp(nanoseconds: 0), interval: .milliseconds(100))
        #expect(gate.judge(frame, at: Timestamp(nanoseconds: 0)) == (doubt == nil ? .take(nil) : .leaveOut))
        // 1.5 s and six frames.
        #expect(gate.judge(frame, at: Timestamp(nanoseconds: 2_099_999_999)) == (doubt == nil ? .take(nil) : .leaveOut))
        #expect(gate.judge(frame, at: Timestamp(nanoseconds: 2_100_000_000)) == .take(doubt))
        #expect(gate.judge(frame, at: Timestamp(nanoseconds: 2_200_000_000)) == .take(doubt))
    }

    @Test func onceWellAFrameInDoubtIsOnlyMarked() {
        var gate = ExposureGate()
        gate.start(at: Timestamp(nanoseconds: 0), interval: .milliseconds(100))
        let searching = Self.frame(exposure: 10_000, controls: ["AeLocked": .boolean(false)])
        #expect(gate.judge(searching, at: Timestamp(nanoseconds: 0)) == .leaveOut)
        #expect(gate.judge(Self.frame(exposure: 10_000), at: Timestamp(nanoseconds: 1)) == .take(nil))
        #expect(gate.judge(searching, at: Timestamp(nanoseconds: 2)) == .take(.notConverged))
    }
}
