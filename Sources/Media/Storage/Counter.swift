// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// The number of the newest photo or clip, in a file that outlives the pictures: so no number is used twice, even
/// when pictures were deleted or the daemon was killed.
///
/// The file holds the highest number that may have been used, as `100SHUTR/0042`. It is written before a file gets its
/// final name. One write covers all numbers handed out so far: photos that wait behind it need none of their own.
final class Counter: Sendable {
    private struct State {
        /// The last number handed out; nil before the first.
        var last: MediaNumber?
        var isLoaded = false
        /// Set while the state folder cannot be used.
        var trouble: String?
    }

    private let path: String
    private let operations: FileOperations
    private let state = Locked(State())
    /// The highest number that the file holds. Held while the file is written, by worker threads only.
    private let written = Locked<MediaNumber?>(nil)

    init(folder: String, operations: FileOperations) {
        path = folder + "/counter"
        self.operations = operations
    }

    /// What is wrong with the state folder; nil: nothing.
    var trouble: String? { state.withLock { $0.trouble } }

    /// Goes on after the number in the file or the highest seen in the folders, whichever is more. Once only; later
    /// calls make sure of `seen` again.
    func load(seen: MediaNumber?) {
        let stored = written.withLock { written -> MediaNumber? in
            if state.withLock({ $0.isLoaded }) { return nil }
            do throws(SystemError) {
                let text = String(decoding: try FileSystem.wholeFile(path, atMost: 64), as: UTF8.self)
                written = Self.parse(text)
                if written == nil { note("\(path) is damaged") }
            } catch {
                // A missing file is the first start.
                if AtomicFile.exists(path) { note(error.description) }
            }
            return written
        }
        state.withLock { state in
            state.last = [state.last, stored, seen].compactMap(\.self).max()
            state.isLoaded = true
        }
    }

    var isLoaded: Bool { state.withLock { $0.isLoaded } }

    /// The next number; nil when all are used up. Does not block.
    func take() -> MediaNumber? {
        state.withLock { state in
            guard let last = state.last else {
                state.last = .first
                return .first
            }
            guard let next = last.next else { return nil }
            state.last = next
            return next
        }
    }

    /// Makes sure that a number is never given out again, before a file appears under it. A state folder that cannot
    /// be written is no reason to lose a photo: then the next start goes by the names it finds.
    func settle(_ number: MediaNumber) {
        written.withLock { written in
            if let written, written >= number { return }
            let last = state.withLock { $0.last } ?? number
            do throws(SystemError) {
                try operations.makeFolders(FileSystem.folder(of: path))
                try operations.replace(path, Array(Self.format(max(last, number)).utf8))
                written = max(last, number)
                state.withLock { $0.trouble = nil }
            } catch {
                note(error.description)
            }
        }
    }

    private func note(_ trouble: String) {
        state.withLock { $0.trouble = "the photo counter is not stored (\(trouble)): numbers go on from the names in the folders" }
    }

    static func format(_ number: MediaNumber) -> String {
        let digits = String(number.index)
        return number.folderName + "/" + String(repeating: "0", count: 4 - digits.count) + digits + "\n"
    }

    static func parse(_ text: String) -> MediaNumber? {
        guard text.hasSuffix("\n") else { return nil }
        let parts = text.dropLast().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let folder = MediaNumber.folder(String(parts[0])), parts[1].utf8.count == 4,
            let index = MediaNumber.digits(parts[1])
        else { return nil }
        return MediaNumber(folder: folder, index: index)
    }
}
