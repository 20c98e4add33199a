// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Camera
import GPIO
import Glibc
import LEDRing
import LinuxIO
import Media
import ShutterConfig
import ShutterControl
import ShutterCore
import ShutterDaemon
import Simulation
import Sound

/// The parts that the configuration asks for.
struct Assembly {
    let parts: Parts
    let log: Log
    let camera: RingCamera
    private let keys: TerminalKeys?
    private let saver: PhotoPipeline
    private let recorder: Recorder
    private let preview: Preview
    private let meter: FrameMeter

    init(_ settings: Settings, _ options: DaemonOptions.Values) throws(Failure) {
        let store = MediaStore(Media.StorageSettings(root: settings.storage.root, state: settings.storage.state, reserve: settings.storage.reserve))
        store.refresh()
        do throws(Fault) {
            saver = try PhotoPipeline(settings: settings.mediaPhoto, store: store)
        } catch {
            throw Failure(.internal, error.reason, error.message)
        }
        let cameraLog = try started("the log") { () throws(SystemError) in try Mailbox<(level: Int32, line: String)>() }
        // Only the synthetic camera has to be told what it sees.
        let light = settings.camera.source == .simulated ? SimulatedLight() : nil
        camera = try Self.camera(settings, light) { level, line in cameraLog.post((level: level, line: line)) }
        let feed = camera.feed
        recorder = try started("the recorder") { () throws(SystemError) in
            try Recorder(settings.clips, feed: feed, sound: settings.sound, store: store, choose: EncoderQuestion.ask)
        }
        var trace: Trace?
        if let path = options.input { trace = try Self.readTrace(path, Set(settings.lines.map(\.name))) }
        let isInteractive = trace == nil && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        let ring = try Self.ring(settings, light, isInteractive: isInteractive)
        log = isInteractive ? Log { _, message, _ in ring.say(message) } : Log()
        if settings.ring.hardware.isSoftwarePWM() {
            log.write(.notice, "\(settings.ring.device) is software PWM, which flickers under load: the ring is only on or off")
        }
        let lines = try ButtonLines(settings, trace, log)
        let players = try Self.players(trace, settings, lines.simulated)
        for warning in store.warnings { log.write(.warning, warning) }
        for path in store.recovered { log.write(.notice, "finished the photo of an earlier run: \(path)") }

        preview = try started("the preview") { [saver] () throws(SystemError) in try Preview(feed, isSaving: saver.isSaving) }
        var extras = [
            Parts.Extra(descriptor: ring.descriptor) { [log] _ in
                for fault in ring.drain() {
                    log.write(fault == nil ? .notice : .warning, fault.map { "no ring: \($0.message)" } ?? "the ring is well again")
                }
            }
        ]
        extras.append(Parts.Extra(descriptor: cameraLog.descriptor) { [log] _ in
            for (level, line) in cameraLog.drain() { log.write(Log.Level(rawValue: level) ?? .info, line) }
        })
        if isInteractive, lines.simulated.contains(where: { $0.name == .shutter }) {
            let terminal = try started("the terminal") { () throws(SystemError) in try TerminalKeys(buttons: lines.simulated) }
            extras.append(Parts.Extra(descriptor: terminal.descriptor) { daemon in
                for event in terminal.drain() { daemon.ask(event == .mode ? .toggleMode : .quit) }
            })
            keys = terminal
        } else {
            keys = nil
        }
        for player in players {
            extras.append(Parts.Extra(descriptor: player.descriptor) { daemon in
                _ = player.drain()
                if options.exitsAtEnd, players.allSatisfy(\.hasEnded) { daemon.stopWhenIdle() }
            })
        }
        var parts = Parts(
            lines: lines.all, camera: camera, saver: saver, recorder: recorder, catalogue: MediaCatalogue(root: settings.storage.root), ring: ring,
            animator: RingAnimator(
                count: ring.count, theme: settings.ring.theme, reduceMotion: settings.ring.reduceMotion,
                isOnOff: settings.ring.hardware.isOnOff(), brightness: settings.ring.brightness, budget: Double(settings.ring.budget)),
            preview: preview,
            feedback: settings.feedback.line.map { GPIOOutput($0, active: settings.feedback.active, finder: settings.lineFinder) },
            extras: extras, refreshStorage: { store.refresh() }, oldestJob: { [saver] in saver.oldestJobSince },
            adopt: { [saver] new in
                saver.adopt(new.mediaPhoto)
                store.adopt(reserve: new.storage.reserve)
            },
            whenArmed: {
                // As in a replay: one zero for all buttons, and what they stood at before counts as settled just then.
                let start = Clock.now
                let settling = settings.buttons.values.map(\.debounce).max() ?? .zero
                for (line, player) in zip(lines.simulated, players) {
                    line.find(player.waveform.initial, at: start - settling)
                    player.start(at: start)
                }
            })
        parts.turns = lines.knobs
        meter = FrameMeter(feed)
        parts.meter = meter
        self.parts = parts
    }

    /// After the loop: what is in flight is finished, and the terminal is as it was.
    func close() {
        preview.close()
        meter.close()
        saver.shutdown()
        keys?.close()
    }

    private static func readTrace(_ path: String, _ inputs: Set<InputName>) throws(Failure) -> Trace {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try FileSystem.wholeFile(path, atMost: Trace.largestFile + 1) } catch {
            throw Failure(.io, "file", "\(error)")
        }
        let trace: Trace
        do throws(TraceFault) { trace = try Trace(bytes, file: path, inputs: inputs) } catch {
            throw Failure(.usage, "bad-trace", error.description)
        }
        let isPlayable = trace.events.allSatisfy { if case .edge = $0.kind { true } else { false } }
        guard isPlayable else {
            throw Failure(.usage, "bad-trace", "\(path): only edges can be played, not requests or levels; see what they do with: shutterctl replay \(path)")
        }
        return trace
    }

    /// One for each line, in their order; none without a trace.
    private static func players(_ trace: Trace?, _ settings: Settings, _ lines: [SimulatedButton]) throws(Failure) -> [WaveformPlayer] {
        guard let trace else { return [] }
        var players: [WaveformPlayer] = []
        for line in lines {
            guard let button = settings.lines.first(where: { $0.name == line.name })?.line else { continue }
            let changes = trace.events.compactMap { event -> LevelChange? in
                guard case .edge(line.name, let high, _) = event.kind else { return nil }
                return LevelChange(.nanoseconds(event.at), button.level(high))
            }
            let waveform = Waveform(
                initial: trace.initial[line.name].map { button.level($0) } ?? .inactive, changes: changes, length: .nanoseconds(trace.end))
            players.append(try started(button.place) { () throws(SystemError) in try WaveformPlayer(waveform, on: line) })
        }
        return players
    }

    /// A terminal is drawn on when somebody looks at it. Hardware is claimed by the ring's own thread, now or when it turns up.
    private static func ring(_ settings: Settings, _ light: SimulatedLight?, isInteractive: Bool) throws(Failure) -> RingWriter {
        let ring = settings.ring
        let finder = settings.lineFinder
        let seen: @Sendable (any RingDriver) -> any RingDriver = { driver in light.map { SeenRing(driver, $0) } ?? driver }
        guard ring.driver == .terminal else {
            return RingWriter(count: ring.hardware.count) { () throws(Fault) in
                seen(try ring.hardware.open { () throws(Fault) in try GPIOOutput.open(ring.lines, active: ring.active, finder: finder) })
            }
        }
        guard isInteractive else { return RingWriter(seen(NoRing(count: ring.count))) }
        let terminal = try started("the terminal") { () throws(SystemError) in
            try TerminalRing(count: ring.count, keys: TerminalKeys.help)
        }
        return RingWriter(seen(terminal))
    }

    /// - Parameters:
    ///   - light: the ring's, for the synthetic camera.
    ///   - tell: takes libcamera's log, on any thread.
    private static func camera(_ settings: Settings, _ light: SimulatedLight?, tell: @escaping PluginSource.Log) throws(Failure) -> RingCamera {
        let plan = settings.memoryPlan
        let source: any FrameSource = switch settings.camera.source {
        case .simulated: SyntheticSource(settings.synthetic, light: light)
        case .libcamera: PluginSource(settings.plugin(plan), log: tell)
        }
        return try started("the camera") { () throws(SystemError) in try RingCamera(source, settings.ringCamera(plan)) }
    }
}

extension Settings.InputLine {
    /// Electrical → logical.
    func level(_ high: Bool) -> Level { high == (active == .high) ? .active : .inactive }
}

extension Settings {
    var mediaPhoto: Media.PhotoSettings {
        var media = Media.PhotoSettings(
            quality: photo.quality, thumbnail: photo.thumbnail.map { .init(width: $0.width, height: $0.height) }, sidecar: photo.sidecar,
            formats: Set(photo.formats.compactMap { Media.PhotoSettings.Format(rawValue: $0.rawValue) }), make: photo.make, model: photo.model, software: "shutterd \(Version.current)")
        media.hasFullChroma = photo.prioritize == .quality
        media.prioritize = photo.prioritize.rawValue
        return media
    }

    var clips: ClipSettings {
        ClipSettings(
            width: video.size.width, height: video.size.height, rate: video.rate, bitrate: video.bitrate,
            encoder: ClipSettings.Encoder(rawValue: video.encoder.rawValue) ?? .auto, fragment: video.fragment, preroll: video.preroll,
            longest: video.max, largest: video.maxSize, sidecar: photo.sidecar, isFaststart: video.faststart,
            // And what the loop takes on a busy machine.
            judgement: (buttons.values.filter { $0.role == .shutter }.map(\.debounce).max() ?? .zero) + .milliseconds(50))
    }

    var sound: (@Sendable () throws(Fault) -> any SoundDevice)? {
        guard let name = video.audio else { return nil }
        return { () throws(Fault) in try ALSADevice(name) }
    }

    var synthetic: SyntheticSource.Settings {
        var synthetic = SyntheticSource.Settings(width: photo.size.width, height: photo.size.height, rate: Double(simulation.rate))
        synthetic.buffers = camera.buffers
        synthetic.skew = simulation.skew
        synthetic.orientation = camera.orientation
        synthetic.hasRaw = photo.formats.contains(.dng)
        return synthetic
    }

    func plugin(_ plan: Result<MemoryPlan.Plan, Fault>) -> PluginSource.Settings {
        var plugin = PluginSource.Settings(paths: camera.plugin.isEmpty ? SharedLibrary.places(of: .camera) : [camera.plugin])
        plugin.id = camera.id
        plugin.orientation = camera.orientation
        plugin.wantsRaw = photo.formats.contains(.dng)
        plugin.width = photo.size.width
        plugin.height = photo.size.height
        switch plan {
        case let .success(plan): plugin.buffers = plan.buffers
        case let .failure(fault): plugin.refusal = fault
        }
        if let exposure = camera.exposure {
            plugin.controls["ExposureTime"] = .integer(exposure.microseconds)
            plugin.longestExposure = exposure
        }
        if let gain = camera.gain { plugin.controls["AnalogueGain"] = .number(gain) }
        if camera.exposure != nil, camera.gain != nil { plugin.controls["AeEnable"] = .boolean(false) }
        plugin.wishes["NoiseReductionMode"] = .integer(photo.prioritize.noiseReduction)
        if camera.ev != 0 { plugin.controls["ExposureValue"] = .number(camera.ev) }
        if camera.awb != .auto { plugin.controls["AwbMode"] = .integer(Int64(CameraSettings.WhiteBalance.allCases.firstIndex(of: camera.awb) ?? 0)) }
        return plugin
    }

    /// How many frames there is memory for. Synthetic ones are ordinary memory, and few on purpose.
    var memoryPlan: Result<MemoryPlan.Plan, Fault> {
        let asked = MemoryPlan.Plan(lag: camera.lag ?? .zero, buffers: camera.buffers)
        guard camera.source == .libcamera, let memory = MachineMemory.read() else { return .success(asked) }
        do throws(Fault) {
            return .success(try MemoryPlan.plan(memory, lag: camera.lag, buffers: camera.buffers, frame: photo.frameBytes))
        } catch {
            return .failure(error)
        }
    }

    func ringCamera(_ plan: Result<MemoryPlan.Plan, Fault>) -> RingCamera.Settings {
        let lag = (try? plan.get())?.lag ?? camera.lag ?? .zero
        var ring = RingCamera.Settings(choice: camera.frame, offset: camera.offset, rest: RingCamera.Rest(rawValue: lag.rawValue) ?? .full)
        // Synthetic frames are as they are.
        if camera.source == .libcamera { ring.exposure = ExposureGate.Wish(exposure: camera.exposure, gain: camera.gain) }
        ring.callBudget = .seconds(10) + camera.maxExposure
        ring.stopBudget = .seconds(1) + camera.maxExposure
        return ring
    }
}
