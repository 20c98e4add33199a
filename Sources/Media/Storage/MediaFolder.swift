// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// The names in `DCIM`.
struct MediaFolder {
    struct Item: Equatable {
        /// Absolute.
        var folder: String
        /// As it stands in the folder.
        var name: String
        var number: MediaNumber
        var kind: MediaKind
    }

    /// By folder and number, then as `MediaKind` lists them.
    var items: [Item] = []
    /// Files that were being written, in the same order.
    var temporaries: [Item] = []
    /// Copies that were not finished, absolute: their originals are there.
    var scraps: [String] = []

    /// The highest number that any name has.
    var highest: MediaNumber? { [items.last?.number, temporaries.last?.number].compactMap(\.self).max() }

    private static let remuxEnding = ".remux"

    /// Where a clip is copied to before the copy takes its place.
    static func remuxPath(_ path: String) -> String {
        let folder = FileSystem.folder(of: path)
        return folder + "/." + path.dropFirst(folder.utf8.count + 1) + remuxEnding
    }

    /// Reads all numbered folders. A missing `DCIM` is empty; other names are passed over.
    static func scan(_ photoFolder: String) throws(SystemError) -> MediaFolder {
        var result = MediaFolder()
        for (number, folder) in try folders(photoFolder) { try result.add(folder, number) }
        result.items.sort(by: isBefore)
        result.temporaries.sort(by: isBefore)
        return result
    }

    /// The numbered folders, in order; absolute paths.
    static func folders(_ photoFolder: String) throws(SystemError) -> [(number: Int, path: String)] {
        guard try FileSystem.file(photoFolder) != nil else { return [] }
        var folders: [(number: Int, path: String)] = []
        for name in try FileSystem.names(in: photoFolder) {
            if let number = MediaNumber.folder(name) { folders.append((number, photoFolder + "/" + name)) }
        }
        return folders.sorted { $0.number < $1.number }
    }

    /// The items of one folder, in order.
    static func items(in folder: (number: Int, path: String)) throws(SystemError) -> [Item] {
        var result = MediaFolder()
        try result.add(folder.path, folder.number)
        return result.items.sorted(by: isBefore)
    }

    private mutating func add(_ folder: String, _ number: Int) throws(SystemError) {
        // A plain file may have a folder's name; it holds no photos.
        guard try FileSystem.file(folder)?.isFolder == true else { return }
        for name in try FileSystem.names(in: folder) {
            if name.hasPrefix("."), name.hasSuffix(Self.remuxEnding), MediaName(String(name.dropFirst().dropLast(Self.remuxEnding.count))) != nil {
                scraps.append(folder + "/" + name)
            }
            let final = MediaName(name)
            guard let parsed = final ?? MediaName(temporary: name), let itsNumber = MediaNumber(folder: number, index: parsed.index)
            else { continue }
            let item = Item(folder: folder, name: name, number: itsNumber, kind: parsed.kind)
            if final != nil { items.append(item) } else { temporaries.append(item) }
        }
    }

    private static func isBefore(_ one: Item, _ other: Item) -> Bool {
        if one.number != other.number { return one.number < other.number }
        let order = MediaKind.allCases
        return order.firstIndex(of: one.kind)! < order.firstIndex(of: other.kind)!
    }
}
