// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// How far the camera's timestamps are from the truth, from flashes of the ring that the camera sees.
///
/// A flash lights the ring at an instant T of our own clock. By the camera's clock, light began after the last dark frame's
/// exposure had ended and before the first lit one's had, so for the offset d = camera's clock − truth:
///
///     end(last dark) − T ≤ d ≤ end(first lit) − T
///
/// and when the ring is put out, with the beginnings of the exposures of the last lit and the first dark frame:
///
///     begin(last lit) − T ≤ d ≤ begin(first dark) − T
///
/// Each is as wide as a frame interval, and where it lies depends on when within a frame the flash came. Of many flashes at all phases
/// the brackets overlap in a small part of an interval: there, where most of them agree, is d. Only "dark or not" is asked of a
/// frame: how it is exposed, its tone curve and whether it is saturated do not matter. Light that is too short to be seen makes the ring look
/// lit late and put out early, by as much: the mean of both has no part of it.
package struct LagCalibration: Equatable, Sendable {
    /// The ring was changed after `began` and before `ended`.
    package struct Change: Equatable, Sendable {
        package var began: Timestamp
        package var ended: Timestamp

        package init(began: Timestamp, ended: Timestamp) {
            self.began = began
            self.ended = ended
        }
    }

    package struct Flash: Equatable, Sendable {
        package var lit: Change
        package var out: Change

        package init(lit: Change, out: Change) {
            self.lit = lit
            self.out = out
        }
    }

    /// Where the brackets of most flashes agree.
    package struct Agreement: Equatable, Sendable {
        package var least: Duration
        package var most: Duration
        /// Brackets that hold all of it.
        package var count: Int

        package var middle: Duration { least + (most - least) / 2 }
        /// ±
        package var uncertainty: Duration { (most - least) / 2 }
    }

    /// The flashes that were made, and those of them that were seen.
    package var flashes: Int
    package var seen: Int
    /// From when the ring was lit, and from when it was put out.
    package var lit: Agreement
    package var out: Agreement
    /// Of the frames that were looked at, the median.
    package var interval: Duration
    package var exposure: Duration
    /// Where the ring is in the picture, 0…1 from the left and from the top, and how much brighter it gets there, 0…255.
    package var x: Double
    package var y: Double
    package var rise: Double

    /// Camera's clock − truth: positive, the camera says that a picture is younger than it is.
    package var offset: Duration { lit.middle + (out.middle - lit.middle) / 2 }
    /// ±
    package var uncertainty: Duration { (lit.uncertainty + out.uncertainty) / 2 }

    // MARK: The plan

    /// Frame intervals that the ring is lit, and dark after it. Their sum's fraction is the golden ratio's: the phases of any number of flashes
    /// are spread over a frame as evenly as can be.
    package static let litIntervals = 6.5
    package static let darkIntervals = 6.118
    /// A frame so far from every change shows the ring as it is, so an offset beyond that is not found.
    static let marginIntervals = 2

    // MARK: The verdict

    /// A part of the picture must get so much brighter, of 255, and by so much more than it changes by itself.
    static let leastRise = 4.0
    static let leastRiseOverNoise = 4.0
    /// What is brighter by this part of the rise is not dark: low, since a picture's tone curve lifts what is dark.
    static let threshold = 0.2

    /// - Parameters:
    ///   - frames: all that were taken meanwhile, in their order.
    ///   - flashes: those whose instants are known, in their order.
    ///   - made: how many there were in all.
    /// - Throws: `no-frames`, `ring-not-seen`, `unsteady`.
    package static func judge(_ frames: [FrameLight], flashes: [Flash], made: Int) throws(Fault) -> LagCalibration {
        guard frames.count > 1, let cells = frames.first?.cells.count, frames.allSatisfy({ $0.cells.count == cells }) else {
            throw Fault("no-frames", "no frames came from the camera meanwhile; see: shutterctl doctor")
        }
        let interval = Duration.nanoseconds(median(zip(frames, frames.dropFirst()).map { Double(($1.end - $0.end).nanoseconds) }).map { Int64($0) } ?? 0)
        let exposure = Duration.nanoseconds(median(frames.map { Double(($0.end - $0.begin).nanoseconds) }).map { Int64($0) } ?? 0)
        let views = flashes.compactMap { View($0, frames, margin: interval * marginIntervals) }
        guard let (cell, rise, noise) = brightest(views, frames, cells: cells), rise >= max(leastRise, noise * leastRiseOverNoise) else {
            throw Fault("ring-not-seen", "the camera does not see the ring flash: put the ring, or its reflection, in the middle of the picture, or dim the room; see it with: shutterctl preview --terminal")
        }

        var (litBrackets, outBrackets): ([Bracket], [Bracket]) = ([], [])
        for view in views {
            guard let (lit, out) = view.brackets(cell, frames, rise: rise) else { continue }
            litBrackets.append(lit)
            outBrackets.append(out)
        }
        let seen = litBrackets.count
        guard let lit = agreement(litBrackets), let out = agreement(outBrackets), seen * 2 > made, min(lit.count, out.count) * 3 >= seen * 2, seen >= 3 else {
            throw Fault("unsteady", "only \(seen) of \(made) flashes were seen well enough, or they contradict each other: keep camera and ring still, and other lights steady")
        }
        return LagCalibration(
            flashes: made, seen: seen, lit: lit, out: out, interval: interval, exposure: exposure,
            x: FrameLight.centre(of: cell).x, y: FrameLight.centre(of: cell).y, rise: rise)
    }

    /// What is known of an instant: not before `least`, not after `most`.
    struct Bracket: Equatable {
        var least: Duration
        var most: Duration
    }

    /// The part that most brackets share; nil without any. Of several parts that are shared by as many: all between the first and the last.
    static func agreement(_ brackets: [Bracket]) -> Agreement? {
        var ends: [(at: Duration, step: Int)] = []
        for bracket in brackets where bracket.least <= bracket.most { ends += [(bracket.least, 1), (bracket.most, -1)] }
        // Brackets that only touch share an instant.
        ends.sort { $0.at == $1.at ? $0.step > $1.step : $0.at < $1.at }
        var best: Agreement?
        var depth = 0
        for (index, end) in ends.enumerated() {
            depth += end.step
            guard end.step > 0, depth >= best?.count ?? 0 else { continue }
            let next = ends[index + 1].at
            if let found = best, found.count == depth { best?.most = max(found.most, next) } else { best = Agreement(least: end.at, most: next, count: depth) }
        }
        return best
    }

    /// The cell that gets brightest beyond its own noise.
    private static func brightest(_ views: [View], _ frames: [FrameLight], cells: Int) -> (cell: Int, rise: Double, noise: Double)? {
        var best: (cell: Int, rise: Double, noise: Double)?
        for cell in 0..<cells {
            let levels = views.map { $0.levels(cell, frames) }
            guard let rise = median(levels.map { $0.lit - ($0.before + $0.after) / 2 }) else { return nil }
            let noise = median(levels.map { abs($0.after - $0.before) }) ?? 0
            if rise - noise * leastRiseOverNoise > (best.map { $0.rise - $0.noise * leastRiseOverNoise } ?? -.infinity) { best = (cell, rise, noise) }
        }
        return best
    }

    /// The frames around one flash, by their indices.
    private struct View {
        let flash: Flash
        /// Those that show the ring as it was before, as it was lit, and as it was after, whatever the offset.
        let before: [Int]
        let lit: [Int]
        let after: [Int]

        /// nil where frames are missing.
        init?(_ flash: Flash, _ frames: [FrameLight], margin: Duration) {
            self.flash = flash
            func indices(_ from: Timestamp, _ to: Timestamp) -> [Int] { frames.indices.filter { frames[$0].begin >= from && frames[$0].end <= to } }
            before = indices(flash.lit.began - margin * 2, flash.lit.began - margin)
            lit = indices(flash.lit.ended + margin, flash.out.began - margin)
            after = indices(flash.out.ended + margin, flash.out.ended + margin * 2)
            guard !before.isEmpty, !lit.isEmpty, !after.isEmpty else { return nil }
        }

        func levels(_ cell: Int, _ frames: [FrameLight]) -> (before: Double, lit: Double, after: Double) {
            func level(_ indices: [Int]) -> Double { median(indices.map { Double(frames[$0].cells[cell]) }) ?? 0 }
            return (level(before), level(lit), level(after))
        }

        /// nil where this flash was not as bright as the others.
        func brackets(_ cell: Int, _ frames: [FrameLight], rise: Double) -> (lit: Bracket, out: Bracket)? {
            let levels = levels(cell, frames)
            guard levels.lit - max(levels.before, levels.after) > rise / 2 else { return nil }
            func isLit(_ index: Int, over dark: Double) -> Bool { Double(frames[index].cells[cell]) > dark + (levels.lit - dark) * threshold }
            let start = before[before.count - 1]
            let middle = lit[0]
            let end = after[0]
            guard let firstLit = (start...middle).first(where: { isLit($0, over: levels.before) }), firstLit > start,
                let firstDark = (middle...end).first(where: { !isLit($0, over: levels.after) }), firstDark > middle
            else { return nil }
            return (
                Bracket(least: frames[firstLit - 1].end - flash.lit.ended, most: frames[firstLit].end - flash.lit.began),
                Bracket(least: frames[firstDark - 1].begin - flash.out.ended, most: frames[firstDark].begin - flash.out.began)
            )
        }
    }

    private static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }
}

/// How bright the parts of one frame are.
package struct FrameLight: Equatable, Sendable {
    package static let columns = 16
    package static let rows = 12

    /// The exposure of the first row, by the camera's clock.
    package var begin: Timestamp
    package var end: Timestamp
    /// The mean luma of each part, 0…255, `columns` × `rows`, row by row.
    package var cells: [Float]

    package init(begin: Timestamp, end: Timestamp, cells: [Float]) {
        self.begin = begin
        self.end = end
        self.cells = cells
    }

    /// In parts of the picture's width and height.
    static func centre(of cell: Int) -> (x: Double, y: Double) {
        ((Double(cell % columns) + 0.5) / Double(columns), (Double(cell / columns) + 0.5) / Double(rows))
    }
}
