// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl

/// A tree of files that looks like a Raspberry Pi on which all is well. Devices are ordinary files.
final class FakeRoot {
    let scratch = Scratch()
    var path: String { scratch.path + "/root" }

    /// - Parameter owner: the group that the devices have; the unit's user is in gpio, spi and video.
    init(model: String = "Raspberry Pi 5 Model B Rev 1.0", config: String = "[all]\ndtparam=spi=on\n", group: String = "video") throws {
        try write(model + "\0", to: "proc/device-tree/model")
        try write("MemTotal: 8000000 kB\nMemAvailable: 7000000 kB\nCmaTotal: 524288 kB\nCmaFree: 500000 kB\n", to: "proc/meminfo")
        try write("6.12.25+rpt-rpi-v8\n", to: "proc/sys/kernel/osrelease")
        try write("PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n", to: "etc/os-release")
        try write("\(geteuid() == 0 ? "root" : "builder"):x:\(geteuid()):\(getegid())::/root:/bin/sh\nshutterd:x:990:990::/nonexistent:/usr/sbin/nologin\npi:x:991:991::/home/pi:/bin/bash\n", to: "etc/passwd")
        // Whatever it is called on this machine: what the devices belong to.
        try write("\(group):x:\(getegid()):\nshutterd:x:990:\n", to: "etc/group")
        try write(config, to: "boot/firmware/config.txt")
        for node in ["gpiochip0", "spidev0.0", "media0", "video0", "video11", "rtc0", "dma_heap/linux,cma"] { try device(node) }
        try write("imx708 10-001a\n", to: "sys/class/video4linux/v4l-subdev0/name")
        try write("\u{7F}ELF\0libc.so.6\0libcamera.so.0.4\0", to: "usr/lib/shutterd/libshutter-camera.so")
        try write("", to: "usr/lib/shutterd/libshutter-video.so")
        try write("", to: "usr/lib/aarch64-linux-gnu/libcamera.so.0.4")
        try write("", to: "usr/lib/aarch64-linux-gnu/libcamera/ipa_rpi_vc4.so")
        try write("[Service]\nUser=shutterd\nSupplementaryGroups=gpio spi video\nWatchdogSec=30\nStateDirectory=shutterd\nProtectSystem=strict\nProtectHome=yes\n", to: "usr/lib/systemd/system/shutterd.service")
        try write("", to: "etc/systemd/system/multi-user.target.wants/shutterd.service")
        try folder("var/lib/shutterd/media", mode: 0o777)
    }

    func write(_ text: String, to name: String) throws {
        let file = "\(path)/\(name)"
        try AtomicFile.makeFolders(FileSystem.folder(of: file))
        try AtomicFile.replace(file, with: Array(text.utf8))
    }

    func device(_ name: String, mode: mode_t = 0o660) throws {
        try write("", to: "dev/\(name)")
        chmod("\(path)/dev/\(name)", mode)
    }

    func folder(_ name: String, mode: mode_t) throws {
        try AtomicFile.makeFolders("\(path)/\(name)")
        chmod("\(path)/\(name)", mode)
    }

    func remove(_ name: String) throws { try Shell.run("rm -rf '\(path)/\(name)'") }

    func link(_ name: String, to target: String) throws {
        try AtomicFile.makeFolders(FileSystem.folder(of: "\(path)/\(name)"))
        try systemCall("symlink", name) { symlink(target, "\(path)/\(name)") }
    }

    /// What doctor finds there.
    func examine() throws -> (findings: [JSONValue], code: Int32) {
        let child = try Child(Programs.control, ["doctor", "--root", path, "--boards", Programs.boards, "--json"], environment: ["HOME": scratch.path], in: scratch)
        let code = try child.exit()
        return (try child.outputText.split(separator: "\n").map { try JSONValue(parsing: String($0)) }, code)
    }
}
