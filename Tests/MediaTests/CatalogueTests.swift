// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Media

@Suite("Catalogue")
struct CatalogueTests {
    private func filled() throws -> (Scratch, MediaCatalogue) {
        let scratch = Scratch()
        for name in [
            "101SHUTR/IMG_0001.JPG", "100SHUTR/IMG_9998.JPG", "100SHUTR/IMG_9998.JSON", "100SHUTR/MOV_9999.MP4", "100SHUTR/IMG_0001.JPG",
            "101SHUTR/IMG_0002.DNG", "101SHUTR/IMG_0002.JPG", "101SHUTR/.IMG_0003.JPG.part", "101SHUTR/notes.txt", "100CANON/IMG_0009.JPG",
        ] {
            try scratch.put(Array(name.utf8), at: "DCIM/" + name)
        }
        symlink("/etc/passwd", scratch.root + "/DCIM/101SHUTR/IMG_0500.JPG")
        mkdir(scratch.root + "/DCIM/101SHUTR/IMG_0501.JPG", 0o755)
        return (scratch, MediaCatalogue(root: scratch.root))
    }

    @Test func listsByFolderAndNumber() throws {
        let (scratch, catalogue) = try filled()
        let wanted = [
            "100SHUTR/IMG_0001.JPG", "100SHUTR/IMG_9998.JPG", "100SHUTR/MOV_9999.MP4", "101SHUTR/IMG_0001.JPG", "101SHUTR/IMG_0002.JPG",
            "101SHUTR/IMG_0002.DNG",
        ]
        let entries = try catalogue.entries()
        #expect(entries.map(\.path) == wanted.map { scratch.root + "/DCIM/" + $0 })
        #expect(entries.allSatisfy { $0.size == 21 && $0.modified > 0 && $0.path.hasSuffix("/" + $0.name) })
    }

    @Test func theNewestIsTheJPEGWithTheHighestNumber() throws {
        let scratch = Scratch()
        for name in ["100SHUTR/IMG_9998.JPG", "101SHUTR/IMG_0002.JPG", "101SHUTR/IMG_0002.DNG", "102SHUTR/notes.txt"] {
            try scratch.put([1], at: "DCIM/" + name)
        }
        #expect(try MediaCatalogue(root: scratch.root).newest()?.path == scratch.root + "/DCIM/101SHUTR/IMG_0002.JPG")
    }

    @Test func nothingThereIsNoFault() throws {
        let catalogue = MediaCatalogue(root: "/nowhere/at/all")
        #expect(try catalogue.entries().isEmpty)
        #expect(try catalogue.newest() == nil)
        #expect(try catalogue.entry(named: "IMG_0001.JPG") == nil)
    }

    @Test func findsByName() throws {
        let (scratch, catalogue) = try filled()
        for (name, folder) in [("IMG_0001.JPG", "101SHUTR"), ("MOV_9999.MP4", "100SHUTR"), ("IMG_9998.JSON", "100SHUTR")] {
            #expect(try catalogue.entry(named: name)?.path == scratch.root + "/DCIM/" + folder + "/" + name)
        }
        for name in ["IMG_0300.JPG", "IMG_0500.JPG", "IMG_0501.JPG"] { #expect(try catalogue.entry(named: name) == nil) }
    }

    @Test(arguments: [
        "", "/etc/passwd", "../IMG_0001.JPG", "101SHUTR/IMG_0001.JPG", "notes.txt", ".IMG_0003.JPG.part", "IMG_0001.JPG\n", "img_0001.jpg",
    ])
    func refusesWhatIsNoName(name: String) throws {
        let (_, catalogue) = try filled()
        #expect(fault { try catalogue.entry(named: name) }?.reason == "bad-name")
    }

    @Test func givesTheThumbnail() throws {
        let scratch = Scratch()
        let store = scratch.store()
        let pipeline = try PhotoPipeline(settings: PhotoSettings(workers: 1), store: store, clock: PipelineTests.clock)
        pipeline.save(job(1, TestFrame.make(.packed(.yuv420, width: 648, height: 486)) { x, _ in (x % 256, 100, 50) }))
        _ = try #require(results(1, of: pipeline).first).outcome.get()
        let catalogue = MediaCatalogue(root: scratch.root)
        let image = try decode(try catalogue.thumbnail(of: try #require(try catalogue.newest())))
        #expect(image.width == 320 && image.height == 240)
        let sidecar = try #require(try catalogue.entry(named: "IMG_0001.JSON"))
        #expect(fault { try catalogue.thumbnail(of: sidecar) }?.reason == "no-thumbnail")
    }
}
