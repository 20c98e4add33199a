// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A photo waiting to be encoded. A class, so that the frame can be given back while the rest is still needed.
final class QueuedPhoto {
    let id: CaptureID
    let press: Timestamp
    let accepted: Timestamp
    let mode: Mode
    let trigger: Trigger
    /// When it was handed over, or work on it began.
    var since: Timestamp
    private var frame: Frame?

    init(_ job: PhotoJob, since: Timestamp) {
        id = job.id
        press = job.press
        accepted = job.accepted
        mode = job.mode
        trigger = job.trigger
        self.since = since
        frame = job.frame
    }

    /// Takes the frame out: once the caller lets go of it, the camera has its buffer back.
    func takeFrame() -> Frame {
        guard let frame else { preconditionFailure("a photo is developed once") }
        self.frame = nil
        return frame
    }
}

/// Makes files of frames, one at a time. One for each worker thread.
///
/// The order, each step done before the next: encode, give the frame back, write the JPEG under a temporary name,
/// fsync, store the counter, rename, fsync the folder (here is `synced`), then the same for the sidecar, then "saved".
/// A crash in between can so leave a photo without its sidecar, which hurts nobody, but never a sidecar without a photo,
/// and never part of either under a final name.
final class PhotoWriter {
    private let current: Locked<PhotoSettings>
    private let store: MediaStore
    private let clock: MediaClock
    private let encoder: JPEGEncoder

    private var settings: PhotoSettings { current.withLock { $0 } }

    /// - Parameter settings: may change between two photos.
    init(settings: Locked<PhotoSettings>, store: MediaStore, clock: MediaClock) throws(Fault) {
        current = settings
        self.store = store
        self.clock = clock
        encoder = try JPEGEncoder()
    }

    /// What is left of a frame that was given back.
    private struct Draft {
        var metadata: FrameMetadata
        var layout: FrameLayout
        var exif: [UInt8]
        /// The DNG's temporary file, written, and to be synced.
        var raw: Descriptor?
        /// Why there is none although it was wanted.
        var rawFailure: SystemError?
        /// A DNG alone was wanted, and is there.
        var isRawOnly: Bool
        /// As they were then.
        var settings: PhotoSettings
    }

    /// Encodes and saves. Blocks for as long as the card takes.
    func develop(_ photo: QueuedPhoto, as number: MediaNumber) throws(Fault) -> SavedPhoto {
        let draft = try encode(photo, number)
        let metadata = draft.metadata
        let encoded = clock.now()
        let final: MediaNumber
        do throws(Fault) {
            final = draft.isRawOnly ? try saveRaw(draft.raw, number) : try saveJPEG(number, exif: draft.exif)
        } catch {
            if draft.raw != nil { store.operations.remove(store.temporaryPath(.raw, number)) }
            throw error
        }
        let synced = clock.now()
        var paths = [store.path(draft.isRawOnly ? .raw : .jpeg, final)]
        var trouble: String?
        if !draft.isRawOnly {
            do throws(SystemError) {
                if try saveRaw(draft, number, beside: final) { paths.append(store.path(.raw, final)) }
            } catch {
                trouble = Fault("the DNG of \(paths[0]) was not saved", error).message
            }
        }
        if settings.sidecar {
            let sidecar = Sidecar(
                metadata: metadata,
                shutter: Sidecar.Shutter(
                    press: photo.press.nanoseconds, exposureCentre: metadata.exposureCentre.nanoseconds,
                    lag: (metadata.exposureCentre - photo.press).microseconds, interval: metadata.interval?.microseconds,
                    accepted: photo.accepted.nanoseconds, encoded: encoded.nanoseconds, synced: synced.nanoseconds,
                    mode: photo.mode.rawValue, trigger: photo.trigger.rawValue, clock: clock.source().rawValue,
                    exposure: metadata.doubt?.rawValue, format: draft.layout.format.rawValue,
                    colour: draft.layout.format.isYUV ? "\(draft.layout.matrix) \(draft.layout.range)" : nil,
                    prioritize: draft.settings.prioritize, quality: draft.isRawOnly ? nil : draft.settings.quality,
                    subsampling: draft.isRawOnly ? nil : draft.settings.hasFullChroma && !draft.layout.format.isYUV ? "4:4:4" : "4:2:0"))
            do throws(SystemError) {
                try store.save(.sidecar, final, sidecar.serialised())
                paths.append(store.path(.sidecar, final))
            } catch {
                // The photo itself is safe, and that is what was asked for.
                trouble = Fault("the sidecar of \(paths[0]) was not saved", error).message
            }
        }
        store.note(trouble)
        return SavedPhoto(
            paths: paths, press: photo.press, exposureCentre: metadata.exposureCentre, accepted: photo.accepted,
            encoded: encoded, synced: synced)
    }

    /// Gives memory back that only a photo in work needs.
    func release() {
        encoder.release()
    }

    /// The frame is let go of on return, long before the card has the bytes.
    private func encode(_ photo: QueuedPhoto, _ number: MediaNumber) throws(Fault) -> Draft {
        let settings = settings
        let frame = photo.takeFrame()
        let metadata = frame.metadata
        let facts = ExifFacts(
            settings: settings, metadata: metadata, camera: frame.camera, width: frame.layout.width, height: frame.layout.height,
            orientation: frame.layout.orientation, time: ExifTime(wall: clock.wallTime(of: metadata)))
        var draft = Draft(metadata: metadata, layout: frame.layout, exif: [], raw: nil, rawFailure: nil, isRawOnly: false, settings: settings)
        if settings.formats.contains(.dng), let raw = frame.raw {
            do throws(SystemError) { draft.raw = try write(raw, facts, number) } catch { draft.rawFailure = error }
            draft.isRawOnly = draft.raw != nil && !settings.formats.contains(.jpeg)
        }
        if draft.isRawOnly { return draft }
        do throws(Fault) {
            let thumbnail = try encoder.encode(frame, quality: settings.quality, hasFullChroma: settings.hasFullChroma, thumbnail: settings.thumbnail)
            draft.exif = facts.segment(thumbnail: thumbnail)
            return draft
        } catch {
            if draft.raw != nil { store.operations.remove(store.temporaryPath(.raw, number)) }
            throw error
        }
    }

    private func write(_ raw: RawPicture, _ facts: ExifFacts, _ number: MediaNumber) throws(SystemError) -> Descriptor {
        let temporary = store.temporaryPath(.raw, number)
        let file = try store.operations.create(temporary)
        do throws(SystemError) {
            try DNGWriter.write(raw, facts, to: file, subject: temporary)
        } catch {
            store.operations.remove(temporary)
            throw error
        }
        return file
    }

    /// The DNG is the photo.
    private func saveRaw(_ file: Descriptor?, _ number: MediaNumber) throws(Fault) -> MediaNumber {
        do throws(SystemError) {
            if let file { try store.operations.sync(file, store.temporaryPath(.raw, number)) }
            return try store.publish(.raw, number)
        } catch {
            store.refresh()
            throw Fault("\(MediaName(.raw, number).final) was not saved", error)
        }
    }

    /// The DNG stands beside its JPEG; false when there is none.
    private func saveRaw(_ draft: Draft, _ number: MediaNumber, beside final: MediaNumber) throws(SystemError) -> Bool {
        if let failure = draft.rawFailure { throw failure }
        guard let file = draft.raw else { return false }
        do throws(SystemError) {
            try store.operations.sync(file, store.temporaryPath(.raw, number))
            try store.publish(.raw, number, beside: final)
            return true
        } catch {
            store.operations.remove(store.temporaryPath(.raw, number))
            throw error
        }
    }

    /// - Returns: the number that the photo has got.
    private func saveJPEG(_ number: MediaNumber, exif: [UInt8]) throws(Fault) -> MediaNumber {
        let temporary = store.temporaryPath(.jpeg, number)
        do throws(SystemError) {
            try write(temporary, exif: exif)
            return try store.publish(.jpeg, number)
        } catch {
            // Not so once it has its final name: should the folder's fsync fail, the photo stays, though not promised.
            store.operations.remove(temporary)
            store.refresh()
            throw Fault("\(MediaName(.jpeg, number).final) was not saved", error)
        }
    }

    private func write(_ path: String, exif: [UInt8]) throws(SystemError) {
        let file = try store.operations.create(path)
        let head = JPEGFile.head(exif: exif)
        var failure: SystemError?
        encoder.withJPEG { jpeg in
            head.withUnsafeBytes { head in
                do throws(SystemError) {
                    try store.operations.write(file, head, path)
                    let picture = UnsafeRawBufferPointer(rebasing: jpeg[JPEGFile.pictureOffset(in: jpeg)...])
                    try store.operations.write(file, picture, path)
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        try store.operations.sync(file, path)
    }
}
