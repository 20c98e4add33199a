// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

extension Doctor {
    mutating func checkStorage() {
        // What is not there yet is made below the nearest folder that is.
        var folder = settings.storage.root
        while !machine.exists(folder), let slash = folder.lastIndex(of: "/"), folder.count > 1 { folder = slash == folder.startIndex ? "/" : String(folder[..<slash]) }
        let path = machine.path(folder)
        guard let space = try? FileSystem.space(at: path), let type = try? FileSystem.type(at: path) else {
            return tell("storage", .fault, "\(settings.storage.root) cannot be looked at", cure: "sudo install -d -o \(machine.who.name) \(settings.storage.root)")
        }
        let free = "\(space.free / 1_000_000) MB free on \(type) at \(settings.storage.root)"
        if let access = machine.access(folder), !access.allows {
            tell("storage", .fault, "\(machine.who.name) may not write to \(folder), which is \(access.owner):\(access.group)", cure: "sudo install -d -o \(machine.who.name) \(settings.storage.root)")
        } else if let sealed = sealedFolder {
            tell("storage", .fault, sealed.words, cure: sealed.cure)
        } else if space.free < settings.storage.reserve {
            tell("storage", .fault, "\(free), and \(settings.storage.reserve / 1_000_000) MB are kept in reserve: photos are refused", cure: "delete photos there, or lower storage.reserve")
        } else if space.isOutOfFiles {
            tell("storage", .fault, "no file can be made at \(settings.storage.root): no inodes are left", cure: "delete files there")
        } else if ["tmpfs", "ramfs", "overlay"].contains(type) {
            tell("storage", .warning, "\(free): photos are gone after a restart", cure: "set storage.root to a folder on the card; on Raspberry Pi OS: sudo raspi-config nonint disable_overlayfs")
        } else if ["vfat", "exfat", "ext2"].contains(type) {
            tell("storage", .warning, "\(free): it has no journal, and a power cut can damage it", cure: "use ext4 for storage.root")
        } else {
            tell("storage", .ok, free)
        }
    }

    /// What the unit keeps from the service whatever its rights are: systemd.exec(5).
    private var sealedFolder: (words: String, cure: String)? {
        guard machine.who.isUnits, ["strict", "full"].contains(machine.unitValues("ProtectSystem").last ?? "") else { return nil }
        func isBelow(_ path: String, _ folder: String) -> Bool { path == folder || path.hasPrefix(folder + "/") }
        let states = machine.unitValues("StateDirectory").flatMap { $0.split(separator: " ") }.map { "/var/lib/\($0)" }
        let writable = machine.unitValues("ReadWritePaths").flatMap { $0.split(separator: " ") }.map { String($0.drop { "-+".contains($0) }) }
        for folder in [settings.storage.root, settings.storage.state] {
            if let home = ["/home", "/root", "/run/user"].first(where: { isBelow(folder, $0) }), machine.unitValues("ProtectHome").last == "yes" {
                return ("the service sees nothing below \(home) (ProtectHome= in the unit), and photos or state are to be in \(folder)", "set storage.root and storage.state to a folder elsewhere")
            }
            if !(states + writable).contains(where: { isBelow(folder, $0) }) {
                return ("the service may not write to \(folder) (ProtectSystem= in the unit)", "sudo systemctl edit shutterd, and write ReadWritePaths=\(folder) under [Service]")
            }
        }
        return nil
    }

    mutating func checkClock() {
        let isKept = machine.isReal ? Clock.isDisciplined : machine.exists("/run/systemd/timesync/synchronized")
        if machine.exists("/dev/rtc0") {
            tell("clock", .ok, isKept ? "a clock chip, kept right by the network" : "a clock chip")
        } else if isKept {
            tell("clock", .warning, "no clock chip: right now that the network tells the time, wrong after a start without it", cure: "fit a clock chip, or accept wrong dates in photos then")
        } else {
            tell("clock", .warning, "no clock chip, and the network tells no time: dates in photos are wrong", cure: "connect to a network: sudo timedatectl set-ntp true; or fit a clock chip")
        }
    }

    mutating func checkUnit() {
        guard let unit = machine.unit else {
            return tell("unit", .warning, "shutterd.service is not installed", cure: "in the source: sudo ./deploy/install; or start it by hand: shutterd")
        }
        let isEnabled = Machine.unitFolders.contains { folder in
            machine.names(folder).filter { $0.hasSuffix(".wants") }.contains { machine.names("\(folder)/\($0)").contains("shutterd.service") }
        }
        if !isEnabled { tell("unit", .warning, "\(unit.path) is not enabled: shutterd does not start with the machine", cure: "sudo systemctl enable --now shutterd") }
        if let name = machine.unitValues("User").last, !machine.homes.contains(where: { $0.user == name }), machine.unitValues("DynamicUser").last == nil {
            tell("unit", .fault, "\(unit.path) has User=\(name), which is no user here", cure: "sudo useradd --system --no-create-home \(name)")
        }
        if (machine.unitValues("WatchdogSec").last ?? "0") == "0" {
            tell("unit", .warning, "\(unit.path) has no watchdog: a daemon that hangs is not restarted", cure: "sudo systemctl edit shutterd, and write WatchdogSec=30 under [Service]")
        }
        if isEnabled { tell("unit", .ok, unit.path) }
    }

    mutating func checkDaemon() {
        switch daemon {
        case .absent:
            tell("daemon", .warning, "shutterd is not running", cure: machine.unit == nil ? "start it: shutterd" : "sudo systemctl start shutterd; why it ended: journalctl -u shutterd -n 20")
        case .failed(let failure):
            let (message, cure) = Self.split(failure.message)
            tell("daemon", .fault, message, cure: cure ?? "see: journalctl -u shutterd -n 20")
        case .status(let status):
            let state = status["camera"]?["state"]?.string ?? ""
            let reason = status["camera"]?["reason"]?.string
            tell("daemon", reason == nil ? .ok : .fault, "runs, mode \(status["mode"]?.string ?? "?"), camera \(state)\(reason.map { " (\($0))" } ?? "")",
                 cure: reason == nil ? nil : "see the camera's lines above, and: journalctl -u shutterd -n 20")
            if let fault = status["ring_fault"]?.string { tell("daemon", .fault, "the ring: \(fault)") }
            for button in status["buttons"]?.array ?? [] {
                if let message = button["message"]?.string { tell("daemon", .fault, "button.\(button["name"]?.string ?? ""): \(message)") }
            }
            if let message = status["video"]?["message"]?.string { tell("daemon", .fault, "no clips: \(message)", cure: "see the encoder's lines above") }
            if let message = status["video"]?["audio"]?["message"]?.string { tell("daemon", .fault, "clips have no sound: \(message)", cure: "see the microphone's lines above") }
            if let message = status["storage"]?["message"]?.string { tell("daemon", .fault, "storage: \(message)") }
            if let message = status["storage"]?["warning"]?.string { tell("daemon", .warning, "storage: \(message)") }
        }
    }

    /// Lines of authorized_keys with our gate: a word that is missing there opens more than the gate.
    mutating func checkGate() {
        var count = 0
        // The last is what `ssh-setup` makes.
        let files = machine.homes.map { (user: $0, file: "\($1)/.ssh/authorized_keys") } + [(user: "camera", file: "/etc/shutterd/authorized_keys")]
        for (user, file) in files {
            for (index, line) in machine.lines(file).enumerated() where line.contains("ssh-gate") && !line.hasPrefix("#") {
                count += 1
                let place = "\(file), line \(index + 1)"
                let options = Self.options(of: line)
                let command = options.first { $0.hasPrefix("command=") }.map { String($0.dropFirst("command=".count)).filter { $0 != "\"" } }
                if !options.contains("restrict") {
                    tell("ssh-gate", .fault, "\(place): without `restrict` the key of \(user) can forward ports and get a terminal",
                         cure: "write it so: command=\"\(command ?? "shutterctl ssh-gate")\",restrict ssh-…")
                }
                guard let command, let allow = command.firstRange(of: "--allow") else { continue }
                let rest = command[allow.upperBound...].drop { $0 == "=" || $0 == " " }
                let list = rest.first == "'" ? rest.dropFirst().prefix { $0 != "'" } : rest.prefix { $0 != " " }
                do throws(Failure) { _ = try Gate(allow: String(list)) } catch {
                    tell("ssh-gate", .fault, "\(place): \(error.message)", cure: "correct the list after --allow; until then the key can do nothing")
                }
            }
        }
        if count > 0, !findings.contains(where: { $0.check == "ssh-gate" }) { tell("ssh-gate", .ok, "\(count) key\(count == 1 ? "" : "s")") }
        if count > 0, machine.isReal, !machine.exists(Syslog.socket) {
            tell("ssh-gate", .warning, "there is no \(Syslog.socket): what is asked over SSH is not logged", cure: "run systemd-journald or another log daemon")
        }
    }

    /// What stands before the key, split at commas outside of quotes.
    private static func options(of line: String) -> [String] {
        var options = [""]
        var isQuoted = false
        for character in line {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, character == " " { break }
            if !isQuoted, character == "," { options.append("") } else { options[options.count - 1].append(character) }
        }
        return options
    }
}
