// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import TestSupport
import Testing

@testable import Media

@Suite("Plain MP4s", .serialized, .enabled(if: Bench.areProgramsThere && Card.isThere, "ffmpeg or the sound card of the tests is missing"))
struct RemuxTests {
    private static let settings = ClipSettings(width: 320, height: 180, bitrate: 500_000, isFaststart: true)

    /// The types of the boxes of a file, in their order.
    private func boxes(_ path: String) throws -> [String] {
        let bytes = try FileSystem.wholeFile(path, atMost: 1 << 30)
        var (found, offset): ([String], Int) = ([], 0)
        while offset + 8 <= bytes.count {
            found.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            try #require(size >= 8)
            offset += size
        }
        return found
    }

    private func packets(_ path: String) throws -> String {
        String(decoding: try #require(shell("ffprobe -v error -show_entries packet=stream_index,pts,duration,size,flags,data_hash -show_data_hash md5 -of csv \(path) | sort")), as: UTF8.self)
    }

    /// A clip of two seconds with sound, in a folder that stays.
    private func clip(_ bench: Bench, for time: Duration = .seconds(2)) throws -> String {
        bench.recorder.roll(true)
        bench.run(for: .milliseconds(300))
        let id = bench.start()
        bench.run(for: time)
        bench.stop(id)
        return try mp4s(bench.end(of: id).get())[0]
    }

    @Test func aClosedClipBecomesPlain() throws {
        let bench = try Bench(Self.settings, sound: Card.open("card"))
        let path = try clip(bench)
        #expect(try boxes(path).contains("moof"))
        let (before, facts) = (try packets(path), try FileSystem.file(path))
        bench.recorder.rest(true)
        let event = try bench.wait { if case .remuxed(path, _) = $0 { true } else { false } }
        guard case .remuxed(_, nil) = event else { throw Late("a plain MP4: \(event)") }
        let after = try boxes(path)
        #expect(!after.contains("moof") && after.firstIndex(of: "moov")! < after.firstIndex(of: "mdat")!, "\(after)")
        #expect(try packets(path) == before)
        #expect(try FileSystem.file(path)?.modified == facts?.modified)
        #expect(bench.names.allSatisfy { !$0.hasPrefix(".") } && bench.openFiles.isEmpty)
        let film = try Film(path)
        #expect(film.furthest < 0.010 && !film.codes.isEmpty, "\(film)")
        // Colours and time of day, too.
        let said = String(decoding: try #require(shell("ffprobe -v error -select_streams v -show_entries stream=color_range,color_space:format_tags=creation_time -of csv=p=0 \(path)")), as: UTF8.self)
        #expect(said.hasPrefix("pc,smpte170m") && said.contains("Z"), "\(said)")
    }

    /// Never while something else is going on, and given up at any moment without harm.
    @Test func itIsGivenUpAtAnyMoment() throws {
        let bench = try Bench(Self.settings, sound: Card.open("card"))
        // A machine that does not let this thread run may have a clip done at the first try: then another one.
        for _ in 0..<10 {
            let path = try clip(bench, for: .seconds(4))
            let before = try packets(path)
            var isDone = false
            var tries = 0
            while !isDone, tries < 2000 {
                bench.recorder.rest(true)
                Clock.sleep(until: Clock.now + .milliseconds(100) + .microseconds(Int64(tries) * 300))
                bench.recorder.rest(false)
                for case let .remuxed(_, fault) in bench.recorder.drain() {
                    #expect(fault == nil, "\(fault?.message ?? "")")
                    isDone = true
                }
                if tries % 10 == 0 { #expect(try packets(path) == before) }
                tries += 1
            }
            #expect(isDone)
            #expect(try packets(path) == before && !boxes(path).contains("moof"))
            #expect(bench.names.allSatisfy { !$0.hasPrefix(".") })
            if tries > 1 { return }
        }
        Issue.record("nothing was ever given up")
    }

    /// What a kill leaves is removed at the next start, and what cannot be done leaves the clip as it was.
    @Test func whatCannotBeDone() throws {
        let scratch = TemporaryFolder()
        let path = scratch.path + "/media/DCIM/100SHUTR/MOV_0001.MP4"
        try AtomicFile.makeFolders(FileSystem.folder(of: path))
        try AtomicFile.replace(path, with: Array("this is no clip".utf8))
        try AtomicFile.replace(MediaFolder.remuxPath(path), with: [1, 2, 3])
        for reserve: UInt64 in [0, 1 << 60] {
            let store = MediaStore(StorageSettings(root: scratch.path + "/media", state: scratch.path, reserve: reserve))
            store.refresh()
            #expect(try FileSystem.names(in: FileSystem.folder(of: path)) == ["MOV_0001.MP4"])
            let told = Locked<Fault??>(nil)
            let remuxer = Remuxer(store: store, clock: .system, patience: .zero) { _, fault in told.update { $0 = .some(fault) } }
            remuxer.add([path])
            remuxer.rest(true)
            let fault = try #require(told.wait(until: Clock.now + patience) { $0 }, "nothing was told")
            #expect(fault?.message.contains(reserve == 0 ? "Invalid data" : "No space left") == true, "\(fault?.message ?? "")")
            remuxer.close(until: Clock.now + patience)
            #expect(try FileSystem.wholeFile(path) == Array("this is no clip".utf8) && FileSystem.names(in: FileSystem.folder(of: path)) == ["MOV_0001.MP4"])
        }
    }
}
