// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Where a camera's frames come from: a loaded plugin, or a synthetic sensor. Used by the camera's thread alone.
///
/// Buffers are numbered from 0. Each belongs either to the source, from `queue` until it is in a completed frame,
/// or to us; `stop` gives all of them back.
package protocol FrameSource: AnyObject {
    /// Opens the camera and configures it; again for another size, while it is stopped and no frame is lent. May take its time.
    func open(_ size: FrameSize) throws(Fault) -> SourceFacts
    /// Starts the sensor; no buffer is queued yet.
    func start() throws(Fault)
    func stop()
    /// Frees everything. No frame of it is lent any more.
    func close()
    /// A descriptor to poll for completed frames, or -1.
    var descriptor: Int32 { get }
    /// When `next` may have something although no descriptor tells.
    var deadline: Timestamp? { get }
    /// The oldest completed frame, or nil. Throws when the camera is gone.
    func next() throws(Fault) -> SourceFrame?
    /// Makes the bytes of a completed frame fit to be read. From any thread.
    func prepareToRead(_ buffer: Int)
    func queue(_ buffer: Int)
    /// Exposure and white balance stay as they are, and the lens focuses once and keeps it; or all of it is automatic again.
    /// What the camera cannot lock is left.
    func focus(_ isHalfPressed: Bool)
    /// Sets all controls, whether it runs or not; they outlast a stop. What it cannot is left.
    func apply(_ controls: CameraControls)
    /// Begins an exposure with the next frame, or ends it. The frame is marked `isHeld`; there is one for each beginning, and
    /// none while it lasts. Only of sources whose facts say `canExpose`.
    func expose(_ isOpen: Bool)
}

/// What frames are for.
package enum FrameSize: Sendable {
    /// Photos and clips.
    case full
    /// Keeping exposure and white balance right until then.
    case small
}

extension FrameSource {
    package func prepareToRead(_ buffer: Int) {}
    package func focus(_ isHalfPressed: Bool) {}
    package func apply(_ controls: CameraControls) {}
    package func expose(_ isOpen: Bool) {}
}

/// What an open source is like: validated, not wished for.
package struct SourceFacts: Sendable {
    package var name: String
    package var layout: FrameLayout
    package var buffers: Int
    /// From one frame to the next.
    package var interval: Duration
    /// Of the Bayer picture that comes with each frame; nil = there is none.
    package var raw: RawLayout?
    /// What the sensor delivers, as in `2028x1520, 12 bits`; empty = the source does not say.
    package var mode: String
    /// The part of the sensor that the picture shows, as libcamera prints its ScalerCrop, `(x, y)/WIDTHxHEIGHT`; empty =
    /// the source does not say.
    package var crop: String
    /// The ranges of its controls, by libcamera's names; that of `ScalerCrop` is the zoom's.
    package var abilities: [String: ClosedRange<Double>]
    /// Its frames tell in `AfState` what became of a focus.
    package var canFocus: Bool
    /// Whether it can expose for as long as it is told to.
    package var canExpose = false

    package init(
        name: String, layout: FrameLayout, buffers: Int, interval: Duration, raw: RawLayout? = nil, mode: String = "", crop: String = "",
        abilities: [String: ClosedRange<Double>] = [:], canFocus: Bool = false
    ) {
        self.abilities = abilities
        self.canFocus = canFocus
        self.name = name
        self.layout = layout
        self.buffers = buffers
        self.interval = interval
        self.raw = raw
        self.mode = mode
        self.crop = crop
    }
}

/// A completed frame: the buffer is ours until it is queued again.
package struct SourceFrame {
    package var buffer: Int
    /// nil: the buffer holds nothing of worth.
    package var metadata: FrameMetadata?
    package var bytes: UnsafeRawBufferPointer
    /// The Bayer picture's.
    package var rawBytes: UnsafeRawBufferPointer?

    package init(buffer: Int, metadata: FrameMetadata?, bytes: UnsafeRawBufferPointer, rawBytes: UnsafeRawBufferPointer? = nil) {
        self.buffer = buffer
        self.metadata = metadata
        self.bytes = bytes
        self.rawBytes = rawBytes
    }
}
