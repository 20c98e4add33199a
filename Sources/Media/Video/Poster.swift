// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore

/// The small picture of a clip: its first frame.
enum Poster {
    /// A JPEG that fits in the box. Throws `no-thumbnail` when the first frame cannot be decoded. first_picture().
    static func jpeg(of path: String, box: PhotoSettings.Size) throws(Fault) -> [UInt8] {
        let ffmpeg = try FFmpeg.load()
        var pixels: UnsafeMutablePointer<UInt8>?
        var (width, height): (Int32, Int32) = (0, 0)
        let code = ffmpeg.call.first_picture(path, Int32(box.width), Int32(box.height), &pixels, &width, &height)
        guard code >= 0, let memory = pixels.map({ UnsafeMutableRawPointer($0) }) else {
            throw ffmpeg.fault("\(path) has no picture", code, reason: "no-thumbnail")
        }
        let layout = FrameLayout.packed(.yuv420, width: Int(width), height: Int(height))
        let zero = Timestamp(nanoseconds: 0)
        let frame = Frame(
            layout: layout, metadata: FrameMetadata(sequence: 0, sensorTimestamp: zero, exposureTime: .zero),
            bytes: UnsafeRawBufferPointer(start: memory, count: layout.byteCount), giveBack: { [address = UInt(bitPattern: memory)] in free(UnsafeMutableRawPointer(bitPattern: address)) })
        let encoder = try JPEGEncoder()
        try encoder.encode(frame, quality: 85)
        return encoder.jpeg
    }
}
