// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore
import Testing

@testable import Media

@Suite("Leftovers")
struct LeftoverTests {
    private static func jpeg() throws -> [UInt8] {
        let encoder = try JPEGEncoder()
        try encoder.encode(smallFrame(), quality: 90)
        return encoder.jpeg
    }

    /// The contents of an `mdat` are one unit of H.264 with its length before it.
    private static func box(_ type: String, _ payload: Int) -> [UInt8] {
        if type == "mdat" { return [0, 0, 0, UInt8(payload + 8)] + Array(type.utf8) + [0, 0, 0, UInt8(payload - 4), 0x65] + [UInt8](repeating: 5, count: payload - 5) }
        return [0, 0, 0, UInt8(payload + 8)] + Array(type.utf8) + [UInt8](repeating: 5, count: payload)
    }

    @Test func whatIsWholeIsFinishedAndTheRestSetAside() throws {
        let jpeg = try Self.jpeg()
        let clip = Self.box("ftyp", 8) + Self.box("moov", 20) + Self.box("moof", 30) + Self.box("mdat", 40)
        let scratch = Scratch()
        let temporaries: [(String, [UInt8])] = [
            (".IMG_0001.JPG.part", jpeg), (".IMG_0002.JPG.part", jpeg.dropLast(40)), (".IMG_0003.JPG.part", []),
            (".IMG_0004.JPG.part", jpeg.prefix(400) + [0xFF, 0xD9]), (".IMG_0001.JSON.part", Array("{\"a\": [1, {}]}".utf8)),
            (".IMG_0005.JSON.part", Array("{\"a\": 1}".utf8)), (".IMG_0006.JSON.part", Array("{\"a\": 1".utf8)),
            (".MOV_0007.MP4.part", clip + Self.box("moof", 30) + Self.box("mdat", 40).prefix(12)),
            (".MOV_0008.MP4.part", Array(clip.prefix(40))), (".MOV_0010.MP4.part", clip + Self.box("moof", 30) + [0, 0, 0, 108] + Array("mdat".utf8) + [UInt8](repeating: 0, count: 100)), (".IMG_0009.DNG.part", [73, 73, 42, 0]), ("notes.part", [1]),
            (".IMG_0011.JSON.part", Array("{\"a\": 1}".utf8)),
        ]
        for (name, bytes) in temporaries { try scratch.put(bytes, at: "DCIM/100SHUTR/" + name) }
        try scratch.put(jpeg, at: "DCIM/100SHUTR/IMG_0006.JPG")
        // A photo that is a DNG alone.
        try scratch.put([73, 73, 42, 0], at: "DCIM/100SHUTR/IMG_0011.DNG")
        let store = scratch.store()
        store.refresh()
        #expect(
            store.recovered == ["IMG_0001.JPG", "IMG_0001.JSON", "MOV_0007.MP4", "MOV_0010.MP4", "IMG_0011.JSON"].map { scratch.root + "/DCIM/100SHUTR/" + $0 })
        #expect(scratch.names() == ["IMG_0001.JPG", "IMG_0001.JSON", "IMG_0006.JPG", "IMG_0011.DNG", "IMG_0011.JSON", "MOV_0007.JSON", "MOV_0007.MP4", "MOV_0010.JSON", "MOV_0010.MP4", "notes.part"])
        let aside = ["IMG_0002.JPG", "IMG_0004.JPG", "IMG_0005.JSON", "IMG_0006.JSON", "IMG_0009.DNG", "MOV_0008.MP4"]
        #expect(store.status.leftovers == aside.map { scratch.root + "/leftovers/100SHUTR-" + $0 + ".part" })
        #expect(try scratch.read("DCIM/100SHUTR/IMG_0001.JPG") == jpeg)
        #expect(try scratch.read("DCIM/100SHUTR/MOV_0007.MP4") == clip)
        #expect(try scratch.read("DCIM/100SHUTR/MOV_0010.MP4") == clip)
        #expect(String(decoding: try scratch.read("DCIM/100SHUTR/MOV_0007.JSON"), as: UTF8.self).contains("\"ended\" : \"recovered\""))
        #expect(try store.takeNumber().index == 12)

        // They stay listed for as long as they lie there.
        let later = scratch.store()
        later.refresh()
        #expect(later.recovered.isEmpty && later.status.leftovers == store.status.leftovers)
    }

    /// What was set aside has its number for good, even when the run that did it took none.
    @Test func aNumberThatWasSetAsideIsNotUsedAgain() throws {
        let scratch = Scratch()
        try scratch.put([1, 2], at: "DCIM/100SHUTR/.MOV_0014.MP4.part")
        scratch.store().refresh()
        let next = scratch.store()
        next.refresh()
        #expect(try next.takeNumber().index == 15)
        // Had it been, by a program that could not keep its counter, both are kept.
        try scratch.put([3, 4], at: "DCIM/100SHUTR/.MOV_0014.MP4.part")
        let last = scratch.store()
        last.refresh()
        #expect(last.status.leftovers == ["", ".2"].map { scratch.root + "/leftovers/100SHUTR-MOV_0014.MP4.part" + $0 })
        #expect(try scratch.read("leftovers/100SHUTR-MOV_0014.MP4.part") == [1, 2] && scratch.names().isEmpty)
    }

    @Test func aFinalNameIsNeverOverwritten() throws {
        let jpeg = try Self.jpeg()
        let scratch = Scratch()
        try scratch.put(jpeg, at: "DCIM/100SHUTR/.IMG_0001.JPG.part")
        try scratch.put([1, 2], at: "DCIM/100SHUTR/IMG_0001.JPG")
        let store = scratch.store()
        store.refresh()
        #expect(store.recovered == [scratch.root + "/DCIM/100SHUTR/IMG_0002.JPG"])
        #expect(try scratch.read("DCIM/100SHUTR/IMG_0001.JPG") == [1, 2])
    }

    /// A kill at any step of a save: whatever was done before, the next start has whole files only, and no number twice.
    @Test(arguments: 1...14)
    func aKillAtAnyStep(step: Int) throws {
        let scratch = Scratch()
        let recorder = Recorder(root: scratch.root)
        let store = scratch.store(Killed(after: step, recorder.operations).operations)
        store.refresh()
        let clock = PipelineTests.clock
        let writer = try PhotoWriter(settings: Locked(PhotoSettings()), store: store, clock: clock)
        for number in 1...2 {
            guard let next = try? store.takeNumber() else { break }
            _ = try? writer.develop(QueuedPhoto(job(UInt64(number), smallFrame()), since: clock.now()), as: next)
        }
        let before = scratch.names()
        let next = scratch.store()
        next.refresh()
        let after = scratch.names()
        #expect(after.allSatisfy { !$0.hasPrefix(".") })
        // Nothing that had a final name is gone or changed its name.
        #expect(before.filter { !$0.hasPrefix(".") }.allSatisfy(after.contains))
        for name in after {
            let bytes = try scratch.read("DCIM/100SHUTR/" + name)
            #expect(name.hasSuffix("JPG") ? Leftovers.isWholeJPEG(bytes) : Leftovers.isWholeJSON(bytes), "\(name)")
            if name.hasSuffix("JSON") { #expect(after.contains(name.dropLast(4) + "JPG")) }
        }
        let number = try next.takeNumber()
        #expect(after.allSatisfy { MediaName($0)!.index < number.index })
    }

    @Test(arguments: [("{}", true), ("{\"a\": null}", true), ("", false), ("[1]", false), ("{\"a\"", false), ("{\"a\0\0\": 1}", false), ("{\n\"a\": 1\n}\n", true), ("{} x", false)])
    func wholeJSON(text: String, isWhole: Bool) {
        #expect(Leftovers.isWholeJSON(Array(text.utf8)) == isWhole)
    }
}

/// After so many calls that change something, nothing is done any more, cleaning up included: as after SIGKILL.
private final class Killed: Sendable {
    private let left: Locked<Int>
    private let inner: FileOperations

    init(after count: Int, _ inner: FileOperations) {
        left = Locked(count)
        self.inner = inner
    }

    private func step() throws(SystemError) {
        let isDead = left.withLock { left -> Bool in
            left -= 1
            return left < 0
        }
        if isDead { throw SystemError("killed", "", code: 5) }
    }

    var operations: FileOperations {
        var result = inner
        let inner = inner
        result.create = { path throws(SystemError) in
            try self.step()
            return try inner.create(path)
        }
        result.write = { file, bytes, path throws(SystemError) in
            // Half of it gets through.
            do throws(SystemError) { try self.step() } catch {
                if self.left.withLock({ $0 }) == -1 { try inner.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)), path) }
                throw error
            }
            try inner.write(file, bytes, path)
        }
        result.sync = { file, path throws(SystemError) in
            try self.step()
            try inner.sync(file, path)
        }
        result.publish = { from, to throws(SystemError) in
            try self.step()
            try inner.publish(from, to)
        }
        result.syncFolder = { path throws(SystemError) in
            try self.step()
            try inner.syncFolder(path)
        }
        result.replace = { path, bytes throws(SystemError) in
            try self.step()
            try inner.replace(path, bytes)
        }
        result.remove = { path in
            if self.left.withLock({ $0 }) > 0 { inner.remove(path) }
        }
        return result
    }
}
