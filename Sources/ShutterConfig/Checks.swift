// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

// What may not be together, by part. Each demand is one row: whether it is met, the keys, the sentence.

extension Checker {
    mutating func checkButtons() {
        for (name, button) in settings.buttons.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let table = "button.\(name)"
            if isComplete, origins["\(table).line"] == nil {
                blame(origins[table], "[\(table)] has no line; set line = \"GPIO17\" or where the button is")
            }
            if origins["\(table).role"] == nil, ButtonRole(rawValue: name.rawValue) == nil {
                let roles = ButtonRole.allCases.map(\.rawValue)
                let hint = NearestWord.to(name.rawValue, among: roles).map { "; did you mean [button.\($0)]?" } ?? ""
                let list = roles.map(quoted).joined(separator: ", ")
                blame(origins[table], "[\(table)] has no role; set role to one of \(list)\(hint)")
            }
            // Presses over the socket, and those that a signal stands for.
            require(
                button.role != .shutter || ![.control, .signal].contains(name), "\(table).role",
                "has a name that other presses have: choose another than control and signal")
            require(button.hold > button.debounce, "\(table).hold", "must be longer than", "\(table).debounce")
            if let double = button.double {
                require(double > button.debounce, "\(table).double", "must be longer than", "\(table).debounce")
            }
            if let maxHold = button.maxHold {
                require(maxHold > button.hold, "\(table).max_hold", "must be longer than", "\(table).hold")
            }
            warnOfWiring(button, table)
        }
    }

    /// What runs, but is most likely wired otherwise.
    private mutating func warnOfWiring(_ button: ButtonSettings, _ table: String) {
        let line = origins["\(table).line"]
        if let number = button.line.headerNumber, number == 2 || number == 3 {
            if button.active == .high || button.bias == .pullDown {
                warn(
                    line,
                    "GPIO\(number) has a pull-up of 1.8 kΩ on the board: a pull-down cannot win, so the button looks pressed "
                        + "all the time; wire it to ground with active = \"low\", or use another line")
            }
        } else if button.active == .high, button.bias == .pullUp {
            warn(
                origins["\(table).active"],
                "active = \"high\" with bias = \"pull-up\": a switch that is open looks pressed; use bias = \"pull-down\"")
        } else if button.active == .low, button.bias == .pullDown {
            warn(
                origins["\(table).bias"],
                "active = \"low\" with bias = \"pull-down\": a switch that is open looks pressed; use bias = \"pull-up\"")
        }
        if button.double != nil, settings.gestures.photo.double == .none, settings.gestures.video.double == .none {
            warn(origins["\(table).double"], "no gesture is bound to a double; set double in [gestures.photo] or [gestures.video]")
        }
    }

    mutating func checkGestures() {
        let shutters = settings.buttons.filter { $0.value.role == .shutter }.sorted { $0.key.rawValue < $1.key.rawValue }
        for mode in Mode.allCases where settings.gestures[mode].double != .none {
            guard let first = shutters.first(where: { $0.key == .shutter }) ?? shutters.first else { continue }
            require(
                shutters.contains { $0.value.double != nil }, "gestures.\(mode).double",
                "never happens with", "button.\(first.key).double")
        }
        require(settings.gestures.video.hold != .burst, "gestures.video.hold", "needs photo mode; use \"record\" or \"none\"")
    }

    mutating func checkDrive() {
        let drive = settings.drive
        require(drive.count == nil || drive.length == nil, "drive.count", "is another end of the interval than", "drive.length")
        if let length = drive.length { require(length >= drive.interval, "drive.length", "must not be shorter than", "drive.interval") }
    }

    mutating func checkLines() {
        var lines = settings.buttons.map { (key: "button.\($0.key).line", line: $0.value.line) }.sorted { $0.key < $1.key }
        if let line = settings.feedback.line { lines.append(("feedback.line", line)) }
        for (name, encoder) in settings.encoders.sorted(by: { $0.key < $1.key }) {
            lines += [("encoder.\(name).a", encoder.a), ("encoder.\(name).b", encoder.b)]
            if let button = encoder.button { lines.append(("encoder.\(name).button", button)) }
        }
        if settings.ring.driver == .gpio {
            let key = origins["ring.lines"] == nil ? "ring.device" : "ring.lines"
            lines += settings.ring.lines.map { (key, $0) }
        }
        for (index, one) in lines.enumerated() {
            for other in lines[..<index] {
                require(!one.line.isSame(as: other.line), one.key, "is the same line as", other.key)
            }
        }
        require(settings.feedback.line != .terminal, "feedback.line", "must be a line that can be driven")
    }

    mutating func checkRing() {
        let ring = settings.ring
        switch ring.driver {
        case .ws2812, .sk6812, .apa102:
            require(
                ring.device.hasPrefix("/dev/"), "ring.device", "must be a device file such as \"/dev/spidev0.0\" for",
                "ring.driver")
            require(
                ring.budget >= ring.count, "ring.budget", "does not even cover 1 mA for each dark pixel of", "ring.count")
        case .gpio:
            require(!ring.lines.isEmpty, "ring.device", "must be a line such as \"GPIO18\" for", "ring.driver")
        case .pwm:
            require(!ring.device.hasPrefix("/dev/"), "ring.device", "is not what is driven by", "ring.driver")
        case .ledClass:
            require(!ring.device.hasPrefix("/dev/spidev"), "ring.device", "is not what is driven by", "ring.driver")
        case .terminal, .none:
            break
        }
        require(
            !ring.order.hasWhite || ring.driver == .sk6812 || ring.driver == .ledClass || ring.driver == .terminal, "ring.order", "has a white that is missing in",
            "ring.driver")
    }

    mutating func checkCamera() {
        let camera = settings.camera
        if let exposure = camera.exposure {
            require(exposure <= camera.maxExposure, "camera.exposure", "must not be longer than", "camera.max_exposure")
        }
        require(
            camera.ev == 0 || camera.exposure == nil || camera.gain == nil, "camera.ev",
            "does nothing when exposure and gain are both set; see", "camera.exposure")
        require(
            settings.service.stop >= camera.maxExposure + .seconds(2), "service.stop", "must be at least 2s longer than",
            "camera.max_exposure")
        require(
            camera.offset >= .zero || camera.lag == .zero || camera.lag == nil, "camera.offset", "wants frames from before the press, not there with",
            "camera.lag")
        // The sensor has two of the buffers, and a press is known a moment after its contact. A real camera's rate is not known here: 30.
        let past = Duration.seconds(1) * max(0, camera.buffers - 3) / (camera.source == .simulated ? settings.simulation.rate : 30)
        require(
            camera.offset >= .zero - past, "camera.offset", "wants frames that have left the ring by then; raise", "camera.buffers")
        require(
            settings.video.preroll == .zero || camera.lag != .cold, "video.preroll",
            "wants frames from before the press, not there with", "camera.lag")
    }

    mutating func checkPhotoAndVideo() {
        let (photo, video, facts) = (settings.photo, settings.video, settings.facts)
        if let thumbnail = photo.thumbnail {
            require(
                thumbnail.width <= photo.size.width && thumbnail.height <= photo.size.height, "photo.thumbnail",
                "must not be larger than", "photo.size")
        }
        if let longest = video.max { require(longest >= video.fragment, "video.max", "must not be shorter than", "video.fragment") }

        if let largest = video.maxSize {
            let two = Double(video.bitrate) / 4 * video.fragment.seconds
            require(Double(largest) >= two, "video.max_size", "has not even room for two fragments of", "video.bitrate")
        }
        require(
            video.encoder != .hardware || facts.hasEncoder, "video.encoder",
            "is not on the board \"\(settings.board)\"; use \"auto\", \"software\" or \"mjpeg\"")
        guard facts.hasEncoder, video.encoder == .auto || video.encoder == .hardware else { return }
        let other = "; or set video.encoder to \"software\" or \"mjpeg\""
        if let limit = facts.encoderMaxWidth {
            let place = place(origins["board.encoder.max_width"])
            require(
                video.size.width <= limit, "video.size", "is beyond the board's encoder: at most \(limit) wide (\(place))\(other)")
        }
        if let limit = facts.encoderMaxMacroblocks {
            let place = place(origins["board.encoder.max_macroblocks"])
            let blocks = (video.size.width + 15) / 16 * ((video.size.height + 15) / 16)
            require(
                blocks <= limit, "video.size",
                "is beyond the board's encoder: \(blocks) macroblocks, at most \(limit) (\(place))\(other)")
        }
    }

    mutating func checkPlaces() {
        let places = [
            ("storage.root", settings.storage.root), ("storage.state", settings.storage.state),
            ("control.socket", settings.control.socket),
        ]
        for (key, path) in places {
            // What was not expanded by now cannot be.
            require(!path.hasPrefix("~/"), key, "begins in the home folder, but HOME is not set")
        }
        // `sun_path` has 108 bytes, one for the end.
        require(
            settings.control.socket.utf8.count <= 107, "control.socket",
            "is longer than the 107 bytes a socket's path may have")
    }

    mutating func checkHooks() {
        for (name, hook) in settings.hooks.sorted(by: { $0.key < $1.key }) {
            let table = "hooks.\(name)"
            if origins["\(table).event"] == nil {
                let events = HookSettings.Event.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")
                blame(origins[table], "[\(table)] has no event; set event to one of \(events)")
            }
            if origins["\(table).run"] == nil {
                blame(origins[table], "[\(table)] has nothing to run; set run = [\"/path/of/program\", \"argument\"]")
            } else {
                let isAbsolute = hook.run.first?.hasPrefix("/") == true
                require(isAbsolute, "\(table).run", "must begin with the absolute path of a program")
                // No reason to take no photos: it may come with a disk that is mounted later, or be of rights that only the service lacks.
                if isAbsolute, let program = hook.run.first, let complaint = complaint(program) {
                    warn(origins["\(table).run"], "\(table).run cannot be run: \(program) \(complaint)")
                }
            }
        }
    }

    mutating func checkSimulation() {
        let own = origins.filter { $0.key.hasPrefix("simulation.") && $0.value.board == nil }.values
        guard settings.camera.source != .simulated, let first = own.min(by: { $0.position < $1.position }) else { return }
        warn(first, "[simulation] does nothing without camera.source = \"simulated\"")
    }
}
