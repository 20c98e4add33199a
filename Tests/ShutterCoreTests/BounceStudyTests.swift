// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore
import Testing

/// What `button test` makes of a switch. Waveforms are those of the field cases: microseconds, electrical level, active-low.
struct BounceStudyTests {
    private func study(_ wave: [(Int64, Int)], initial: Int = 1, debounce: Duration = .milliseconds(20)) -> (BounceStudy, [BounceStudy.Episode]) {
        var study = BounceStudy(debounce: debounce)
        var episodes: [BounceStudy.Episode] = []
        study.begin(initial == 0 ? .active : .inactive, at: Timestamp(nanoseconds: -1_000_000_000))
        for (time, high) in wave {
            if let episode = study.edge(to: high == 0 ? .active : .inactive, at: Timestamp(nanoseconds: time * 1000)) { episodes.append(episode) }
        }
        if let episode = study.finish() { episodes.append(episode) }
        return (study, episodes)
    }

    /// B04: a switch that bounces for most of a second.
    @Test func aPoorSwitch() {
        let (study, episodes) = study([(0, 0), (30000, 1), (60000, 0), (120_000, 1), (157_000, 0), (1_500_000, 1)])
        #expect(study.longestReclosure == .milliseconds(157))
        #expect(study.longestQuiet == .milliseconds(60))
        #expect(study.proposal == .milliseconds(90))
        #expect(episodes.map(\.kind) == [.press, .release] && study.presses == 1)
        #expect(study.histogram == [0, 0, 0, 0, 0, 2, 2, 0])
    }

    /// B01: bounce of the release alone.
    @Test func aReleaseThatBounces() {
        let (study, episodes) = study([(0, 0), (1_000_000, 1), (1_000_800, 0), (1_002_100, 1), (1_004_000, 0), (1_004_600, 1)])
        #expect(episodes.map(\.kind) == [.press, .release])
        #expect(study.longestReclosure == .microseconds(4000) && study.longestQuiet == .microseconds(1900))
        #expect(study.proposal == .milliseconds(5))
        #expect(study.counts.filtered == 2)
    }

    @Test func quickTapsAndSpikes() {
        let (study, episodes) = study([
            (0, 0), (400, 1), (700, 0), (120_000, 1), (121_000, 0), (121_300, 1), (2_000_000, 0), (2_003_000, 1), (4_000_000, 0),
            (4_000_200, 1), (4_000_300, 0), (5_500_000, 1),
        ])
        #expect(episodes.map(\.kind) == [.tap, .spike, .press, .release])
        #expect(study.presses == 2 && study.episodes[.spike] == 1)
        // Not the 120 ms that it was held.
        #expect(study.longestQuiet == .milliseconds(1), "\(study.longestQuiet)")
        #expect(study.edges == 12)
    }

    @Test func nothingIsProposedOfNothing() {
        #expect(study([]).0.proposal == nil)
        #expect(study([(0, 0), (1000, 1)]).0.proposal == nil)
    }

    /// Whatever is proposed makes one press of each that was meant.
    @Test(arguments: [
        [(0, 0), (30000, 1), (60000, 0), (120_000, 1), (157_000, 0), (1_500_000, 1)],
        [(0, 0), (81000, 1), (81300, 0), (82100, 1), (83500, 0), (84200, 1)],
        [(189, 0), (196, 1), (422, 0), (428, 1), (4488, 0), (900_000, 1), (905_000, 0), (911_000, 1)],
    ] as [[(Int64, Int)]]) func theProposalIsEnough(_ wave: [(Int64, Int)]) throws {
        let debounce = try #require(study(wave).0.proposal)
        let events = wave.map { Replay.Event(at: Timestamp(nanoseconds: $0 * 1000), .edge(.shutter, $1 == 0 ? .active : .inactive, sequence: nil)) }
        let settings = Pipeline.Settings(buttons: [Button.Settings(name: .shutter, role: .shutter, debounce: .init(debounce: debounce))])
        let outcome = Replay(settings, mode: .photo, events: events).run()
        #expect(outcome.commands.count { if case .press = $0.kind { true } else { false } } == 1)
    }
}
