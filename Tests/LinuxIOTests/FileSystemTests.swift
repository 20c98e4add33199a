// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterCore
import TestSupport
import Testing

@testable import LinuxIO

/// A folder that is gone after the test.
private final class Folder {
    private let folder = TemporaryFolder()
    var path: String { folder.path }

    func put(_ text: String, at name: String) throws { try AtomicFile.replace(path + "/" + name, with: Array(text.utf8)) }

    func text(_ name: String) -> String? {
        (try? FileSystem.wholeFile(path + "/" + name)).map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("Files")
struct FileTests {
    /// What the file system offers, from the best to the least; `publish` works the same on all of them.
    static let offers: [(String, AtomicFile.RenameCalls)] = [
        ("renameat2", .kernel),
        ("link", AtomicFile.RenameCalls(renameWithoutReplacing: { _, _ in failing(EINVAL) }, link: AtomicFile.RenameCalls.kernel.link)),
        ("rename", AtomicFile.RenameCalls(renameWithoutReplacing: { _, _ in failing(EINVAL) }, link: { _, _ in failing(EPERM) })),
        ("old kernel", AtomicFile.RenameCalls(renameWithoutReplacing: { _, _ in failing(ENOSYS) }, link: { _, _ in failing(EOPNOTSUPP) })),
    ]

    private static func failing(_ code: Int32) -> Int32 {
        errno = code
        return -1
    }

    @Test func publishGivesTheNameOnce() throws {
        for (offer, calls) in Self.offers {
            let folder = Folder()
            try folder.put("new", at: "a.part")
            try AtomicFile.publish(folder.path + "/a.part", as: folder.path + "/a", calls: calls)
            #expect(folder.text("a") == "new" && folder.text("a.part") == nil, "\(offer)")

            try folder.put("newer", at: "a.part")
            do throws(SystemError) {
                try AtomicFile.publish(folder.path + "/a.part", as: folder.path + "/a", calls: calls)
                Issue.record("\(offer) replaced a file")
            } catch {
                #expect(error.code == EEXIST, "\(offer)")
            }
            #expect(folder.text("a") == "new" && folder.text("a.part") == "newer", "\(offer)")
        }
    }

    @Test func publishSaysWhatElseWentWrong() throws {
        let folder = Folder()
        try folder.put("new", at: "a.part")
        for code in [ENOSPC, EROFS, EIO] {
            let calls = AtomicFile.RenameCalls(renameWithoutReplacing: { _, _ in Self.failing(code) }, link: { _, _ in 0 })
            #expect(throws: SystemError("rename", folder.path + "/a", code: code)) {
                try AtomicFile.publish(folder.path + "/a.part", as: folder.path + "/a", calls: calls)
            }
        }
    }

    @Test func foldersAreMadeWithTheirParents() throws {
        let folder = Folder()
        try AtomicFile.makeFolders(folder.path + "/a")
        try AtomicFile.makeFolders(folder.path + "/a")
        #expect(try FileSystem.file(folder.path + "/a")?.isFolder == true)
        try folder.put("x", at: "b")
        #expect(throws: SystemError("mkdir", folder.path + "/b", code: ENOTDIR)) { try AtomicFile.makeFolders(folder.path + "/b") }
        #expect(throws: SystemError("mkdir", folder.path + "/b", code: ENOTDIR)) { try AtomicFile.makeFolders(folder.path + "/b/c") }
    }

    /// procfs is one of those that cannot sync a folder.
    @Test func foldersThatCannotBeSyncedAreNoError() throws {
        try AtomicFile.syncFolder(of: "/proc/version")
        #expect(throws: SystemError("open", "/nowhere", code: ENOENT)) { try AtomicFile.syncFolder(of: "/nowhere/x") }
    }

    @Test func createRefusesWhatIsThere() throws {
        let folder = Folder()
        _ = try AtomicFile.create(folder.path + "/a")
        symlink("/nowhere", folder.path + "/b")
        for name in ["a", "b"] {
            #expect(throws: SystemError("open", folder.path + "/" + name, code: EEXIST)) { _ = try AtomicFile.create(folder.path + "/" + name) }
        }
    }

    @Test func readsFromAnOffsetAndTruncates() throws {
        let folder = Folder()
        try folder.put("0123456789", at: "a")
        let file = try Descriptor(open: folder.path + "/a", O_RDWR)
        #expect(try file.read(upTo: 4, at: 3, subject: "a") == Array("3456".utf8))
        #expect(try file.read(upTo: 4, at: 8, subject: "a") == Array("89".utf8))
        #expect(try file.read(upTo: 4, at: 20, subject: "a").isEmpty)
        try file.truncate(to: 5, subject: "a")
        #expect(folder.text("a") == "01234")
    }
}

@Suite("File systems")
struct FileSystemTests {
    @Test func factsOfAFile() throws {
        let folder = Folder()
        try folder.put("12345", at: "a")
        let file = try #require(try FileSystem.file(folder.path + "/a"))
        #expect(file.size == 5 && file.isRegular && !file.isFolder && file.modified > 1_577_836_800_000_000_000)
        #expect(try FileSystem.file(folder.path + "/b") == nil)
        #expect(throws: SystemError("lstat", folder.path + "/a/b", code: ENOTDIR)) { _ = try FileSystem.file(folder.path + "/a/b") }
    }

    @Test func namesOfAFolder() throws {
        let folder = Folder()
        for name in ["b", ".hidden", "a"] { try folder.put("", at: name) }
        #expect(try FileSystem.names(in: folder.path).sorted() == [".hidden", "a", "b"])
        #expect(throws: SystemError("opendir", folder.path + "/x", code: ENOENT)) { _ = try FileSystem.names(in: folder.path + "/x") }
    }

    @Test func spaceAndType() throws {
        let space = try FileSystem.space(at: "/tmp")
        #expect(space.size >= space.free && !space.isOutOfFiles)
        #expect(try !FileSystem.type(at: "/tmp").isEmpty)
        #expect(try FileSystem.type(at: "/proc") == "0x9fa0")
        #expect(throws: SystemError("statfs", "/nowhere", code: ENOENT)) { _ = try FileSystem.type(at: "/nowhere") }
    }

    /// A damaged inode, or a file that was copied from elsewhere: 64 bits of nanoseconds end in 2262.
    @Test func anyTimeOfAFileIsOne() throws {
        let folder = Folder()
        try folder.put("", at: "file")
        for (year, seconds) in [(2300, 10_413_792_000), (1600, -11_676_096_000), (2261, 9_183_110_400)] {
            let times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 5)]
            #expect(utimensat(AT_FDCWD, folder.path + "/file", times, 0) == 0)
            let modified = try #require(try FileSystem.file(folder.path + "/file")).modified
            // The file system may know fewer years than that.
            #expect(year < 1970 ? modified < 0 : modified > 4_000_000_000_000_000_000, "\(year): \(modified)")
        }
    }

    @Test func filesWithoutASizeAreReadWhole() throws {
        #expect(try FileSystem.wholeFile("/proc/self/mountinfo").count > 0)
        #expect(try FileSystem.wholeFile("/proc/self/mountinfo", atMost: 10).count == 10)
    }

    @Test func extensionsOfOneMagicNumberAreToldApart() {
        let table = """
            36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
            37 35 98:1 / /media rw - ext4 /dev/sda1 rw
            38 35 0:45 / /mnt/usb rw - fuseblk /dev/sdb1 rw
            """
        for (device, type) in [("98:0", "ext3"), ("98:1", "ext4"), ("0:45", "fuseblk"), ("9:9", nil)] {
            #expect(FileSystem.mountedType(device: device, in: table) == type)
        }
    }
}

@Suite("Plugins")
struct PluginPlaceTests {
    @Test func areLookedForInTheBuildThenWhereTheyWereMadeThenWhereTheyWereInstalled() {
        #expect(
            SharedLibrary.places(of: .camera, forProgramsIn: "/usr/bin") == [
                "/usr/bin/libshutter-camera.so", "/var/lib/shutterd-camera/libshutter-camera.so", "/usr/lib/shutterd/libshutter-camera.so",
            ])
        #expect(SharedLibrary.places(of: .video, forProgramsIn: "/usr/local/bin") == ["/usr/local/bin/libshutter-video.so", "/usr/local/lib/shutterd/libshutter-video.so"])
        #expect(SharedLibrary.places(of: .video).first == FileSystem.folder(of: Environment.executable) + "/libshutter-video.so")
    }
}
