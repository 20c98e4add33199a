// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore
import Testing

/// Traces over months: a fuzzer found them to take for ever.
@Suite struct LongReplayTests {
    private func pressed(_ events: [Replay.Event]) -> Replay.Outcome {
        Setup().run(initial: .inactive, [.init(at: us(0), .edge(.shutter, .active, sequence: nil))] + events)
    }

    /// A level that changed without an edge is read at the beat of the readings since the press, however long that has been.
    @Test(arguments: [Int64(1), 7, 500_000]) func aLostReleaseIsReadOnTheBeat(rounds: Int64) throws {
        // Not at a beat itself: those are at 20 ms (settled) and every 200 ms from there.
        let lost = us(20_000 + rounds * 200_000 + 70_000)
        let outcome = pressed([.init(at: lost, .level(.shutter, .inactive))])
        let release = try #require(outcome.commands.last { if case .release = $0.kind { true } else { false } })
        #expect(release.decided == us(20_000 + (rounds + 1) * 200_000 + 20_000))
        #expect(outcome.levels[.shutter] == .inactive)
    }

    /// Two years.
    @Test(.timeLimit(.minutes(1))) func aButtonThatIsHeldForYears() {
        let outcome = pressed([.init(at: us(62_130_000_001_230), .request(.mode(.video)))])
        #expect(outcome.levels[.shutter] == .active && !outcome.isCut)
    }

    /// What would never end is given up.
    @Test(.timeLimit(.minutes(1))) func anIntervalThatRunsForYears() throws {
        let events: [Replay.Event] = [
            .init(at: us(0), .request(.drive(Drive.Change(.interval, time: .seconds(1))))), .init(at: us(1_000_000), .request(.tap(.control))),
            .init(at: us(62_130_000_001_230), .request(.mode(.video))),
        ]
        let outcome = Replay(Pipeline.Settings(buttons: [Setup().button]), mode: .photo, events: events, mostCommands: 1000).run()
        #expect(outcome.isCut && outcome.commands.count < 1100)
    }
}
