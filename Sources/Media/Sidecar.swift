// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import ShutterCore

/// A JSON file next to a photo or a clip.
protocol SidecarFile: Encodable {}

extension SidecarFile {
    /// Sorted keys: the same facts give the same bytes.
    func serialised() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            // A number that JSON does not know is all that could fail: a photo's are written as null, and a clip has none.
            fatalError("sidecar: \(error)")
        }
    }
}

/// The JSON next to a photo: all that the camera said, under libcamera's control names and with the values that
/// rpicam-apps writes, and ours in the object `shutter`.
struct Sidecar: SidecarFile {
    var metadata: FrameMetadata
    var shutter: Shutter

    struct Shutter: Encodable {
        /// Nanoseconds on CLOCK_MONOTONIC, as are the others.
        var press: Int64
        var exposureCentre: Int64
        /// Exposure centre − press, microseconds, signed.
        var lag: Int64
        /// Between the two frames that the press lies between, microseconds.
        var interval: Int64?
        var accepted: Int64
        var encoded: Int64
        /// When the JPEG was under its final name and would have survived a power cut.
        var synced: Int64
        var mode: String
        var trigger: String
        /// `ntp`, `rtc` or `none`.
        var clock: String
        /// `not-confirmed` or `not-converged`; nil: the exposure is as it should be.
        var exposure: String?
        /// What the camera delivered: `NV12`, and for YUV `rec709 limited`. The JPEG has been brought to what JPEG means.
        var format: String
        var colour: String?
        /// How the JPEG was made: nil without one.
        var prioritize: String?
        var quality: Int?
        var subsampling: String?

        enum CodingKeys: String, CodingKey {
            case press = "press_ns"
            case exposureCentre = "exposure_centre_ns"
            case lag = "lag_us"
            case interval = "interval_us"
            case accepted = "accepted_ns"
            case encoded = "encoded_ns"
            case synced = "synced_ns"
            case mode, trigger, clock, exposure, format, colour, prioritize, quality, subsampling
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in controls { try container.encode(JSONValue(value), forKey: Key(name)) }
        try container.encode(shutter, forKey: Key("shutter"))
    }

    /// What we know by name is as good as what the camera listed, and there even if it listed nothing.
    private var controls: [String: MetadataValue] {
        var controls = metadata.controls
        controls["SensorTimestamp"] = .integer(metadata.sensorTimestamp.nanoseconds)
        controls["ExposureTime"] = .integer(metadata.exposureTime.microseconds)
        let known: [(String, Double?)] = [
            ("AnalogueGain", metadata.analogueGain), ("DigitalGain", metadata.digitalGain),
            ("ColourTemperature", metadata.colourTemperature), ("ExposureValue", metadata.exposureValue),
        ]
        for (name, value) in known where controls[name] == nil { controls[name] = value.map(MetadataValue.number) }
        if controls["FrameWallClock"] == nil { controls["FrameWallClock"] = metadata.frameWallClock.map(MetadataValue.integer) }
        // rpicam-apps write rectangles as libcamera prints them.
        if let crop = controls["ScalerCrop"].flatMap(SensorArea.init) { controls["ScalerCrop"] = .text(crop.description) }
        if let crops = controls["ScalerCrops"].flatMap(SensorArea.all) {
            controls["ScalerCrops"] = .text("[ " + crops.map(\.description).joined(separator: ", ") + " ]")
        }
        // Ours alone has this name.
        controls["shutter"] = nil
        return controls
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct JSONValue: Encodable {
        let value: MetadataValue
        init(_ value: MetadataValue) { self.value = value }

        func encode(to encoder: any Encoder) throws {
            if case .list(let values) = value {
                var container = encoder.unkeyedContainer()
                for value in values { try container.encode(JSONValue(value)) }
                return
            }
            var container = encoder.singleValueContainer()
            switch value {
            case .boolean(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value) where value.isFinite: try container.encode(value)
            case .number, .list: try container.encodeNil()
            case .text(let value): try container.encode(value)
            }
        }
    }
}
