// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import TestSupport
import Testing

@testable import Media

/// A folder that is gone after the test.
final class Scratch: Sendable {
    private let folder = TemporaryFolder()
    var path: String { folder.path }
    var root: String { path + "/media" }
    var state: String { path + "/state" }

    func store(reserve: UInt64 = 0, _ operations: FileOperations = .system) -> MediaStore {
        MediaStore(StorageSettings(root: root, state: state, reserve: reserve), operations: operations)
    }

    /// Names under `DCIM/100SHUTR`, hidden ones too.
    func names(in folder: String = "DCIM/100SHUTR") -> [String] {
        ((try? FileSystem.names(in: root + "/" + folder)) ?? []).sorted()
    }

    func put(_ bytes: [UInt8], at name: String) throws {
        let target = root + "/" + name
        try AtomicFile.makeFolders(FileSystem.folder(of: target))
        try AtomicFile.replace(target, with: bytes)
    }

    func read(_ name: String) throws -> [UInt8] { try FileSystem.wholeFile(root + "/" + name, atMost: 1 << 28) }
}

/// A program's output; nil when it did not end with 0.
func run(_ program: String, _ arguments: String...) throws -> String? {
    var pipes: [Int32] = [0, 0]
    try systemCall("pipe", program) { pipe(&pipes) }
    let output = Descriptor(adopting: pipes[0])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addclose(&actions, pipes[0])
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 2)
    posix_spawn_file_actions_addclose(&actions, pipes[1])
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer {
        words.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
    }
    var child: pid_t = 0
    let failure = posix_spawnp(&child, program, &actions, nil, &words, environ)
    close(pipes[1])
    guard failure == 0 else { throw SystemError("posix_spawn", program, code: failure) }
    var bytes: [UInt8] = []
    while let more = try output.read(upTo: 65536), !more.isEmpty { bytes += more }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}

/// Which calls were made, in order, and which are to fail.
final class Recorder: Sendable {
    let calls = Locked<[String]>([])
    /// While it is held, no call begins.
    let gate = Locked(0)
    /// Operation (and name) → errno: such as `sync .IMG_0001.JPG.part`.
    private let failures: Locked<[String: Int32]>
    private let root: String

    init(root: String, failures: [String: Int32] = [:]) {
        self.root = root
        self.failures = Locked(failures)
    }

    func fail(_ call: String, with code: Int32?) { failures.withLock { $0[call] = code } }

    var log: [String] { calls.withLock { $0 } }

    func note(_ call: String) { calls.withLock { $0.append(call) } }

    private func enter(_ operation: String, _ path: String) throws(SystemError) {
        let call = operation + " " + path.split(separator: "/").last!
        gate.withLock { _ in }
        note(call)
        if let code = failures.withLock({ $0[call] }) { throw SystemError(operation, path, code: code) }
    }

    /// The system's operations, seen and disturbed on their way.
    var operations: FileOperations {
        let system = FileOperations.system
        var result = system
        result.create = { path throws(SystemError) in
            try self.enter("create", path)
            return try system.create(path)
        }
        result.write = { file, bytes, path throws(SystemError) in
            try self.enter("write", path)
            try system.write(file, bytes, path)
        }
        result.sync = { file, path throws(SystemError) in
            try self.enter("sync", path)
            try system.sync(file, path)
        }
        result.publish = { from, to throws(SystemError) in
            try self.enter("publish", to)
            try system.publish(from, to)
        }
        result.syncFolder = { path throws(SystemError) in
            try self.enter("syncFolder", path)
            try system.syncFolder(path)
        }
        result.remove = { path in
            self.note("remove " + path.split(separator: "/").last!)
            system.remove(path)
        }
        result.replace = { path, bytes throws(SystemError) in
            try self.enter("replace", path)
            try system.replace(path, bytes)
        }
        return result
    }
}

/// Waits for so many results, by poll(2) on the pipeline's descriptor.
func results(_ count: Int, of pipeline: PhotoPipeline) -> [PhotoResult] {
    var all: [PhotoResult] = []
    while all.count < count {
        var wait = pollfd(fd: pipeline.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&wait, 1, -1)
        all += pipeline.drain()
    }
    return all
}

func job(_ number: UInt64, _ frame: Frame) -> PhotoJob {
    PhotoJob(
        id: CaptureID(number), frame: frame, press: Timestamp(nanoseconds: 9_990_000_000),
        accepted: Timestamp(nanoseconds: 10_010_000_000), mode: .photo, trigger: .button)
}

/// A small grey photo's frame.
func smallFrame(giveBack: @escaping @Sendable () -> Void = {}) -> Frame {
    TestFrame.make(.packed(.yuv420, width: 64, height: 48), giveBack: giveBack) { x, y in (x * 2, y * 2, 128) }
}
