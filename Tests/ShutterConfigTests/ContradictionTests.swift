// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

// Settings that are well each by itself, and not together.

private let other = "; or set video.encoder to \"software\" or \"mjpeg\""

private let rows: [Row] = [
    Row("[button.shutter]\nhold = '15ms'", "u.toml:2:8: button.shutter.hold = \"15ms\" must be longer than button.shutter.debounce = \"20ms\" (the default)"),
    Row("[button.shutter]\nhold = '20ms'", "u.toml:2:8: button.shutter.hold = \"20ms\" must be longer than button.shutter.debounce = \"20ms\" (the default)"),
    Row("[button.shutter]\ndebounce = '1s'", "u.toml:2:12: button.shutter.hold = \"500ms\" (the default) must be longer than button.shutter.debounce = \"1s\""),
    Row("[button.shutter]\nhold = '50ms'\ndebounce = '60ms'", "u.toml:3:12: button.shutter.hold = \"50ms\" (u.toml:2:8) must be longer than button.shutter.debounce = \"60ms\""),
    Row("[button.shutter]\ndebounce = '60ms'\nhold = '50ms'", "u.toml:3:8: button.shutter.hold = \"50ms\" must be longer than button.shutter.debounce = \"60ms\" (u.toml:2:12)"),
    Row("[button.shutter]\ndebounce = '1s'\nhold = '1500ms'"),
    Row("[button.shutter]\nmax_hold = '500ms'", "u.toml:2:12: button.shutter.max_hold = \"500ms\" must be longer than button.shutter.hold = \"500ms\" (the default)"),
    Row("[button.shutter]\nmax_hold = '20s'"),
    Row("[button.shutter]\ndouble = '20ms'\n[gestures.photo]\ndouble = 'toggle-mode'", "u.toml:2:10: button.shutter.double = \"20ms\" must be longer than button.shutter.debounce = \"20ms\" (the default)"),
    Row("[gestures.photo]\ndouble = 'toggle-mode'", "u.toml:2:10: gestures.photo.double = \"toggle-mode\" never happens with button.shutter.double = \"off\" (the default)"),
    Row("[button.shutter]\ndouble = 'off'\n[gestures.video]\ndouble = 'toggle-mode'", "u.toml:4:10: gestures.video.double = \"toggle-mode\" never happens with button.shutter.double = \"off\" (u.toml:2:10)"),
    Row("[button.shutter]\ndouble = '300ms'\n[gestures.video]\ndouble = 'toggle-mode'"),
    Row("[button.foot]\nline = 'GPIO5'\nrole = 'shutter'\ndouble = '300ms'\n[gestures.video]\ndouble = 'toggle-mode'"),
    Row("[gestures.video]\nhold = 'burst'", "u.toml:2:8: gestures.video.hold = \"burst\" needs photo mode; use \"record\" or \"none\""),

    Row("[drive]\ncount = 3\nlength = '1m'", "u.toml:3:10: drive.count = 3 (u.toml:2:9) is another end of the interval than drive.length = \"1m\""),
    Row("[drive]\ncount = 'none'\nlength = '1m'"),
    Row("[drive]\nlength = '1s'", "u.toml:2:10: drive.length = \"1s\" must not be shorter than drive.interval = \"5s\" (the default)"),

    Row("[button.mode]\nline = 'GPIO17'", "u.toml:2:8: button.shutter.line = \"GPIO17\" (pi.toml:9:8) is the same line as button.mode.line = \"GPIO17\""),
    Row("[button.mode]\nline = 'pinctrl-bcm2711:17'", "u.toml:2:8: button.shutter.line = \"GPIO17\" (pi.toml:9:8) is the same line as button.mode.line = \"pinctrl-bcm2711:17\""),
    Row("[button.mode]\nline = '/dev/gpiochip1:7'\n[feedback]\nline = 'gpiochip1:7'", "u.toml:4:8: feedback.line = \"gpiochip1:7\" is the same line as button.mode.line = \"/dev/gpiochip1:7\" (u.toml:2:8)"),
    Row("[button.signal]\nrole = 'shutter'\nline = 'GPIO5'", "u.toml:2:8: button.signal.role = \"shutter\" has a name that other presses have: choose another than control and signal"),
    Row("[feedback]\nline = 'GPIO17'", "u.toml:2:8: feedback.line = \"GPIO17\" is the same line as button.shutter.line = \"GPIO17\" (pi.toml:9:8)"),
    Row("[ring]\ndriver = 'gpio'\ndevice = 'GPIO17'", "u.toml:3:10: ring.device = \"GPIO17\" is the same line as button.shutter.line = \"GPIO17\" (pi.toml:9:8)"),
    Row("[button.mode]\nline = 'terminal'\n[button.shutter]\nline = 'terminal'"),
    Row("[feedback]\nline = 'terminal'", "u.toml:2:8: feedback.line = \"terminal\" must be a line that can be driven"),
    Row("[button.mode]", "u.toml:1:9: [button.mode] has no line; set line = \"GPIO17\" or where the button is"),
    Row("[button.foot]\nline = 'GPIO5'", "u.toml:1:9: [button.foot] has no role; set role to one of \"shutter\", \"mode\", \"focus\", \"control\", \"up\", \"down\""),
    Row("[button.shuter]\nline = 'GPIO5'", "u.toml:1:9: [button.shuter] has no role; set role to one of \"shutter\", \"mode\", \"focus\", \"control\", \"up\", \"down\"; did you mean [button.shutter]?"),
    Row("[button.foot]\nline = 'GPIO5'\nrole = 'shutter'"),

    Row("[ring]\nbudget = '10mA'", "u.toml:2:10: ring.budget = \"10mA\" does not even cover 1 mA for each dark pixel of ring.count = 24 (the default)"),
    Row("[ring]\nbudget = '1mA'\ndriver = 'gpio'\ndevice = 'GPIO18'"),
    Row("[ring]\ndriver = 'gpio'", "u.toml:2:10: ring.device = \"/dev/spidev0.0\" (the default) must be a line such as \"GPIO18\" for ring.driver = \"gpio\""),
    Row("[ring]\ndriver = 'led-class'", "u.toml:2:10: ring.device = \"/dev/spidev0.0\" (the default) is not what is driven by ring.driver = \"led-class\""),
    Row("[ring]\ndevice = 'GPIO18'", "u.toml:2:10: ring.device = \"GPIO18\" must be a device file such as \"/dev/spidev0.0\" for ring.driver = \"ws2812-spi\" (the default)"),
    Row("[ring]\norder = 'GRBW'", "u.toml:2:9: ring.order = \"GRBW\" has a white that is missing in ring.driver = \"ws2812-spi\" (the default)"),
    Row("[ring]\norder = 'GRBW'\ndriver = 'sk6812-spi'"),
    Row("[ring]\norder = 'GRBW'\ndriver = 'led-class'\ndevice = '/dev/leds0'"),
    Row("[ring]\ndriver = 'gpio'\nlines = ['GPIO5', 'GPIO6']\nactive = 'low'"),
    Row("[ring]\ndriver = 'gpio'\nlines = ['GPIO5', 'GPIO17']", "u.toml:3:9: ring.lines = [\"GPIO5\", \"GPIO17\"] is the same line as button.shutter.line = \"GPIO17\" (pi.toml:9:8)"),
    Row("[ring]\nlines = ['GPIO5', 'pinctrl-rp1:5']", "u.toml:2:19: lines = \"pinctrl-rp1:5\" stands there twice"),
    Row("[ring]\nlines = ['GPIO5', 'terminal']", "u.toml:2:19: lines = \"terminal\" is no line that can be driven"),

    Row("[camera]\nexposure = '11s'", "u.toml:2:12: camera.exposure = \"11s\" must not be longer than camera.max_exposure = \"10s\" (the default)"),
    Row("[camera]\nexposure = '1/50s'\ngain = 2\nev = 1", "u.toml:4:6: camera.ev = 1.0 does nothing when exposure and gain are both set; see camera.exposure = \"20ms\" (u.toml:2:12)"),
    Row("[camera]\nmax_exposure = '19s'", "u.toml:2:16: service.stop = \"20s\" (the default) must be at least 2s longer than camera.max_exposure = \"19s\""),
    Row("[service]\nstop = '11s'", "u.toml:2:8: service.stop = \"11s\" must be at least 2s longer than camera.max_exposure = \"10s\" (the default)"),
    Row("[service]\nstop = '100s'\n[camera]\nmax_exposure = '90s'"),
    Row("[camera]\nlag = 'cold'\noffset = '-50ms'", "u.toml:3:10: camera.offset = \"-50ms\" wants frames from before the press, not there with camera.lag = \"cold\" (u.toml:2:7)"),
    Row("[camera]\noffset = '-50ms'"),
    Row("[camera]\noffset = '-100ms'"),
    Row("[camera]\noffset = '-150ms'", "u.toml:2:10: camera.offset = \"-150ms\" wants frames that have left the ring by then; raise camera.buffers = 6 (the default)"),
    Row("[camera]\noffset = '-150ms'\nbuffers = 8"),
    Row("[camera]\nlag = 'cold'\n[video]\npreroll = '2s'", "u.toml:4:11: video.preroll = \"2s\" wants frames from before the press, not there with camera.lag = \"cold\" (u.toml:2:7)"),

    Row("[photo]\nsize = '160x120'", "u.toml:2:8: photo.thumbnail = \"320x240\" (the default) must not be larger than photo.size = \"160x120\""),
    Row("[photo]\nsize = '160x120'\nthumbnail = 'off'"),
    Row("[video]\nmax = '5s'\nfragment = '10s'", "u.toml:3:12: video.max = \"5s\" (u.toml:2:7) must not be shorter than video.fragment = \"10s\""),
    Row("[video]\nsize = '2028x1080'", "u.toml:2:8: video.size = \"2028x1080\" is beyond the board's encoder: 8636 macroblocks, at most 8192 (pi.toml:7:19)\(other)",
        "u.toml:2:8: video.size = \"2028x1080\" is beyond the board's encoder: at most 1920 wide (pi.toml:6:13)\(other)"),
    Row("[video]\nsize = '1280x1664'", "u.toml:2:8: video.size = \"1280x1664\" is beyond the board's encoder: 8320 macroblocks, at most 8192 (pi.toml:7:19)\(other)"),
    Row("[video]\nsize = '1296x972'"),
    Row("[video]\nsize = '1920x1088'"),
    Row("[video]\nsize = '2304x1296'\nencoder = 'software'"),
    Row("[video]\nsize = '2304x1296'\nencoder = 'mjpeg'"),
    Row("board = 'simulated'\n[video]\nencoder = 'hardware'", "u.toml:3:11: video.encoder = \"hardware\" is not on the board \"simulated\"; use \"auto\", \"software\" or \"mjpeg\""),

    Row("[control]\nsocket = '/\(String(repeating: "s", count: 107))'",
        "u.toml:2:10: control.socket = \"/\(String(repeating: "s", count: 107))\" is longer than the 107 bytes a socket's path may have"),
    Row("[control]\nsocket = '/\(String(repeating: "s", count: 106))'"),
    Row("[controls.zoom]\nmax = 6\ncentre = [0.5, 0.25]\nremember = true\n[controls.ev]\non = false\n[controls.x]\nmin = 0\nmax = 2\ncamera = 'Contrast'\n[controls.look]\ntitles = ['a', 'b']\ncamera = 'AwbMode'"),
    Row("[controls.zoom]\nmin = 0.5", "u.toml:2:7: controls.zoom.min = 0.5 is wider than the whole view; the least zoom is 1"),
    Row("[controls.zoom]\ntitles = ['a', 'b']", "u.toml:2:10: controls.zoom.titles = [\"a\", \"b\"] makes a picker of what is a slider"),
    Row("[controls.x]\nmin = 5\nmax = 2", "u.toml:3:7: controls.x.max = 2.0 must be more than controls.x.min = 5.0 (u.toml:2:7)"),
    Row("[controls.x]\nstep = 100", "u.toml:1:11: [controls.x]: the control x has a step that does not fit into its range"),
    Row("[controls.x]\ndefault = 11", "u.toml:1:11: [controls.x]: the control x has a default outside of its range"),
    Row("[controls.x]\ntitles = ['a']", "u.toml:1:11: [controls.x]: the control x has 1 titles; allowed: 2…24"),
    Row("[controls.x]\ntitles = ['a', 'b']\nmin = 1", "u.toml:3:7: controls.x.min = 1.0 is for a slider, and [controls.x] is a picker"),
    Row("[controls.x]\ncentre = [0, 1]", "u.toml:2:10: controls.x.centre = [0.0, 1.0] is for [controls.zoom] alone"),
    Row("[controls.x]\ncamera = 'ExposureValue'", "u.toml:1:11: [controls.x]: the controls ev and x both set the camera's ExposureValue"),
    Row("[controls]\n" + (1...7).map { "c\($0) = {}\n" }.joined(), "u.toml:8:1: [controls.c7]: the control c7 is one too many: there may be 8"),
    Row("[encoder.dial]\na = 'GPIO5'", "u.toml:1:10: [encoder.dial] has no line b; set b = \"GPIO5\" or where it is"),
    Row("[encoder.dial]\na = 'GPIO5'\nb = 'GPIO5'", "u.toml:3:5: encoder.dial.b = \"GPIO5\" is the same line as encoder.dial.a = \"GPIO5\" (u.toml:2:5)"),
    Row("[encoder.dial]\na = 'GPIO17'\nb = 'GPIO6'", "u.toml:2:5: encoder.dial.a = \"GPIO17\" is the same line as button.shutter.line = \"GPIO17\" (pi.toml:9:8)"),
    Row("[encoder.dial]\na = 'GPIO5'\nb = 'GPIO6'\ndetent = 3", "u.toml:4:10: detent = 3 is none of 2, 4"),
    Row("[input.remote]", "u.toml:1:8: [input.remote] has no device; set device = \"/dev/input/by-id/…\", or the name that `cat /proc/bus/input/devices` shows",
        "u.toml:1:8: [input.remote] is bound to nothing; set shutter = [\"KEY_VOLUMEUP\"], or up, down, control, focus, mode or turn"),
    Row("[input.remote]\ndevice = 'x'\nup = ['KEY_A']\ndown = ['KEY_A']", "u.toml:4:8: input.remote.down = [\"KEY_A\"] has KEY_A, as has input.remote.up = [\"KEY_A\"] (u.toml:3:6)"),
    Row("[input.remote]\ndevice = 'x'\nup = ['KEY_VOLUMUP']", "u.toml:3:7: up = \"KEY_VOLUMUP\" is no key; write its name in linux/input-event-codes.h, such as \"KEY_ENTER\", or its number, as evtest shows them; did you mean \"KEY_VOLUMEUP\"?"),
    Row("[input.remote]\ndevice = 'x'\nshutter = ['115', 'BTN_0']\nturn = 'REL_DIAL'"),
    Row("[hooks.sync]", "u.toml:1:8: [hooks.sync] has no event; set event to one of \"photo-saved\", \"clip-saved\", \"recording-started\", \"recording-stopped\", \"mode-changed\", \"drive-changed\", \"control-changed\", \"controls\", \"fault\"",
        "u.toml:1:8: [hooks.sync] has nothing to run; set run = [\"/path/of/program\", \"argument\"]"),
    Row("[hooks.sync]\nevent = 'fault'\nrun = ['rsync']", "u.toml:3:7: hooks.sync.run = [\"rsync\"] must begin with the absolute path of a program"),
    // A fault is one line, whatever it quotes.
    Row("[controls.one]\ncamera = \"A\\nB\"\nmin = 0.0\nmax = 1.0\n[controls.two]\ncamera = \"A\\nB\"\nmin = 0.0\nmax = 1.0",
        "u.toml:5:11: [controls.two]: the controls one and two both set the camera's A\\nB"),
    Row("[hooks.sync]\nevent = 'fault'\nrun = []", "u.toml:3:7: hooks.sync.run = [] must begin with the absolute path of a program"),
    Row("[hooks.sync]\nevent = 'fault'\nrun = '/bin/true'", "u.toml:3:7: run = \"/bin/true\" must be an array of texts, not a string"),
]

@Test("a contradiction", arguments: rows)
func contradictions(row: Row) { #expect(faults(row.toml) == row.expected) }

private let gpio2 = "GPIO2 has a pull-up of 1.8 kΩ on the board: a pull-down cannot win, so the button looks pressed all the time; "
    + "wire it to ground with active = \"low\", or use another line"

private let warningRows: [Row] = [
    Row(""),
    Row("[button.shutter]\nline = 'GPIO2'"),
    Row("[button.shutter]\nline = 'GPIO2'\nactive = 'high'\nbias = 'pull-down'", "u.toml:2:8: \(gpio2)"),
    Row("[button.shutter]\nline = 'GPIO2'\nactive = 'high'", "u.toml:2:8: \(gpio2)"),
    Row("[button.shutter]\nactive = 'high'"),
    Row("[button.shutter]\nactive = 'high'\nbias = 'pull-up'", "u.toml:2:10: active = \"high\" with bias = \"pull-up\": a switch that is open looks pressed; use bias = \"pull-down\""),
    Row("[button.shutter]\nbias = 'pull-down'", "u.toml:2:8: active = \"low\" with bias = \"pull-down\": a switch that is open looks pressed; use bias = \"pull-up\""),
    Row("[button.shutter]\ndouble = '300ms'", "u.toml:2:10: no gesture is bound to a double; set double in [gestures.photo] or [gestures.video]"),
    Row("[controls.x]", "u.toml:1:11: [controls.x] sets nothing: give it camera = \"NAME\" of a control of libcamera's, or a hook with event = \"control-changed\""),
    Row("[simulation]\nrate = 5", "u.toml:2:8: [simulation] does nothing without camera.source = \"simulated\""),
    Row("board = 'simulated'\n[simulation]\nrate = 5"),
]

@Test("what works, but hardly as it is meant", arguments: warningRows)
func warnings(row: Row) throws {
    #expect(try resolve(row.toml).warnings.map(\.description) == row.expected)
}

@Test("nothing is said about a value that could not be read")
func brokenValuesAreNotCompared() {
    #expect(faults("[button.shutter]\ndebounce = '1m'\nhold = '1ms'") == ["u.toml:2:12: debounce = \"1m\" is out of range; allowed: 1ms…2s"])
}
