// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

// Every key, one row each: where it stands, what it sets, what may stand there, what it does. Reading, checking,
// `config show` and the reference all come from these rows; the defaults are in `Settings`.

extension Schema {
    static let boardKey = Key("board", \.board, .text, "The board profile; found by the device tree's model when it is not set.")

    static let factKeys: [Key] = [
        Key("board.title", \.facts.title, .text, "The board's name, for people."),
        Key("board.models", \.facts.models, .texts, "Beginnings of the device tree's model that mean this board."),
        Key("board.chip", \.facts.chip, .text, "The label of the chip whose lines are on the header: GPIO17 is its line 17."),
        Key(
            "board.config_txt", \.facts.configText, .texts,
            "What the ring on SPI needs in config.txt, as doctor looks for it."),
        Key("board.pwm", \.facts.pwm, .text, "Chip and channel of the PWM on GPIO18: the device of a ring with the driver pwm."),
        Key("board.encoder.hardware", \.facts.hasEncoder, .flag, "Whether there is an H.264 encoder in hardware."),
        Key(
            "board.encoder.max_width", \.facts.encoderMaxWidth, Kind<Int>.whole(16...16384).or("none"),
            "Its widest frame, pixels."),
        Key(
            "board.encoder.max_macroblocks", \.facts.encoderMaxMacroblocks, Kind<Int>.whole(1...1_048_576).or("none"),
            "Its largest frame, blocks of 16x16 pixels."),
    ]

    static let settingKeys: [Key] = [
        Key(button: "role", \.role, .choice(), "What a press means; follows from the names shutter, mode, focus, control, up and down."),
        Key(button: "line", \.line, .line, "Where the button is."),
        Key(button: "active", \.active, .choice(), "The electrical level of a pressed button."),
        Key(button: "bias", \.bias, .choice(), "Unless set, a pull-up for active = \"low\" and a pull-down for \"high\"."),
        Key(button: "debounce", \.debounce, .duration(.milliseconds(1) ... .seconds(2)), "How long a level must hold to count."),
        Key(button: "hold", \.hold, .duration(.milliseconds(1) ... .seconds(30)), "A press of this length is a hold."),
        Key(
            button: "double", \.double, Kind<Duration>.duration(.milliseconds(1) ... .seconds(2)).or("off", "0s"),
            "A second press within this time makes a double."),
        Key(
            button: "max_hold", \.maxHold, Kind<Duration>.duration(.milliseconds(1) ... .seconds(86400)).or("off", "0s"),
            "A press of this length is cancelled."),

        Key("gestures.photo.hold", \.gestures.photo.hold, .choice(), "What a hold does in photo mode."),
        Key("gestures.photo.double", \.gestures.photo.double, .choice(), "What a double does in photo mode."),
        Key("gestures.video.hold", \.gestures.video.hold, .choice(), "What a hold does in video mode."),
        Key("gestures.video.double", \.gestures.video.double, .choice(), "What a double does in video mode."),

        Key("shutter.mode", \.shutter.mode, .choice(), "The first start's mode; later the last one set."),
        Key("shutter.busy", \.shutter.busy, .choice(), "What a press does while the one before is not finished."),

        Key("drive.mode", \.drive.mode, .choice(), "What a press leads to in photo mode, at the first start; later the last one set."),
        Key("drive.timer", \.drive.timer, .duration(Drive.timers), "From the press to the photo of the self-timer."),
        Key("drive.interval", \.drive.interval, .duration(Drive.intervals), "From beat to beat of an interval."),
        Key("drive.count", \.drive.count, Kind<Int>.whole(Drive.counts).or("none"), "Beats after which an interval ends."),
        Key("drive.length", \.drive.length, Kind<Duration>.duration(Drive.lengths).or("none"), "Time after which an interval ends."),
        Key("drive.burst_rate", \.drive.burstRate, Kind<Int>.whole(1...60).or("every-frame"), "Photos a second while a burst is held."),

        Key("ring.driver", \.ring.driver, .choice(), "How the ring is driven."),
        Key("ring.device", \.ring.device, .text, "Its device file; for pwm \"fe20c000.pwm:0\" (chip and channel), for led-class a name."),
        Key("ring.count", \.ring.count, .whole(1...1024), "Pixels."),
        Key("ring.order", \.ring.order, .choice(), "The order in which a pixel takes its colours."),
        Key("ring.lines", \.ring.lines, .lines(0...8), "The line of each plain LED; for gpio alone."),
        Key("ring.active", \.ring.active, .choice(), "The electrical level of a plain LED that is on."),
        Key("ring.brightness", \.ring.brightness, .number(0...1), "Perceptual: 0.5 looks half as bright as 1."),
        Key("ring.budget", \.ring.budget, .quantity(.current, 1...20_000), "What all pixels together may draw."),
        Key("ring.theme", \.ring.theme, .choice(), "How cues look."),
        Key("ring.reduce_motion", \.ring.reduceMotion, .flag, "No movement and no flash."),

        Key("feedback.line", \.feedback.line, Kind<LineAddress>.line.or("none"), "The line of a vibration motor or piezo."),
        Key("feedback.active", \.feedback.active, .choice(), "The electrical level that makes it move."),

        Key("camera.source", \.camera.source, .choice(), "Where frames come from."),
        Key("camera.id", \.camera.id, .text, "libcamera's id of the camera; empty = the first."),
        Key("camera.plugin", \.camera.plugin, .text, "The camera plugin's path; empty = the installed one."),
        Key(
            "camera.lag", \.camera.lag, Kind<CameraSettings.Lag>.choice().or("auto"),
            "What runs between presses: full-size frames, small ones, or nothing; auto = as it suits the memory."),
        Key("camera.buffers", \.camera.buffers, .whole(2...64), "Full-size frames that are kept."),
        Key("camera.frame", \.camera.frame, .choice(), "Which frame is the photo of an instant."),
        Key("camera.offset", \.camera.offset, .duration(.seconds(-2) ... .seconds(2)), "Shifts the wanted instant."),
        Key(
            "camera.max_exposure", \.camera.maxExposure, .duration(.milliseconds(1) ... .seconds(600)),
            "The longest exposure that may be asked for."),
        Key(
            "camera.exposure", \.camera.exposure, Kind<Duration>.duration(.microseconds(10) ... .seconds(600)).or("auto"),
            "The exposure time, \"8ms\" or \"1/125s\"."),
        Key("camera.gain", \.camera.gain, Kind<Double>.number(1...64).or("auto"), "The analogue gain: ISO / 100."),
        Key("camera.ev", \.camera.ev, .number(-8...8), "How much brighter than usual automatic exposure is to be."),
        Key(
            "camera.rotation", \.camera.rotation, .oneOf([0, 90, 180, 270]),
            "Degrees by which pictures are to be turned clockwise to stand upright."),
        Key("camera.flip", \.camera.flip, .choice(), "Whether pictures are to be mirrored, before they are turned."),
        Key("camera.awb", \.camera.awb, .choice(), "The white balance."),

        Key("photo.size", \.photo.size, .size(16...16384), "Pixels."),
        Key("photo.formats", \.photo.formats, .choices(), "The files that are written for a photo."),
        Key(
            "photo.prioritize", \.photo.prioritize, .choice(),
            "speed: NoiseReductionMode Minimal, JPEG quality 85; balanced: Fast, 93; quality: HighQuality, 97, and chroma in full where the camera gives it."),
        Key("photo.quality", \.photo.quality, .whole(1...100), "JPEG quality; goes before that of prioritize."),
        Key("photo.thumbnail", \.photo.thumbnail, Kind<ImageSize>.size(16...640).or("off"), "The largest size of the thumbnail."),
        Key("photo.sidecar", \.photo.sidecar, .flag, "Whether a JSON file with all that is known goes with it."),
        Key("photo.make", \.photo.make, .text, "EXIF Make."),
        Key("photo.model", \.photo.model, .text, "EXIF Model; empty = the name of the sensor."),

        Key("video.size", \.video.size, .size(16...16384), "Pixels."),
        Key("video.rate", \.video.rate, .whole(1...240), "Frames a second."),
        Key("video.bitrate", \.video.bitrate, .quantity(.bitrate, 100_000...200_000_000), "Bits a second."),
        Key("video.encoder", \.video.encoder, .choice(), "What makes the clip."),
        Key("video.fragment", \.video.fragment, .duration(.milliseconds(200) ... .seconds(10)), "What a power cut may cost."),
        Key(
            "video.preroll", \.video.preroll, .duration(.zero ... .seconds(30)),
            "How much of the time before the press a clip shows."),
        Key(
            "video.max", \.video.max, Kind<Duration>.duration(.seconds(1) ... .seconds(86400)).or("off", "0s"),
            "A longer clip goes on in the next file."),
        Key(
            "video.max_size", \.video.maxSize, Kind<UInt64>.quantity(.bytes, 10_000_000...1_000_000_000_000).or("off"),
            "A larger clip goes on in the next file."),
        Key("video.audio", \.video.audio, Kind<String>.text.or("off", ""), "The microphone's ALSA device, \"plughw:1\" or a name of arecord -L."),
        Key("video.faststart", \.video.faststart, .flag, "Whether closed clips are made plain MP4s with the index in front, when there is time."),

        Key("storage.root", \.storage.root, .path, "The folder that holds DCIM."),
        Key("storage.reserve", \.storage.reserve, .quantity(.bytes, 1_000_000...1_000_000_000_000), "What is left free."),
        Key("storage.state", \.storage.state, .path, "The folder of what the daemon remembers."),

        Key("controls.timeout", \.controls.timeout, .duration(.milliseconds(1500) ... .seconds(60)), "A session of the controls ends this long after the last turn or press."),
        Key(control: "on", \.isOn, .flag, "Whether there is this control."),
        Key(control: "min", \.least, Kind<Double>.number(-1e6...1e6).or("usual"), "The least value; usual: 1 for zoom, -3 for ev, else -10."),
        Key(control: "max", \.most, Kind<Double>.number(-1e6...1e6).or("usual"), "The greatest value; usual: 4 for zoom, 3 for ev, else 10."),
        Key(control: "step", \.step, Kind<Double>.number(0.0001...1e6).or("usual"), "From one value to the next; usual: 0.1 for zoom, 0.5 for ev."),
        Key(control: "default", \.initial, Kind<Double>.number(-1e6...1e6).or("usual"), "The value at the start; of a picker its position, from 0."),
        Key(control: "titles", \.titles, .texts, "Makes it a picker: what there is to choose from."),
        Key(control: "camera", \.camera, .text, "libcamera's control that it sets; empty = only hooks and watch are told."),
        Key(control: "centre", \.centre, .point, "Of zoom: the point that stays in the middle, as parts of width and height."),
        Key(control: "remember", \.isRemembered, .flag, "Whether its value outlasts a restart."),

        Key(encoder: "a", \.a, .line, "The line that leads when it is turned clockwise."),
        Key(encoder: "b", \.b, .line, "The other one."),
        Key(encoder: "button", \.button, Kind<LineAddress>.line.or("none"), "The line of its push button, which goes through the controls."),
        Key(encoder: "active", \.active, .choice(), "The electrical level of a closed contact."),
        Key(encoder: "bias", \.bias, .choice(), "Unless set, a pull-up for active = \"low\" and a pull-down for \"high\"."),
        Key(encoder: "detent", \.detent, .oneOf([2, 4]), "Quarter steps from one detent to the next."),
        Key(encoder: "reverse", \.isReversed, .flag, "Whether it turns the other way."),

        Key(input: "device", \.device, .text, "A device file of /dev/input, or the device's name."),
        Key(input: "shutter", \.[.shutter], .keys, "Keys that are the shutter."),
        Key(input: "mode", \.[.mode], .keys, "Keys that change the mode."),
        Key(input: "focus", \.[.focus], .keys, "Keys that are a half press."),
        Key(input: "control", \.[.control], .keys, "Keys that go through the controls."),
        Key(input: "up", \.[.up], .keys, "Keys that step up."),
        Key(input: "down", \.[.down], .keys, "Keys that step down."),
        Key(input: "turn", \.turn, Kind<InputAxis>.choice().or("none"), "The axis that is a knob."),

        Key("control.socket", \.control.socket, .path, "The control socket."),
        Key("control.group", \.control.group, .text, "Who may use it; empty = only root and the daemon's own user."),

        Key(hook: "event", \.event, .choice(), "When the program is run."),
        Key(hook: "run", \.run, .texts, "The program's absolute path, and its arguments; its environment has the facts that `watch --json` tells, as SHUTTERD_PATH and so on."),
        Key(hook: "timeout", \.timeout, .duration(.milliseconds(100) ... .seconds(3600)), "The program is killed after this time."),

        Key("service.stop", \.service.stop, .duration(.seconds(1) ... .seconds(3600)), "The time a stop may take."),

        Key("simulation.rate", \.simulation.rate, .whole(1...240), "Frames a second of the synthetic camera."),
        Key("simulation.skew", \.simulation.skew, .duration(.milliseconds(-100) ... .milliseconds(100)), "How far its timestamps are from the truth."),
    ]
}
