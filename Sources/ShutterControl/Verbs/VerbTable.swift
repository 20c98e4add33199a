// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

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
        Verb("camera", takes: [.init("ACTION", .choice(["release", "take"]))], .write, by: .daemon(seconds: 60), gate: true, output: .nothing,
             help: "Lend the camera to another program, or take it.",
             examples: ["shutterctl camera release; rpicam-hello; shutterctl camera take"]),
        Verb("watch", .read, by: .stream, gate: true, output: .events,
             help: "Print one line for each thing that happens.",
             examples: ["shutterctl watch", "shutterctl watch --json"]),
        Verb("last", options: [.init("thumbnail", help: "write the photo's thumbnail, a JPEG, to stdout")], .read,
             gate: true, output: .paths,
             help: "Print the path of the newest photo or clip.",
             examples: ["shutterctl last", "shutterctl last --thumbnail > last.jpg"]),
        Verb("list", .read, gate: true, output: .paths,
             help: "Print the paths of all photos and clips.",
             examples: ["shutterctl list", "shutterctl list --json"]),
        Verb("get", takes: [.init("NAME", .mediaName)], .read, gate: true, output: .contents,
             help: "Write a photo or clip to stdout.",
             examples: ["shutterctl get IMG_0001.JPG > IMG_0001.JPG"]),
        Verb("led test", takes: [.init("CUE", .choice(ringCues), optional: true)], .write, by: .offline, gate: false, output: .nothing,
             help: "Show each cue on the ring, without the daemon.",
             examples: ["shutterctl led test", "shutterctl led test recording"]),
        Verb("led off", .write, by: .offline, gate: false, output: .nothing,
             help: "Switch the ring off, without the daemon.",
             examples: ["shutterctl led off"]),
        Verb("replay", takes: [.init("FILE", .file)],
             options: [.init("mode", value: "MODE", kind: .choice(["photo", "video"]), help: "the mode to start in")],
             .read, by: .offline, gate: false, output: .events,
             help: "Show what a recorded .vcd or .jsonl would do.",
             examples: ["shutterctl replay bounce.vcd", "shutterctl replay --mode video bounce.jsonl"]),
        Verb("config check", takes: [.init("FILE", .file, optional: true)], .read, by: .offline, gate: false, output: .nothing,
             help: "List all faults of a configuration.",
             examples: ["shutterctl config check", "shutterctl config check new.toml"]),
        Verb("config show", takes: [.init("FILE", .file, optional: true)], .read, by: .offline, gate: false, output: .fields,
             help: "Print a configuration with all defaults.",
             examples: ["shutterctl config show", "shutterctl config show new.toml"]),
        Verb("config reload", request: "reload", .write, gate: false, output: .nothing,
             help: "Let the daemon read its configuration again.",
             examples: ["shutterctl config reload"]),
    ]

    /// What `led test` can show, in the order in which it does.
    package static let ringCues = [
        "starting", "idle-photo", "pressed", "captured", "tapped", "bursting", "countdown", "idle-video", "recording",
        "recording-slowly", "holding", "value", "choice", "refused", "busy", "stuck", "storage-low", "camera-fault", "button-fault",
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
        "led": "Test the ring, or switch it off.",
        "config": "Check, show or reload the configuration.",
    ]

    /// The verb as typed, or nil.
    package static func verb(named name: String) -> Verb? {
        verbs.first { $0.name == name }
    }

    static func firstWord(_ name: String) -> String {
        String(name.prefix { $0 != " " })
    }
}
