// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore

/// The folder where photos and clips go: names, numbers, room, and what an earlier run left behind.
///
/// Photos and clips share it. Every call but `status`, `warnings` and `recovered` may block: those may be asked by the
/// loop, and answer from what the last `refresh` or save has found.
///
/// A new file is written under `temporaryPath`, synced, and then given its name by `publish`.
package final class MediaStore: Sendable {
    private let current: Locked<StorageSettings>
    package var settings: StorageSettings { current.withLock { $0 } }
    let operations: FileOperations
    let counter: Counter

    private struct Facts {
        var fileSystem = FileSystemFacts(name: "unknown")
        var isKnown = false
        var free: UInt64?
        var fault: Fault?
        var leftovers = Leftovers.Report()
        var isRecovered = false
        var trouble: String?
    }

    private let facts = Locked(Facts())
    /// Held during a refresh: one at a time.
    /// Not of Void, for the thread sanitizer; see `PhotoPipeline`.
    private let refreshing = Locked(0)

    /// Touches nothing yet: call `refresh` before the first photo.
    package init(_ settings: StorageSettings, operations: FileOperations = .system) {
        current = Locked(settings)
        self.operations = operations
        counter = Counter(folder: settings.state, operations: operations)
    }

    var photoFolder: String { settings.root + "/DCIM" }

    /// Another reserve, from the next `refresh` on.
    package func adopt(reserve: UInt64) { current.withLock { $0.reserve = reserve } }

    // MARK: What it is like

    package var status: StorageStatus {
        let troubles = troubles
        return facts.withLock { facts in
            StorageStatus(
                root: settings.root, fileSystem: facts.fileSystem.name, isCrashSafe: facts.fileSystem.isCrashSafe,
                isPersistent: facts.fileSystem.isPersistent, free: facts.free, fault: facts.fault,
                warning: troubles.isEmpty ? nil : troubles.joined(separator: "; "), leftovers: facts.leftovers.setAside)
        }
    }

    /// Sentences for the log: photos are saved all the same.
    package var warnings: [String] {
        let note = facts.withLock { $0.isKnown ? $0.fileSystem.note : nil }
        return (note.map { [$0] } ?? []) + troubles
    }

    private var troubles: [String] { [counter.trouble, facts.withLock { $0.trouble }].compactMap(\.self) }

    /// Photos and clips that an earlier run had begun and this one has finished; absolute paths.
    package var recovered: [String] { facts.withLock { $0.leftovers.finished } }

    /// Makes missing folders, takes care of what an earlier run left behind (once), and looks whether there is room.
    /// What is wrong stands in `status.fault`, and is gone after a later refresh if it was put right.
    package func refresh() {
        refreshing.withLock { _ in
            do throws(SystemError) {
                try operations.makeFolders(photoFolder)
                try operations.checkWritable(photoFolder)
                let facts = FileSystemFacts(name: try operations.fileSystemType(photoFolder))
                self.facts.withLock {
                    $0.fileSystem = facts
                    $0.isKnown = true
                }
                try recoverOnce()
                try measureThrowing()
            } catch {
                let fault = Fault("photos cannot be saved in \(settings.root)", error)
                facts.withLock {
                    $0.fault = fault
                    $0.free = nil
                }
            }
        }
    }

    /// Looks how much room there is: one statvfs(3), to be called after each save.
    package func measure() {
        do throws(SystemError) {
            try measureThrowing()
        } catch {
            let fault = Fault("photos cannot be saved in \(settings.root)", error)
            facts.withLock { $0.fault = fault }
        }
    }

    private func measureThrowing() throws(SystemError) {
        let space = try operations.space(photoFolder)
        let fault: Fault?
        if space.isOutOfFiles {
            fault = Fault("storage-low", "\(settings.root) can hold no more files (no inodes are left): delete some there")
        } else if space.free < settings.reserve {
            fault = Fault(
                "storage-low",
                "\(Self.megabytes(space.free)) are free in \(settings.root), and \(Self.megabytes(settings.reserve)) are kept in "
                    + "reserve: delete photos there, put in a larger card, or lower [storage] reserve")
        } else {
            fault = nil
        }
        facts.withLock {
            $0.free = space.free
            $0.fault = fault
        }
    }

    private func recoverOnce() throws(SystemError) {
        if facts.withLock({ $0.isRecovered }) { return }
        let names = try MediaFolder.scan(photoFolder)
        counter.load(seen: names.highest)
        for scrap in names.scraps { operations.remove(scrap) }
        let report = Leftovers(store: self).takeCare(of: names.temporaries)
        facts.withLock {
            $0.leftovers = report
            $0.isRecovered = true
        }
    }

    private static func megabytes(_ bytes: UInt64) -> String {
        let tenths = bytes / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    // MARK: New files

    /// The next number, its folder made. Numbers are handed out in the order of the calls.
    package func takeNumber() throws(Fault) -> MediaNumber {
        if !counter.isLoaded {
            refresh()
            if !counter.isLoaded { throw status.fault ?? Fault("io", "\(settings.root) is not ready") }
        }
        guard let number = counter.take() else {
            throw Fault("numbers-used-up", "999SHUTR/9999 is the last name there is: move the photos away and remove \(settings.state)/counter")
        }
        do throws(SystemError) {
            try operations.makeFolders(folder(number))
        } catch {
            refresh()
            throw Fault("photos cannot be saved in \(settings.root)", error)
        }
        return number
    }

    package func path(_ kind: MediaKind, _ number: MediaNumber) -> String {
        folder(number) + "/" + MediaName(kind, number).final
    }

    /// Where a file is written before it has its name.
    package func temporaryPath(_ kind: MediaKind, _ number: MediaNumber) -> String {
        folder(number) + "/" + MediaName(kind, number).temporary
    }

    /// Gives a written and synced temporary file its final name; on return that survives a power cut as well.
    ///
    /// Should somebody have put a file there in the meantime, the next free number is taken.
    /// - Returns: the number that the file has now.
    package func publish(_ kind: MediaKind, _ number: MediaNumber) throws(SystemError) -> MediaNumber {
        let temporary = temporaryPath(kind, number)
        var target = number
        while true {
            counter.settle(target)
            do throws(SystemError) {
                try operations.publish(temporary, path(kind, target))
                break
            } catch {
                guard error.code == EEXIST, let next = try nextFree() else { throw error }
                target = next
            }
        }
        try operations.syncFolder(path(kind, target))
        if target.folder != number.folder { try operations.syncFolder(temporary) }
        return target
    }

    /// The same for one more file of a photo or clip that has its number.
    func publish(_ kind: MediaKind, _ number: MediaNumber, beside final: MediaNumber) throws(SystemError) {
        let temporary = temporaryPath(kind, number)
        try operations.publish(temporary, path(kind, final))
        try operations.syncFolder(path(kind, final))
        if final.folder != number.folder { try operations.syncFolder(temporary) }
    }

    /// A number above all names that are there, its folder made; nil when there is none.
    private func nextFree() throws(SystemError) -> MediaNumber? {
        counter.load(seen: try MediaFolder.scan(photoFolder).highest)
        guard let next = counter.take() else { return nil }
        try operations.makeFolders(folder(next))
        return next
    }

    /// Writes, syncs and publishes a small file; nothing is left behind when that fails.
    func save(_ kind: MediaKind, _ number: MediaNumber, _ bytes: [UInt8]) throws(SystemError) {
        let temporary = temporaryPath(kind, number)
        do throws(SystemError) {
            let file = try operations.create(temporary)
            var failure: SystemError?
            bytes.withUnsafeBytes { buffer in
                do throws(SystemError) { try operations.write(file, buffer, temporary) } catch { failure = error }
            }
            if let failure { throw failure }
            try operations.sync(file, temporary)
            counter.settle(number)
            try operations.publish(temporary, path(kind, number))
        } catch {
            operations.remove(temporary)
            throw error
        }
        try operations.syncFolder(temporary)
    }

    /// Remembers a sentence for `warnings`: the last one stands.
    func note(_ trouble: String?) {
        facts.withLock { $0.trouble = trouble }
    }

    private func folder(_ number: MediaNumber) -> String { photoFolder + "/" + number.folderName }
}
