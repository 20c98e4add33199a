// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxIO
import ShutterCore

/// What an earlier run was writing when it ended. What is whole gets its name; the rest is set aside, never deleted:
/// half a photo may be all there is.
struct Leftovers {
    let store: MediaStore

    /// All absolute paths.
    struct Report: Equatable {
        /// Given their final names.
        var finished: [String] = []
        /// All that lies in `ROOT/leftovers`, from this start and earlier ones, and what could not be moved there.
        var setAside: [String] = []
    }

    private var folder: String { store.settings.root + "/leftovers" }

    /// - Parameter temporaries: the photo before its sidecar, as `MediaFolder` sorts them.
    func takeCare(of temporaries: [MediaFolder.Item]) -> Report {
        var report = Report()
        for item in temporaries {
            let path = item.folder + "/" + item.name
            guard let file = try? FileSystem.file(path), file.isRegular else { continue }
            if file.size == 0 {
                store.operations.remove(path)
                continue
            }
            if let final = finish(item, path) {
                report.finished.append(final)
            } else if !setAside(item, path) {
                report.setAside.append(path)
            }
        }
        let aside = (try? FileSystem.names(in: folder)) ?? []
        report.setAside += aside.sorted().map { folder + "/" + $0 }
        return report
    }

    /// Gives a whole file its name. The bytes may not have been synced before the run ended, so they are now.
    /// - Returns: the final path, or nil when the file is not whole or this fails.
    private func finish(_ item: MediaFolder.Item, _ path: String) -> String? {
        do throws(SystemError) {
            switch item.kind {
            case .jpeg:
                guard Self.isWholeJPEG(try FileSystem.wholeFile(path, atMost: 256 << 20)) else { return nil }
            case .sidecar, .clipSidecar:
                // It is published after its photo or clip: without one it belongs to one that was deleted.
                let owners: [MediaKind] = item.kind == .sidecar ? [.jpeg, .raw] : [.clip]
                guard owners.contains(where: { AtomicFile.exists(store.path($0, item.number)) }), !AtomicFile.exists(store.path(item.kind, item.number)),
                    Self.isWholeJSON(try FileSystem.wholeFile(path))
                else { return nil }
            case .clip:
                let file = try Descriptor(open: path, O_RDWR | O_NOFOLLOW)
                guard let size = try FragmentedMP4.wholeSize(file, subject: path) else { return nil }
                try file.truncate(to: size, subject: path)
            case .raw:
                return nil
            }
            try store.operations.sync(try Descriptor(open: path, O_RDWR | O_NOFOLLOW), path)
            let number = try store.publish(item.kind, item.number)
            if item.kind == .clip, let file = try FileSystem.file(store.path(.clip, number)) {
                // A clip without a sidecar is a clip all the same.
                try? store.save(.clipSidecar, number, ClipSidecar(recovered: file.size).serialised())
            }
            return store.path(item.kind, number)
        } catch {
            return nil
        }
    }

    private func setAside(_ item: MediaFolder.Item, _ path: String) -> Bool {
        do throws(SystemError) {
            try store.operations.makeFolders(folder)
            // Its number goes with it, and is not to be used again by a start that sees nothing of it any more.
            store.counter.settle(item.number)
            // Names come again after 9999, so the folder is part of the name.
            let target = folder + "/" + item.number.folderName + "-" + item.name.dropFirst()
            try store.operations.publish(path, AtomicFile.exists(target) ? Self.another(target) : target)
            try store.operations.syncFolder(target)
            try store.operations.syncFolder(path)
            return true
        } catch {
            return false
        }
    }

    /// Where the counter cannot be kept, a number may have been begun twice.
    private static func another(_ target: String) -> String {
        var count = 2
        while AtomicFile.exists("\(target).\(count)") { count += 1 }
        return "\(target).\(count)"
    }

    static func isWholeJPEG(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 4, bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2) == [0xFF, 0xD9] else { return false }
        return Decompressor()?.decode(bytes, reduction: 8) != nil
    }

    static func isWholeJSON(_ bytes: [UInt8]) -> Bool {
        // A power cut leaves zeros, and Foundation's decoder in Swift 6.0 ends the program when they stand in a key. Line ends
        // are all that JSON and our own sidecars have of such characters.
        guard bytes.allSatisfy({ $0 >= 0x20 || $0 == UInt8(ascii: "\n") }) else { return false }
        return (try? JSONDecoder().decode([String: Anything].self, from: Data(bytes))) != nil
    }

    /// Any JSON value.
    private struct Anything: Decodable {}
}
