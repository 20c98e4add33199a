// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// What the camera says about one frame. Metadata is trusted, not requests.
package struct FrameMetadata: Equatable, Sendable {
    /// The driver's count of frames; a jump is a dropped frame.
    package var sequence: UInt64
    /// libcamera's SensorTimestamp: when the exposure of the first row ended.
    package var sensorTimestamp: Timestamp
    package var exposureTime: Duration
    /// ISO / 100.
    package var analogueGain: Double?
    package var digitalGain: Double?
    /// Kelvin.
    package var colourTemperature: Double?
    /// EV.
    package var exposureValue: Double?
    /// Wall-clock time of the exposure's centre, nanoseconds since 1970, where the camera knows better than us.
    package var frameWallClock: Int64?
    /// How much of the full view is left out by digital zoom: 1 = none.
    package var digitalZoom: Double?
    /// The time between the centres of the two frames that the wanted instant lies between, of which this is one.
    package var interval: Duration?
    /// Why the exposure may not be what it should be; nil = it is.
    package var doubt: ExposureDoubt?
    /// It was exposed for as long as it was told to.
    package var isHeld = false
    /// All that libcamera reported, by libcamera's control names, as JSON-ready values for the sidecar.
    package var controls: [String: MetadataValue]

    package init(
        sequence: UInt64, sensorTimestamp: Timestamp, exposureTime: Duration, analogueGain: Double? = nil,
        digitalGain: Double? = nil, colourTemperature: Double? = nil, exposureValue: Double? = nil,
        frameWallClock: Int64? = nil, digitalZoom: Double? = nil, interval: Duration? = nil, doubt: ExposureDoubt? = nil, controls: [String: MetadataValue] = [:]
    ) {
        self.sequence = sequence
        self.sensorTimestamp = sensorTimestamp
        self.exposureTime = exposureTime
        self.analogueGain = analogueGain
        self.digitalGain = digitalGain
        self.colourTemperature = colourTemperature
        self.exposureValue = exposureValue
        self.frameWallClock = frameWallClock
        self.digitalZoom = digitalZoom
        self.interval = interval
        self.doubt = doubt
        self.controls = controls
    }

    /// The middle of the exposure: what the frame shows.
    package var exposureCentre: Timestamp { sensorTimestamp - exposureTime / 2 }
}

/// A value of a libcamera control, in libcamera's units. Arrays are lists, and so are rectangles (x, y, width, height), sizes and points.
package enum MetadataValue: Equatable, Sendable {
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([MetadataValue])
}

/// A completed frame, lent by a camera: its bytes stay as they are until the last reference goes, and only
/// then does the camera get its buffer back. So it is given back exactly once on every path.
package final class Frame: @unchecked Sendable {
    package let layout: FrameLayout
    package let metadata: FrameMetadata
    /// The sensor's or camera's name; empty = not known.
    package let camera: String
    /// The same exposure as the sensor saw it, where the camera has that.
    package let raw: RawPicture?
    private let bytes: UnsafeRawBufferPointer
    private let giveBack: @Sendable () -> Void

    /// - Parameters:
    ///   - bytes: at least `layout.byteCount` bytes, unchanged until `giveBack` is called.
    ///   - giveBack: called once, on whichever thread drops the last reference.
    package init(
        layout: FrameLayout, metadata: FrameMetadata, bytes: UnsafeRawBufferPointer, raw: RawPicture? = nil, camera: String = "",
        giveBack: @escaping @Sendable () -> Void
    ) {
        precondition(layout.isConsistent && bytes.count >= layout.byteCount, "a frame's layout must fit its bytes")
        self.layout = layout
        self.metadata = metadata
        self.camera = camera
        self.bytes = bytes
        self.raw = raw
        self.giveBack = giveBack
    }

    deinit { giveBack() }

    package var exposureCentre: Timestamp { metadata.exposureCentre }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(bytes) }
    }
}
