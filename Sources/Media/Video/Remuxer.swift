// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CVideoPlugin
import Glibc
import LinuxIO
import ShutterCore

/// Makes plain MP4s with the index in front of closed clips, on a thread of its own, while nothing else is to be done.
///
/// The original stays what it is until the copy is written, synced, read back and found to be the same; then the copy takes
/// its name in one step. Anything that comes up ends the work at once, and it is begun again later.
final class Remuxer: @unchecked Sendable {
    private struct State {
        var waiting: [String] = []
        /// Since when nothing else is to be done; nil: something is.
        var restingSince: Timestamp?
        var isClosing = false
        var isDone = false
    }

    private let store: MediaStore
    private let clock: MediaClock
    private let patience: Duration
    private let tell: @Sendable (String, Fault?) -> Void
    private let state = Locked(State())
    private let thread = Locked<Thread?>(nil)

    // The thread's own.
    private var isGivenUp = false

    /// - Parameters:
    ///   - patience: how long it must have been quiet.
    ///   - tell: called with the path of each clip that is done, or cannot be.
    init(store: MediaStore, clock: MediaClock, patience: Duration = .seconds(5), tell: @escaping @Sendable (String, Fault?) -> Void) {
        self.store = store
        self.clock = clock
        self.patience = patience
        self.tell = tell
        thread.withLock { $0 = Thread(name: "remux", nice: 10) { self.run() } }
    }

    // MARK: From other threads

    func add(_ paths: [String]) {
        let clips = paths.filter { $0.hasSuffix("." + MediaKind.clip.ending) }
        state.update { state in state.waiting += clips.filter { !state.waiting.contains($0) } }
    }

    /// Whether nothing else is to be done.
    func rest(_ isResting: Bool) {
        let now = clock.now()
        state.update { $0.restingSince = isResting ? $0.restingSince ?? now : nil }
    }

    func close(until deadline: Timestamp) {
        state.update { $0.isClosing = true }
        guard state.wait(until: deadline, { $0.isDone ? () : nil }) != nil else { return }
        thread.withLock { thread in defer { thread = nil }; return thread }?.join()
    }

    // MARK: The thread

    private func run() {
        while let path = next() {
            do throws(Fault) {
                guard try remux(path) else { continue }
                state.update { $0.waiting.removeAll { $0 == path } }
                if AtomicFile.exists(path) { tell(path, nil) }
            } catch {
                state.update { $0.waiting.removeAll { $0 == path } }
                tell(path, error)
            }
        }
        state.update { $0.isDone = true }
    }

    /// Waits until there is something, and time for it; nil: no more.
    private func next() -> String? {
        while true {
            let due = state.wait { state -> Timestamp?? in
                if state.isClosing { return .some(nil) }
                guard let since = state.restingSince, !state.waiting.isEmpty else { return nil }
                return since + patience
            }
            guard let due else { return nil }
            // Quiet until then?
            _ = state.wait(until: due) { $0.isClosing || $0.restingSince.map { $0 + patience != due } ?? true ? () : nil }
            let path = state.withLock { state in
                state.isClosing || state.restingSince.map { $0 + patience <= clock.now() } != true ? nil : state.waiting.first
            }
            if let path { return path }
        }
    }

    /// Stays so until the next try, be it quiet again: libavformat may have seen it already.
    private var isOver: Bool {
        if !isGivenUp { isGivenUp = state.withLock { $0.isClosing || $0.restingSince == nil } }
        return isGivenUp
    }

    /// - Returns: false: given up for now.
    private func remux(_ path: String) throws(Fault) -> Bool {
        let temporary = MediaFolder.remuxPath(path)
        isGivenUp = false
        defer { store.operations.remove(temporary) }
        do {
            let ffmpeg = try FFmpeg.load()
            // Deleted since.
            guard let before = try FileSystem.file(path), before.isRegular else { return true }
            let space = try store.operations.space(path)
            guard space.free >= before.size + before.size / 50 + store.settings.reserve else {
                throw SystemError("remux", path, code: ENOSPC)
            }
            guard try worked(path, ffmpeg, ffmpeg.call.remux(path, temporary, { Remuxer.isOver($0) }, Unmanaged.passUnretained(self).toOpaque())) else { return false }
            let copy = try Descriptor(open: temporary, O_RDWR | O_NOFOLLOW)
            try copy.takeLooks(of: path)
            try store.operations.sync(copy, temporary)
            guard let original = try digest(path, ffmpeg), let its = try digest(temporary, ffmpeg) else { return false }
            guard original == its else {
                throw Fault("remux", "\(path) stays as it was recorded: its plain copy is not the same (\(original.difference(its)))")
            }
            // What was deleted meanwhile stays deleted.
            guard !isOver, try FileSystem.file(path) == before else { return false }
            try AtomicFile.exchange(temporary, over: path)
            return true
        } catch {
            throw error as? Fault ?? Fault("remux", "\(path) stays as it was recorded, and is not made a plain MP4: \(error)")
        }
    }

    private static func isOver(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context else { return 1 }
        return Unmanaged<Remuxer>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
    }

    /// Nil: given up.
    private func digest(_ path: String, _ ffmpeg: FFmpeg) throws(SystemError) -> Digest? {
        var digest = video_digest()
        let code = ffmpeg.call.digest(path, { Remuxer.isOver($0) }, Unmanaged.passUnretained(self).toOpaque(), &digest)
        return try worked(path, ffmpeg, code) ? Digest(digest) : nil
    }

    private func worked(_ path: String, _ ffmpeg: FFmpeg, _ code: Int32) throws(SystemError) -> Bool {
        // To libavformat, a read that was given up may look like the end of the file.
        if isGivenUp { return false }
        if code >= 0 { return true }
        throw SystemError(ffmpeg.fault("remux", code).message, path, code: EIO)
    }
}

/// A video_digest.
private struct Digest: Equatable {
    private let numbers: [Int64]

    func difference(_ other: Digest) -> String { zip(numbers, other.numbers).filter { $0 != $1 }.map { "\($0) and \($1)" }.joined(separator: ", ") }

    init(_ digest: video_digest) {
        let tracks = [digest.track.0, digest.track.1]
        numbers = [Int64(digest.tracks)] + tracks.flatMap { [$0.packets, $0.keys, $0.first_us, $0.end_us, Int64($0.sum)] }
    }
}

extension Descriptor {
    /// Times and permissions: it is the same clip.
    fileprivate func takeLooks(of path: String) throws(SystemError) {
        var facts = stat()
        try systemCall("stat", path) { stat(path, &facts) }
        try systemCall("fchmod", path) { fchmod(number, facts.st_mode & 0o7777) }
        try systemCall("futimens", path) { futimens(number, [facts.st_atim, facts.st_mtim]) }
    }
}
