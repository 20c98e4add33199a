// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import Glibc

private let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver") private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>, _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The package manager's name for main, which it defines as ours.
@_cdecl("shutterd_fuzz_main") public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    var (count, arguments) = (count, arguments)
    guard target != nil else {
        print("FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        return 64
    }
    return runDriver(&count, &arguments) { data, count in
        target?.run(Array(UnsafeBufferPointer(start: data, count: count)))
        return 0
    }
}
