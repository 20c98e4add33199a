// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The character of the ring's movements.
package enum RingTheme: String, Sendable, CaseIterable {
    case flash, keyframe
}

/// Turns cues and the time into the pixels of a ring.
///
/// A state stays until the next one, and keeps its rhythm while moments play over it. `pressed` is a state that
/// dims the one before it. Level, colour and the gaps of the square move from where they are. In the theme `keyframe`
/// a photo is confirmed as a tap is. Draw a frame after every cue, and at every deadline.
package struct RingAnimator: Sendable {
    /// From frame to frame while something moves.
    package static let step = Duration.nanoseconds(16_666_667)

    package let count: Int
    package let theme: RingTheme
    package let reduceMotion: Bool
    package let light: RingLight
    /// The lights can only be on or off, as LEDs on plain lines are: every cue is a rhythm of all of them, and
    /// `pressed` is dark. Any light at all in a frame means on.
    package let isOnOff: Bool
    private let hasShapes: Bool

    private var now = Timestamp(nanoseconds: .min)
    private var state = Cue.off
    /// The last state that `pressed` is drawn over.
    private var base = Cue.off
    private var look: Look
    private var since = Timestamp(nanoseconds: 0)
    private var level = Channel(0)
    /// The gaps of the square: 0 closed, 1 open.
    private var opening = Channel(0)
    /// The way from `before` to the look's colour, 0…1.
    private var mix = Channel(1)
    private var before = Look.Tint.white
    /// The size that a tap changes, 1 = 60.
    private var size = Channel(1)
    private var flashed: Timestamp?
    /// A moment that hides the state.
    private var moment: (look: Look, since: Timestamp, until: Timestamp)?

    package init(
        count: Int, theme: RingTheme = .flash, reduceMotion: Bool = false, isOnOff: Bool = false, brightness: Double, budget: Double,
        gamma: Double = 2.2
    ) {
        self.count = count
        self.theme = theme
        // Levels between on and off cannot be seen, so nothing moves.
        self.reduceMotion = reduceMotion || isOnOff
        self.isOnOff = isOnOff
        hasShapes = count >= Shape.least && !isOnOff
        light = RingLight(brightness: brightness, budget: budget, gamma: gamma)
        look = Look(.off, theme: theme, hasShapes: hasShapes, isCalm: self.reduceMotion)!
    }

    // MARK: Cues

    package mutating func handle(_ cue: Cue, at instant: Timestamp) {
        advance(to: instant)
        if cue.isMoment { play(cue) } else if cue != state { enter(cue) }
    }

    private mutating func enter(_ cue: Cue) {
        let old = state
        state = cue
        if cue != .pressed, cue != base {
            base = cue
            before = tint(at: now)
            look = look(of: cue) ?? look
            since = now
            mix.set(0)
        }
        let spring = theme == .keyframe && old == .holding ? Spring.response(.milliseconds(200)) : .snappy(.milliseconds(150))
        let pressed = cue == .pressed ? (isOnOff ? 0 : reduceMotion ? 0.7 : 0.86) : 1
        let isOpen = look.isSquare ? 1.0 : 0.0
        guard !reduceMotion, old != .off, cue != .off else {
            level.set(look.level * pressed)
            opening.set(isOpen)
            mix.set(1)
            return
        }
        mix.spring(to: 1, spring, at: now)
        opening.spring(to: isOpen, spring, at: now)
        if theme == .keyframe, cue == .holding {
            level.run([leg(75 * Look.idle, 60), leg(50 * Look.idle, 60)], at: now)
        } else {
            level.spring(to: look.level * pressed, spring, at: now)
        }
    }

    private mutating func play(_ cue: Cue) {
        if let look = look(of: cue) {
            moment = (look, now, now + Look.length(of: cue))
        } else if cue == .captured, theme == .flash {
            flashed = now
        } else {
            size.run([leg(56, 60), leg(60, 60)], at: now)
        }
    }

    private func look(of cue: Cue) -> Look? {
        Look(cue, theme: theme, hasShapes: hasShapes, isCalm: reduceMotion)
    }

    private func leg(_ size: Double, _ of: Double) -> Channel.Leg {
        Channel.Leg(to: size / of, duration: .milliseconds(300), curve: .easeInOut)
    }

    // MARK: Time

    /// Time never runs backwards.
    private mutating func advance(to instant: Timestamp) {
        now = max(now, instant)
        if let until = moment?.until, until <= now { moment = nil }
        if let start = flashed, now - start >= Self.flash { flashed = nil }
    }

    /// When the picture changes next, by itself; nil when it does not.
    package var deadline: Timestamp? {
        let shown = moment?.look ?? look
        let since = moment?.since ?? since
        let isMoving = flashed != nil || (moment == nil && [level, opening, mix, size].contains { $0.isMoving(at: now) })
        let isDark = moment == nil && look.level == 0
        return earliest(
            isMoving ? now + Self.step : nil,
            isDark ? nil : shown.rhythm.nextChange(after: now - since).map { since + $0 },
            isDark ? nil : shown.shape.nextChange(after: now - since, count: count, step: Self.step * 2).map { since + $0 },
            moment?.until)
    }

    // MARK: The picture

    /// All pixels at an instant, linear, within the budget.
    package mutating func frame(at instant: Timestamp) -> [Colour] {
        advance(to: instant)
        let pixels =
            if let moment {
                paint(moment.look, moment.look.level, moment.look.tint, since: moment.since, opening: 0)
            } else {
                paint(
                    look, level.value(at: now) * size.value(at: now), tint(at: now), since: since,
                    opening: min(max(opening.value(at: now), 0), 1))
            }
        let flash = flashLight(at: now)
        return light.limited(pixels.map { .init(red: $0.red + flash, green: $0.green + flash, blue: $0.blue + flash) })
    }

    private func paint(_ look: Look, _ level: Double, _ tint: Look.Tint, since: Timestamp, opening: Double) -> [Look.Tint] {
        let elapsed = now - since
        guard look.rhythm.isOn(after: elapsed) else { return Array(repeating: .init(red: 0, green: 0, blue: 0), count: count) }
        let canOpen = hasShapes
        // Most pixels are lit alike: their light is reckoned once.
        var (lastWeight, lastLight) = (1.0, light.light(level))
        return (0..<count).map { pixel in
            let weight = look.shape.weight(pixel: pixel, of: count, after: elapsed, opening: canOpen ? opening : 0)
            if weight != lastWeight { (lastWeight, lastLight) = (weight, light.light(level * weight)) }
            return .init(red: tint.red * lastLight, green: tint.green * lastLight, blue: tint.blue * lastLight)
        }
    }

    private func tint(at now: Timestamp) -> Look.Tint {
        let part = min(max(mix.value(at: now), 0), 1)
        func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * part }
        return .init(
            red: between(before.red, look.tint.red), green: between(before.green, look.tint.green),
            blue: between(before.blue, look.tint.blue))
    }

    /// How long the flash of a photo lasts.
    static let flash = Duration.milliseconds(400)

    /// The flash adds white light: from a level of 0.9 to 0, ease-out, thinned as it spreads over a circle that
    /// grows from 1 to 1.4 times the ring.
    private func flashLight(at now: Timestamp) -> Double {
        guard let flashed, now - flashed < Self.flash else { return 0 }
        let progress = Curve.easeOut.progress((now - flashed).seconds / Self.flash.seconds)
        return light.light(0.9 * (1 - progress)) / (1 + 0.4 * progress)
    }
}
