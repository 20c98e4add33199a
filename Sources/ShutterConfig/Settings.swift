// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// Everything that can be set in a file. `Settings()` is the defaults; the keys are listed in `Schema.swift`.
///
/// After loading all of it is valid and free of contradictions, so nobody checks it again.
package struct Settings: Equatable, Sendable {
    /// The name of the board profile, such as `raspberry-pi-5`.
    package var board = ""
    /// What the board profile says about the hardware. Not set by users.
    package var facts = BoardFacts()
    package var buttons: [InputName: ButtonSettings] = [.shutter: ButtonSettings(role: .shutter)]
    package var gestures = GesturesSettings()
    package var shutter = ShutterSettings()
    package var drive = DriveSettings()
    package var ring = RingSettings()
    package var feedback = FeedbackSettings()
    package var camera = CameraSettings()
    package var photo = PhotoSettings()
    package var video = VideoSettings()
    package var storage = StorageSettings()
    package var controls = ControlsSettings()
    /// By the NAME of `[encoder.NAME]` and of `[input.NAME]`.
    package var encoders: [String: EncoderSettings] = [:]
    package var inputs: [String: InputSettings] = [:]
    package var control = ControlSettings()
    /// By the NAME of `[hooks.NAME]`.
    package var hooks: [String: HookSettings] = [:]
    package var service = ServiceSettings()
    package var simulation = SimulationSettings()

    package init() {}
}

/// `[board]` of a board profile: facts, not choices.
package struct BoardFacts: Equatable, Sendable {
    /// For people: `Raspberry Pi 5`.
    package var title = ""
    /// Beginnings of the device tree's model string that mean this board.
    package var models: [String] = []
    /// The label of the chip whose lines are on the header, where GPIO17 is line 17; empty = there is none.
    package var chip = ""
    /// Lines that config.txt needs for a ring on SPI.
    package var configText: [String] = []
    /// Chip and channel of the PWM on GPIO18: `fe20c000.pwm:0`; empty where there is none.
    package var pwm = ""
    /// Whether there is an H.264 encoder in hardware.
    package var hasEncoder = false
    /// Pixels; nil = no limit.
    package var encoderMaxWidth: Int?
    /// Blocks of 16×16 pixels in a frame; nil = no limit.
    package var encoderMaxMacroblocks: Int?

    package init() {}
}

/// `[button.NAME]`
package struct ButtonSettings: Equatable, Sendable {
    package typealias Active = ActiveVoltage
    package typealias Bias = LineBias

    /// What a press means. Follows from the names `shutter`, `mode` and `focus`; others say it.
    package var role: ButtonRole
    package var line = LineAddress.terminal
    /// The electrical level of a pressed button.
    package var active = Active.low
    /// Unless set, a pull-up for active-low and a pull-down for active-high.
    package var bias = Bias.pullUp
    /// How long a level must hold to count.
    package var debounce = Duration.milliseconds(20)
    /// A press of this length is a hold.
    package var hold = Duration.milliseconds(500)
    /// A second press within this time makes a double; nil = off.
    package var double: Duration?
    /// A press of this length is cancelled; nil = off.
    package var maxHold: Duration?

    package init(role: ButtonRole) { self.role = role }
}

/// `[gestures.MODE]`
package struct GesturesSettings: Equatable, Sendable {
    package typealias Bindings = ShutterMachine.Gestures

    package var photo = Bindings(hold: .record)
    package var video = Bindings(hold: .none)

    package init() {}

    package subscript(mode: Mode) -> Bindings {
        switch mode {
        case .photo: photo
        case .video: video
        }
    }
}

package struct ShutterSettings: Equatable, Sendable {
    /// The first start's mode; later the last one set.
    package var mode = Mode.photo
    package var busy = ShutterMachine.Busy.queue

    package init() {}
}

package struct DriveSettings: Equatable, Sendable {
    /// The first start's mode; later the last one set, with its values.
    package var mode = Drive.Mode.single
    package var timer = Drive().timer
    package var interval = Drive().interval
    /// Beats of an interval; nil = no end by count.
    package var count: Int?
    /// nil = no end by time.
    package var length: Duration?
    /// Photos a second while a burst is held; nil = every frame.
    package var burstRate: Int? = 5

    package init() {}

    package var drive: Drive {
        var drive = Drive()
        drive.mode = mode
        drive.timer = timer
        drive.interval = interval
        drive.limit = count.map { .count($0) } ?? length.map { .length($0) } ?? .none
        return drive
    }
}

package struct RingSettings: Equatable, Sendable {
    package typealias Driver = RingHardware.Driver
    package typealias Order = RingHardware.Order

    package var driver = Driver.ws2812
    /// A device file; for `pwm` the place of a chip and a channel; for `led-class` a name or a device file.
    package var device = "/dev/spidev0.0"
    /// Pixels.
    package var count = 24
    /// The order in which a pixel takes its colours. Unless set, what is usual with the driver.
    package var order = Order.grb
    /// For `gpio`: one line for each LED.
    package var lines: [LineAddress] = []
    /// For `gpio`: the electrical level of an LED that is on.
    package var active = ButtonSettings.Active.high
    /// 0…1, perceptual.
    package var brightness = 0.4
    /// What all pixels together may draw, mA.
    package var budget = 500
    package var theme = RingTheme.flash
    package var reduceMotion = false

    package init() {}

    /// What the adapter is to drive.
    package var hardware: RingHardware {
        let isOne = driver == .pwm || (driver == .ledClass && !device.hasPrefix("/"))
        let pixels = driver == .gpio ? lines.count : isOne ? 1 : count
        return RingHardware(driver: driver, device: device, count: pixels, order: order)
    }
}

package struct FeedbackSettings: Equatable, Sendable {
    /// The line of a vibration motor or piezo; nil = none.
    package var line: LineAddress?
    /// The electrical level that makes it move.
    package var active = ButtonSettings.Active.high

    package init() {}
}

package struct CameraSettings: Equatable, Sendable {
    package enum Source: String, Sendable, CaseIterable { case libcamera, simulated }
    package typealias Lag = MemoryPlan.Lag

    package var source = Source.libcamera
    /// libcamera's id of the camera; empty = the first.
    package var id = ""
    /// The camera plugin's path; empty = where it is installed.
    package var plugin = ""
    /// nil = as it suits the machine's memory.
    package var lag: Lag?
    /// Full-size frames in the ring.
    package var buffers = 6
    package var frame = FrameChoice.nearest
    /// Added to the instant of the press, to make up for reaction time. May be negative.
    package var offset = Duration.zero
    /// The longest exposure that may be asked for.
    package var maxExposure = Duration.seconds(10)
    /// nil = automatic.
    package var exposure: Duration?
    /// Analogue gain, ISO / 100; nil = automatic.
    package var gain: Double?
    /// How much brighter automatic exposure is to be, EV.
    package var ev = 0.0
    package var awb = WhiteBalance.auto
    /// Degrees by which pictures are to be turned clockwise to stand upright.
    package var rotation = 0
    package var flip = Flip.none

    package init() {}

    /// Whether pictures are mirrored, before they are turned.
    package enum Flip: String, Sendable, CaseIterable { case none, horizontal, vertical }

    /// How pictures must be turned, EXIF's 1…8.
    package var orientation: UInt8 {
        // Upside down is left for right, and half a turn.
        let turns = (rotation / 90 + (flip == .vertical ? 2 : 0)) % 4
        return flip == .none ? [1, 6, 3, 8][turns] : [2, 7, 4, 5][turns]
    }

    /// libcamera's AwbMode, in its order.
    package enum WhiteBalance: String, Sendable, CaseIterable {
        case auto, incandescent, tungsten, fluorescent, indoor, daylight, cloudy
    }
}

package struct PhotoSettings: Equatable, Sendable {
    package enum Format: String, Sendable, CaseIterable { case jpeg, dng }

    /// Of a full-size frame: YUV420, which is what a Pi's cameras deliver, and 16 bits a pixel of raw where that is wanted.
    package var frameBytes: UInt64 {
        let pixels = UInt64(size.width * size.height)
        return pixels * 3 / 2 + (formats.contains(.dng) ? pixels * 2 : 0)
    }

    /// What counts more: how soon and small a photo is, or how good.
    package enum Prioritize: String, Sendable, CaseIterable {
        case speed, balanced, quality

        /// Unless `quality` is set.
        package var jpegQuality: Int {
            switch self {
            case .speed: 85
            case .balanced: 93
            case .quality: 97
            }
        }

        /// libcamera's NoiseReductionMode: Minimal, Fast, HighQuality.
        package var noiseReduction: Int64 {
            switch self {
            case .speed: 3
            case .balanced: 1
            case .quality: 2
            }
        }
    }

    package var prioritize = Prioritize.balanced
    package var size = ImageSize(width: 4608, height: 2592)
    package var formats: [Format] = [.jpeg]
    /// JPEG quality, 1…100. Unless set, as `prioritize` has it.
    package var quality = Prioritize.balanced.jpegQuality
    /// nil = off.
    package var thumbnail: ImageSize? = ImageSize(width: 320, height: 240)
    package var sidecar = true
    /// EXIF Make.
    package var make = "Raspberry Pi"
    /// EXIF Model; empty = the name of the sensor.
    package var model = ""

    package init() {}
}

package struct VideoSettings: Equatable, Sendable {
    package enum Encoder: String, Sendable, CaseIterable { case auto, hardware, software, mjpeg }

    package var size = ImageSize(width: 1920, height: 1080)
    /// Frames a second.
    package var rate = 30
    /// Bits a second.
    package var bitrate = 10_000_000
    package var encoder = Encoder.auto
    /// What a power cut may cost.
    package var fragment = Duration.seconds(1)
    /// How much of the time before the press a clip shows.
    package var preroll = Duration.zero
    /// A longer clip goes on in the next file; nil = off.
    package var max: Duration?
    /// A larger clip goes on in the next file, bytes; nil = off.
    package var maxSize: UInt64?
    /// The ALSA device of the microphone; nil = off.
    package var audio: String?
    /// Closed clips are made plain MP4s when there is time.
    package var faststart = false

    package init() {}
}

package struct StorageSettings: Equatable, Sendable {
    /// The folder that holds `DCIM`; absolute.
    package var root = "/var/lib/shutterd/media"
    /// Bytes that are left free.
    package var reserve: UInt64 = 200_000_000
    /// The folder of what the daemon remembers (mode, counter); absolute.
    package var state = "/var/lib/shutterd"

    package init() {}
}

package struct ControlSettings: Equatable, Sendable {
    /// Absolute.
    package var socket = "/run/shutterd/control.sock"
    /// The group whose members may use it; empty = only root and the daemon's own user.
    package var group = "shutter"

    package init() {}
}

/// `[hooks.NAME]`: a program that is run when something has happened.
package struct HookSettings: Equatable, Sendable {
    package enum Event: String, Sendable, CaseIterable {
        case photoSaved = "photo-saved"
        case clipSaved = "clip-saved"
        case recordingStarted = "recording-started"
        case recordingStopped = "recording-stopped"
        case modeChanged = "mode-changed"
        case driveChanged = "drive-changed"
        case controlChanged = "control-changed"
        /// Controls became active or inactive, entered or left full view.
        case controls
        case fault
    }

    package var event = Event.photoSaved
    /// The program's absolute path, and its arguments. No shell.
    package var run: [String] = []
    /// The program is killed after this time.
    package var timeout = Duration.seconds(30)

    package init() {}
}

package struct ServiceSettings: Equatable, Sendable {
    /// The time a stop may take; below the unit's TimeoutStopSec.
    package var stop = Duration.seconds(20)

    package init() {}
}

/// `[simulation]`: the synthetic camera. Read only with `camera.source = "simulated"`.
package struct SimulationSettings: Equatable, Sendable {
    /// Frames a second.
    package var rate = 30
    /// What its timestamps say − when it was, for `lag --calibrate` to find.
    package var skew = Duration.zero

    package init() {}
}
