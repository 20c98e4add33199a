// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// All verbs. Arguments, help, requests and the SSH gate are read from here, and nowhere else.
package enum VerbTable {
    package static let verbs: [Verb] = [
        Verb("status", .read, gate: true, output: .fields,
             help: "Show mode, camera, storage and counters.",
             examples: ["shutterctl status", "shutterctl status --json"]),
        Verb("mode", takes: [.init("MODE", .choice(["photo", "video", "toggle"]), optional: true)], .write,
             gate: true, output: .value("mode"),
             help: "Show the mode, or change it.",
             examples: ["shutterctl mode", "shutterctl mode video"]),
        Verb("tap", .write, by: .daemon(seconds: 120), gate: true, output: .value("path"),
             help: "Press and release the button, as a finger does.",
             examples: ["shutterctl tap"]),
        Verb("press", .write, gate: true, output: .nothing,
             help: "Press the button and keep it down.",
             examples: ["shutterctl press; sleep 3; shutterctl release"]),
        Verb("release", .write, gate: true, output: .nothing,
             help: "Let go of the button.",
             examples: ["shutterctl release"]),
        Verb("capture", .write, by: .daemon(seconds: 120), gate: true, output: .value("path"),
             help: "Take a photo in any mode and print its path.",
             examples: ["shutterctl capture"]),
        Verb("record", takes: [.init("ACTION", .choice(["start", "stop"]))], .write, gate: true, output: .paths,
             help: "Start or stop a clip in any mode.",
             examples: ["shutterctl record start", "shutterctl record stop"]),
        Verb("drive", takes: [.init("MODE", .choice(Drive.Mode.allCases.map(\.rawValue)), optional: true), .init("TIME", .duration, optional: true)],
             options: [
                 .init("count", value: "N", kind: .whole(Drive.counts), help: "end the interval after so many beats"),
                 .init("for", value: "TIME", kind: .duration, help: "end the interval after this time"),
             ],
             .write, gate: true, output: .value("setting"),
             help: "See or set what a press does in photo mode.",
             details: """
                 single: a photo. burst: photos until the release. timer 10s: a photo later; a
                 second press cancels it. interval 5s: photos on a fixed grid; a second press
                 ends it. bulb: an exposure as long as the press. `tap` is a press.
                 """,
             examples: ["shutterctl drive timer 10s", "shutterctl drive interval 5s --count 20; shutterctl tap", "shutterctl drive single"]),
        Verb("controls", .read, gate: true, output: .nothing,
             help: "List the camera's controls and their values.",
             examples: ["shutterctl controls", "shutterctl controls --json"]),
        Verb("set", takes: [.init("NAME", .text), .init("VALUE", .text)], .write, gate: true, output: .value("value"),
             help: "Set a control, and print the value it has.",
             details: "The nearest value that is possible; a picker takes a title or its position.",
             examples: ["shutterctl set zoom 2.0", "shutterctl set ev -1", "shutterctl set light left"]),
        Verb("camera", takes: [.init("ACTION", .choice(["release", "take"]))], .write, by: .daemon(seconds: 60), gate: true, output: .nothing,
             help: "Lend the camera to another program, or take it.",
             examples: ["shutterctl camera release; rpicam-hello; shutterctl camera take"]),
        Verb("watch", .read, by: .stream, gate: true, output: .events,
             help: "Print one line for each thing that happens.",
             examples: ["shutterctl watch", "shutterctl watch --json"]),
        Verb("preview",
             options: [
                 .init("terminal", help: "draw it here, in colour"),
                 .init("columns", value: "N", kind: .whole(20...400), help: "the width to draw in, where the terminal's is unknown"),
                 .init("pixels", isHidden: true, help: "send PPM pictures instead"),
             ],
             .read, by: .stream, gate: true, output: .events,
             help: "Show what the camera sees, as Motion JPEG.",
             details: "Ten small pictures a second, as in: shutterctl preview | ffplay -f mjpeg -",
             examples: ["shutterctl preview > film.mjpeg", "shutterctl preview --terminal"]),
        Verb("last",
             options: [
                 .init("cat", help: "write the file itself to stdout"),
                 .init("thumbnail", help: "write the photo's thumbnail or the clip's first frame, a JPEG"),
             ],
             .read,
             gate: true, output: .paths,
             help: "Print the path of the newest photo or clip.",
             examples: ["shutterctl last", "shutterctl last --cat > last.jpg"]),
        Verb("list", .read, gate: true, output: .paths,
             help: "Print the paths of all photos and clips.",
             examples: ["shutterctl list", "shutterctl list --json"]),
        Verb("get", takes: [.init("NAME", .mediaName)], .read, gate: true, output: .contents,
             help: "Write a photo or clip to stdout.",
             examples: ["shutterctl get IMG_0001.JPG > IMG_0001.JPG"]),
        Verb("doctor",
             options: [.init("root", value: "DIR", kind: .file, isHidden: true, help: "look at a tree of files instead of this machine")],
             .read, by: .offline, gate: true, output: .nothing,
             help: "Look for what is wrong with this camera.",
             details: "Every line is ok, warning or fault, with what cures it. 69 if there is a fault.",
             examples: ["shutterctl doctor", "shutterctl doctor --json"]),
        Verb("lag",
             options: [
                 .init("calibrate", help: "flash the ring before the camera, and check its clock"),
                 .init("flashes", value: "N", kind: .whole(5...100), help: "so many of them; 20 if not said"),
             ],
             .write, by: .daemon(seconds: 300), gate: true, output: .nothing, isRare: true,
             help: "Show how late the photos of this run were.",
             details: """
                 From the press to the exposure's centre, and to the later stages, by the
                 camera's timestamps. --calibrate says how far those are from the truth: put
                 the ring, or its reflection, in the middle of the picture.
                 """,
             examples: ["shutterctl lag", "shutterctl lag --calibrate"]),
        Verb("button test", takes: [.init("NAME", .text, optional: true)],
             options: [.init("seconds", value: "N", kind: .whole(1...86400), help: "end after so many seconds")],
             .read, by: .offline, gate: true, output: .nothing,
             help: "Show a button's levels, edges and bounce, live.",
             details: "At the end it proposes a debounce time. The daemon must not run meanwhile.",
             examples: ["shutterctl button test", "shutterctl button test mode --seconds 20"]),
        Verb("button record", takes: [.init("NAME", .text, optional: true)],
             options: [
                 .init("output", letter: "o", value: "FILE", kind: .file, help: "the file to make, as in -o bounce.vcd"),
                 .init("seconds", value: "N", kind: .whole(1...86400), help: "end after so many seconds"),
             ],
             .read, by: .offline, gate: false, output: .nothing,
             help: "Write the lines' waveforms to a .vcd.",
             details: "PulseView, GTKWave and shutterctl replay read it. Without a NAME: all buttons.",
             examples: ["shutterctl button record -o bounce.vcd", "shutterctl button record shutter -o bounce.vcd --seconds 10"]),
        Verb("led test", takes: [.init("CUE", .choice(ringCues), optional: true)], .write, by: .offline, gate: false, output: .nothing,
             help: "Show each cue on the ring, without the daemon.",
             examples: ["shutterctl led test", "shutterctl led test recording"]),
        Verb("led off", .write, by: .offline, gate: false, output: .nothing,
             help: "Switch the ring off, without the daemon.",
             examples: ["shutterctl led off"]),
        Verb("replay", takes: [.init("FILE", .file)],
             options: [.init("mode", value: "MODE", kind: .choice(["photo", "video"]), help: "the mode to start in")],
             .read, by: .offline, gate: false, output: .events, isRare: true,
             help: "Show what a recorded .vcd or .jsonl would do.",
             examples: ["shutterctl replay bounce.vcd", "shutterctl replay --mode video bounce.jsonl"]),
        Verb("config check", takes: [.init("FILE", .file, optional: true)], .read, by: .offline, gate: false, output: .nothing,
             help: "List all faults of a configuration.",
             examples: ["shutterctl config check", "shutterctl config check new.toml"]),
        Verb("config show", takes: [.init("FILE", .file, optional: true)], .read, by: .offline, gate: false, output: .fields,
             help: "Print a configuration with all defaults.",
             examples: ["shutterctl config show", "shutterctl config show new.toml"]),
        Verb("config init", takes: [.init("FILE", .file, optional: true)], .write, by: .offline, gate: false, output: .nothing,
             help: "Make a first configuration, for this board.",
             details: "With comments that tell what most people change. One that is there stays.",
             examples: ["shutterctl config init", "shutterctl config init first.toml"]),
        Verb("config reload", request: "reload", .write, gate: false, output: .value("message"),
             help: "Let the daemon read its configuration again.",
             details: "What can change while it runs does; what needs a restart is named.",
             examples: ["shutterctl config reload"]),
        Verb("completion", takes: [.init("SHELL", .choice(Completion.shells))], .read, by: .offline, gate: false, output: .nothing, isRare: true,
             help: "Print completion for a shell.",
             examples: ["shutterctl completion bash", "shutterctl completion fish"]),
        Verb("man", takes: [.init("PAGE", .choice(["shutterctl", "shutterd", "shutterd.toml"]), optional: true)], .read, by: .offline,
             gate: false, output: .nothing, isHidden: true,
             help: "Print a manual page in mdoc.",
             examples: ["shutterctl man shutterd"]),
        Verb("ssh-gate",
             options: [
                 .init("allow", value: "VERBS", kind: .text, help: "only these, as in --allow status,mode,watch"),
                 .init("log", value: "PATH", kind: .file, help: "the system log's socket, if it is not /dev/log"),
             ],
             .write, by: .offline, gate: false, output: .nothing, isRare: true,
             help: "Do what an SSH client asks for, and nothing else.",
             details: "In authorized_keys, before a key: command=\"shutterctl ssh-gate\",restrict",
             examples: ["shutterctl ssh-gate", "shutterctl ssh-gate --allow status,mode,watch"]),
        Verb("ssh-setup", takes: [.init("KEY.pub", .file, optional: true)],
             options: [
                 .init("allow", value: "VERBS", kind: .text, help: "only these, as in --allow status,mode,watch"),
                 .init("remove", help: "take the login and all its keys away"),
             ],
             .write, by: .offline, gate: false, output: .nothing, isRare: true,
             help: "Let whoever has a key ask over SSH.",
             details: "It makes the user camera, who can do nothing else. For root: sudo.",
             examples: ["shutterctl ssh-setup id_ed25519.pub", "shutterctl ssh-setup --remove"]),
    ]

    /// What `led test` can show, in the order in which it does.
    package static let ringCues = [
        "starting", "idle-photo", "pressed", "captured", "tapped", "bursting", "countdown", "waiting", "exposing", "idle-video", "recording",
        "recording-slowly", "holding", "value", "choice", "locked", "refused", "busy", "stuck", "storage-low", "camera-fault", "button-fault",
    ]

    /// Options that stand before or after any verb.
    package static let globalOptions: [Verb.Option] = [
        .init("json", help: "print JSON, one object a line"),
        .init("socket", value: "PATH", kind: .file, help: "the daemon's socket"),
        .init("config", value: "FILE", kind: .file, help: "the configuration to use"),
        .init("boards", value: "DIR", kind: .file, help: "where board profiles are"),
        .init("help", letter: "h", help: "show this, or a verb's help"),
        .init("version", help: "show the version"),
    ]

    /// First words of names of two words, with one sentence on all of them.
    package static let families: [String: String] = [
        "button": "See or record a button's levels and bounce.",
        "led": "Test the ring, or switch it off.",
        "config": "Make, check, show or reload the configuration.",
    ]

    /// The verb as typed, or nil.
    package static func verb(named name: String) -> Verb? {
        verbs.first { $0.name == name }
    }

    static func firstWord(_ name: String) -> String {
        String(name.prefix { $0 != " " })
    }
}
