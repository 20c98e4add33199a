// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The layout is the architecture: what each folder of `Sources` may import, and nothing else.
@Suite struct ImportTests {
    /// Adapters stand on LinuxIO and never on each other; each C library has one module that uses it.
    static let allowed: [String: Set<String>] = [
        "ShutterCore": [],
        "ShutterConfig": ["ShutterCore", "CToml", "Glibc"],
        "ShutterControl": ["ShutterCore", "CLinux", "Glibc", "FoundationEssentials"],
        "LinuxIO": ["ShutterCore", "CLinux", "Glibc"],
        "Camera": ["ShutterCore", "LinuxIO", "CCameraPlugin", "Glibc"],
        "Evdev": ["ShutterCore", "LinuxIO", "CLinux", "Glibc"],
        "GPIO": ["ShutterCore", "LinuxIO", "CGpiod", "Glibc"],
        "LEDRing": ["ShutterCore", "LinuxIO", "Glibc"],
        "Media": ["ShutterCore", "LinuxIO", "Glibc", "CLinux", "CTurboJPEG", "CExif", "CVideoPlugin", "CTiff", "FoundationEssentials"],
        "Simulation": ["ShutterCore", "LinuxIO", "Glibc"],
        "Sound": ["ShutterCore", "CAlsa", "Glibc"],
        "ShutterDaemon": [
            "ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "CLinux", "CSystemd", "Glibc", "FoundationEssentials",
        ],
        "shutterd": ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "Camera", "Evdev", "GPIO", "LEDRing", "Media", "Simulation", "Sound", "ShutterDaemon", "Glibc"],
        "shutterctl": ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "GPIO", "LEDRing", "Glibc", "FoundationEssentials"],
        "shutterd-bench": [
            "ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "Camera", "Media", "Simulation", "CTurboJPEG", "Glibc", "FoundationEssentials",
        ],
    ]

    static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    /// Modules of C and C++ apart.
    @Test func everyFolderIsInTheTable() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter { $0.firstMatch(of: #/^C[A-Z]|^(Camera|Video)Plugin$/#) == nil }
        #expect(Set(folders) == Set(Self.allowed.keys))
    }

    @Test(arguments: allowed.keys.sorted()) func importsOnlyWhatItMay(folder: String) throws {
        let allowed = try #require(Self.allowed[folder])
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.appending(path: folder).path).filter { $0.hasSuffix(".swift") }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: Self.sources.appending(path: folder).appending(path: file), encoding: .utf8)
            let lines = text.split(separator: "\n")
            for line in lines where line.contains(#/^(@\w+(\(.*\))? )*((package|public|internal|private) )?import /#) {
                let module = line.split(separator: " ").last.map(String.init) ?? ""
                #expect(allowed.contains(module), "\(folder)/\(file) imports \(module)")
            }
            #expect(text.hasPrefix("// SPDX-FileCopyrightText:") || file == "Package.swift", "\(folder)/\(file) has no licence line")
        }
    }

    /// Only one file reads the clock.
    @Test func onlyOneFileReadsTheClock() throws {
        for file in try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
            if text.contains("clock_gettime") { #expect(file == "LinuxIO/Clock.swift") }
            #expect(!text.contains("ContinuousClock") || file == "ShutterCore/Timestamp.swift", "\(file)")
        }
    }

    /// C's char, which Swift may import as Int8 or as UInt8, is signed on a PC and unsigned on a Pi: `UInt8(truncatingIfNeeded:)` takes
    /// both, `UInt8(bitPattern:)` the first alone.
    @Test(arguments: ["Sources", "Tests"]) func charsMayBeUnsigned(folder: String) throws {
        let folder = Self.sources.deletingLastPathComponent().appending(path: folder)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        #expect(!files.isEmpty)
        for file in files where !file.hasSuffix("ImportTests.swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            #expect(!text.contains(#/UInt8(\.init)?\(bitPattern|CChar\(bitPattern/#), "\(file)")
        }
    }
}
