// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore
import Testing

@testable import Media

@Suite struct FrameMeterTests {
    /// The padding is magenta and the memory behind the frame is guarded: neither is read.
    @Test(arguments: PixelFormat.allCases) func cellsAreTheMeansOfTheirParts(_ format: PixelFormat) {
        for (width, height) in [(64, 48), (640, 360), (1298, 722), (66, 18)] {
            let layout = FrameLayout.packed(format, width: width, height: height, alignment: 64)
            let frame = TestFrame.make(layout) { x, y in
                let value = (x * FrameLight.columns / width) * 10 + (y * FrameLight.rows / height) * 5
                return (value, value, value)
            }
            let cells = frame.withBytes { FrameMeter.cells(layout, $0) }
            #expect(cells.count == FrameLight.columns * FrameLight.rows)
            for (cell, level) in cells.enumerated() {
                let wanted = Float(cell % FrameLight.columns * 10 + cell / FrameLight.columns * 5)
                #expect(abs(level - wanted) <= 1, "\(format) \(width)x\(height): cell \(cell)")
            }
        }
    }

    @Test func framesAreMeasuredAndGivenBackInOrder() {
        let feed = Feed()
        let meter = FrameMeter(feed)
        meter.begin()
        for index in 0..<50 { feed.hand(index, level: index) }
        let frames = meter.end()
        #expect(!frames.isEmpty && feed.subscriber == nil)
        for frame in frames { #expect(abs(Double(frame.cells[0]) - Double(frame.end.nanoseconds)) <= 1 && frame.end - frame.begin == .milliseconds(10)) }
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.end < $1.end })
        meter.begin()
        #expect(meter.end().isEmpty)
        meter.close()
    }
}

/// Hands frames over as a camera does, on the test's thread.
private final class Feed: FrameFeed, @unchecked Sendable {
    private(set) var subscriber: (any FrameSubscriber)?
    func subscribe(_ subscriber: any FrameSubscriber, from instant: Timestamp?) { self.subscriber = subscriber }
    func unsubscribe(_ subscriber: any FrameSubscriber) { self.subscriber = nil }

    func hand(_ index: Int, level: Int) {
        var metadata = TestFrame.metadata
        metadata.sensorTimestamp = Timestamp(nanoseconds: Int64(index))
        guard subscriber?.wants(metadata) == true else { return }
        let layout = FrameLayout.packed(.yuv420, width: 64, height: 48, alignment: 64)
        subscriber?.take(TestFrame.make(layout, metadata: metadata) { _, _ in (level, level, level) })
    }
}
