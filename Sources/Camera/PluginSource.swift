// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CCameraPlugin
import Glibc
import LinuxIO
import ShutterCore

/// Frames from libcamera, through the plugin.
package final class PluginSource: FrameSource, @unchecked Sendable {
    package struct Settings: Sendable {
        /// Where the plugin may be, best first.
        package var paths: [String]
        /// libcamera's id; empty = the first camera.
        package var id = ""
        /// Pixels; 0 = as large as the sensor.
        package var width = 0
        package var height = 0
        package var buffers = 6
        /// Frames a second; nil = the camera's own.
        package var rate: Double?
        /// How the camera is mounted, EXIF's 1…8.
        package var orientation: UInt8 = 1
        /// A Bayer picture with each frame.
        package var wantsRaw = false
        /// Set at each start, by libcamera's names.
        package var controls: [String: MetadataValue] = [:]
        /// The same, of cameras that have them: it is no news when one has not.
        package var wishes: [String: MetadataValue] = [:]
        /// What is in `controls`; frames cannot come faster.
        package var longestExposure = Duration.zero
        /// Why it is not even tried.
        package var refusal: Fault?

        package init(paths: [String]) { self.paths = paths }
    }

    package typealias Log = @Sendable (_ level: Int32, _ line: String) -> Void

    private final class LogBox: Sendable {
        let write: Log
        init(_ write: @escaping Log) { self.write = write }
    }

    /// With less, a press could not have the frame before it.
    private static let leastBuffers: UInt32 = 3

    private let settings: Settings
    private let log: LogBox
    private var library: PluginLibrary?
    private var camera: OpaquePointer?
    private var canFocus = false
    /// What can be locked, of exposure and white balance.
    private var lockable: [String] = []
    private var isLocked = false
    private var isRunning = false
    private var wanted = CameraControls()
    private var abilities: [String: ClosedRange<Double>] = [:]
    /// Controls that take whole numbers.
    private var whole: Set<String> = []
    private var rawLayout: RawLayout?
    /// The largest crop that the camera can have as it is configured, and the one that is wanted.
    private var widest: SensorArea?
    private var crop: SensorArea?
    private var mode = ""
    private var name = "camera"
    /// Warned of already.
    private var missing: Set<String> = []

    /// - Parameter log: takes libcamera's log, syslog(3)'s levels; called on any thread.
    package init(_ settings: Settings, log: @escaping Log) {
        self.settings = settings
        self.log = LogBox(log)
    }

    deinit { close() }

    package func open(_ size: FrameSize) throws(Fault) -> SourceFacts {
        if let refusal = settings.refusal { throw refusal }
        let library = if let loaded = library { loaded } else { try PluginLibrary(paths: settings.paths) }
        self.library = library
        let functions = library.functions
        if camera == nil {
            let context = Unmanaged.passUnretained(log).toOpaque()
            let result = settings.id.withCString { id in
                functions.open(id, { context, level, line in
                    guard let context, let line else { return }
                    Unmanaged<LogBox>.fromOpaque(context).takeUnretainedValue().write(level, String(cString: line))
                }, context, &camera)
            }
            guard result >= 0 else { throw fault(result, "open the camera") }
        }
        var wish = shutter_camera_wish()
        let (width, height) = size == .full ? (settings.width, settings.height) : smallSize
        wish.width = UInt32(width)
        wish.height = UInt32(height)
        wish.buffer_count = UInt32(settings.buffers)
        wish.rate = rate ?? 0
        wish.orientation = settings.orientation
        wish.wants_raw = settings.wantsRaw && size == .full ? 1 : 0
        var stream = shutter_camera_stream()
        var raw = shutter_camera_stream()
        var result = functions.configure(camera, &wish, &stream, &raw)
        // A smaller ring is better than none; frames are copied out of it sooner.
        while result == -ENOMEM, wish.buffer_count > Self.leastBuffers {
            wish.buffer_count -= 1
            result = functions.configure(camera, &wish, &stream, &raw)
        }
        try check(result, "configure the camera")
        if stream.buffer_count < settings.buffers {
            log.write(4, "there is camera memory for \(stream.buffer_count) of \(settings.buffers) buffers; lower [photo] size or [camera] buffers")
        }
        rawLayout = wish.wants_raw != 0 ? RawLayout(raw) : nil
        if wish.wants_raw != 0, rawLayout == nil {
            log.write(4, "the camera has no raw pictures that can be written (\(raw.buffer_count > 0 ? RawLayout.name(of: raw) : "no Bayer stream")): no DNG")
        }
        let names = describe(functions)
        canFocus = names.contains("AfMode.min")
        lockable = ["AeEnable", "AwbEnable"].filter { names.contains($0 + ".min") && settings.controls[$0] == nil }
        let layout = try FrameLayout(stream)
        // From what the camera can, never from what was before: a mode that saw less leaves no trace.
        crop = names.contains("ScalerCrop.min") ? widest?.middle(ofShape: layout.width, layout.height) : nil
        // A bias of what is not automatic does nothing.
        if settings.controls["AeEnable"] == .boolean(false) { abilities["ExposureValue"] = nil }
        if crop == nil { abilities["ScalerCrop"] = nil }
        return SourceFacts(
            name: name, layout: layout, buffers: Int(stream.buffer_count), interval: .seconds(1 / (rate ?? 30)), raw: rawLayout,
            mode: mode, crop: (crop ?? widest)?.description ?? "", abilities: abilities, canFocus: canFocus)
    }

    /// Of the same shape, about 640 wide.
    private var smallSize: (Int, Int) {
        guard settings.width > 640, settings.height > 0 else { return (640, 480) }
        return (640, max(2, 640 * settings.height / settings.width / 2 * 2))
    }

    /// A long exposure needs a rate that leaves the time for it.
    private var rate: Double? {
        guard settings.longestExposure > .seconds(1 / (settings.rate ?? 30)) else { return settings.rate }
        return 1 / settings.longestExposure.seconds
    }

    package func start() throws(Fault) {
        guard let library else { return }
        var controls = settings.controls.merging(settings.wishes) { first, _ in first }
        // It said so at an earlier start.
        for name in missing { controls[name] = nil }
        if canFocus, controls["AfMode"] == nil { controls["AfMode"] = .integer(AutoFocus.continuous) }
        controls.merge(live) { _, live in live }
        if isLocked { for name in lockable { controls[name] = .boolean(true) } }
        isLocked = false
        while true {
            let result = controls.withValues { library.functions.start(camera, $0, $1) }
            guard result == -EINVAL, let unknown = controls.keys.sorted().first(where: { words(library.functions).contains("\"\($0)\"") }) else {
                try check(result, "start the camera")
                isRunning = true
                return
            }
            // It is as it is without: photos are marked.
            controls[unknown] = nil
            if missing.insert(unknown).inserted { log.write(settings.wishes[unknown] == nil ? 4 : 6, words(library.functions)) }
        }
    }

    /// libcamera's AfMode and AfTrigger.
    private enum AutoFocus {
        static let once: Int64 = 1
        static let continuous: Int64 = 2
        static let start: Int64 = 0
    }

    package func focus(_ isHalfPressed: Bool) {
        var controls: [String: MetadataValue] = [:]
        for name in lockable { controls[name] = .boolean(!isHalfPressed) }
        if canFocus {
            controls["AfMode"] = .integer(isHalfPressed ? AutoFocus.once : AutoFocus.continuous)
            if isHalfPressed { controls["AfTrigger"] = .integer(AutoFocus.start) }
        }
        isLocked = isHalfPressed
        set(controls, "does not lock")
    }

    package func apply(_ controls: CameraControls) {
        wanted = controls
        if isRunning { set(live, "does not take a control") }
    }

    private func set(_ controls: [String: MetadataValue], _ what: String) {
        guard let library, camera != nil, !controls.isEmpty else { return }
        let result = controls.withValues { library.functions.set_controls(camera, $0, $1) }
        if result < 0 { log.write(4, "the camera \(what): \(words(library.functions))") }
    }

    /// What the controls come to, in libcamera's words.
    private var live: [String: MetadataValue] {
        var live: [String: MetadataValue] = [:]
        if let crop { live["ScalerCrop"] = crop.zoomed(wanted.zoom, x: wanted.x, y: wanted.y).value }
        if let bias = wanted.exposureBias, abilities["ExposureValue"] != nil { live["ExposureValue"] = .number(bias) }
        for (name, value) in wanted.others where abilities[name] != nil {
            live[name] = whole.contains(name) ? .integer(Int64(value.rounded())) : .number(value)
        }
        return live
    }

    package func stop() {
        guard let library, camera != nil else { return }
        isRunning = false
        _ = library.functions.stop(camera)
    }

    package func close() {
        guard let library, camera != nil else { return }
        library.functions.close(camera)
        camera = nil
    }

    package var descriptor: Int32 {
        guard let library, camera != nil else { return -1 }
        return library.functions.descriptor(camera)
    }

    package var deadline: Timestamp? { nil }

    package func next() throws(Fault) -> SourceFrame? {
        guard let library, camera != nil else { return nil }
        var frame = shutter_camera_frame()
        let result = library.functions.next(camera, &frame)
        try check(result, "take a frame")
        guard result > 0 else { return nil }
        var metadata = frame.status == 0 ? FrameMetadata(frame) : nil
        let zoom = zoom(metadata)
        metadata?.digitalZoom = zoom
        // A Pi does not report it, but does it.
        if metadata?.exposureValue == nil, abilities["ExposureValue"] != nil {
            metadata?.exposureValue = wanted.exposureBias ?? settings.controls["ExposureValue"]?.number
        }
        return SourceFrame(
            buffer: Int(frame.buffer), metadata: metadata,
            bytes: UnsafeRawBufferPointer(start: frame.bytes, count: frame.size),
            rawBytes: rawLayout.flatMap { layout in
                frame.raw_bytes != nil && frame.raw_size >= layout.byteCount
                    ? UnsafeRawBufferPointer(start: frame.raw_bytes, count: frame.raw_size) : nil
            })
    }

    /// By how much the crop is smaller than the largest one.
    private func zoom(_ metadata: FrameMetadata?) -> Double? {
        guard let widest, let crop = metadata?.controls["ScalerCrop"].flatMap(SensorArea.init), crop.width > 0, crop.height > 0 else { return nil }
        // A picture of another shape leaves something out on two sides only.
        return max(1, min(Double(widest.width) / Double(crop.width), Double(widest.height) / Double(crop.height)))
    }

    package func prepareToRead(_ buffer: Int) {
        guard let library, camera != nil else { return }
        _ = library.functions.read(camera, UInt32(buffer))
    }

    package func queue(_ buffer: Int) {
        guard let library, camera != nil else { return }
        let result = library.functions.queue(camera, UInt32(buffer))
        if result < 0 { log.write(3, "buffer \(buffer) could not be queued: \(words(library.functions))") }
    }

    private func check(_ result: Int32, _ what: String) throws(Fault) {
        if result < 0 { throw fault(result, what) }
    }

    private func words(_ functions: shutter_camera_plugin) -> String {
        functions.error(camera).map { String(cString: $0) } ?? ""
    }

    /// The reason of a setup state, by the plugin's errno.
    private func fault(_ result: Int32, _ what: String) -> Fault {
        let detail = library.map { words($0.functions) } ?? ""
        let because = detail.isEmpty ? String(cString: strerror(-result)) : detail
        return switch -result {
        case ENODEV, ENOENT, ENXIO:
            Fault("no-camera", "no camera was found (\(because)); check its cable, and `cam -l`")
        case EBUSY:
            Fault("in-use", "another program has the camera (\(because)); stop it, and it is taken by itself")
        case EACCES, EPERM:
            Fault("permission-denied", "the camera may not be opened (\(because)); add the user of shutterd to the group video")
        case ENOMEM:
            Fault("no-memory", "there is not enough camera memory (\(because)); lower [photo] size or [camera] buffers")
        default:
            Fault("failed", "could not \(what): \(because)")
        }
    }

    /// The names of all that the camera tells of itself; takes its id out of it.
    private func describe(_ functions: shutter_camera_plugin) -> Set<String> {
        final class Found {
            var names: Set<String> = []
            var id: String?
            var mode = ""
            var widest: SensorArea?
            var ends: [String: MetadataValue] = [:]
        }
        let found = Found()
        _ = functions.describe(camera, { context, value in
            guard let context, let value, let name = value.pointee.name else { return }
            let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
            found.names.insert(String(cString: name))
            switch (String(cString: name), MetadataValue(value.pointee)) {
            case let ("id", .text(id)?): found.id = id
            case let ("SensorMode", .text(mode)?): found.mode = mode
            case let ("ScalerCropMaximum", crop?): found.widest = SensorArea(crop)
            case let (name, value?) where name.hasSuffix(".min") || name.hasSuffix(".max"): found.ends[name] = value
            default: break
            }
        }, Unmanaged.passUnretained(found).toOpaque())
        if let id = found.id { name = id }
        (widest, mode) = (found.widest, found.mode)
        (abilities, whole) = ([:], [])
        for (end, low) in found.ends where end.hasSuffix(".min") {
            let name = String(end.dropLast(4))
            guard let high = found.ends[name + ".max"] else { continue }
            if name == "ScalerCrop", let least = SensorArea(low), let widest, least.width > 0, least.height > 0 {
                let most = min(Double(widest.width) / Double(least.width), Double(widest.height) / Double(least.height))
                if most > 1 { abilities[name] = 1...most }
            } else if let low = low.scalar, let high = high.scalar, low < high {
                abilities[name] = low...high
            }
            if low.number != nil, low.integer != nil { whole.insert(name) }
            if case .boolean = low { whole.insert(name) }
        }
        return found.names
    }
}
