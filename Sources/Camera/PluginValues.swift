// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CCameraPlugin
import Glibc
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
    /// A number, or a flag as 0 or 1.
    var scalar: Double? { if case let .boolean(flag) = self { flag ? 1 : 0 } else { number } }
    var number: Double? {
        switch self {
        case let .number(value): value
        case let .integer(value): Double(value)
        default: nil
        }
    }
}

extension [String: MetadataValue] {
    /// The values as the plugin takes them, in the order of their names. Of lists those of integers (rectangles and sizes
    /// are such); texts have no place in there yet.
    func withValues<Result>(_ body: (UnsafePointer<shutter_value>?, Int) -> Result) -> Result {
        // 8 bytes for each element, and the value's name.
        let elements = self.values.reduce(0) { if case let .list(all) = $1 { $0 + all.count } else { $0 + 1 } }
        let storage = UnsafeMutableRawPointer.allocate(byteCount: Swift.max(1, elements) * 8, alignment: 8)
        defer { storage.deallocate() }
        var names: [UnsafeMutablePointer<CChar>?] = []
        defer { names.forEach { free($0) } }
        var values: [shutter_value] = []
        var place = storage
        for (name, value) in sorted(by: { $0.key < $1.key }) {
            var count = 1
            let type: shutter_value_type
            switch value {
            case .boolean(let flag):
                place.storeBytes(of: flag ? 1 : 0, as: UInt8.self)
                type = SHUTTER_VALUE_BOOLEAN
            case .integer(let number):
                place.storeBytes(of: number, as: Int64.self)
                type = SHUTTER_VALUE_INTEGER
            case .number(let number):
                place.storeBytes(of: number, as: Double.self)
                type = SHUTTER_VALUE_NUMBER
            case .list(let all):
                let integers = all.compactMap(\.integer)
                guard !integers.isEmpty, integers.count == all.count else { continue }
                count = integers.count
                for (index, number) in integers.enumerated() { place.storeBytes(of: number, toByteOffset: index * 8, as: Int64.self) }
                type = SHUTTER_VALUE_INTEGER
            case .text: continue
            }
            names.append(strdup(name))
            values.append(shutter_value(name: names.last!, type: type.rawValue, count: UInt32(count), data: place))
            place += count * 8
        }
        return values.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
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

extension RawLayout {
    static func name(of stream: shutter_camera_stream) -> String {
        withUnsafeBytes(of: stream.format) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Nil for what is no Bayer picture, or one that is compressed.
    init?(_ stream: shutter_camera_stream) {
        guard stream.buffer_count > 0, stream.is_raw != 0, stream.planes.0.offset == 0 else { return nil }
        self.init(format: Self.name(of: stream), width: Int(stream.width), height: Int(stream.height), stride: Int(stream.planes.0.stride))
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
            range: stream.is_full_range != 0 ? .full : .limited, matrix: stream.is_rec709 != 0 ? .rec709 : .rec601,
            orientation: (1...8).contains(stream.orientation) ? stream.orientation : 1)
        guard isConsistent, byteCount <= Int(stream.frame_size) else {
            throw Fault("format", "the camera's layout of \(name) does not fit its buffers (\(byteCount) of \(stream.frame_size) bytes)")
        }
    }
}
