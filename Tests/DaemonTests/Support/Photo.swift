// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import LinuxIO
import ShutterControl
import ShutterCore
import Simulation
import Testing

/// A saved photo, read by means of our own.
struct Photo {
    var path: String
    /// What its squares say.
    var timeCode: Int64
    var press: Int64
    var exposureCentre: Int64
    var exposure: Int64
    var lag: Int64
    /// Why the exposure may not be what it should be.
    var doubt: String?

    /// Decodes the JPEG and parses the sidecar; throws when either is damaged.
    init(_ path: String) throws {
        self.path = path
        timeCode = try #require(JPEG.timeCode(try FileSystem.wholeFile(path)), "\(path) is damaged").nanoseconds
        let sidecar = try FileSystem.wholeFile(String(path.dropLast(3)) + "JSON")
        let fields = try JSONValue(parsing: String(decoding: sidecar, as: UTF8.self))
        let shutter = try #require(fields["shutter"])
        press = try #require(shutter["press_ns"]?.int)
        exposureCentre = try #require(shutter["exposure_centre_ns"]?.int)
        lag = try #require(shutter["lag_us"]?.int)
        doubt = shutter["exposure"]?.string
        exposure = try #require(fields["ExposureTime"]?.int) * 1000
    }

    /// All photos below a root, in the order of their numbers.
    static func all(in root: String) throws -> [Photo] {
        try MediaFiles.names(in: root).filter { $0.hasSuffix(".JPG") }.map { try Photo($0) }
    }
}

enum JPEG {
    /// The picture's time code; nil when it cannot be decoded to the last row. tjDecompress2().
    static func timeCode(_ bytes: [UInt8]) -> Timestamp? {
        guard let picture = decode(bytes) else { return nil }
        return picture.rgb.withUnsafeBytes { TimeCode.read($0, FrameLayout.packed(.bgr888, width: picture.width, height: picture.height, alignment: 1)) }
    }

    static func decode(_ bytes: [UInt8]) -> (width: Int, height: Int, rgb: [UInt8])? {
        guard bytes.suffix(2) == [0xFF, 0xD9], let handle = tjInitDecompress() else { return nil }
        defer { tjDestroy(handle) }
        var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &space) == 0 else { return nil }
        var rgb = [UInt8](repeating: 0, count: Int(width * height) * 3)
        let result = tjDecompress2(handle, bytes, UInt(bytes.count), &rgb, width, 0, height, Int32(TJPF_RGB.rawValue), TJFLAG_STOPONWARNING)
        return result == 0 ? (Int(width), Int(height), rgb) : nil
    }
}

enum MediaFiles {
    /// All files below `ROOT/DCIM`, hidden ones too, sorted.
    static func names(in root: String) throws -> [String] {
        var paths: [String] = []
        guard try FileSystem.file(root + "/DCIM") != nil else { return [] }
        for folder in try FileSystem.names(in: root + "/DCIM") {
            for name in try FileSystem.names(in: root + "/DCIM/" + folder) { paths.append("\(root)/DCIM/\(folder)/\(name)") }
        }
        return paths.sorted()
    }
}
