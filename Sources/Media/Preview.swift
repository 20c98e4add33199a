// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import LinuxIO
import ShutterCore

/// Small pictures of the running frames, for whoever wants to see what the camera sees: at most `rate` a second, and none
/// while a photo is being saved. A frame is lent for as long as it takes to make a small one of it, a few milliseconds.
package final class Preview: PreviewSource, FrameSubscriber, @unchecked Sendable {
    /// Pictures a second.
    package static let rate = 10
    /// What a JPEG, and what pixels have to fit in.
    static let jpegBox = PhotoSettings.Size(width: 640, height: 480)
    static let pixelBox = PhotoSettings.Size(width: 320, height: 240)
    private static let quality = 70

    private struct State {
        var wanted: Set<PreviewKind> = []
        var frame: Frame?
        /// A picture is being made.
        var isBusy = false
        /// No frame before this is wanted.
        var next = Timestamp(nanoseconds: .min)
        var isClosed = false
    }

    private let feed: any FrameFeed
    private let isSaving: @Sendable () -> Bool
    private let state = Locked(State())
    private let pictures: Mailbox<PreviewPicture>
    private var thread: Thread?

    /// - Parameter isSaving: whether a photo is being made, which goes first.
    package init(_ feed: any FrameFeed, isSaving: @escaping @Sendable () -> Bool) throws(SystemError) {
        self.feed = feed
        self.isSaving = isSaving
        pictures = try Mailbox()
    }

    package var descriptor: Int32 { pictures.descriptor }
    package func drain() -> [PreviewPicture] { pictures.drain() }

    package func want(_ kinds: Set<PreviewKind>) {
        let before = state.update { state in
            defer { state.wanted = kinds }
            return state.wanted
        }
        if before.isEmpty, !kinds.isEmpty {
            // Without one, there are no pictures.
            if thread == nil { thread = try? Thread(ifPossible: "preview", nice: 10) { [state, pictures] in Self.run(state, pictures) } }
            if thread == nil { return }
            feed.subscribe(self, from: nil)
        } else if !before.isEmpty, kinds.isEmpty {
            feed.unsubscribe(self)
        }
    }

    package func close() {
        want([])
        state.update {
            $0.isClosed = true
            $0.frame = nil
        }
        thread?.join()
        thread = nil
    }

    // MARK: The camera's thread

    package func wants(_ metadata: FrameMetadata) -> Bool {
        if isSaving() { return false }
        return state.withLock { state in
            guard !state.wanted.isEmpty, !state.isBusy, state.frame == nil, metadata.sensorTimestamp >= state.next else { return false }
            state.next = metadata.sensorTimestamp + .seconds(1) / Self.rate - .milliseconds(2)
            return true
        }
    }

    package func take(_ frame: Frame) {
        state.update { if !$0.isClosed { $0.frame = frame } }
    }

    package func miss(_ metadata: FrameMetadata) {}

    // MARK: A thread of its own

    private static func run(_ state: Locked<State>, _ pictures: Mailbox<PreviewPicture>) {
        guard let compressor = try? Compressor() else { return }
        let (preparer, jpegShrinker, pixelShrinker, output) = (PlanePreparer(), Shrinker(), Shrinker(), PageBuffer())
        while true {
            let task = state.wait { state -> (frame: Frame?, wanted: Set<PreviewKind>)?? in
                if state.isClosed { return .some(nil) }
                guard let frame = state.frame else { return nil }
                state.frame = nil
                state.isBusy = true
                return .some((frame, state.wanted))
            }
            guard var task else { return }
            guard let instant = task.frame?.exposureCentre, let layout = task.frame?.layout else { continue }
            var (jpeg, pixels): (Picture?, Picture?)
            task.frame?.withBytes { bytes in
                guard let picture = try? preparer.prepare(layout, bytes) else { return }
                if task.wanted.contains(.jpeg) { jpeg = try? jpegShrinker.shrink(picture, into: jpegBox) }
                if task.wanted.contains(.pixels) { pixels = try? pixelShrinker.shrink(picture, into: pixelBox) }
            }
            // The frame goes back before anything is encoded.
            task.frame = nil
            finish(instant, jpeg, pixels, compressor, output, pictures)
            state.update { $0.isBusy = false }
        }
    }

    /// Without the JFIF header, which makes FFmpeg take a stream of pictures for a single one, and wait.
    private static func withoutHeader(_ jpeg: [UInt8]) -> [UInt8] {
        guard jpeg.count > 6, jpeg[2] == 0xFF, jpeg[3] == 0xE0 else { return jpeg }
        let end = 4 + (Int(jpeg[4]) << 8 | Int(jpeg[5]))
        return end < jpeg.count ? Array(jpeg[..<2] + jpeg[end...]) : jpeg
    }

    private static func finish(
        _ instant: Timestamp, _ jpeg: Picture?, _ pixels: Picture?, _ compressor: Compressor, _ output: PageBuffer, _ pictures: Mailbox<PreviewPicture>
    ) {
        if let jpeg, let size = try? compressor.compress(jpeg, quality: quality, into: output) {
            let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                buffer.baseAddress!.update(from: output.base!, count: size)
                count = size
            }
            pictures.post(PreviewPicture(kind: .jpeg, instant: instant, bytes: withoutHeader(bytes)))
        }
        if let pixels { pictures.post(PreviewPicture(kind: .pixels, instant: instant, bytes: pixels.portablePixmap)) }
    }
}

extension Picture {
    /// A binary PPM: `P6 WIDTH HEIGHT 255`, then red, green and blue of each pixel. See ppm(5).
    var portablePixmap: [UInt8] {
        var bytes = Array("P6 \(width) \(height) 255\n".utf8)
        bytes.reserveCapacity(bytes.count + width * height * 3)
        switch pixels {
        case .planes(let y, let u, let v):
            for row in 0..<height {
                for column in 0..<width {
                    // JFIF's full-range BT.601, in 1/65536.
                    let luma = Int(y.base[row * y.stride + column]) << 16
                    let blue = Int(u.base[row / 2 * u.stride + column / 2]) - 128
                    let red = Int(v.base[row / 2 * v.stride + column / 2]) - 128
                    for value in [luma + 91881 * red, luma - 22554 * blue - 46802 * red, luma + 116130 * blue] {
                        bytes.append(UInt8(clamping: (value + 32768) >> 16))
                    }
                }
            }
        case .packed(let plane, let bytesPerPixel, let order):
            let offsets = order == TJPF_RGB ? [0, 1, 2] : [2, 1, 0]
            for row in 0..<height {
                for column in 0..<width {
                    for offset in offsets { bytes.append(plane.base[row * plane.stride + column * bytesPerPixel + offset]) }
                }
            }
        }
        return bytes
    }
}
