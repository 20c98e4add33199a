// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CCameraPlugin
import ShutterCore

extension MetadataValue {
    /// A value of the plugin, or nil for a type that is not known here.
    init?(_ value: shutter_value) {
        guard let data = value.data else { return nil }
        let count = Int(value.count)
        func list<Element>(_ type: Element.Type, _ make: (Element) -> MetadataValue) -> MetadataValue {
            let values = UnsafeBufferPointer(start: data.assumingMemoryBound(to: type), count: count).map(make)
            return values.count == 1 ? values[0] : .list(values)
        }
        switch value.type {
        case SHUTTER_VALUE_BOOLEAN.rawValue: self = list(UInt8.self) { .boolean($0 != 0) }
        case SHUTTER_VALUE_INTEGER.rawValue: self = list(Int64.self) { .integer($0) }
        case SHUTTER_VALUE_NUMBER.rawValue: self = list(Double.self) { .number($0) }
        case SHUTTER_VALUE_TEXT.rawValue: self = .text(String(cString: data.assumingMemoryBound(to: CChar.self)))
        default: return nil
        }
    }

    var integer: Int64? { if case let .integer(value) = self { value } else { nil } }
    var number: Double? {
        switch self {
        case let .number(value): value
        case let .integer(value): Double(value)
        default: nil
        }
    }
}

extension FrameMetadata {
    /// What libcamera reported of a frame, by its own control names.
    init(_ frame: shutter_camera_frame) {
        var controls: [String: MetadataValue] = [:]
        for value in UnsafeBufferPointer(start: frame.metadata, count: frame.metadata_count) {
            if let name = value.name, let converted = MetadataValue(value) { controls[String(cString: name)] = converted }
        }
        self.init(
            sequence: frame.sequence, sensorTimestamp: Timestamp(nanoseconds: frame.sensor_timestamp),
            // libcamera counts it in microseconds; a camera that does not tell has exposed in no time.
            exposureTime: .microseconds(controls["ExposureTime"]?.integer ?? 0),
            analogueGain: controls["AnalogueGain"]?.number, digitalGain: controls["DigitalGain"]?.number,
            colourTemperature: controls["ColourTemperature"]?.number, exposureValue: controls["ExposureValue"]?.number,
            frameWallClock: controls["FrameWallClock"]?.integer, controls: controls)
    }
}

extension FrameLayout {
    /// The validated layout of a stream. Throws `format` for a picture that we cannot encode.
    init(_ stream: shutter_camera_stream) throws(Fault) {
        let name = withUnsafeBytes(of: stream.format) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard let format = PixelFormat(rawValue: name) else {
            throw Fault("format", "the camera delivers \(name), which cannot be encoded; set another [photo] size or camera")
        }
        let planes = withUnsafeBytes(of: stream.planes) { bytes in
            bytes.bindMemory(to: shutter_camera_plane.self).prefix(format.planeCount).map { PlaneLayout(offset: Int($0.offset), stride: Int($0.stride)) }
        }
        self.init(
            format: format, width: Int(stream.width), height: Int(stream.height), planes: planes,
            range: stream.is_full_range != 0 ? .full : .limited)
        guard isConsistent, byteCount <= Int(stream.frame_size) else {
            throw Fault("format", "the camera's layout of \(name) does not fit its buffers (\(byteCount) of \(stream.frame_size) bytes)")
        }
    }
}
