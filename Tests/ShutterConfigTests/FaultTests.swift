// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterConfig
import Testing

// Faults of single keys: as `config check` prints them, each line in full.

private let units = "(units: us, ms, s, m, h)"

private let valueRows: [Row] = [
    // Durations.
    Row("button.shutter.debounce = 30", "u.toml:1:27: debounce = 30 has no unit; write a duration such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = 0.4", "u.toml:1:27: debounce = 0.4 has no unit; write a duration such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '20'", "u.toml:1:27: debounce = \"20\" has no unit; write a duration such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '20 ms'", "u.toml:1:27: debounce = \"20 ms\" has an unknown unit; write a duration such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '20sec'", "u.toml:1:27: debounce = \"20sec\" has an unknown unit; write a duration such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '20MS'", "u.toml:1:27: debounce = \"20MS\" has an unknown unit; write a duration such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = 'ms'", "u.toml:1:27: debounce = \"ms\" is no duration; write one such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = ''", "u.toml:1:27: debounce = \"\" is no duration; write one such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '1.2.3ms'", "u.toml:1:27: debounce = \"1.2.3ms\" is no duration; write one such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '1-2ms'", "u.toml:1:27: debounce = \"1-2ms\" is no duration; write one such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '0x10ms'", "u.toml:1:27: debounce = \"0x10ms\" has an unknown unit; write a duration such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = 'infs'", "u.toml:1:27: debounce = \"infs\" is no duration; write one such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '0.4us'", "u.toml:1:27: debounce = \"0.4us\" rounds to nothing; the smallest step is 1us"),
    Row("button.shutter.debounce = '0.0000001s'", "u.toml:1:27: debounce = \"0.0000001s\" rounds to nothing; the smallest step is 1us"),
    Row("button.shutter.debounce = '0s'", "u.toml:1:27: debounce = \"0s\" is out of range; allowed: 1ms…2s"),
    Row("button.shutter.debounce = 'off'", "u.toml:1:27: debounce = \"off\" is no duration; write one such as \"20ms\" \(units)"),
    Row("button.shutter.debounce = '2001ms'", "u.toml:1:27: debounce = \"2001ms\" is out of range; allowed: 1ms…2s"),
    Row("button.shutter.debounce = '-20ms'", "u.toml:1:27: debounce = \"-20ms\" is out of range; allowed: 1ms…2s"),
    Row("button.shutter.debounce = '99999999999999999999h'", "u.toml:1:27: debounce = \"99999999999999999999h\" is out of range; allowed: 1ms…2s"),
    Row("button.shutter.debounce = '-99999999999999999999h'", "u.toml:1:27: debounce = \"-99999999999999999999h\" is out of range; allowed: 1ms…2s"),
    Row("button.shutter.debounce = true", "u.toml:1:27: debounce = true must be a duration such as \"20ms\", not true or false"),
    Row("button.shutter.debounce = 07:32:00", "u.toml:1:27: debounce = (date) must be a duration such as \"20ms\", not a date or time"),
    Row("button.shutter.debounce = ['20ms']", "u.toml:1:27: debounce = […] must be a duration such as \"20ms\", not an array"),
    Row("button.shutter.double = '3s'", "u.toml:1:25: double = \"3s\" is out of range; allowed: 1ms…2s; or \"off\""),
    Row("button.shutter.double = false", "u.toml:1:25: double = false must be a duration such as \"20ms\", not true or false; or \"off\""),
    Row("camera.offset = '-3s'", "u.toml:1:17: offset = \"-3s\" is out of range; allowed: -2s…2s"),
    Row("camera.exposure = '1/60'", "u.toml:1:19: exposure = \"1/60\" has no unit; write a duration such as \"20ms\" \(units); or \"auto\""),
    Row("camera.exposure = '1/0s'", "u.toml:1:19: exposure = \"1/0s\" is no duration; write one such as \"20ms\" \(units); or \"auto\""),
    Row("camera.exposure = '1//2s'", "u.toml:1:19: exposure = \"1//2s\" is no duration; write one such as \"20ms\" \(units); or \"auto\""),
    Row("camera.exposure = '1/500000s'", "u.toml:1:19: exposure = \"1/500000s\" is out of range; allowed: 10us…10m; or \"auto\""),
    Row("camera.gain = 0.5", "u.toml:1:15: gain = 0.5 is out of range; allowed: 1…64; or \"auto\""),
    Row("video.fragment = '100ms'", "u.toml:1:18: fragment = \"100ms\" is out of range; allowed: 200ms…10s"),
    Row("video.preroll = '1m'", "u.toml:1:17: preroll = \"1m\" is out of range; allowed: 0s…30s"),
    Row("service.stop = '500ms'", "u.toml:1:16: stop = \"500ms\" is out of range; allowed: 1s…1h"),

    // Other quantities.
    Row("storage.reserve = 200", "u.toml:1:19: reserve = 200 has no unit; write a size in bytes such as \"200MB\" (units: B, kB, KiB, MB, MiB, GB, GiB)"),
    Row("storage.reserve = '200mb'", "u.toml:1:19: reserve = \"200mb\" has an unknown unit; write a size in bytes such as \"200MB\" (units: B, kB, KiB, MB, MiB, GB, GiB)"),
    Row("storage.reserve = '-1GB'", "u.toml:1:19: reserve = \"-1GB\" is out of range; allowed: 1MB…1000GB"),
    Row("storage.reserve = '0.1B'", "u.toml:1:19: reserve = \"0.1B\" rounds to nothing; the smallest step is 1B"),
    Row("video.bitrate = 10000000", "u.toml:1:17: bitrate = 10000000 has no unit; write a bit rate such as \"10Mbit/s\" (units: bit/s, kbit/s, Mbit/s)"),
    Row("video.bitrate = '99kbit/s'", "u.toml:1:17: bitrate = \"99kbit/s\" is out of range; allowed: 100kbit/s…200Mbit/s"),
    Row("ring.budget = '0mA'", "u.toml:1:15: budget = \"0mA\" is out of range; allowed: 1mA…20A"),
    Row("ring.budget = 500", "u.toml:1:15: budget = 500 has no unit; write a current such as \"500mA\" (units: mA, A)"),
    Row("ring.budget = '0.3mA'", "u.toml:1:15: budget = \"0.3mA\" rounds to nothing; the smallest step is 1mA"),

    // Sizes.
    Row("photo.size = '4608'", "u.toml:1:14: size = \"4608\" is no size; write WIDTHxHEIGHT in pixels, such as \"1920x1080\""),
    Row("photo.size = '4608x'", "u.toml:1:14: size = \"4608x\" is no size; write WIDTHxHEIGHT in pixels, such as \"1920x1080\""),
    Row("photo.size = '+640x480'", "u.toml:1:14: size = \"+640x480\" is no size; write WIDTHxHEIGHT in pixels, such as \"1920x1080\""),
    Row("photo.size = '1x2x3'", "u.toml:1:14: size = \"1x2x3\" is no size; write WIDTHxHEIGHT in pixels, such as \"1920x1080\""),
    Row("photo.size = '99999999999999999999x2'", "u.toml:1:14: size = \"99999999999999999999x2\" is no size; write WIDTHxHEIGHT in pixels, such as \"1920x1080\""),
    Row("photo.size = [640, 480]", "u.toml:1:14: size = […] must be a size such as \"1920x1080\", not an array"),
    Row("photo.size = '641x480'", "u.toml:1:14: size = \"641x480\" is odd; the nearest even size is \"640x480\""),
    Row("video.size = '0x0'", "u.toml:1:14: size = \"0x0\" is out of range; allowed: 16x16…16384x16384, even"),
    Row("photo.thumbnail = '1280x720'", "u.toml:1:19: thumbnail = \"1280x720\" is out of range; allowed: 16x16…640x640, even; or \"off\""),

    // Numbers and flags.
    Row("photo.quality = 0", "u.toml:1:17: quality = 0 is out of range; allowed: 1…100"),
    Row("photo.quality = 101", "u.toml:1:17: quality = 101 is out of range; allowed: 1…100"),
    Row("photo.quality = '93'", "u.toml:1:17: quality = \"93\" must be a whole number, not a string"),
    Row("photo.quality = 93.0", "u.toml:1:17: quality = 93.0 must be a whole number, not a number"),
    Row("camera.buffers = 1", "u.toml:1:18: buffers = 1 is out of range; allowed: 2…64"),
    Row("camera.buffers = 65", "u.toml:1:18: buffers = 65 is out of range; allowed: 2…64"),
    Row("ring.count = 9223372036854775807", "u.toml:1:14: count = 9223372036854775807 is out of range; allowed: 1…1024"),
    Row("ring.brightness = 1.01", "u.toml:1:19: brightness = 1.01 is out of range; allowed: 0…1"),
    Row("ring.brightness = nan", "u.toml:1:19: brightness = nan is out of range; allowed: 0…1"),
    Row("ring.brightness = '40%'", "u.toml:1:19: brightness = \"40%\" must be a number, not a string"),
    Row("photo.sidecar = 'yes'", "u.toml:1:17: sidecar = \"yes\" must be true or false, not a string"),
    Row("photo.sidecar = 1", "u.toml:1:17: sidecar = 1 must be true or false, not a whole number"),

    // Words.
    Row("shutter.mode = 'foto'", "u.toml:1:16: mode = \"foto\" is none of photo, video"),
    Row("shutter.mode = 'phtoo'", "u.toml:1:16: mode = \"phtoo\" is none of photo, video; did you mean \"photo\"?"),
    Row("shutter.busy = 'drop'", "u.toml:1:16: busy = \"drop\" is none of queue, ignore"),
    Row("shutter.mode = 1979-05-27", "u.toml:1:16: mode = (date) must be a string, not a date or time"),
    Row("button.shutter.bias = 'pull_up'", "u.toml:1:23: bias = \"pull_up\" is none of pull-up, pull-down, none, as-is; did you mean \"pull-up\"?"),
    Row("camera.frame = 'first_after'", "u.toml:1:16: frame = \"first_after\" is none of nearest, first-after; did you mean \"first-after\"?"),
    Row("ring.order = 'grb'", "u.toml:1:14: order = \"grb\" is none of GRB, RGB, BRG, RBG, GBR, BGR, GRBW, RGBW; did you mean \"GRB\"?"),
    Row("photo.formats = 'jpeg'", "u.toml:1:17: formats = \"jpeg\" must be an array of words, not a string"),
    Row("photo.formats = []", "u.toml:1:17: formats = [] is empty; allowed: jpeg | dng"),
    Row("photo.formats = ['jpeg', 'tiff']", "u.toml:1:26: formats = \"tiff\" is none of jpeg, dng"),
    Row("photo.formats = ['jpeg', 'jpeg']", "u.toml:1:26: formats = \"jpeg\" stands there twice"),
    Row("photo.formats = ['jpeg', 3]", "u.toml:1:26: formats = 3 must be a string, not a whole number"),

    // Lines and paths.
    Row("button.shutter.line = 17", "u.toml:1:23: line = 17 must be a string, not a whole number"),
    Row("button.shutter.line = '17'", "u.toml:1:23: line = \"17\" is no line; write \"GPIO17\", \"pinctrl-rp1:17\", \"/dev/gpiochip0:17\" or \"terminal\""),
    Row("button.shutter.line = '/dev/gpiochip0'", "u.toml:1:23: line = \"/dev/gpiochip0\" is no line; write \"GPIO17\", \"pinctrl-rp1:17\", \"/dev/gpiochip0:17\" or \"terminal\""),
    Row("button.shutter.line = 'pinctrl-rp1:x'", "u.toml:1:23: line = \"pinctrl-rp1:x\" is no line; write \"GPIO17\", \"pinctrl-rp1:17\", \"/dev/gpiochip0:17\" or \"terminal\""),
    Row("button.shutter.line = ':17'", "u.toml:1:23: line = \":17\" is no line; write \"GPIO17\", \"pinctrl-rp1:17\", \"/dev/gpiochip0:17\" or \"terminal\""),
    Row("button.shutter.line = 'GPIO 17'", "u.toml:1:23: line = \"GPIO 17\" is no line; write \"GPIO17\", \"pinctrl-rp1:17\", \"/dev/gpiochip0:17\" or \"terminal\""),
    Row("button.shutter.line = 'none'", "u.toml:1:23: line = \"none\" is no line; write \"GPIO17\", \"pinctrl-rp1:17\", \"/dev/gpiochip0:17\" or \"terminal\""),
    Row("storage.root = 'media'", "u.toml:1:16: root = \"media\" is no absolute path; begin it with / or ~/"),
    Row("storage.root = ''", "u.toml:1:16: root = \"\" is no absolute path; begin it with / or ~/"),
]

private let nameRows: [Row] = [
    Row("[ring]\nbrightnes = 0.5", "u.toml:2:1: unknown key \"brightnes\" in [ring]; did you mean \"brightness\"?"),
    Row("[ring]\nBrightness = 0.5", "u.toml:2:1: unknown key \"Brightness\" in [ring]; did you mean \"brightness\"?"),
    Row("[ring]\nreduce-motion = true", "u.toml:2:1: unknown key \"reduce-motion\" in [ring]; did you mean \"reduce_motion\"?"),
    Row("[ring]\ndebounce = '20ms'", "u.toml:2:1: unknown key \"debounce\" in [ring]; it belongs in [button.shutter]"),
    Row("debounce = '20ms'", "u.toml:1:1: unknown key \"debounce\" at the top; it belongs in [button.shutter]"),
    Row("[button]\ndebounce = '20ms'", "u.toml:2:1: unknown key \"debounce\" in [button]; it belongs in [button.shutter]"),
    Row("[camera]\nsize = '640x480'", "u.toml:2:1: unknown key \"size\" in [camera]; it belongs in [photo] or [video]"),
    Row("[camera]\nqualty = 50", "u.toml:2:1: unknown key \"qualty\" in [camera]; did you mean \"quality\" in [photo]?"),
    Row("[control]\nxyzzy = 1", "u.toml:2:1: unknown key \"xyzzy\" in [control]; known here: socket, group"),
    Row("xyzzy = 1", "u.toml:1:1: unknown key \"xyzzy\" at the top; known here: board"),
    Row("\"\" = 1", "u.toml:1:1: unknown key \"\" at the top; known here: board"),
    Row("[shutter.mode]", "u.toml:1:1: mode = {…} must be a string, not a table"),
    Row("[photos]\nquality = 50", "u.toml:1:2: unknown table [photos]; did you mean [photo]?"),
    Row("[photos]\nquality = 500", "u.toml:1:2: unknown table [photos]; did you mean [photo]?", "u.toml:2:11: quality = 500 is out of range; allowed: 1…100"),
    Row("[gestures.foto]\nhold = 'none'", "u.toml:1:11: unknown table [gestures.foto]; known here: [gestures.photo], [gestures.video]",
        "u.toml:2:1: unknown key \"hold\" in [gestures.foto]; it belongs in [button.shutter] or [gestures.photo] or [gestures.video]"),
    Row("[gestures.vidoe]\nhold = 'none'", "u.toml:1:11: unknown table [gestures.vidoe]; did you mean [gestures.video]?"),
    Row("[control.led]\ncount = 3", "u.toml:1:10: unknown table [control.led]", "u.toml:2:1: unknown key \"count\" in [control.led]; it belongs in [drive] or [ring]"),
    Row("ring = 3", "u.toml:1:1: [ring] must be a table, not a whole number"),
    Row("[[ring]]\ncount = 3", "u.toml:1:3: [ring] must be a table, not an array"),
    Row("[[hooks]]\nevent = 'fault'", "u.toml:1:3: [hooks] must be a table, not an array; write [hooks.NAME]"),
    Row("[[button.shutter]]", "u.toml:1:10: [button.shutter] must be a table, not an array"),
    Row("[board]\ntitle = 'x'", "u.toml:1:1: board = {…} must be a string, not a table"),
    Row("board = 5", "u.toml:1:9: board = 5 must be a string, not a whole number"),
    Row("[button.\"a b\"]\nline = 'GPIO5'\nrole = 'mode'", "u.toml:1:9: the name \"a b\" must be 1 to 32 letters, digits, - or _"),
    Row("[button.'a.b']\nline = 'GPIO5'\nrole = 'mode'\nhold = '1ms'", "u.toml:1:9: the name \"a.b\" must be 1 to 32 letters, digits, - or _"),
    Row("[button.'']\nhold = 1", "u.toml:1:9: the name \"\" must be 1 to 32 letters, digits, - or _",
        "u.toml:2:8: hold = 1 has no unit; write a duration such as \"20ms\" \(units)"),
    Row("ring.count = 12\nring.counts = 13", "u.toml:2:6: unknown key \"counts\" in [ring]; did you mean \"count\"?"),
]

@Test("a value that cannot be", arguments: valueRows)
func values(row: Row) { #expect(faults(row.toml) == row.expected) }

@Test("a name that is not known", arguments: nameRows)
func names(row: Row) { #expect(faults(row.toml) == row.expected) }

@Test("N03: every typo of a file, at once")
func typos() {
    let toml = """
        [buton]                # typo of button
        debounce = 30          # no unit
        [button]
        debounce-ms = "20"     # string, hyphen
        debunce_ms = 50
        debounce_ms = 0.4
        hold_ms = 10           # shorter than debounce
        [video]
        size = "2304x1296"     # see C16
        [led]
        count = -1
        debounce_ms = 20       # wrong table
        """
    let noUnit = "has no unit; write a duration such as \"20ms\" (units: us, ms, s, m, h)"
    #expect(
        faults(toml) == [
            "u.toml:1:2: unknown table [buton]; did you mean [button]?",
            "u.toml:2:1: unknown key \"debounce\" in [button]; it belongs in [button.shutter]",
            "u.toml:2:12: debounce = 30 \(noUnit)",
            "u.toml:4:1: unknown key \"debounce-ms\" in [button]; did you mean \"debounce\" in [button.shutter]?",
            "u.toml:4:15: debounce-ms = \"20\" \(noUnit)",
            "u.toml:5:1: unknown key \"debunce_ms\" in [button]; did you mean \"debounce\" in [button.shutter]?",
            "u.toml:5:14: debunce_ms = 50 \(noUnit)",
            "u.toml:6:1: unknown key \"debounce_ms\" in [button]; did you mean \"debounce\" in [button.shutter]?",
            "u.toml:6:15: debounce_ms = 0.4 \(noUnit)",
            "u.toml:7:1: unknown key \"hold_ms\" in [button]; did you mean \"hold\" in [button.shutter]?",
            "u.toml:7:11: hold_ms = 10 \(noUnit)",
            "u.toml:9:8: video.size = \"2304x1296\" is beyond the board's encoder: 11664 macroblocks, at most 8192 (pi.toml:7:19); "
                + "or set video.encoder to \"software\" or \"mjpeg\"",
            "u.toml:9:8: video.size = \"2304x1296\" is beyond the board's encoder: at most 1920 wide (pi.toml:6:13); "
                + "or set video.encoder to \"software\" or \"mjpeg\"",
            "u.toml:10:2: unknown table [led]; known here: [button], [gestures], [shutter], [drive], [ring], [feedback], [camera], "
                + "[photo], [video], [storage], [controls], [encoder], [input], [control], [hooks], [service], [simulation]",
            "u.toml:11:1: unknown key \"count\" in [led]; it belongs in [drive] or [ring]",
            "u.toml:12:1: unknown key \"debounce_ms\" in [led]; did you mean \"debounce\" in [button.shutter]?",
            "u.toml:12:15: debounce_ms = 20 \(noUnit)",
        ])
}

@Test func aFaultIsOneLine() {
    #expect(SettingsFault(file: "u.toml", message: "/n\no cannot be found\u{1B}[31m, é stays").message == "/n\\no cannot be found\\u{1B}[31m, é stays")
}
