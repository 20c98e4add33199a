// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterConfig
import ShutterCore
import Testing

// What is read right: units, defaults, layers, boards, and what `config show` prints of it.

/// A text, and what the settings are to be after a change by hand.
private struct Setting: Sendable, CustomTestStringConvertible {
    var toml: String
    var change: @Sendable (inout Settings) -> Void

    init(_ toml: String, _ change: @escaping @Sendable (inout Settings) -> Void) {
        self.toml = toml
        self.change = change
    }

    var testDescription: String { toml }
}

private let settingRows: [Setting] = [
    Setting("") { _ in },
    Setting("button.shutter.debounce = '20ms'") { _ in },
    Setting("button.shutter.debounce = '1s'\nbutton.shutter.hold = '2s'") {
        $0.buttons[.shutter]!.debounce = .seconds(1)
        $0.buttons[.shutter]!.hold = .seconds(2)
    },
    Setting("button.shutter.debounce = '1500us'") { $0.buttons[.shutter]!.debounce = .microseconds(1500) },
    Setting("button.shutter.debounce = '1.5ms'") { $0.buttons[.shutter]!.debounce = .microseconds(1500) },
    Setting("button.shutter.debounce = '1.0004ms'") { $0.buttons[.shutter]!.debounce = .microseconds(1000) },
    Setting("button.shutter.debounce = '0.02s'") { $0.buttons[.shutter]!.debounce = .milliseconds(20) },
    Setting("button.shutter.max_hold = '2m'") { $0.buttons[.shutter]!.maxHold = .seconds(120) },
    Setting("button.shutter.max_hold = '1h'") { $0.buttons[.shutter]!.maxHold = .seconds(3600) },
    Setting("button.shutter.max_hold = '0s'") { $0.buttons[.shutter]!.maxHold = nil },
    Setting("button.shutter.line = 'pinctrl-rp1:17'") { $0.buttons[.shutter]!.line = .offset(chip: "pinctrl-rp1", 17) },
    Setting("button.shutter.line = '/dev/gpiochip0:17'") { $0.buttons[.shutter]!.line = .offset(chip: "/dev/gpiochip0", 17) },
    Setting("button.shutter.active = 'high'") {
        $0.buttons[.shutter]!.active = .high
        $0.buttons[.shutter]!.bias = .pullDown
    },
    Setting("button.shutter.active = 'high'\nbutton.shutter.bias = 'as-is'") {
        $0.buttons[.shutter]!.active = .high
        $0.buttons[.shutter]!.bias = .asIs
    },
    Setting("[button.focus]\nline = 'GPIO22'") {
        $0.buttons[.focus] = ButtonSettings(role: .focus)
        $0.buttons[.focus]!.line = .named("GPIO22")
    },
    Setting("[button.foot]\nline = 'GPIO23'\nrole = 'shutter'") {
        $0.buttons[InputName(rawValue: "foot")] = ButtonSettings(role: .shutter)
        $0.buttons[InputName(rawValue: "foot")]!.line = .named("GPIO23")
    },
    Setting("gestures.photo.hold = 'burst'\ndrive.burst_rate = 10") {
        $0.gestures.photo.hold = .burst
        $0.drive.burstRate = 10
    },
    Setting("[drive]\nmode = 'interval'\ntimer = '2s'\ninterval = '500ms'\ncount = 20\nburst_rate = 'every-frame'") {
        $0.drive.mode = .interval
        $0.drive.timer = .seconds(2)
        $0.drive.interval = .milliseconds(500)
        $0.drive.count = 20
        $0.drive.burstRate = nil
    },
    Setting("storage.reserve = '1GB'") { $0.storage.reserve = 1_000_000_000 },
    Setting("storage.reserve = '1GiB'") { $0.storage.reserve = 1_073_741_824 },
    Setting("storage.reserve = '1.5MiB'") { $0.storage.reserve = 1_572_864 },
    Setting("storage.reserve = '2000kB'") { $0.storage.reserve = 2_000_000 },
    Setting("storage.reserve = '2048KiB'") { $0.storage.reserve = 2_097_152 },
    Setting("storage.reserve = '1234567B'") { $0.storage.reserve = 1_234_567 },
    Setting("storage.root = '~/x y'") { $0.storage.root = "/home/me/x y" },
    Setting("video.bitrate = '100kbit/s'") { $0.video.bitrate = 100_000 },
    Setting("video.bitrate = '2.5Mbit/s'") { $0.video.bitrate = 2_500_000 },
    Setting("video.bitrate = '123456bit/s'") { $0.video.bitrate = 123_456 },
    Setting("video.audio = 'off'\nvideo.faststart = true") { $0.video.faststart = true },
    Setting("video.audio = 'plughw:1'") { $0.video.audio = "plughw:1" },
    Setting("video.max = '10m'\nvideo.preroll = '500ms'") {
        $0.video.max = .seconds(600)
        $0.video.preroll = .milliseconds(500)
    },
    Setting("ring.budget = '1.5A'\nring.brightness = 1") {
        $0.ring.budget = 1500
        $0.ring.brightness = 1
    },
    Setting("ring.driver = 'apa102-spi'") {
        $0.ring.driver = .apa102
        $0.ring.order = .bgr
    },
    Setting("ring.driver = 'sk6812-spi'\nring.order = 'RGB'") {
        $0.ring.driver = .sk6812
        $0.ring.order = .rgb
    },
    Setting("ring.driver = 'gpio'\nring.device = 'GPIO18'") {
        $0.ring.driver = .gpio
        $0.ring.device = "GPIO18"
        $0.ring.lines = [.named("GPIO18")]
    },
    Setting("ring.count = 0x10") { $0.ring.count = 16 },
    Setting("camera.offset = '-80ms'\ncamera.exposure = '1/50s'\ncamera.gain = 2.5\ncamera.awb = 'daylight'\ncamera.frame = 'first-after'") {
        $0.camera.exposure = .milliseconds(20)
        $0.camera.gain = 2.5
        $0.camera.awb = .daylight
        $0.camera.offset = .milliseconds(-80)
        $0.camera.frame = .firstAfter
    },
    Setting("photo.size = '2304x1296'\nphoto.formats = ['jpeg', 'dng']\nphoto.thumbnail = 'off'") {
        $0.photo.size = ImageSize(width: 2304, height: 1296)
        $0.photo.formats = [.jpeg, .dng]
        $0.photo.thumbnail = nil
    },
    Setting("photo.prioritize = 'speed'") {
        $0.photo.prioritize = .speed
        $0.photo.quality = 85
    },
    Setting("photo.quality = 50\nphoto.prioritize = 'quality'") {
        $0.photo.prioritize = .quality
        $0.photo.quality = 50
    },
    Setting("photo.make = 'A \"quoted\" \\ name'\nphoto.model = \"tab\\tand é\\u0001\"") {
        $0.photo.make = "A \"quoted\" \\ name"
        $0.photo.model = "tab\tand é\u{1}"
    },
    Setting("feedback.line = 'GPIO27'\nfeedback.active = 'low'") {
        $0.feedback.line = .named("GPIO27")
        $0.feedback.active = .low
    },
    Setting("feedback.line = 'none'") { $0.feedback.line = nil },
    Setting("[hooks.sync]\nevent = 'clip-saved'\nrun = ['/usr/bin/rsync', '-a']\ntimeout = '1m'\n[hooks.a-b_1]\nevent = 'fault'\nrun = ['/bin/true']") {
        $0.hooks["sync"] = HookSettings()
        $0.hooks["sync"]!.event = .clipSaved
        $0.hooks["sync"]!.run = ["/usr/bin/rsync", "-a"]
        $0.hooks["sync"]!.timeout = .seconds(60)
        $0.hooks["a-b_1"] = HookSettings()
        $0.hooks["a-b_1"]!.event = .fault
        $0.hooks["a-b_1"]!.run = ["/bin/true"]
    },
    Setting("\u{FEFF}ring.count = 12\r\nring.theme = 'keyframe'\r\n") {
        $0.ring.count = 12
        $0.ring.theme = .keyframe
    },
]

/// What `piBoard` makes of the defaults.
private func piDefaults() -> Settings {
    var settings = Settings()
    settings.board = "pi"
    settings.facts.title = "Raspberry Pi 4"
    settings.facts.models = ["Raspberry Pi 4"]
    settings.facts.hasEncoder = true
    settings.facts.encoderMaxWidth = 1920
    settings.facts.encoderMaxMacroblocks = 8192
    settings.buttons[.shutter]!.line = .named("GPIO17")
    return settings
}

@Test("settings, and back from what is shown of them", arguments: settingRows)
private func settings(row: Setting) throws {
    var expected = piDefaults()
    row.change(&expected)
    let loaded = try resolve(row.toml)
    #expect(loaded.settings == expected)
    #expect(try resolve(loaded.text(), model: nil).settings == expected)
    #expect(try resolve(loaded.text(isExplained: true), model: nil).settings == expected)
}

@Test("what is shown says where it comes from")
func origins() throws {
    let text = try resolve("[ring]\ncount = 12\n").text()
    let lines = text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
    #expect(lines.contains("board = \"pi\" # default"))
    #expect(lines.contains("line = \"GPIO17\" # board pi"))
    #expect(lines.contains("count = 12 # u.toml:2"))
    #expect(lines.contains("hold = \"500ms\" # default"))
    #expect(lines.filter { $0 == "[button.shutter]" }.count == 1)
}

@Test("the user's file goes before the board, and that before the defaults")
func layers() throws {
    let board = boards([("b", "[button.shutter]\nline = 'GPIO5'\nhold = '700ms'\n[photo]\nquality = 80\nmake = 'B'\n")])
    let settings = try resolve("[photo]\nquality = 70\n[button.shutter]\nhold = '900ms'\n", board: "b", boards: board).settings
    #expect(settings.photo.quality == 70)
    #expect(settings.photo.make == "B")
    #expect(settings.photo.sidecar)
    #expect(settings.buttons[.shutter]!.hold == .milliseconds(900))
    #expect(settings.buttons[.shutter]!.line == .named("GPIO5"))
}

@Test("the documented listing is the defaults")
func listing() throws {
    let listing = """
        board = "pi"
        [button.shutter]
        line = "GPIO17"
        active = "low"
        bias = "pull-up"
        debounce = "20ms"
        hold = "500ms"
        double = "off"
        max_hold = "off"
        [gestures.photo]
        hold = "record"
        double = "none"
        [gestures.video]
        hold = "none"
        [shutter]
        mode = "photo"
        busy = "queue"
        [ring]
        driver = "ws2812-spi"
        device = "/dev/spidev0.0"
        count = 24
        order = "GRB"
        brightness = 0.4
        budget = "500mA"
        theme = "flash"
        reduce_motion = false
        [feedback]
        line = "GPIO27"
        [camera]
        source = "libcamera"
        id = ""
        lag = "zero"
        buffers = 6
        frame = "nearest"
        offset = "0ms"
        [photo]
        size = "4608x2592"
        formats = ["jpeg"]
        quality = 93
        thumbnail = "320x240"
        sidecar = true
        [video]
        size = "1920x1080"
        rate = 30
        bitrate = "10Mbit/s"
        encoder = "auto"
        fragment = "1s"
        preroll = "0s"
        max = "off"
        [storage]
        root = "/var/lib/shutterd/media"
        reserve = "200MB"
        [control]
        socket = "/run/shutterd/control.sock"
        group = "shutter"
        """
    var expected = piDefaults()
    expected.feedback.line = .named("GPIO27")
    // Without it, the board's memory chooses.
    expected.camera.lag = .zero
    let loaded = try resolve(listing, model: nil)
    #expect(loaded.settings == expected)
    #expect(loaded.warnings.isEmpty)
}
