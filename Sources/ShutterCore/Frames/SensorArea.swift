// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A part of the sensor, in its pixels: libcamera's Rectangle, as in its control ScalerCrop.
package struct SensorArea: Equatable, Sendable, CustomStringConvertible {
    package var x, y, width, height: Int64

    /// nil: it is not four integers.
    package init?(_ value: MetadataValue) {
        guard let areas = Self.all(in: value), areas.count == 1 else { return nil }
        self = areas[0]
    }

    private init(_ numbers: ArraySlice<Int64>) {
        let first = numbers.startIndex
        (x, y, width, height) = (numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3])
    }

    /// Those of a control that has one or more, as ScalerCrops has; nil: it is not four integers for each.
    package static func all(in value: MetadataValue) -> [SensorArea]? {
        guard case .list(let parts) = value else { return nil }
        let numbers = parts.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        guard numbers.count == parts.count, !numbers.isEmpty, numbers.count % 4 == 0 else { return nil }
        return stride(from: 0, to: numbers.count, by: 4).map { SensorArea(numbers[$0..<$0 + 4]) }
    }

    package var value: MetadataValue { .list([x, y, width, height].map { .integer($0) }) }

    /// As libcamera prints it, and rpicam-apps write it.
    package var description: String { "(\(x), \(y))/\(width)x\(height)" }

    /// The largest part of it with the shape of a picture, in its middle; even, as sensors have it.
    package func middle(ofShape pictureWidth: Int, _ pictureHeight: Int) -> SensorArea {
        var part = self
        part.width = min(width, height * Int64(pictureWidth) / Int64(pictureHeight)) / 2 * 2
        part.height = min(height, width * Int64(pictureHeight) / Int64(pictureWidth)) / 2 * 2
        part.x += (width - part.width) / 4 * 2
        part.y += (height - part.height) / 4 * 2
        return part
    }

    package init(x: Int64 = 0, y: Int64 = 0, width: Int64, height: Int64) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The part of it that a digital zoom shows: of the same shape, around a point (0…1) as far as it lies within; even.
    package func zoomed(_ zoom: Double, x atX: Double, y atY: Double) -> SensorArea {
        guard zoom > 1 else { return self }
        var part = self
        part.width = max(2, Int64(Double(width) / zoom) / 2 * 2)
        part.height = max(2, Int64(Double(height) / zoom) / 2 * 2)
        func start(_ length: Int64, _ part: Int64, _ at: Double) -> Int64 {
            let wanted = Int64((Double(length) * min(max(at, 0), 1) - Double(part) / 2).rounded()) / 2 * 2
            return min(max(wanted, 0), length - part)
        }
        part.x += start(width, part.width, atX)
        part.y += start(height, part.height, atY)
        return part
    }
}
