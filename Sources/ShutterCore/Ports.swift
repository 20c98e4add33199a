// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// The small protocols through which the daemon sees its adapters. Every adapter that works on threads of its
// own makes one descriptor readable when results wait, and hands them over, oldest first, when drained.
// All of it is called on the loop's thread, unless it says otherwise.

/// A source of events that the loop polls.
package protocol EventSource: AnyObject {
    associatedtype Event
    /// A descriptor to poll for reading, or -1 while there is none.
    var descriptor: Int32 { get }
    /// Takes all waiting events; never blocks.
    func drain() -> [Event]
}

/// A button line.
package protocol ButtonLine: AnyObject, EventSource where Event == LineEvent {
    var name: InputName { get }
    /// The real level now, or nil while the line is unavailable.
    func level() -> Level?
    /// When `drain` is to be called even if nothing is readable.
    var deadline: Timestamp? { get }
    /// Why the line is unavailable; nil while it is there.
    var fault: Fault? { get }
    /// Where it is configured: `button.shutter`.
    var place: String { get }
}

extension ButtonLine {
    package var deadline: Timestamp? { nil }
    package var fault: Fault? { nil }
    package var place: String { "button.\(name)" }
}

/// A knob of which something else counts the detents.
package protocol TurnSource: AnyObject, EventSource where Event == TurnEvent {
    var name: String { get }
    var deadline: Timestamp? { get }
}

/// Detents of a knob that the kernel counted, and when that was.
package struct TurnEvent: Equatable, Sendable {
    /// Clockwise is positive.
    package var detents: Int
    package var at: Timestamp

    package init(_ detents: Int, at: Timestamp) {
        self.detents = detents
        self.at = at
    }
}

/// What a line delivers. Edges are hints; the level is the truth.
package enum LineEvent: Equatable, Sendable {
    /// The line went to `level`, stamped by the kernel in the interrupt. `sequence` counts the line's edges, where the API does.
    case edge(Level, at: Timestamp, sequence: UInt32?)
    /// The reader was handed as many edges as the queue holds: some may be gone.
    case overrun(at: Timestamp)
    /// The line is gone (unplugged, driver error).
    case lost(at: Timestamp)
    /// The line is there (again) and at this level.
    case found(Level, at: Timestamp)
}

/// A line that we drive: a plain LED, a vibration motor. Any thread, one at a time; takes no longer than a system call.
package protocol OutputLine: AnyObject, Sendable {
    /// Active is on, whatever voltage that is.
    func set(_ isActive: Bool) throws(Fault)
}

/// A camera whose full-size frames run through a ring.
package protocol Camera: AnyObject, EventSource where Event == CameraEvent {
    func start()
    func stop()
    /// Keeps the frame nearest to a contact that may become a press; nil lets go of it. At most one at a time.
    func anticipate(_ contact: Timestamp?)
    /// Reserves the frame of an instant. Answered by exactly one `.reserved` or `.reservationFailed`, unless `release` comes first.
    func reserve(_ id: CaptureID, at instant: Timestamp)
    /// Begins an exposure that lasts until `endExposure`, then reserves its frame, answered as `reserve` is. At most one at a time.
    func beginExposure(_ id: CaptureID, at instant: Timestamp)
    func endExposure(_ id: CaptureID, at instant: Timestamp)
    /// Takes a reservation back, whether it has been answered or not.
    func release(_ id: CaptureID)
    /// The running frames, for the recorder and the preview.
    var feed: any FrameFeed { get }
    var status: CameraStatus { get }
    /// Locks exposure, white balance and focus as they are, or unlocks them. A lock is answered by `.locked`.
    func focus(_ isHalfPressed: Bool)
    /// Sets all controls, from the next frames on.
    func apply(_ controls: CameraControls)
    /// Closes the camera, so that another program may have it, or takes it back. Told of by `.lost` with the reason `lent`.
    func lend(_ isLent: Bool)
    /// When `drain` is to be called even if nothing is readable.
    var deadline: Timestamp? { get }
    /// Whether a call into the camera has not come back for longer than it may take.
    var isStuck: Bool { get }
}

/// What became of the camera, of a reservation or of a lock.
package enum CameraEvent: Sendable {
    case ready
    case lost(Fault)
    /// Nothing that can be done from in here helps; a fresh process may.
    case hopeless(Fault)
    case reserved(CaptureID, Frame)
    case reservationFailed(CaptureID, Fault)
    /// The values are kept from here on, or cannot be.
    case locked(Bool)
}

/// What `status` tells about the camera.
package struct CameraStatus: Equatable, Sendable {
    /// `idle`, `configured`, `permission-denied` or `failed`.
    package var state: String
    /// What is behind a state that is not well: `no-camera`, `in-use`, `no-frames`, …
    package var fault: Fault?
    package var name: String
    package var size: String
    package var format: String
    /// The sensor's mode and the part of it that is shown, see `SourceFacts`; empty = not known.
    package var mode: String
    package var crop: String
    /// Frames a second.
    package var rate: Double
    /// The ranges of its controls, by libcamera's names; that of `ScalerCrop` is the zoom's.
    package var abilities: [String: ClosedRange<Double>] = [:]
    /// From one frame to the next, where it is known.
    package var interval: Duration?
    /// Whether an exposure may last as long as a press.
    package var canExpose: Bool
    package var lagMode: String
    /// The longest time between press and exposure to be expected.
    package var worstLag: Duration?
    package var buffers: Int
    package var framesCompleted: UInt64
    package var framesDropped: UInt64
    /// Pinned frames copied out because the ring ran low.
    package var framesCopied: UInt64
    /// Buffers lent out now.
    package var framesLent: Int

    package init(
        state: String, fault: Fault? = nil, name: String, size: String, format: String, mode: String = "", crop: String = "", rate: Double,
        interval: Duration? = nil, canExpose: Bool = false,
        lagMode: String,
        worstLag: Duration? = nil, buffers: Int, framesCompleted: UInt64 = 0, framesDropped: UInt64 = 0, framesCopied: UInt64 = 0, framesLent: Int = 0
    ) {
        self.state = state
        self.fault = fault
        self.name = name
        self.size = size
        self.format = format
        self.mode = mode
        self.crop = crop
        self.rate = rate
        self.interval = interval
        self.canExpose = canExpose
        self.lagMode = lagMode
        self.worstLag = worstLag
        self.buffers = buffers
        self.framesCompleted = framesCompleted
        self.framesDropped = framesDropped
        self.framesCopied = framesCopied
        self.framesLent = framesLent
    }
}

/// Encodes and saves photos on threads of its own.
package protocol PhotoSaver: AnyObject, EventSource where Event == PhotoResult {
    /// Takes the frame over; answered by exactly one result.
    func save(_ job: PhotoJob)
    var status: StorageStatus { get }
}

/// A frame that is to become a photo, and what is known of its press.
package struct PhotoJob: Sendable {
    package var id: CaptureID
    package var frame: Frame
    /// The instant of the first contact (or of the request).
    package var press: Timestamp
    /// When the press was accepted.
    package var accepted: Timestamp
    package var mode: Mode
    package var trigger: Trigger

    package init(id: CaptureID, frame: Frame, press: Timestamp, accepted: Timestamp, mode: Mode, trigger: Trigger) {
        self.id = id
        self.frame = frame
        self.press = press
        self.accepted = accepted
        self.mode = mode
        self.trigger = trigger
    }

    /// Exposure centre − press.
    package var lag: Duration { frame.exposureCentre - press }
}

/// What became of a `PhotoJob`.
package struct PhotoResult: Sendable {
    package var id: CaptureID
    package var outcome: Result<SavedPhoto, Fault>

    package init(id: CaptureID, outcome: Result<SavedPhoto, Fault>) {
        self.id = id
        self.outcome = outcome
    }
}

/// A photo that survives a power cut, as far as its file system does.
package struct SavedPhoto: Equatable, Sendable {
    /// Absolute paths; the JPEG first.
    package var paths: [String]
    package var press: Timestamp
    package var exposureCentre: Timestamp
    package var accepted: Timestamp
    package var encoded: Timestamp
    package var synced: Timestamp

    package init(
        paths: [String], press: Timestamp, exposureCentre: Timestamp, accepted: Timestamp, encoded: Timestamp, synced: Timestamp
    ) {
        self.paths = paths
        self.press = press
        self.exposureCentre = exposureCentre
        self.accepted = accepted
        self.encoded = encoded
        self.synced = synced
    }

    /// Exposure centre − press.
    package var lag: Duration { exposureCentre - press }
}

/// What `status` tells about the place where photos go.
package struct StorageStatus: Equatable, Sendable {
    package var root: String
    /// As the kernel names it: `ext4`, `vfat`, `tmpfs`, …
    package var fileSystem: String
    /// Whether a photo reported as saved survives a power cut there.
    package var isCrashSafe: Bool
    /// Whether photos survive a restart of the machine there.
    package var isPersistent: Bool
    /// Bytes that may still be used, or nil if it cannot be told.
    package var free: UInt64?
    /// Set while photos are refused before exposure: `storage-low`, `read-only`, …
    package var fault: Fault?
    /// What is not as it should be, though photos are saved: the counter cannot be stored, a sidecar was not written.
    package var warning: String?
    /// Temporary files of an earlier run that were set aside at the start.
    package var leftovers: [String]

    package init(
        root: String, fileSystem: String, isCrashSafe: Bool, isPersistent: Bool, free: UInt64?, fault: Fault? = nil, warning: String? = nil,
        leftovers: [String] = []
    ) {
        self.root = root
        self.fileSystem = fileSystem
        self.isCrashSafe = isCrashSafe
        self.isPersistent = isPersistent
        self.free = free
        self.fault = fault
        self.warning = warning
        self.leftovers = leftovers
    }
}

/// Small pictures of the running frames, made on a thread of its own.
package protocol PreviewSource: AnyObject, EventSource where Event == PreviewPicture {
    /// What is to be made from now on; nothing costs nothing.
    func want(_ kinds: Set<PreviewKind>)
}

/// How a preview picture is coded.
package enum PreviewKind: Sendable {
    case jpeg
    /// A binary PPM.
    case pixels
}

/// One small picture, coded as its kind says.
package struct PreviewPicture: Sendable {
    package var kind: PreviewKind
    /// The centre of its exposure.
    package var instant: Timestamp
    package var bytes: [UInt8]

    package init(kind: PreviewKind, instant: Timestamp, bytes: [UInt8]) {
        self.kind = kind
        self.instant = instant
        self.bytes = bytes
    }
}

/// An LED ring. Frames are handed to a writer thread; the newest wins.
package protocol RingOutput: AnyObject {
    /// Pixels on the ring; 1 for a single LED.
    var count: Int { get }
    func show(_ pixels: [Colour])
    /// Why the last frame is not on the ring, or nil when it is.
    var fault: Fault? { get }
    /// When the newest frame was brought to the ring: the light changed after the call into its driver began, and before that came back. (Of
    /// a WS2812, at the pause after the data, which is part of what is written.)
    var lastWrite: LagCalibration.Change? { get }
    /// Switches the ring off and waits, at most for a moment, until it is.
    func close()
}

extension RingOutput {
    package var fault: Fault? { nil }
}

/// Measures how bright the running frames are, on a thread of its own. Any thread, one at a time; never the loop's: `end` waits.
package protocol LightMeter: AnyObject, Sendable {
    /// Looks at every frame from now on.
    func begin()
    /// No more of them. Those since `begin`, in their order.
    func end() -> [FrameLight]
}

/// The light of one pixel, linear, each part 0…1 after gamma and budget.
package struct Colour: Equatable, Sendable {
    package var red: Float
    package var green: Float
    package var blue: Float

    package init(red: Float, green: Float, blue: Float) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    package static let off = Colour(red: 0, green: 0, blue: 0)
}

/// The saved photos and clips. Every call may block: never on the loop's thread.
package protocol Catalogue: Sendable {
    /// All photos and clips, oldest first. Missing folders are an empty list.
    func entries() throws(Fault) -> [MediaEntry]
    /// The newest photo or clip, or nil.
    func newest() throws(Fault) -> MediaEntry?
    /// The entry of a bare file name such as `IMG_0001.JPG`; never a path. Nil when it is not there.
    func entry(named name: String) throws(Fault) -> MediaEntry?
    /// The thumbnail inside of a photo, a JPEG.
    func thumbnail(of entry: MediaEntry) throws(Fault) -> [UInt8]
}

/// A saved file: a photo, a clip, or a sidecar that was asked for by name.
package struct MediaEntry: Equatable, Sendable {
    /// `IMG_0001.JPG`
    package var name: String
    /// Absolute.
    package var path: String
    /// Bytes.
    package var size: UInt64
    /// When it was saved: nanoseconds since 1970.
    package var modified: Int64

    package init(name: String, path: String, size: UInt64, modified: Int64) {
        self.name = name
        self.path = path
        self.size = size
        self.modified = modified
    }
}
