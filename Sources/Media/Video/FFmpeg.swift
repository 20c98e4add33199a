// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CVideoPlugin
import LinuxIO
import ShutterCore

/// FFmpeg, behind the video plugin. Loaded when it is first needed, and then for good; photos need none of it. What could not be loaded is tried again:
/// memory or descriptors may only have been short.
final class FFmpeg: @unchecked Sendable {
    typealias Table = shutter_video_plugin

    static let symbol = SHUTTER_VIDEO_PLUGIN_SYMBOL

    let call: Table

    private static let loaded = Locked<FFmpeg?>(nil)

    /// Takes its time, at the first call. Throws `no-video-plugin` when it cannot be loaded, with what the loader says.
    static func load() throws(Fault) -> FFmpeg {
        let result = loaded.withLock { loaded in
            Result<FFmpeg, Fault> { () throws(Fault) in
                let ffmpeg = if let loaded { loaded } else { try FFmpeg(paths: SharedLibrary.places(of: .video)) }
                loaded = ffmpeg
                return ffmpeg
            }
        }
        return try result.get()
    }

    init(paths: [String]) throws(Fault) {
        do throws(SharedLibrary.Failure) {
            call = try SharedLibrary.load(Table.self, paths: paths, symbol: Self.symbol, version: SHUTTER_VIDEO_PLUGIN_VERSION)
        } catch {
            let why = switch error {
            case let .absent(paths): "it is not installed (looked for \(paths.joined(separator: ", ")))"
            case let .unusable(why): why
            }
            throw Fault("no-video-plugin", "FFmpeg's plugin cannot be loaded: \(why); install shutterd and the libraries it depends on again")
        }
    }

    /// FFmpeg's words for what did not work.
    func fault(_ what: String, _ code: Int32, reason: String = "encode") -> Fault {
        var text = [CChar](repeating: 0, count: 400)
        call.describe(code, &text, text.count)
        return Fault(reason, "\(what): \(String(chars: text))")
    }
}
