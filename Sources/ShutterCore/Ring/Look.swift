// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// How a state or a moment looks: level, colour, shape and rhythm. One row a cue; no two are alike without colour.
struct Look: Equatable, Sendable {
    /// Perceived brightness, 0…1, before `brightness`.
    var level: Double
    var tint: Tint
    var shape: Shape
    var rhythm: Rhythm
    /// The gaps of the square are open.
    var isSquare = false

    /// A colour of light, linear.
    struct Tint: Equatable, Sendable {
        var red: Double
        var green: Double
        var blue: Double

        static let white = Tint(red: 1, green: 1, blue: 1)
        static let red = Tint(red: 1, green: 0, blue: 0)
        static let amber = Tint(red: 1, green: 0.35, blue: 0)
    }

    /// The level of both idle states; the size of 60 in the theme `keyframe`.
    static let idle = 0.82

    /// - Parameters:
    ///   - hasShapes: the ring has pixels enough; else the rhythm alone tells the cue.
    ///   - isCalm: nothing moves or flashes where shapes can tell the cue.
    /// - Returns: nil for `pressed`, which is drawn over the state before it, and for moments that do not hide the state.
    init?(_ cue: Cue, theme: RingTheme, hasShapes: Bool, isCalm: Bool) {
        func look(_ level: Double, _ tint: Tint, _ shape: Shape, _ rhythm: Rhythm, alone: Rhythm, isSquare: Bool = false) -> Look {
            guard hasShapes else { return Look(level, tint, .ring, alone) }
            return Look(level, tint, shape, isCalm ? .steady : rhythm, isSquare)
        }
        let half = Self.idle / 2
        switch cue {
        case .off: self = Look(0, .white, .ring, .steady)
        case .idle(.photo): self = look(Self.idle, .white, .ring, .steady, alone: .steady)
        case .idle(.video): self = look(Self.idle, .red, .ring, .steady, alone: Rhythm(2900, 100))
        case .recording: self = look(0.42, .red, .square(missing: nil), .steady, alone: Rhythm(500, 500), isSquare: true)
        case .recordingSlowly:
            self = look(0.42, .red, .square(missing: 2), .steady, alone: Rhythm(500, 200, 100, 200), isSquare: true)
        case .holding:
            let level = theme == .keyframe ? Self.idle * 50 / 60 : 0.42
            self = look(level, .red, .square(missing: nil), .steady, alone: Rhythm(500, 500), isSquare: true)
        case .bursting: self = look(Self.idle, .white, .dots, .steady, alone: Rhythm(200, 200))
        case .starting:
            let shape = isCalm ? Shape.arcs([0...0.25, 0.5...0.75]) : .turning(.milliseconds(1200))
            self = look(half, .white, shape, .steady, alone: Rhythm(600, 600))
        case .countdown(let left, let all):
            self = look(
                Self.idle, .white, .rest(left, of: all), .countdown(left, long: (900, 100), short: (250, 150)),
                alone: .countdown(left, long: (100, 900), short: (200, 200)))
        case .waiting:
            self = look(Self.idle, .white, .arcs([0...0.1, 0.5...0.6]), Rhythm(2800, 200), alone: Rhythm(100, 2900))
        // As little light as can be: the shutter is open.
        case .exposing: self = look(0.3, .white, .arcs([0.45...0.55]), .steady, alone: Rhythm(50, 950))
        case .value(let value, let zero):
            let on = 250 + Int(2000 * min(max(value, 0), 1))
            self = look(Self.idle, .white, .gauge(value, zero: zero), .steady, alone: Rhythm(on, 2500 - on))
        case .choice(let index, let all):
            let alone = Rhythm.winks(min(max(index, 0), 9) + 1, on: 150, off: 250, pause: 1500)
            self = look(Self.idle, .white, .segment(index, of: all), .steady, alone: alone)
        case .locked:
            // The brackets of a viewfinder, above and below.
            self = look(Self.idle, .white, .arcs([0...0.125, 0.375...0.625, 0.875...1]), .steady, alone: Rhythm(1200, 80, 80, 80, 80, 80))
        case .stuck: self = look(Self.idle, .amber, .arcs([0.25...0.75]), Rhythm(1000, 1000), alone: Rhythm(1000, 1000))
        case .storageLow:
            self = look(half, .amber, .arcs([0...0.75]), Rhythm(1850, 150), alone: Rhythm(1600, 100, 200, 100))
        case .cameraFault:
            self = look(
                Self.idle, .red, .arcs([0.125...0.375, 0.625...0.875]), Rhythm(500, 500),
                alone: .winks(3, on: 150, off: 200, pause: 850))
        case .buttonFault:
            let thirds = [0.0...0.125, 0.333...0.458, 0.667...0.792]
            self = look(
                Self.idle, .red, .arcs(thirds), .winks(2, on: 150, off: 200, pause: 1000),
                alone: .winks(2, on: 150, off: 200, pause: 1000))
        case .refused:
            let corners = [0.08...0.2, 0.33...0.45, 0.58...0.7, 0.83...0.95]
            self = look(Self.idle, .red, .arcs(corners), Rhythm(150, 100, 150, 100), alone: Rhythm([0, 150, 200, 150]))
        case .busy: self = look(half, .white, .arcs([0...0.5]), Rhythm(400, 100), alone: Rhythm([0, 500]))
        // Where nothing may flash, a dark quarter says that it worked.
        case .captured where isCalm, .tapped where isCalm:
            self = look(Self.idle, .white, .arcs([0.25...1]), .steady, alone: Rhythm([0, 300]))
        case .pressed, .captured, .tapped: return nil
        }
    }

    private init(_ level: Double, _ tint: Tint, _ shape: Shape, _ rhythm: Rhythm, _ isSquare: Bool = false) {
        self.level = level
        self.tint = tint
        self.shape = shape
        self.rhythm = rhythm
        self.isSquare = isSquare
    }

    /// How long a moment hides the state.
    static func length(of moment: Cue) -> Duration {
        switch moment {
        case .captured, .tapped: .milliseconds(300)
        default: .milliseconds(500)
        }
    }
}
