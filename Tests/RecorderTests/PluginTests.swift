// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CVideoPlugin
import LinuxIO
@testable import Media
import ShutterCore
import Testing
import TestSupport

/// FFmpeg's plugin: what is no plugin, or none of ours, is passed over, and said when there is no other.
@Suite("Video plugin") struct PluginTests {
    private static let folder = FileSystem.folder(of: Environment.executable)
    private static let real = folder + "/libshutter-video.so"

    private func complaint(_ paths: [String]) -> String {
        do throws(Fault) {
            _ = try FFmpeg(paths: paths)
            return ""
        } catch {
            #expect(error.reason == "no-video-plugin" && error.message.hasSuffix("; install shutterd and the libraries it depends on again"))
            return error.message
        }
    }

    @Test func whatIsNoneIsPassedOver() throws {
        let folder = TemporaryFolder()
        let text = folder.path + "/libshutter-video.so"
        try AtomicFile.replace(text, with: Array("no library".utf8))
        let camera = Self.folder + "/libshutter-camera-fake.so"
        #expect(complaint(["/nowhere/libshutter-video.so"]).contains("not installed (looked for /nowhere/libshutter-video.so)"))
        #expect(complaint([text]).contains("\(text): file too short"))
        #expect(complaint([camera]).contains("\(camera) is no such plugin (it has no shutter_video_plugin)"))
        #expect(complaint(["/nowhere/a.so", text, camera, Self.real]).isEmpty)
    }

    @Test func anotherVersionIsRefused() {
        do throws(SharedLibrary.Failure) {
            _ = try SharedLibrary.load(FFmpeg.Table.self, paths: [Self.real], symbol: FFmpeg.symbol, version: 7)
            Issue.record("it was taken")
        } catch {
            #expect(error == .unusable("\(Self.real) speaks version \(SHUTTER_VIDEO_PLUGIN_VERSION) of the plugin interface, and shutterd 7"))
        }
    }
}
