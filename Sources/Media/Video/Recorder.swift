// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// The recorder: which encoder runs are under way, which clips they feed, and whether they are well.
///
/// All of it is called on the loop's thread, and nothing in it blocks.
package final class Recorder: VideoRecorder {
    /// An encoder that has failed is tried again after this, where no clip waits for it.
    private static let pause = Duration.seconds(2)
    /// A packet that waits for the disk for longer than this, beyond its fragment and the judgement of a stop, shows that the disk is slow.
    private static let slowness = Duration.seconds(1)
    /// Where no encoder was found, one is looked for again: after `searchPause`, then after twice as long each time, up to this. Right after a
    /// cold start memory may have been short, or the card slow.
    private static let mostSearchPause = Duration.seconds(3600)
    /// How often an encoder is replaced within one clip.
    private static let mostRestarts = 3
    /// The last frame of a clip may still be exposed or read out.
    private static let grace = Duration.milliseconds(500)
    /// A camera at rest may still have to be started.
    private static let startGrace = Duration.seconds(5)

    /// A clip under way, until its end was told.
    private struct Clip {
        var writer: ClipWriter
        var restarts = 0
        var isSlow = false
        /// When to end it even if no frame comes any more.
        var due: Timestamp?
        /// That was done: only its end is to be waited for.
        var isRetired = false
    }

    private let settings: ClipSettings
    private let feed: any FrameFeed
    private let store: MediaStore
    private let clock: MediaClock
    private let makeEncoder: @Sendable (String, FrameLayout, Timestamp) throws(Fault) -> any VideoEncoder
    private let choose: @Sendable () throws(Fault) -> String
    /// nil: something is to be looked at.
    private let mailbox: Mailbox<ClipEvent?>
    /// Loads what clips need, which takes its time.
    private let prepare: @Sendable () -> Void
    private var isPrepared = false
    private let microphone: Microphone?
    private let remuxer: Remuxer?

    /// The one that would feed the next clip.
    private var take: Take?
    /// Those that still feed a clip that has been stopped.
    private var ending: [Take] = []
    private var clips: [CaptureID: Clip] = [:]
    private var isRolling = false
    /// Whether a clip is likely, or may have begun.
    private var (isLikely, isAnticipated) = (false, false)
    private var encoder: Result<String, Fault>?
    private var searchPause: Duration
    private var searchesAgain: Timestamp?
    private var restarts = 0
    /// After a failure.
    private var rollsAgain: Timestamp?

    /// Looks for an encoder on a thread; `.encoder` tells, each time.
    /// - Parameters:
    ///   - sound: opens the microphone; nil: clips have no sound.
    ///   - choose: as `EncoderChoice.choose`; may block.
    package convenience init(
        _ settings: ClipSettings, feed: any FrameFeed, sound: (@Sendable () throws(Fault) -> any SoundDevice)?, store: MediaStore,
        choose: @escaping @Sendable () throws(Fault) -> String
    ) throws(SystemError) {
        try self.init(
            settings, feed: feed, sound: sound, store: store, clock: .system,
            prepare: { _ = try? FFmpeg.load() }, choose: choose,
            make: { name, layout, start throws(Fault) in
                try FFmpegEncoder(settings.format(name, layout), start: start, threads: EncoderChoice.threads)
            })
    }

    init(
        _ settings: ClipSettings, feed: any FrameFeed, sound: Microphone.Open? = nil, store: MediaStore, clock: MediaClock, remuxPatience: Duration = .seconds(5),
        searchPause: Duration = .seconds(30), prepare: @escaping @Sendable () -> Void = {},
        choose: @escaping @Sendable () throws(Fault) -> String,
        make: @escaping @Sendable (String, FrameLayout, Timestamp) throws(Fault) -> any VideoEncoder
    ) throws(SystemError) {
        self.settings = settings
        self.feed = feed
        self.store = store
        self.clock = clock
        self.searchPause = searchPause
        self.prepare = prepare
        self.choose = choose
        makeEncoder = make
        let mailbox = try Mailbox<ClipEvent?>()
        self.mailbox = mailbox
        microphone = sound.map { Microphone(preroll: settings.preroll, clock: clock, open: $0) { mailbox.post(.sound($0)) } }
        remuxer = settings.isFaststart ? Remuxer(store: store, clock: clock, patience: remuxPatience) { mailbox.post(.remuxed($0, $1)) } : nil
        remuxer?.add(store.recovered)
        search()
    }

    private func search() {
        searchesAgain = nil
        do throws(SystemError) {
            _ = try Thread(ifPossible: "encoders") { [choose, mailbox] in
                mailbox.post(.encoder(Result { () throws(Fault) in try choose() }))
            }
        } catch {
            mailbox.post(.encoder(.failure(Fault("no-encoder", "no encoder could be looked for: \(error)"))))
        }
    }

    package var descriptor: Int32 { mailbox.descriptor }

    // MARK: What is asked for

    package func roll(_ isRolling: Bool) {
        isLikely = isRolling
        prepareSoon()
        listen()
        self.isRolling = isRolling && settings.preroll > .zero
        keepRolling()
    }

    package func anticipate(_ instant: Timestamp?) {
        isAnticipated = instant != nil
        prepareSoon()
        listen()
        // What rolls has it already.
        if let take, take.from == nil, !take.isDone { return }
        if let instant {
            if take?.from != instant { begin(instant) }
        } else if let take, !take.hasClips {
            retire(take)
        }
    }

    package func start(_ job: ClipJob) {
        let writer = ClipWriter(job, settings: settings, microphone: microphone, store: store, clock: clock) { [mailbox] in mailbox.post($0) }
        clips[job.id] = Clip(writer: writer)
        listen()
        let isThere = take.map { !$0.isDone && ($0.from == nil ? job.mode == .video : $0.from == job.press && !$0.hasClips) } ?? false
        if !isThere { begin(job.press) }
        take?.attach(Take.Attachment(writer: writer), from: job.press - (take?.from == nil ? settings.preroll : .zero))
    }

    package func stop(_ id: CaptureID, at instant: Timestamp, reason: StopReason) {
        guard var clip = clips[id], clip.due == nil else { return }
        let now = clock.now()
        let take = takes.first { $0.isFeeding(id) }
        take?.stop(id, at: instant, ended: reason.rawValue)
        if take == nil { clip.writer.end(reason.rawValue, at: instant) }
        // Without a camera no frame comes any more.
        clip.due = reason == .cameraLost ? now : max(now, instant) + (take?.hasFrames ?? true ? Self.grace : Self.startGrace) + (take?.interval ?? .zero) * 3
        clips[id] = clip
        if let take, take === self.take, take.from != nil {
            // The next clip has an encoder of its own, and may begin while this one is finished.
            ending.append(take)
            self.take = nil
        }
        look()
    }

    package func rest(_ isResting: Bool) { remuxer?.rest(isResting && clips.isEmpty) }

    package func close(until deadline: Timestamp) {
        (isRolling, isLikely, isAnticipated) = (false, false, false)
        for take in takes { retire(take) }
        take = nil
        for clip in clips.values where clip.due == nil { clip.writer.end(StopReason.stopping.rawValue, at: nil) }
        while !clips.isEmpty, clock.now() < deadline {
            _ = Poller.wait([.init(descriptor)], until: earliest(deadline, self.deadline))
            _ = drain()
        }
        microphone?.close(until: deadline)
        remuxer?.close(until: deadline)
    }

    // MARK: What comes of it

    package var deadline: Timestamp? {
        // What is well now may fall silent at once, and nothing else would tell.
        let now = clock.now()
        let silences = takes.compactMap { take -> Timestamp? in
            let silence = take.silence
            return take.isDone ? nil : (silence.since ?? now) + silence.limit
        }
        let slow = clips.values.compactMap { clip in clip.isSlow ? nil : (clip.writer.oldestWaiting ?? now) + slowness }
        return earliest(take == nil && isRolling ? rollsAgain : nil, searchesAgain, silences.min(), slow.min(), clips.values.compactMap { $0.isRetired ? nil : $0.due }.min())
    }

    package func drain() -> [ClipEvent] {
        var events = mailbox.drain().compactMap(\.self)
        for index in events.indices {
            switch events[index] {
            case let .encoder(result):
                encoder = result
                if case .failure = result {
                    searchesAgain = clock.now() + searchPause
                    searchPause = min(searchPause * 2, Self.mostSearchPause)
                }
                prepareSoon()
                keepRolling()
            case let .progress(id, _):
                let isSlow = isSlow(id)
                clips[id]?.isSlow = isSlow
                events[index] = .progress(id, isSlow: isSlow)
            case let .ended(id, outcome):
                forget(id)
                if case let .success(clip) = outcome { remuxer?.add(clip.paths) }
            case .file, .restarted, .sound, .remuxed: break
            }
        }
        look()
        for (id, clip) in clips where !clip.isSlow && isSlow(id) {
            clips[id]?.isSlow = true
            events.append(.progress(id, isSlow: true))
        }
        events += replaceEncoders()
        return events
    }

    package var status: RecorderStatus {
        var status = RecorderStatus(size: "\(settings.width)x\(settings.height)")
        switch encoder {
        case let .success(name): status.encoder = name
        case let .failure(fault): status.fault = fault
        case nil: break
        }
        status.restarts = restarts
        if let microphone { status.sound = microphone.status }
        status.state = !clips.isEmpty ? "recording" : take?.from == nil && take != nil ? "rolling" : "idle"
        if let clip = clips.values.max(by: { $0.writer.job.id < $1.writer.job.id }) {
            let progress = clip.writer.progress
            status.name = progress.name
            status.frames = progress.frames
            status.dropped = progress.drops.all
            status.bytes = progress.synced
            status.slowestWrite = progress.slowestWrite
            if let first = progress.first, let last = progress.last { status.seconds = (last - first).seconds }
        }
        return status
    }

    // MARK: Takes

    private var takes: [Take] { (take.map { [$0] } ?? []) + ending }

    private func begin(_ instant: Timestamp?) {
        if let take {
            if take.hasClips { ending.append(take) } else { retire(take) }
        }
        guard case let .success(name) = encoder else { return take = nil }
        let new = Take(
            from: instant, settings: settings, clock: clock,
            make: { [makeEncoder] layout, start throws(Fault) in try makeEncoder(name, layout, start) },
            wake: { [mailbox] in mailbox.post(nil) })
        take = new
        feed.subscribe(new, from: instant)
    }

    private func retire(_ take: Take) {
        feed.unsubscribe(take)
        take.finish()
        if take === self.take { self.take = nil }
    }

    private func keepRolling() {
        let isRunning = take.map { !$0.isDone } ?? false
        if isRolling, !isRunning, case .success = encoder, rollsAgain.map({ $0 <= clock.now() }) ?? true {
            begin(nil)
        } else if !isRolling, let take, take.from == nil, !take.hasClips {
            retire(take)
        }
    }

    private func forget(_ id: CaptureID) {
        for take in takes { take.detach(id) }
        clips.removeValue(forKey: id)?.writer.join()
        listen()
    }

    /// So that the first clip need not wait for it.
    private func prepareSoon() {
        guard !isPrepared, isLikely || isAnticipated, case .success = encoder else { return }
        isPrepared = true
        _ = try? Thread(ifPossible: "ffmpeg", prepare)
    }

    /// Nobody is listened to who need not be.
    private func listen() { microphone?.listen(isLikely || isAnticipated || !clips.isEmpty) }

    /// Ends what is to be ended.
    private func look() {
        let now = clock.now()
        if let searchesAgain, searchesAgain <= now { search() }
        for (id, clip) in clips {
            guard let due = clip.due, due <= now, !clip.isRetired else { continue }
            clips[id]?.isRetired = true
            guard let take = takes.first(where: { $0.isFeeding(id) }) else { continue }
            retire(take)
            if !ending.contains(where: { $0 === take }) { ending.append(take) }
        }
        // Asked once of each: its clip may end at any moment on the encoder's thread, and one that is forgotten without being retired encodes for ever.
        let idle = ending.filter { !$0.hasClips }
        for take in idle { retire(take) }
        ending.removeAll { take in idle.contains { $0 === take } }
        if let take, take.from != nil, take.isDone, take.failure == nil { self.take = nil }
        keepRolling()
    }

    // MARK: Whether all is well

    private var slowness: Duration { Self.slowness + settings.fragment / 2 + settings.judgement }

    private func isSlow(_ id: CaptureID) -> Bool {
        clips[id]?.writer.oldestWaiting.map { clock.now() - $0 >= slowness } ?? false
    }

    /// What was recorded so far is kept, and the clip goes on with a new encoder, in a new file.
    private func replaceEncoders() -> [ClipEvent] {
        var events: [ClipEvent] = []
        let now = clock.now()
        for dead in takes {
            let silence = dead.silence
            let isSilent = silence.since.map { now - $0 >= silence.limit } ?? false
            guard let fault = dead.failure ?? (isSilent ? Fault("encoder-silent", "the encoder brought nothing forth for \(Int(silence.limit.seconds)) s: it is replaced") : nil)
            else { continue }
            feed.unsubscribe(dead)
            let attachments = dead.abandon()
            let wasNext = dead === take
            ending.removeAll { $0 === dead }
            if wasNext { take = nil }
            rollsAgain = now + Self.pause
            restarts += 1
            for attachment in attachments { events += moveOn(attachment, fault) }
            if wasNext { keepRolling() }
        }
        return events
    }

    private func moveOn(_ attachment: Take.Attachment, _ fault: Fault) -> [ClipEvent] {
        let id = attachment.writer.job.id
        let tries = clips[id]?.restarts ?? 0
        guard tries < Self.mostRestarts, attachment.stop == nil else {
            attachment.writer.end(attachment.stop == nil ? fault.reason : attachment.ended, at: attachment.stop, fault: fault)
            return []
        }
        clips[id]?.restarts = tries + 1
        attachment.writer.cut(fault)
        if take == nil || take?.hasClips == true || take?.isDone == true { begin(isRolling ? nil : clock.now()) }
        take?.attach(Take.Attachment(writer: attachment.writer), from: clock.now())
        return [.restarted(id, fault)]
    }
}
