// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// Encodes and saves photos on a few threads that may block, so that the loop never does.
///
/// `save`, `status`, `drain`, `refreshStorage` and `oldestJobSince` are for the loop and do not block. How many photos
/// wait is up to the caller: each holds a frame of the camera until it is encoded.
package final class PhotoPipeline: PhotoSaver {
    package let store: MediaStore
    private let clock: MediaClock
    private let results: Mailbox<PhotoResult>
    private let shared: Shared
    private let settings: Locked<PhotoSettings>
    private var workers: [Thread] = []

    /// Starts the threads, and a first refresh of the storage on one of them.
    ///
    /// Throws `encode` when TurboJPEG does not start, `io` when the process has no descriptor left.
    package init(settings: PhotoSettings, store: MediaStore, clock: MediaClock = .system) throws(Fault) {
        self.store = store
        self.clock = clock
        do throws(SystemError) {
            results = try Mailbox()
        } catch {
            throw Fault("io", "photos cannot be saved: \(error.description)")
        }
        shared = Shared()
        let current = Locked(settings)
        self.settings = current
        var writers: [PhotoWriter] = []
        for _ in 0..<max(1, settings.workers) { writers.append(try PhotoWriter(settings: current, store: store, clock: clock)) }
        refreshStorage()
        for (index, writer) in writers.enumerated() {
            let worker = PhotoWorker(writer: writer, store: store, clock: clock, shared: shared, results: results)
            // Two of them keep a small machine busy: a press is accepted, and a frame fetched, before a photo is encoded on.
            workers.append(Thread(name: "photo-\(index)", nice: 10) { worker.run() })
        }
    }

    deinit { shutdown() }

    /// Other settings from the next photo on; the number of threads stays.
    package func adopt(_ settings: PhotoSettings) { self.settings.withLock { $0 = settings } }

    package var descriptor: Int32 { results.descriptor }

    package func drain() -> [PhotoResult] { results.drain() }

    package var status: StorageStatus { store.status }

    package func save(_ job: PhotoJob) {
        let photo = QueuedPhoto(job, since: clock.now())
        let isTaken = shared.queue.update { queue in
            if queue.isClosed { return false }
            queue.waiting.append(photo)
            return true
        }
        if !isTaken {
            results.post(PhotoResult(id: job.id, outcome: .failure(Fault("stopping", "the photo was not saved: shutterd is stopping"))))
        }
    }

    /// Has a thread look at the storage again: after a while in which photos were refused, or before one that matters.
    /// What it finds is in `status` soon after.
    package func refreshStorage() {
        shared.queue.update { $0.wantsRefresh = true }
    }

    /// Since when the oldest photo in work is in work, or, if none is, the first waits; nil: all are finished. For the watchdog: a slow card
    /// is no fault while one photo after the other is finished.
    package var oldestJobSince: Timestamp? {
        shared.queue.withLock { queue in queue.inWork.map(\.since).min() ?? queue.waiting.first?.since }
    }

    /// Photos that are not finished.
    package var unfinished: Int {
        shared.queue.withLock { $0.waiting.count + $0.inWork.count }
    }

    /// Whether photos are not finished; from any thread.
    package var isSaving: @Sendable () -> Bool {
        { [shared] in shared.queue.withLock { !$0.waiting.isEmpty || !$0.inWork.isEmpty } }
    }

    /// Finishes all photos handed over, and ends the threads. Blocks meanwhile. Their results can be drained afterwards.
    package func shutdown() {
        shared.queue.update { $0.isClosed = true }
        for worker in workers { worker.join() }
        workers = []
    }

    /// What the loop and the threads have in common.
    final class Shared: @unchecked Sendable {
        /// The lock guards all of it; the photos inside belong to one thread at a time.
        let queue = Locked(Queue())
        /// Held by the one thread that waits for the next photo and gives it its number: so numbers are in the order of
        /// `save`, although taking one may block and `save` may not.
        /// Not of Void: what has no size has the address of its neighbour, which the thread sanitizer takes for a race.
        let numbering = Locked(0)
    }

    struct Queue {
        var waiting: [QueuedPhoto] = []
        var inWork: [QueuedPhoto] = []
        var wantsRefresh = false
        var isClosed = false
    }
}

/// What one thread of the pool does.
private final class PhotoWorker: @unchecked Sendable {
    private let writer: PhotoWriter
    private let store: MediaStore
    private let clock: MediaClock
    private let shared: PhotoPipeline.Shared
    private let results: Mailbox<PhotoResult>

    init(writer: PhotoWriter, store: MediaStore, clock: MediaClock, shared: PhotoPipeline.Shared, results: Mailbox<PhotoResult>) {
        self.writer = writer
        self.store = store
        self.clock = clock
        self.shared = shared
        self.results = results
    }

    private enum Task {
        case refresh
        case photo(QueuedPhoto, Result<MediaNumber, Fault>)
        case end
    }

    func run() {
        while true {
            switch next() {
            case .refresh: store.refresh()
            case .photo(let photo, let number): develop(photo, number)
            case .end: return
            }
        }
    }

    private func next() -> Task {
        let isIdle = shared.queue.withLock { $0.waiting.isEmpty }
        if isIdle { writer.release() }
        return shared.numbering.withLock { _ in
            let (photo, isRefresh) = shared.queue.wait { queue -> (QueuedPhoto?, Bool)? in
                if queue.wantsRefresh {
                    queue.wantsRefresh = false
                    return (nil, true)
                }
                if !queue.waiting.isEmpty {
                    let photo = queue.waiting.removeFirst()
                    photo.since = clock.now()
                    queue.inWork.append(photo)
                    return (photo, false)
                }
                return queue.isClosed ? (nil, false) : nil
            }
            guard let photo else { return isRefresh ? .refresh : .end }
            do throws(Fault) {
                return .photo(photo, .success(try store.takeNumber()))
            } catch {
                return .photo(photo, .failure(error))
            }
        }
    }

    private func develop(_ photo: QueuedPhoto, _ number: Result<MediaNumber, Fault>) {
        var outcome: Result<SavedPhoto, Fault>
        do throws(Fault) {
            let number = try number.get()
            outcome = .success(try writer.develop(photo, as: number))
            store.measure()
        } catch {
            outcome = .failure(error)
        }
        shared.queue.withLock { queue in queue.inWork.removeAll { $0 === photo } }
        results.post(PhotoResult(id: photo.id, outcome: outcome))
    }
}
