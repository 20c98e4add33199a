// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// How bright the running frames are, coarsely: a sparse sample of each, taken while it is lent, in a millisecond or two.
package final class FrameMeter: LightMeter, FrameSubscriber, @unchecked Sendable {
    /// Samples in a row of the picture, and in a column: few, since a camera's memory is slow to read.
    private static let samples = (across: 256, down: 192)
    /// Frames that are remembered: those of a hundred flashes, and of what comes before.
    private static let most = 2048
    /// Frames that wait for the thread: it does not hold the camera's buffers up.
    private static let mostWaiting = 2

    private struct State {
        var waiting: [Frame] = []
        var measured: [FrameLight] = []
        var isBusy = false
        var isOn = false
        var isClosed = false
    }

    private let feed: any FrameFeed
    private let state = Locked(State())
    private var thread: Thread?

    package init(_ feed: any FrameFeed) { self.feed = feed }

    package func begin() {
        state.withLock { state in
            state.measured = []
            state.isOn = true
        }
        // Without one, nothing is measured.
        if thread == nil { thread = try? Thread(ifPossible: "meter") { [state] in Self.run(state) } }
        if thread == nil { return }
        feed.subscribe(self, from: nil)
    }

    /// Frames that are being looked at still count; they take a moment.
    package func end() -> [FrameLight] {
        feed.unsubscribe(self)
        return state.wait { state in
            state.isOn = false
            guard state.waiting.isEmpty, !state.isBusy else { return nil }
            defer { state.measured = [] }
            return state.measured
        }
    }

    package func close() {
        feed.unsubscribe(self)
        state.update { state in
            state.isClosed = true
            state.waiting = []
        }
        thread?.join()
        thread = nil
    }

    // MARK: The camera's thread

    package func wants(_ metadata: FrameMetadata) -> Bool {
        state.withLock { $0.isOn && $0.waiting.count < Self.mostWaiting && $0.measured.count < Self.most }
    }

    package func take(_ frame: Frame) {
        state.update { if $0.isOn, !$0.isClosed { $0.waiting.append(frame) } }
    }

    package func miss(_ metadata: FrameMetadata) {}

    // MARK: A thread of its own

    private static func run(_ state: Locked<State>) {
        while true {
            var next = state.wait { state -> Frame?? in
                if state.isClosed { return .some(nil) }
                guard !state.waiting.isEmpty else { return nil }
                state.isBusy = true
                return .some(state.waiting.removeFirst())
            }
            guard let frame = next else { return }
            let metadata = frame.metadata
            let cells = frame.withBytes { Self.cells(frame.layout, $0) }
            next = nil
            state.update { state in
                state.measured.append(FrameLight(begin: metadata.sensorTimestamp - metadata.exposureTime, end: metadata.sensorTimestamp, cells: cells))
                state.isBusy = false
            }
        }
    }

    /// The means of luma, or of green where there is none.
    static func cells(_ layout: FrameLayout, _ bytes: UnsafeRawBufferPointer) -> [Float] {
        let (pixel, first) = switch layout.format {
        case .yuv420, .nv12: (1, 0)
        case .rgb888, .bgr888: (3, 1)
        case .xrgb8888: (4, 1)
        }
        let plane = layout.planes[0]
        let (across, down) = (max(1, layout.width / samples.across), max(1, layout.height / samples.down))
        var sums = Array(repeating: 0, count: FrameLight.columns * FrameLight.rows)
        var counts = sums
        for y in stride(from: down / 2, to: layout.height, by: down) {
            let row = plane.offset + y * plane.stride + first
            let cells = y * FrameLight.rows / layout.height * FrameLight.columns
            for x in stride(from: across / 2, to: layout.width, by: across) {
                let cell = cells + x * FrameLight.columns / layout.width
                sums[cell] += Int(bytes[row + x * pixel])
                counts[cell] += 1
            }
        }
        return zip(sums, counts).map { $1 == 0 ? 0 : Float($0) / Float($1) }
    }
}
