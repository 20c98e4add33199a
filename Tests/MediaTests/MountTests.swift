// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Media

/// A file system of its own, unmounted after the test.
final class Mounted: Sendable {
    let scratch = Scratch()
    var root: String { scratch.root }

    /// Whether this machine lets us mount: root, loop devices and mkfs are needed.
    static let isPossible: Bool = {
        geteuid() == 0 && (try? Mounted.ext4(megabytes: 2)) != nil
    }()

    private init(_ command: [String]) throws {
        try AtomicFile.makeFolders(scratch.root)
        try prepare(command)
    }

    private func prepare(_ command: [String]) throws {
        let text = command.joined(separator: " && ").replacing("ROOT", with: scratch.root).replacing("HERE", with: scratch.path)
        guard try run("/bin/sh", "-c", text) != nil else { throw SystemError("mount", text, code: EPERM) }
    }

    deinit { _ = try? run("/bin/sh", "-c", "umount -l \(root); umount -l \(scratch.path)/below; true") }

    static func ext4(megabytes: Int) throws -> Mounted {
        try Mounted(["truncate -s \(megabytes)M HERE/image", "mkfs.ext4 -q -F -m 0 HERE/image", "mount -o loop HERE/image ROOT"])
    }

    static func tmpfs(kilobytes: Int) throws -> Mounted { try Mounted(["mount -t tmpfs -o size=\(kilobytes)k tmpfs ROOT"]) }

    static func overlay() throws -> Mounted {
        try Mounted([
            "mkdir HERE/below", "mount -t tmpfs tmpfs HERE/below", "mkdir HERE/below/lower HERE/below/upper HERE/below/work",
            "mount -t overlay overlay -o lowerdir=HERE/below/lower,upperdir=HERE/below/upper,workdir=HERE/below/work ROOT",
        ])
    }

    func remount(_ option: String) throws { try prepare(["mount -o remount,\(option) ROOT"]) }

    /// Uses all bytes up.
    func fill() throws {
        let file = try AtomicFile.create(root + "/filler")
        for size in [65536, 4096, 512] {
            let bytes = [UInt8](repeating: 7, count: size)
            while (try? bytes.withUnsafeBytes { try file.writeAll($0, subject: "filler") }) != nil {}
        }
        try? AtomicFile.sync(file, subject: "filler")
    }

    /// ext4 hands freed blocks out again only after its journal was committed, which a sync of the folder does.
    func free() {
        // A program that another test is just starting may have it open until its exec.
        truncate(root + "/filler", 0)
        AtomicFile.remove(root + "/filler")
        try? AtomicFile.syncFolder(of: root + "/filler")
    }
}

@Suite("Storage on real file systems", .enabled(if: Mounted.isPossible, "mounting needs root, mkfs.ext4 and loop devices"))
struct MountTests {
    private func pipeline(_ mounted: Mounted, reserve: UInt64 = 0) throws -> PhotoPipeline {
        let store = mounted.scratch.store(reserve: reserve)
        store.refresh()
        return try PhotoPipeline(settings: PhotoSettings(workers: 1), store: store)
    }

    private func save(_ number: UInt64, _ pipeline: PhotoPipeline) throws -> Result<SavedPhoto, Fault> {
        pipeline.save(job(number, smallFrame()))
        return try #require(results(1, of: pipeline).first).outcome
    }

    @Test func factsOfTheFileSystems() throws {
        for (mounted, name, isCrashSafe, isPersistent) in [
            (try Mounted.ext4(megabytes: 4), "ext4", true, true), (try Mounted.tmpfs(kilobytes: 1024), "tmpfs", false, false),
            (try Mounted.overlay(), "overlay", false, false),
        ] {
            let pipeline = try pipeline(mounted)
            _ = try save(1, pipeline).get()
            let status = pipeline.status
            #expect(status.fileSystem == name && status.isCrashSafe == isCrashSafe && status.isPersistent == isPersistent)
            #expect(status.fault == nil && status.free ?? 0 > 0)
            #expect(pipeline.store.warnings.isEmpty == isPersistent)
            #expect(mounted.scratch.names() == ["IMG_0001.JPG", "IMG_0001.JSON"])
        }
    }

    /// C21: full, then room again, without a restart.
    @Test func aFullCard() throws {
        for mounted in [try Mounted.ext4(megabytes: 4), try Mounted.tmpfs(kilobytes: 512)] {
            let pipeline = try pipeline(mounted)
            _ = try save(1, pipeline).get()
            try mounted.fill()
            guard case .failure(let fault) = try save(2, pipeline) else {
                Issue.record("saved on a full card")
                continue
            }
            #expect(fault.reason == "no-space" && fault.message.contains("No space left"), "\(fault.message)")
            #expect(mounted.scratch.names() == ["IMG_0001.JPG", "IMG_0001.JSON"])
            mounted.free()
            #expect(try save(3, pipeline).get().paths.first?.hasSuffix("IMG_0003.JPG") == true)
        }
    }

    @Test func belowTheReservePhotosAreRefusedBeforehand() throws {
        let mounted = try Mounted.tmpfs(kilobytes: 2048)
        let store = mounted.scratch.store(reserve: 1 << 20)
        store.refresh()
        #expect(store.status.fault == nil)
        try mounted.fill()
        store.refresh()
        #expect(store.status.fault?.reason == "storage-low" && store.status.free == 0)
        mounted.free()
        store.refresh()
        #expect(store.status.fault == nil)
    }

    @Test func theSaveThatUsesTheLastRoomSaysSo() throws {
        let mounted = try Mounted.tmpfs(kilobytes: 512)
        let store = mounted.scratch.store()
        store.refresh()
        let free = try #require(store.status.free)
        let pipeline = try pipeline(mounted, reserve: free - 4096)
        #expect(pipeline.status.fault == nil)
        _ = try save(1, pipeline).get()
        #expect(pipeline.status.fault?.reason == "storage-low")
    }

    @Test func aFileSystemThatTurnsReadOnly() throws {
        let mounted = try Mounted.ext4(megabytes: 4)
        let pipeline = try pipeline(mounted)
        try mounted.remount("ro")
        guard case .failure(let fault) = try save(1, pipeline) else {
            Issue.record("saved on a read-only file system")
            return
        }
        #expect(fault.reason == "read-only" && pipeline.status.fault?.reason == "read-only")
        try mounted.remount("rw")
        pipeline.store.refresh()
        #expect(pipeline.status.fault == nil)
        _ = try save(2, pipeline).get()
    }

    @Test func readOnlyFromTheStart() throws {
        let mounted = try Mounted.ext4(megabytes: 4)
        try mounted.remount("ro")
        let pipeline = try pipeline(mounted)
        #expect(pipeline.status.fault?.reason == "read-only")
        try mounted.remount("rw")
        pipeline.store.refresh()
        #expect(pipeline.status.fault == nil)
        #expect(try save(1, pipeline).get().paths.first?.hasSuffix("IMG_0001.JPG") == true)
    }

    /// S04: the pictures can be written, the counter cannot.
    @Test func aReadOnlyStateFolder() throws {
        let mounted = try Mounted.ext4(megabytes: 4)
        try mounted.remount("ro")
        let scratch = Scratch()
        try scratch.put([1], at: "DCIM/100SHUTR/IMG_0041.JPG")
        let store = MediaStore(StorageSettings(root: scratch.root, state: mounted.root + "/state", reserve: 0))
        store.refresh()
        let pipeline = try PhotoPipeline(settings: PhotoSettings(workers: 1), store: store)
        #expect(try save(1, pipeline).get().paths.first?.hasSuffix("IMG_0042.JPG") == true)
        #expect(store.warnings.contains { $0.contains("photo counter is not stored") })
        #expect(store.status.fault == nil)
    }
}
