// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Media

@Suite("Names and numbers")
struct NumberTests {
    @Test(arguments: [
        ("IMG_0001.JPG", MediaKind.jpeg, 1), ("IMG_9999.DNG", .raw, 9999), ("IMG_0042.JSON", .sidecar, 42), ("MOV_0002.MP4", .clip, 2),
        ("img_0007.jpg", .jpeg, 7),
    ])
    func goodNames(name: String, kind: MediaKind, index: Int) throws {
        let parsed = try #require(MediaName(name))
        #expect(parsed.kind == kind && parsed.index == index && parsed.final == name.uppercased())
        #expect(MediaName(temporary: parsed.temporary) == parsed && MediaName(parsed.temporary) == nil)
    }

    @Test(arguments: [
        "", "IMG_0000.JPG", "IMG_001.JPG", "IMG_00001.JPG", "IMG_+001.JPG", "IMG_0001.PNG", "MOV_0001.JPG", "IMG_0001.MP4",
        "IMG_0001.JPG.part", ".IMG_0001.JPG", "IMG_0001", "IMG_0001.JPG.JPG", "../IMG_0001.JPG", "a/IMG_0001.JPG", "IMG_٠٠٠١.JPG",
        "IMG_0001.JPG\u{0}",
    ])
    func badNames(name: String) {
        #expect(MediaName(name) == nil)
    }

    @Test func numbersGoOnInTheNextFolder() throws {
        #expect(try #require(MediaNumber(folder: 100, index: 9999)).next == MediaNumber(folder: 101, index: 1))
        #expect(try #require(MediaNumber(folder: 100, index: 41)).next == MediaNumber(folder: 100, index: 42))
        #expect(try #require(MediaNumber(folder: 999, index: 9999)).next == nil)
    }

    @Test(arguments: ["", "100SHUTR/0042", "100SHUTR/42\n", "099SHUTR/0042\n", "100SHUTR/0000\n", "100SHUTR/00\0\0\n", "x\n", "100SHUTR/0042\n\n"])
    func damagedCounters(text: String) {
        #expect(Counter.parse(text) == nil)
    }

    @Test func countersAreReadAsTheyAreWritten() throws {
        for number in [MediaNumber.first, try #require(MediaNumber(folder: 999, index: 9999))] {
            #expect(Counter.parse(Counter.format(number)) == number)
        }
    }

    /// What is there at the start → the first number handed out.
    @Test(arguments: [
        ([], nil, "100SHUTR/IMG_0001.JPG"),
        (["DCIM/100SHUTR/IMG_0041.JPG"], nil, "100SHUTR/IMG_0042.JPG"),
        (["DCIM/100SHUTR/MOV_0041.MP4", "DCIM/100SHUTR/IMG_0007.JPG"], nil, "100SHUTR/IMG_0042.JPG"),
        (["DCIM/100SHUTR/.MOV_0041.MP4.part"], nil, "100SHUTR/IMG_0042.JPG"),
        (["DCIM/100SHUTR/IMG_0041.JPG"], "100SHUTR/0100\n", "100SHUTR/IMG_0101.JPG"),
        (["DCIM/100SHUTR/IMG_0041.JPG"], "100SHUTR/0007\n", "100SHUTR/IMG_0042.JPG"),
        (["DCIM/100SHUTR/IMG_0041.JPG"], "torn", "100SHUTR/IMG_0042.JPG"),
        ([], "100SHUTR/9999\n", "101SHUTR/IMG_0001.JPG"),
        (["DCIM/101SHUTR/IMG_0003.JPG", "DCIM/100SHUTR/IMG_9999.JPG"], nil, "101SHUTR/IMG_0004.JPG"),
        (["DCIM/100CANON/IMG_0500.JPG", "DCIM/IMG_0600.JPG", "DCIM/100SHUTR/IMG_0700.TXT"], nil, "100SHUTR/IMG_0001.JPG"),
        (["DCIM/101SHUTR"], nil, "100SHUTR/IMG_0001.JPG"),
    ] as [([String], String?, String)])
    func firstNumber(files: [String], counter: String?, wanted: String) throws {
        let scratch = Scratch()
        for file in files { try scratch.put([1, 2, 3], at: file) }
        if let counter { try scratch.put(Array(counter.utf8), at: "../state/counter") }
        let store = scratch.store()
        store.refresh()
        #expect(store.path(.jpeg, try store.takeNumber()) == scratch.root + "/DCIM/" + wanted)
    }

    @Test func usedUpNumbersAreAFault() throws {
        let scratch = Scratch()
        try scratch.put(Array("999SHUTR/9999\n".utf8), at: "../state/counter")
        #expect(fault { try scratch.store().takeNumber() }?.reason == "numbers-used-up")
    }

    /// The counter is stored before a file has its name, and one write covers all numbers handed out.
    @Test func oneWriteCoversAllThatWait() throws {
        let scratch = Scratch()
        let recorder = Recorder(root: scratch.root)
        let counter = Counter(folder: scratch.state, operations: recorder.operations)
        counter.load(seen: nil)
        let numbers = (0..<5).compactMap { _ in counter.take() }
        for number in numbers { counter.settle(number) }
        #expect(recorder.log == ["replace counter"])
        #expect(try FileSystem.wholeFile(scratch.state + "/counter") == Array("100SHUTR/0005\n".utf8))
    }

    @Test func anUnusableStateFolderFallsBackToTheNames() throws {
        let scratch = Scratch()
        let recorder = Recorder(root: scratch.root, failures: ["replace counter": EROFS])
        let store = scratch.store(recorder.operations)
        store.refresh()
        let number = try store.takeNumber()
        store.counter.settle(number)
        #expect(store.warnings.contains { $0.contains("photo counter is not stored") && $0.contains("Read-only") })
        #expect(store.status.fault == nil && store.status.warning?.contains("photo counter is not stored") == true)
        // Put right, it says no more.
        recorder.fail("replace counter", with: nil)
        store.counter.settle(try store.takeNumber())
        #expect(!store.warnings.contains { $0.contains("photo counter") } && store.status.warning == nil)
    }

    /// A name taken by somebody else in the meantime is not overwritten.
    @Test func aTakenNameLeadsToTheNextFreeOne() throws {
        let scratch = Scratch()
        let store = scratch.store()
        store.refresh()
        let number = try store.takeNumber()
        try scratch.put([9], at: "DCIM/100SHUTR/IMG_0001.JPG")
        try scratch.put([9], at: "DCIM/100SHUTR/IMG_0005.JPG")
        try scratch.put([1], at: "DCIM/100SHUTR/.IMG_0001.JPG.part")
        #expect(try store.publish(.jpeg, number).index == 6)
        #expect(try scratch.read("DCIM/100SHUTR/IMG_0001.JPG") == [9])
        #expect(try scratch.read("DCIM/100SHUTR/IMG_0006.JPG") == [1])
        #expect(try store.takeNumber().index == 7)
    }
}
