// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Field case G04: a tree that mixes libgpiod 1.x and 2.x does not build, and says why.
@Suite struct MixedLibraryTests {
    /// Compiles both files of CGpiod as Package.swift has them compiled; what the compiler says, empty when all is well.
    static func compile(_ definitions: [String]) throws -> String {
        let compiler = Process()
        let output = Pipe()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.currentDirectoryURL = ImportTests.sources.appending(path: "CGpiod")
        compiler.arguments = ["cc", "-fsyntax-only", "-Iinclude"] + definitions.map { "-D\($0)" } + ["gpiod1.c", "gpiod2.c"]
        compiler.standardError = output
        try compiler.run()
        let words = try output.fileHandleForReading.readToEnd() ?? Data()
        compiler.waitUntilExit()
        return String(decoding: words, as: UTF8.self)
    }

    @Test func aMixIsRefusedWithBothVersions() throws {
        let versions = [(major: 1, version: "1.6.3"), (major: 2, version: "2.2.1")]
        let outcomes = try versions.map { major, version in
            try Self.compile(["CGPIOD_PKGCONFIG_VERSION=\(version)", "CGPIOD_PKGCONFIG_MAJOR=\(major)", "CGPIOD_LIBRARY_MAJOR=\(major)"])
        }
        let fitting = try #require(outcomes.firstIndex(of: ""), "\(outcomes)")
        let other = versions[1 - fitting].version
        let words = outcomes[1 - fitting]
        #expect(words.contains("libgpiod is mixed: pkg-config has version \(other), but gpiod.h is that of \(fitting + 1).x"), "\(words)")
        // Nothing else is to be read through.
        #expect(words.split(separator: "\n").count { $0.contains("error") } == 2, "\(words)")
    }

    @Test func aLibraryOfAnotherVersionIsRefused() throws {
        let outcomes = try [1, 2].map { try Self.compile(["CGPIOD_LIBRARY_MAJOR=\($0)"]) }
        let fitting = try #require(outcomes.firstIndex(of: ""), "\(outcomes)")
        let words = outcomes[1 - fitting]
        #expect(words.contains("libgpiod.so is that of version 1.x") == (fitting == 1), "\(words)")
        #expect(words.contains("but gpiod.h is that of \(fitting + 1).x"), "\(words)")
    }

    @Test func withoutPkgConfigTheHeaderDecides() throws {
        #expect(try Self.compile([]) == "")
    }
}
