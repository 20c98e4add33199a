// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterControl
import ShutterCore
import Simulation
import Testing

/// A clip's file, read by FFmpeg's programs.
struct Clip {
    struct Packet {
        /// ns since the file's start.
        var pts: Int64
        var isKey: Bool
    }

    var path: String
    var width: Int
    var height: Int
    /// What the container says about the stream.
    var stream: JSONValue
    var packets: [Packet] = []
    /// What the squares of each decoded frame say, ns.
    var codes: [Int64] = []

    static let areProgramsThere = Shell.succeeds("ffmpeg -version && ffprobe -version")

    /// Decodes every frame. Throws when the file cannot be read to its end without a complaint.
    init(_ path: String, in scratch: Scratch) throws {
        self.path = path
        let probe = try Child(
            "ffprobe", ["-v", "warning", "-select_streams", "v", "-show_streams", "-show_entries", "packet=pts,flags", "-of", "json", path], in: scratch)
        let code = try probe.exit()
        guard code == 0, probe.errors.isEmpty else { throw Late("a sound \(path): \(code) \(probe.errors)") }
        let facts = try JSONValue(parsing: probe.outputText)
        stream = try #require(facts["streams"]?.array?.first)
        width = Int(try #require(stream["width"]?.int))
        height = Int(try #require(stream["height"]?.int))
        for packet in facts["packets"]?.array ?? [] {
            let ticks = try #require(packet["pts"]?.int)
            packets.append(Packet(pts: ticks * 100_000 / 9, isKey: packet["flags"]?.string?.hasPrefix("K") ?? false))
        }
        let side = TimeCode.side(width: width)
        let raw = scratch.fresh("gray")
        let decode = try Child(
            "ffmpeg", ["-v", "error", "-i", path, "-vf", "format=gray,crop=\(width):\(side):0:0", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray", raw], in: scratch)
        guard try decode.exit() == 0, decode.errors.isEmpty else { throw Late("a sound \(path): \(decode.errors)") }
        let bytes = try FileSystem.wholeFile(raw, atMost: 1 << 30)
        _ = try Shell.run("rm \(raw)")
        let size = width * side
        for frame in 0..<bytes.count / size {
            let luma = Array(bytes[frame * size..<(frame + 1) * size])
            codes.append(try #require(TimeCode.read(luma: luma, width: width, height: side, stride: width), "frame \(frame) of \(path)").nanoseconds)
        }
    }

    /// The sidecar's object `shutter`.
    func sidecar() throws -> JSONValue {
        let text = String(decoding: try FileSystem.wholeFile(String(path.dropLast(3)) + "JSON"), as: UTF8.self)
        return try #require(try JSONValue(parsing: text)["shutter"])
    }

    /// The pictures are those of their timestamps, in order, each once, and key frames come at every second.
    func check(keysEvery seconds: Double? = 1, interval: Int64 = 33_333_333) {
        #expect(codes.count == packets.count, "\(path)")
        #expect(packets.first?.pts == 0 && packets.first?.isKey == true)
        for (code, packet) in zip(codes, packets) { #expect(abs((code - codes[0]) - packet.pts) <= 12_000, "\(path)") }
        for (one, next) in zip(codes, codes.dropFirst()) { #expect(one < next, "\(path)") }
        guard let seconds else { return }
        let keys = packets.filter(\.isKey).map(\.pts)
        for (index, key) in keys.enumerated() { #expect(abs(key - Int64(Double(index) * seconds * 1e9)) <= interval, "\(path): \(keys)") }
        #expect(keys.count == Int(Double(packets.last?.pts ?? 0) / 1e9 / seconds + 0.01) + 1, "\(path)")
    }

    /// Frames that are missing between one and the next.
    func missing(interval: Int64 = 33_333_333) -> Int { Self.missing(codes, interval: interval) }

    static func missing(_ codes: [Int64], interval: Int64 = 33_333_333) -> Int {
        zip(codes, codes.dropFirst()).reduce(0) { $0 + Int(($1.1 - $1.0 + interval / 2) / interval) - 1 }
    }

    /// All clips below a root, in the order of their numbers.
    static func all(in root: String, _ scratch: Scratch) throws -> [Clip] {
        try MediaFiles.names(in: root).filter { $0.hasSuffix(".MP4") }.map { try Clip($0, in: scratch) }
    }
}
