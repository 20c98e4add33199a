// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

extension Doctor {
    mutating func checkEncoder() {
        guard checkVideoPlugin() else { return }
        let node = "/dev/video11"
        switch settings.video.encoder {
        case .hardware where !settings.facts.hasEncoder || !machine.exists(node):
            tell("encoder", .fault, "video.encoder = \"hardware\", and \(settings.facts.hasEncoder ? "\(node) is not there" : "this board has none")",
                 cure: "write encoder = \"auto\" in [video]")
        case .auto where settings.facts.hasEncoder && machine.exists(node), .hardware:
            tell("encoder", .ok, "hardware (\(node))")
        case .auto where settings.facts.hasEncoder && usesLibcamera:
            tell("encoder", .warning, "this board has an H.264 encoder, and \(node) is not there: clips are encoded by software", cure: "load its driver: sudo modprobe bcm2835-codec")
        case .auto, .software: tell("encoder", .ok, "software")
        case .mjpeg: tell("encoder", .ok, "Motion JPEG")
        }
    }

    /// What brings FFmpeg.
    /// - Returns: whether it can be had.
    private mutating func checkVideoPlugin() -> Bool {
        let cure = "sudo apt-get install --reinstall shutterd; in the source: sudo ./deploy/install"
        guard let path = places(of: .video).first(where: { machine.exists($0) }) else {
            tell("encoder", .fault, "FFmpeg's plugin (\(SharedLibrary.Plugin.video.rawValue)) is not installed: photos are taken, but no clips", cure: cure)
            return false
        }
        if machine.isReal, let words = Self.loaderComplaint(path) {
            tell("encoder", .fault, "FFmpeg's plugin cannot be loaded: \(words): photos are taken, but no clips", cure: cure)
            return false
        }
        return true
    }

    /// Whether the microphone is there, may be used, and is free.
    mutating func checkMicrophone() {
        guard let name = settings.video.audio else { return }
        let advice = "plug it in, or write another device of `arecord -L` as audio in [video]"
        let capture = machine.names("/dev/snd").filter { $0.hasPrefix("pcmC") && $0.hasSuffix("c") }
        guard !capture.isEmpty else { return tell("microphone", .fault, "audio = \"\(name)\", and no sound card can record (no /dev/snd/pcmC*c)", cure: advice) }
        let cards = soundCards
        var nodes = capture
        if let wanted = Self.card(of: name) {
            let number = cards.first { $0.number == wanted || $0.id == wanted }?.number
            nodes = number.map { number in capture.filter { $0.hasPrefix("pcmC\(number)D") } } ?? []
            guard !nodes.isEmpty else {
                let others = cards.filter { card in capture.contains { $0.hasPrefix("pcmC\(card.number)D") } }.map { "\($0.number) (\($0.id))" }
                return tell("microphone", .fault, "audio = \"\(name)\", and \(number == nil ? "there is no such card" : "card \(wanted) cannot record"); cards that can: \(others.joined(separator: ", "))", cure: advice)
            }
        }
        for node in nodes where !checkNode("microphone", "/dev/snd/\(node)", missing: "", group: "audio", subsystem: "sound", quiet: true) { return }
        for node in nodes {
            guard let (holder, process) = holder(ofSound: node), holder != "shutterd" else { continue }
            return tell("microphone", .fault, "\(Shown.oneLine(holder)) (process \(process)) has the microphone (/dev/snd/\(node))", cure: "end it: sudo kill \(process)")
        }
        tell("microphone", .ok, "\(name): \(nodes.map { "/dev/snd/\($0)" }.joined(separator: ", ")), may be used")
    }

    /// Of `/proc/asound/cards`: " 1 [Device         ]: USB-Audio - USB PnP Sound Device".
    private var soundCards: [(number: String, id: String)] {
        machine.lines("/proc/asound/cards").compactMap { line in
            let parts = line.split(separator: "[", maxSplits: 1)
            guard parts.count == 2, let number = parts[0].split(separator: " ").first, isNumber(number), let id = parts[1].split(separator: "]").first else { return nil }
            return (String(number), String(id.prefix { $0 != " " }))
        }
    }

    /// Number or name of the card in `hw:1,0`, `plughw:CARD=Device,DEV=0`; nil: the name does not tell ("default").
    private static func card(of device: String) -> String? {
        guard let colon = device.firstIndex(of: ":") else { return nil }
        let words = device[device.index(after: colon)...].split(separator: ",")
        let named = words.first { $0.hasPrefix("CARD=") }?.dropFirst("CARD=".count)
        return (named ?? words.first).map(String.init)
    }

    /// Who records from it, as the kernel has it: `owner_pid   : 1234`.
    private func holder(ofSound node: String) -> (name: String, process: String)? {
        let numbers = node.split { !$0.isNumber }
        guard numbers.count == 2 else { return nil }
        let lines = machine.lines("/proc/asound/card\(numbers[0])/pcm\(numbers[1])c/sub0/status")
        guard let process = lines.first(where: { $0.hasPrefix("owner_pid") })?.split(separator: " ").last.map(String.init), isNumber(process) else { return nil }
        return (machine.text("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init) ?? "a program", process)
    }
}
