// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ShutterCore
import Testing

/// A camera whose timestamps are off, and a ring in its view: every number is exact.
private struct Bench {
    var interval = Duration.microseconds(33_333)
    var exposure = Duration.milliseconds(2)
    /// Camera's clock − truth.
    var skew = Duration.zero
    /// How long a write takes; the light changes in its middle.
    var write = Duration.microseconds(200)
    /// Where the ring is, how bright the picture is there, and how bright with the ring.
    var cell = 100
    var dark = 30.0
    var lit = 130.0
    /// What the camera makes of light.
    var tone: (Double) -> Double = { $0 }
    /// Of a frame and a cell.
    var noise: (Int, Int) -> Double = { _, _ in 0 }
    /// Frames that never came.
    var missing: Set<Int> = []

    func flashes(_ count: Int) -> [LagCalibration.Flash] {
        let period = LagCalibration.litIntervals + LagCalibration.darkIntervals
        func change(_ intervals: Double) -> LagCalibration.Change {
            let at = Timestamp(nanoseconds: 1_000_000_000) + interval * intervals
            return .init(began: at - write / 2, ended: at + write / 2)
        }
        return (0..<count).map { .init(lit: change(Double($0) * period), out: change(Double($0) * period + LagCalibration.litIntervals)) }
    }

    func frames(_ flashes: [LagCalibration.Flash]) -> [FrameLight] {
        guard let last = flashes.last else { return [] }
        var frames: [FrameLight] = []
        var (index, begin) = (0, Timestamp(nanoseconds: 1_000_000_000) - interval * 6)
        while begin < last.out.ended + interval * 6 {
            let end = begin + exposure
            var seen = Duration.zero
            for flash in flashes {
                let (on, off) = (flash.lit.began + write / 2, flash.out.began + write / 2)
                if min(end, off) > max(begin, on) { seen += min(end, off) - max(begin, on) }
            }
            var cells = (0..<FrameLight.columns * FrameLight.rows).map { Float(50 + noise(index, $0)) }
            cells[cell] = Float(dark + (lit - dark) * tone(seen.seconds / exposure.seconds) + noise(index, cell))
            if !missing.contains(index) { frames.append(FrameLight(begin: begin + skew, end: end + skew, cells: cells)) }
            begin = begin + interval
            index += 1
        }
        return frames
    }

    func measure(_ count: Int = 20) throws(Fault) -> LagCalibration {
        let flashes = flashes(count)
        return try LagCalibration.judge(frames(flashes), flashes: flashes, made: count)
    }
}

private struct Row: Sendable, CustomTestStringConvertible {
    var what: String
    var bench: @Sendable () -> Bench
    var testDescription: String { what }
}

private let rows: [Row] = [
    Row(what: "true") { Bench() },
    Row(what: "late") { Bench(skew: .milliseconds(4)) },
    Row(what: "early") { Bench(skew: .milliseconds(-7)) },
    Row(what: "early by more than a frame") { Bench(skew: .milliseconds(-40)) },
    Row(what: "10 a second, exposed for all of it") { Bench(interval: .milliseconds(100), exposure: .milliseconds(100), skew: .milliseconds(9)) },
    Row(what: "30 a second, exposed for all of it") { Bench(exposure: .microseconds(33_333), skew: .milliseconds(4)) },
    Row(what: "56 a second") { Bench(interval: .microseconds(17_857), exposure: .milliseconds(8), skew: .microseconds(-1500)) },
    Row(what: "a tone curve") { Bench(exposure: .milliseconds(30), skew: .milliseconds(4), tone: { $0.squareRoot() }) },
    Row(what: "saturated") { Bench(exposure: .milliseconds(30), skew: .milliseconds(4), tone: { min(1, $0 * 20) }) },
    Row(what: "little light is not seen") { Bench(exposure: .milliseconds(30), skew: .milliseconds(4), tone: { max(0, $0 * 1.5 - 0.5) }) },
    Row(what: "a bus that takes 3 ms") { Bench(skew: .milliseconds(4), write: .milliseconds(3)) },
    Row(what: "noise") { Bench(skew: .milliseconds(4), lit: 45, noise: { Double(($0 * 7919 + $1 * 104_729) % 5) - 2 }) },
    Row(what: "frames are missing") { Bench(skew: .milliseconds(4), missing: Set((0..<400).filter { $0 % 17 == 3 })) },
    Row(what: "something passes the ring") { Bench(skew: .milliseconds(4), noise: { frame, cell in frame % 60 < 3 && cell == 100 ? 90 : 0 }) },
]

@Suite struct LagCalibrationTests {
    @Test(arguments: rows) fileprivate func theOffsetIsFound(_ row: Row) throws {
        let bench = row.bench()
        let found = try bench.measure()
        let error = abs((found.offset - bench.skew).nanoseconds)
        #expect(error <= found.uncertainty.nanoseconds, "\(row.what): \(found)")
        // Twenty flashes at golden phases leave no gap wider than a twelfth of a frame; a slow bus adds its own time.
        #expect(found.uncertainty <= bench.interval / 12 + bench.write, "\(row.what): \(found)")
        #expect(found.flashes == 20 && found.seen >= 14 && found.interval == bench.interval && found.exposure == bench.exposure, "\(found)")
        #expect(found.x == 4.5 / 16 && found.y == 6.5 / 12)
    }

    @Test func moreFlashesSayItFiner() throws {
        let bench = Bench(skew: .milliseconds(4))
        let (few, many) = try (bench.measure(5), bench.measure(100))
        #expect(few.uncertainty > many.uncertainty && many.uncertainty < .microseconds(500), "\(few) \(many)")
    }

    /// What is unseen shows as the difference of the two sides, and in neither their mean nor the uncertainty.
    @Test func unseenLightIsTheDifferenceOfTheSides() throws {
        let found = try Bench(exposure: .milliseconds(30), tone: { max(0, $0 * 2 - 1) }).measure(100)
        // Lit from 20 % of the rise on: 60 % of the exposure.
        let (lit, out) = (found.lit.middle.seconds, found.out.middle.seconds)
        #expect(abs(lit - 0.018) < 0.001 && abs(out + 0.018) < 0.001 && abs(found.offset.seconds) < 0.001, "\(found)")
    }

    @Test func whatCannotBeMeasuredIsSaid() throws {
        func fault(_ bench: Bench, change: (inout [FrameLight], inout [LagCalibration.Flash]) -> Void = { _, _ in }) -> String? {
            var flashes = bench.flashes(20)
            var frames = bench.frames(flashes)
            change(&frames, &flashes)
            do throws(Fault) {
                _ = try LagCalibration.judge(frames, flashes: flashes, made: 20)
                return nil
            } catch { return error.reason }
        }
        #expect(fault(Bench()) == nil)
        #expect(fault(Bench()) { frames, _ in frames = [] } == "no-frames")
        #expect(fault(Bench()) { _, flashes in flashes = [] } == "ring-not-seen")
        #expect(fault(Bench(lit: 32)) == "ring-not-seen")
        #expect(fault(Bench(lit: 60, noise: { Double(($0 * 7919 + $1 * 104_729) % 61) })) == "ring-not-seen")
        #expect(fault(Bench(skew: .milliseconds(150))) == "ring-not-seen")
        #expect(fault(Bench()) { _, flashes in flashes.removeLast(12) } == "unsteady")
        // Each flash is said to have been at another time than it was.
        #expect(fault(Bench()) { _, flashes in
            for index in flashes.indices {
                let shift = Duration.milliseconds(index * 37 % 120 - 60)
                flashes[index] = .init(
                    lit: .init(began: flashes[index].lit.began + shift, ended: flashes[index].lit.ended + shift),
                    out: .init(began: flashes[index].out.began + shift, ended: flashes[index].out.ended + shift))
            }
        } == "unsteady")
    }

    @Test func bracketsAgreeWhereMostDo() {
        func agreement(_ brackets: [(Int, Int)]) -> LagCalibration.Agreement? {
            LagCalibration.agreement(brackets.map { .init(least: .milliseconds($0.0), most: .milliseconds($0.1)) })
        }
        func answer(_ least: Int, _ most: Int, _ count: Int) -> LagCalibration.Agreement { .init(least: .milliseconds(least), most: .milliseconds(most), count: count) }
        #expect(agreement([]) == nil)
        #expect(agreement([(3, 9)]) == answer(3, 9, 1))
        #expect(agreement([(0, 10), (4, 14), (-3, 6)]) == answer(4, 6, 3))
        #expect(agreement([(0, 10), (4, 14), (50, 60)]) == answer(4, 10, 2))
        #expect(agreement([(0, 4), (4, 8)]) == answer(4, 4, 2))
        // Two camps of equal size: anywhere between them.
        #expect(agreement([(0, 2), (1, 3), (7, 9), (8, 10)]) == answer(1, 9, 2))
        #expect(agreement([(5, 1)]) == nil)
    }
}
