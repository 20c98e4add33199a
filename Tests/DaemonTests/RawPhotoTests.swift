// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Simulation
import Testing

/// Raw photos of the synthetic sensor, developed by somebody else: LibRaw's dcraw_emu.
@Suite(.enabled(if: Programs.areThere)) struct RawPhotoTests {
    private struct Developed {
        var width: Int
        var height: Int
        /// 0…1, linear, three to a pixel.
        var parts: [Double]

        /// A PPM of 16 bits.
        init(_ bytes: [UInt8]) throws {
            let head = String(decoding: bytes.prefix(64), as: UTF8.self).split(separator: "\n").prefix(3)
            let size = head[1].split(separator: " ").compactMap { Int($0) }
            (width, height) = (try #require(size.first), try #require(size.last))
            let samples = bytes.suffix(width * height * 6)
            parts = stride(from: samples.startIndex, to: samples.endIndex, by: 2).map { Double(Int(samples[$0]) << 8 | Int(samples[$0 + 1])) / 65535 }
        }
    }

    @Test func aRawDeveloperFindsTheColoursAgain() throws {
        let daemon = try TestDaemon.ready(TestDaemon.quick.replacing("[photo]", with: "[photo]\nformats = [\"jpeg\", \"dng\"]"))
        try daemon.armed()
        let answer = try daemon.ask("tap")
        let paths = try #require(answer["paths"]?.array).compactMap(\.string)
        #expect(paths.map { String($0.suffix(4)) } == [".JPG", ".DNG", "JSON"])
        let path = try #require(paths.dropFirst().first)
        #expect(Shell.succeeds("exiftool -validate \(path) | grep -q ': OK'"), "exiftool is in libimage-exiftool-perl")
        // The camera's white balance, no brightening, sRGB's primaries, linear, 16 bits, as the sensor stands.
        try #require(Shell.succeeds("cd \(daemon.scratch.path) && dcraw_emu -w -W -o 1 -g 1 1 -4 -t 0 \(path)"), "dcraw_emu is in libraw-bin")
        let picture = try Developed(try FileSystem.wholeFile(path + ".ppm", atMost: 1 << 24))
        #expect(picture.width == 640 && picture.height == 360)
        for (index, stripe) in BayerScene.stripes.enumerated() {
            let x = (2 * index + 1) * picture.width / BayerScene.stripes.count / 2
            let at = (picture.height / 2 * picture.width + x) * 3
            for (part, wanted) in [stripe.red, stripe.green, stripe.blue].enumerated() {
                #expect(abs(picture.parts[at + part] - wanted) < 0.01, "stripe \(index): \(picture.parts[at..<at + 3])")
            }
        }
        // The same exposure as the JPEG's: the squares along the top.
        let side = picture.width / 64
        let code = (0..<64).reduce(UInt64(0)) { code, bit in
            let at = (side / 2 * picture.width + bit * side + side / 2) * 3
            return code << 1 | (picture.parts[at + 1] > 0.5 ? 1 : 0)
        }
        let photo = try Photo(try #require(paths.first))
        #expect(Int64(bitPattern: code) == photo.exposureCentre)
        #expect(try daemon.stop() == 0)
    }

    @Test func aCameraWithoutRawTakesJPEGs() throws {
        let settings = CameraFaultTests.settings("rate=30").replacing("[photo]", with: "[photo]\nformats = [\"dng\"]")
        let daemon = try TestDaemon.ready(settings)
        try daemon.armed()
        #expect(try daemon.ask("tap")["path"]?.string?.hasSuffix(".JPG") == true)
        #expect(daemon.child.errors.contains("no DNG"))
    }

    @Test func thePluginsRawStreamIsWritten() throws {
        let settings = CameraFaultTests.settings("raw").replacing("[photo]", with: "[photo]\nformats = [\"jpeg\", \"dng\"]")
        let daemon = try TestDaemon.ready(settings)
        try daemon.armed()
        for _ in 0..<8 { #expect(try daemon.ask("tap")["paths"]?.array?.count == 3) }
        #expect(Shell.succeeds("exiftool -validate \(daemon.media)/DCIM/100SHUTR/*.DNG | grep -c ': OK' | grep -qx 8"))
        #expect(try daemon.stop() == 0)
    }
}
