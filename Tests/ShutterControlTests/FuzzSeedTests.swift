// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import Glibc
import LinuxIO
import ShutterCore
import Testing

/// Every input that the fuzzer has found worth keeping: see Tests/Fuzz/run.
@Suite(.serialized) struct FuzzSeedTests {
    private static let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Fuzz/seeds"

    @Test(arguments: FuzzTarget.allCases) func keepsItsPromises(_ target: FuzzTarget) throws {
        let names = try FileSystem.names(in: "\(Self.folder)/\(target.rawValue)")
        #expect(!names.isEmpty)
        for name in names {
            let bytes = try FileSystem.wholeFile("\(Self.folder)/\(target.rawValue)/\(name)")
            target.run(bytes)
            // And cut short at every place.
            for end in bytes.indices.prefix(256) { target.run(Array(bytes[..<end])) }
        }
    }
}
