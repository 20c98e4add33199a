// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A part of the sensor, in its pixels: libcamera's Rectangle, as in its control ScalerCrop.
package struct SensorArea: Equatable, Sendable, CustomStringConvertible {
    package var x, y, width, height: Int64

    /// nil: it is not four integers.
    package init?(_ value: MetadataValue) {
        guard case .list(let parts) = value else { return nil }
        let numbers = parts.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        guard parts.count == 4, numbers.count == 4 else { return nil }
        (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
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
}
