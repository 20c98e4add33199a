// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// Which encoder makes the clips.
///
/// The rule, judged once at the start and in a process of its own (it takes FFmpeg), by opening each with the size and rate that are wanted: `auto` takes the first of
/// hardware (V4L2 mem2mem, when the board's profile says so), x264 and MJPEG that opens; the other words take theirs or none.
package enum EncoderChoice {
    /// - Returns: FFmpeg's name. Throws `no-encoder` with what each one said.
    package static func choose(_ settings: ClipSettings, hardware: Bool) throws(Fault) -> String {
        _ = try FFmpeg.load()
        var said: [String] = []
        for name in candidates(settings.encoder, hardware: hardware) {
            do throws(Fault) {
                _ = try FFmpegEncoder(settings.format(name, .packed(.yuv420, width: settings.width, height: settings.height)), start: Timestamp(nanoseconds: 0), threads: threads)
                return name
            } catch {
                said.append(error.message)
            }
        }
        throw Fault(
            "no-encoder",
            "no encoder for [video] size \(settings.width)x\(settings.height), encoder \"\(settings.encoder.rawValue)\": \(said.joined(separator: "; ")); "
                + "set a smaller size, or encoder = \"auto\"")
    }

    private static func candidates(_ wanted: ClipSettings.Encoder, hardware: Bool) -> [String] {
        switch wanted {
        case .auto: (hardware ? ["h264_v4l2m2m"] : []) + ["libx264", "mjpeg"]
        case .hardware: ["h264_v4l2m2m"]
        case .software: ["libx264"]
        case .mjpeg: ["mjpeg"]
        }
    }

    static var threads: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

extension ClipSettings {
    /// Of frames of this layout.
    func format(_ encoder: String, _ layout: FrameLayout) -> VideoFormat {
        VideoFormat(encoder: encoder, width: width, height: height, rate: rate, bitrate: bitrate, range: layout.range, matrix: layout.matrix, orientation: layout.orientation)
    }
}
