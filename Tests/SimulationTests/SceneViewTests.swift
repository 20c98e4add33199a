// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Simulation

@Suite struct SimulatedLightTests {
    @Test func theMeanIsOfTheExposureAlone() {
        let light = SimulatedLight()
        let white = Colour(red: 1, green: 1, blue: 1)
        let first = Clock.now
        #expect(light.mean(from: first, to: first + .seconds(1)) == 0)
        light.set([white, white, .off, .off])
        let lit = Clock.now
        // Lit from some instant between the two on, and for good.
        #expect(light.mean(from: lit, to: lit + .seconds(1)) == 0.5)
        #expect(light.mean(from: first - .seconds(1), to: first) == 0)
        let part = light.mean(from: first - .seconds(1), to: lit + .seconds(1))
        #expect(part > 0.2499 * (1 - (lit - first).seconds) && part < 0.2501 * (1 + (lit - first).seconds))
        #expect(light.mean(from: lit, to: lit) == 0)
        light.set([.off])
        let dark = Clock.now
        #expect(light.mean(from: dark, to: dark + .seconds(1)) == 0)
        for _ in 0..<2000 { light.set([white]) }
        let end = Clock.now
        #expect(light.mean(from: end, to: end + .seconds(1)) == 1)
    }
}

/// The synthetic sensor does what its controls say: told from the pixels.
@Suite struct SceneViewTests {
    private static func picture(_ controls: CameraControls, range: ColourRange = .full, format: PixelFormat = .yuv420) throws -> (layout: FrameLayout, bytes: [UInt8], metadata: FrameMetadata) {
        var settings = SyntheticSource.Settings(width: 640, height: 360, rate: 200)
        (settings.range, settings.format) = (range, format)
        let source = SyntheticSource(settings)
        _ = try source.open(.full)
        source.apply(controls)
        try source.start()
        source.queue(0)
        while true {
            if let frame = try source.next(), let metadata = frame.metadata { return (source.layout, Array(frame.bytes), metadata) }
            Clock.sleep(until: Clock.now + .milliseconds(1))
        }
    }

    /// A corner in which nothing moves: left of the dial's edge, below the ball's way.
    private static func luma(_ picture: (layout: FrameLayout, bytes: [UInt8], metadata: FrameMetadata), x: Int, y: Int) -> Int {
        Int(picture.bytes[picture.layout.planes[0].offset + y * picture.layout.planes[0].stride + x])
    }

    @Test(arguments: [(0.5, 0.5, 160, 90), (0, 0, 0, 0), (1, 1, 320, 180), (0.25, 0.75, 0, 180)])
    func aZoomOfTwoShowsHalfTheViewTwiceAsLarge(x: Double, y: Double, left: Int, top: Int) throws {
        var controls = CameraControls()
        (controls.zoom, controls.x, controls.y) = (2, x, y)
        let (full, seen) = (try Self.picture(.init()), try Self.picture(controls))
        #expect(seen.metadata.digitalZoom == 2 && full.metadata.digitalZoom == 1)
        #expect(seen.metadata.controls["ScalerCrop"].flatMap(SensorArea.init)?.description == "(\(left), \(top))/320x180")
        // The hills stand still; the ball and the counter pass now and then.
        var (same, judged) = (0, 0)
        for row in stride(from: 40, to: 360, by: 7) {
            for column in stride(from: 3, to: 640, by: 7) {
                judged += 1
                if Self.luma(seen, x: column, y: row) == Self.luma(full, x: left + column / 2, y: top + row / 2) { same += 1 }
            }
        }
        #expect(same * 10 > judged * 8, "\(same) of \(judged)")
        // What is seen is not what was seen before.
        let unchanged = (0..<640).count { Self.luma(seen, x: $0, y: 300) == Self.luma(full, x: $0, y: 300) }
        #expect(unchanged < 600)
        #expect(seen.bytes.withUnsafeBytes { TimeCode.read($0, seen.layout) } == seen.metadata.exposureCentre)
    }

    @Test(arguments: [ColourRange.full, .limited], [-2.0, -1, 0.5, 1])
    func aStopIsTwiceTheLight(range: ColourRange, ev: Double) throws {
        var controls = CameraControls()
        controls.exposureBias = ev
        let (before, after) = (try Self.picture(.init(), range: range), try Self.picture(controls, range: range))
        #expect(after.metadata.exposureValue == ev)
        let black = range == .full ? 0.0 : 16
        var ratios: [Double] = []
        for row in stride(from: 250, to: 350, by: 9) {
            for column in stride(from: 5, to: 400, by: 9) {
                let (one, other) = (Double(Self.luma(before, x: column, y: row)) - black, Double(Self.luma(after, x: column, y: row)) - black)
                if one > 20, other < 200, other > 5 { ratios.append(log2(other / one) * 2.2) }
            }
        }
        ratios.sort()
        let middle = try #require(ratios.isEmpty ? nil : ratios[ratios.count / 2])
        #expect(abs(middle - ev) < 0.15, "\(middle) stops")
    }

    @Test(arguments: PixelFormat.allCases) func everyFormatIsBrightened(format: PixelFormat) throws {
        var controls = CameraControls()
        controls.others = ["Brightness": 0.2]
        let (before, after) = (try Self.picture(.init(), format: format), try Self.picture(controls, format: format))
        func mean(_ bytes: [UInt8]) -> Double { Double(bytes.prefix(before.layout.planes[0].stride * 360).reduce(0) { $0 + Int($1) }) / Double(before.layout.planes[0].stride * 360) }
        #expect((30...60).contains(mean(after.bytes) - mean(before.bytes)))
    }

    @Test func theCameraTellsWhatItCanAndConfirmsALock() throws {
        let camera = try RingCamera(SyntheticSource(.init(width: 640, height: 360, rate: 120)))
        camera.start()
        defer { camera.stop() }
        var events: [CameraEvent] = []
        func wait(_ isIt: (CameraEvent) -> Bool) -> Bool {
            let limit = Clock.now + .seconds(20)
            while Clock.now < limit {
                _ = Poller.wait([.init(camera.descriptor)], until: limit)
                events += camera.drain()
                if events.contains(where: isIt) { return true }
            }
            return false
        }
        #expect(wait { if case .ready = $0 { true } else { false } })
        #expect(camera.status.abilities["ScalerCrop"] == 1...8)
        camera.focus(true)
        #expect(wait { if case .locked(true) = $0 { true } else { false } })
    }
}

