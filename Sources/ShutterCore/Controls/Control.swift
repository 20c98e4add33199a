// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The name of a control, as in `[controls.NAME]` and `shutterctl set NAME VALUE`.
package struct ControlName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package static let zoom = ControlName(rawValue: "zoom")
    /// Exposure bias.
    package static let ev = ControlName(rawValue: "ev")
    package var description: String { rawValue }
}

/// Something about the picture that a knob changes.
package struct Control: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// - Parameter zero: the value that changes nothing; the ring marks it.
        case slider(ClosedRange<Double>, step: Double, zero: Double)
        /// The value is the position of the title that is chosen, from 0.
        case picker([String])
    }

    /// What a value does.
    package enum Target: Hashable, Sendable {
        /// How much smaller than the full view the part is that is shown; around a point, as parts of the view's width and height.
        case zoom(x: Double, y: Double)
        /// EV.
        case exposureBias
        /// A control of the camera, by libcamera's name.
        case camera(String)
        /// Nothing here: who listens to `watch` or is run by a hook does something about it.
        case told

        /// libcamera's name of it, which is also that of its entry in what a camera reports.
        package var cameraName: String? {
            switch self {
            case .zoom: "ScalerCrop"
            case .exposureBias: "ExposureValue"
            case .camera(let name): name
            case .told: nil
            }
        }
    }

    package var name: ControlName
    package var kind: Kind
    package var target: Target
    /// At the first start.
    package var initial: Double
    /// Whether the value outlasts a restart.
    package var isRemembered: Bool

    package init(_ name: ControlName, _ kind: Kind, _ target: Target, initial: Double, isRemembered: Bool = false) {
        self.name = name
        self.kind = kind
        self.target = target
        self.initial = initial
        self.isRemembered = isRemembered
    }

    /// All values that it may have.
    package var range: ClosedRange<Double> {
        switch kind {
        case let .slider(range, _, _): range
        case let .picker(titles): 0...Double(max(0, titles.count - 1))
        }
    }

    package var step: Double {
        switch kind {
        case let .slider(_, step, _): step
        case .picker: 1
        }
    }

    /// The nearest value that it can have within limits: whole steps from the zero, and the ends.
    package func nearest(to value: Double, within limits: ClosedRange<Double>) -> Double {
        let origin = if case let .slider(_, _, zero) = kind { zero } else { 0.0 }
        let wanted = min(max(value, limits.lowerBound), limits.upperBound)
        // An end is within reach even where no whole number of steps leads there.
        if wanted == limits.lowerBound || wanted == limits.upperBound { return wanted }
        let stepped = origin + ((wanted - origin) / step).rounded() * step
        // Steps such as 0.1 are no binary fractions, and nobody wants to read 1.2000000000000002.
        let shown = (stepped * 1e6).rounded() / 1e6
        return min(max(shown, limits.lowerBound), limits.upperBound)
    }

    /// What is wrong with it, as it stands alone.
    package var fault: String? {
        switch kind {
        case let .slider(range, step, zero):
            if range.lowerBound >= range.upperBound { return "has an empty range" }
            if !(step > 0) || step > range.upperBound - range.lowerBound { return "has a step that does not fit into its range" }
            if (range.upperBound - range.lowerBound) / step > 10_000 { return "has more than 10000 steps" }
            if !range.contains(zero) || !range.contains(initial) { return "has a default outside of its range" }
        case let .picker(titles):
            if !(2...24).contains(titles.count) { return "has \(titles.count) titles; allowed: 2…24" }
            if Set(titles).count < titles.count { return "has a title twice" }
            if titles.contains(where: \.isEmpty) { return "has an empty title" }
            if !range.contains(initial) || initial != initial.rounded() { return "has a default that is no title" }
        }
        return nil
    }
}

/// What controls are set to, in the camera's words.
package struct CameraControls: Equatable, Sendable {
    /// By how much the view is smaller than the full one, 1 = not at all, and around which point of it, 0…1.
    package var zoom = 1.0
    package var x = 0.5
    package var y = 0.5
    /// EV; nil = as it was configured.
    package var exposureBias: Double?
    /// By libcamera's names.
    package var others: [String: Double] = [:]

    package init() {}
}
