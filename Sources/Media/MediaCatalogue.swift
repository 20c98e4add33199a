// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// The photos and clips under a root, for `shutterctl list`, `last` and `get`. Reads folders and files as they are now.
package struct MediaCatalogue: Catalogue {
    private let photoFolder: String

    /// - Parameter root: the folder that holds `DCIM`.
    package init(root: String) {
        photoFolder = root + "/DCIM"
    }

    package func entries() throws(Fault) -> [MediaEntry] {
        try reading { () throws(SystemError) in
            var entries: [MediaEntry] = []
            for item in try MediaFolder.scan(photoFolder).items where !item.kind.isSidecar {
                if let entry = try entry(item) { entries.append(entry) }
            }
            return entries
        }
    }

    package func newest() throws(Fault) -> MediaEntry? {
        try reading { () throws(SystemError) in
            for folder in try MediaFolder.folders(photoFolder).reversed() {
                let items = try MediaFolder.items(in: folder).filter { !$0.kind.isSidecar }
                // The first of the files with the highest number: the JPEG, where there is a DNG as well.
                guard let last = items.last, let first = items.first(where: { $0.number == last.number }) else { continue }
                if let entry = try entry(first) { return entry }
            }
            return nil
        }
    }

    /// Sidecars are found by name, too. Names come again in the next folder after 9999: the newest is meant.
    ///
    /// Throws `bad-name` for what can be no name of ours, such as a path.
    package func entry(named name: String) throws(Fault) -> MediaEntry? {
        guard let wanted = MediaName(name), wanted.final == name else {
            throw Fault("bad-name", "that is no file name such as IMG_0001.JPG: see `shutterctl list`")
        }
        return try reading { () throws(SystemError) in
            for folder in try MediaFolder.folders(photoFolder).reversed() {
                let path = folder.path + "/" + name
                guard let file = try FileSystem.file(path), file.isRegular else { continue }
                return MediaEntry(name: name, path: path, size: file.size, modified: file.modified)
            }
            return nil
        }
    }

    /// Throws `no-thumbnail` when the file has none.
    package func thumbnail(of entry: MediaEntry) throws(Fault) -> [UInt8] {
        if MediaName(entry.name)?.kind == .clip { return try Poster.jpeg(of: entry.path, box: PhotoSettings.Size(width: 320, height: 240)) }
        // The EXIF segment is the first, and below 64 KiB.
        let start = try reading { () throws(SystemError) in try FileSystem.wholeFile(entry.path, atMost: 70_000) }
        let thumbnail = start.starts(with: [0xFF, 0xD8]) ? ExifBlock(jpeg: start).thumbnail : []
        guard !thumbnail.isEmpty else { throw Fault("no-thumbnail", "\(entry.name) has no thumbnail: get the file itself") }
        return thumbnail
    }

    private func entry(_ item: MediaFolder.Item) throws(SystemError) -> MediaEntry? {
        let path = item.folder + "/" + item.name
        // It may have been deleted since the folder was read. Links are not followed: they could lead anywhere.
        guard let file = try FileSystem.file(path), file.isRegular else { return nil }
        return MediaEntry(name: item.name, path: path, size: file.size, modified: file.modified)
    }

    private func reading<Result>(_ body: () throws(SystemError) -> Result) throws(Fault) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw Fault("the photos cannot be read", error)
        }
    }
}
