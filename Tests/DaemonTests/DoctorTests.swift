// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore
import Testing

/// Each fault of a machine is named, with what cures it. (Lines as the kernel has them are looked at in Tests/VirtualPi.)
@Suite("Doctor", .enabled(if: Programs.areThere, "shutterctl was not built beside the tests"))
struct DoctorTests {
    private func expect(
        _ root: FakeRoot, _ check: String, _ state: String, _ says: String, cure: String = "", _ location: SourceLocation = #_sourceLocation
    ) throws {
        let (findings, code) = try root.examine()
        let found = findings.contains { finding in
            finding["check"]?.string == check && finding["state"]?.string == state && finding["message"]?.string?.contains(says) == true
                && (cure.isEmpty || finding["cure"]?.string?.contains(cure) == true)
        }
        #expect(found, "\(findings.map(\.line).joined(separator: "\n"))", sourceLocation: location)
        #expect(code == (state == "fault" ? 69 : 0), sourceLocation: location)
        for finding in findings where finding["state"] == "fault" { #expect(finding["cure"]?.string?.isEmpty == false, "\(finding.line)", sourceLocation: location) }
    }

    @Test(arguments: [
        ("Raspberry Pi 5 Model B Rev 1.0", "dtparam=spi=on\n"), ("Raspberry Pi 4 Model B Rev 1.2", "dtparam=spi=on\ncore_freq_min=500\n"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "[pi3]\ncore_freq=250\n[all]\ndtparam=i2c_arm=on,spi=on\n"),
    ]) func allIsWell(_ model: String, _ config: String) throws {
        let (findings, code) = try FakeRoot(model: model, config: config).examine()
        #expect(code == 0 && findings.last?["faults"] == 0, "\(findings.map(\.line).joined(separator: "\n"))")
        #expect(findings.count > 15)
    }

    /// Field case L01.
    @Test(arguments: [
        ("Raspberry Pi 3 Model B Rev 1.2", "dtparam=spi=on\n", "core_freq=250 is missing", "write core_freq=250 under [all]"),
        ("Raspberry Pi 4 Model B Rev 1.2", "dtparam=spi=on\n", "core_freq_min=500 is missing", "write core_freq_min=500 under [all]"),
        ("Raspberry Pi 4 Model B Rev 1.2", "dtparam=spi=on\n[pi3]\ncore_freq_min=500\n", "core_freq_min=500 stands under [pi3], which does not count", "under [all]"),
        ("Raspberry Pi 4 Model B Rev 1.2", "dtparam=spi=on\ncore_freq_min=500\n[pi4]\ncore_freq_min=250\n", "core_freq_min=250 is in effect", "core_freq_min=500"),
        ("Raspberry Pi 3 Model B Rev 1.2", "dtparam=spi=on\n[none]\ncore_freq=250\n", "stands under [none]", "core_freq=250"),
        ("Raspberry Pi 3 Model B Rev 1.2", "dtparam=spi=on\n[gpio4=1]\ncore_freq=250\n", "stands under [gpio4=1]", "core_freq=250"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "dtparam=spi=on\n[pi3]\ncore_freq=250\n", "stands under [pi3]", "core_freq=250"),
        ("Raspberry Pi 5 Model B Rev 1.0", "#dtparam=spi=on\n", "dtparam=spi=on is missing", "write dtparam=spi=on under [all]"),
        ("Raspberry Pi 5 Model B Rev 1.0", "dtparam=spi=on\ndtparam=spi=off\n", "dtparam=spi=off is in effect", "dtparam=spi=on"),
    ]) func configText(_ model: String, _ config: String, _ says: String, _ cure: String) throws {
        try expect(FakeRoot(model: model, config: config), "config.txt", "fault", says, cure: cure)
    }

    @Test func theFirmwareIsAsked() throws {
        let root = try FakeRoot(model: "Raspberry Pi 4 Model B Rev 1.2", config: "dtparam=spi=on\ncore_freq_min=500\n")
        try root.write("#!/bin/sh\necho \"$2=200\"\n", to: "usr/bin/vcgencmd")
        chmod(root.path + "/usr/bin/vcgencmd", 0o755)
        try expect(root, "clock", "fault", "the firmware has core_freq_min=200", cure: "reboot")
        try root.write("#!/bin/sh\necho \"$2=500\"\n", to: "usr/bin/vcgencmd")
        chmod(root.path + "/usr/bin/vcgencmd", 0o755)
        try expect(root, "clock", "ok", "core_freq_min=500")
    }

    /// Field case G03: two faults that look alike.
    @Test func gpioPermissions() throws {
        let root = try FakeRoot(group: "gpio")
        try root.write("[Service]\nUser=shutterd\nWatchdogSec=30\n", to: "usr/lib/systemd/system/shutterd.service")
        try expect(root, "gpio", "fault", ":gpio 0660; shutterd is in shutterd", cure: "sudo usermod -aG gpio shutterd")
        try root.write("[Service]\nUser=shutterd\nSupplementaryGroups=gpio\nWatchdogSec=30\n", to: "usr/lib/systemd/system/shutterd.service")
        try expect(root, "gpio", "ok", "/dev/gpiochip0")
        try root.device("gpiochip0", mode: 0o600)
        try expect(root, "gpio", "fault", "0600; shutterd is in shutterd, gpio", cure: "SUBSYSTEM==\"gpio\", GROUP=\"gpio\", MODE=\"0660\"")
        try root.remove("dev/gpiochip0")
        try expect(root, "gpio", "fault", "there is no GPIO chip")
    }

    /// Field case C01: it looks like a missing camera, and is a permission.
    @Test func cameraPermissions() throws {
        let root = try FakeRoot()
        try root.device("dma_heap/linux,cma", mode: 0o600)
        try expect(root, "dma-heap", "fault", "libcamera then reports that there is no camera", cure: "SUBSYSTEM==\"dma_heap\"")
        try root.device("dma_heap/system")
        try expect(root, "dma-heap", "ok", "/dev/dma_heap/system")
        try root.remove("dev/dma_heap")
        try expect(root, "dma-heap", "fault", "is not there")
        let other = try FakeRoot()
        try other.write("[Service]\nUser=shutterd\nSupplementaryGroups=gpio\nWatchdogSec=30\n", to: "usr/lib/systemd/system/shutterd.service")
        try expect(other, "camera", "fault", "/dev/media0", cure: "sudo usermod -aG video shutterd")
    }

    /// Field case C03.
    @Test func whoHasTheCamera() throws {
        let root = try FakeRoot()
        try root.link("proc/1234/fd/5", to: "/dev/media0")
        try root.write("rpicam-still\n", to: "proc/1234/comm")
        try expect(root, "holder", "fault", "rpicam-still (process 1234) has the camera", cure: "sudo kill 1234")
        try root.write("shutterd\n", to: "proc/1234/comm")
        try expect(root, "holder", "ok", "shutterd (process 1234)")
    }

    @Test func cameraAndLibrary() throws {
        let root = try FakeRoot()
        try root.remove("sys/class/video4linux")
        try expect(root, "sensor", "warning", "no camera sensor has answered", cure: "cable")
        // Field case C23.
        try root.remove("usr/lib/aarch64-linux-gnu/libcamera.so.0.4")
        try root.write("", to: "usr/lib/aarch64-linux-gnu/libcamera.so.0.5")
        try expect(root, "plugin", "fault", "was built for libcamera.so.0.4 (installed: libcamera.so.0.5)", cure: "shutterd-build-camera")
        let built = "\u{7F}ELF\0libcamera.so.0.5\0"
        try root.write(built, to: "var/lib/shutterd-camera/libshutter-camera.so")
        try expect(root, "plugin", "ok", "/var/lib/shutterd-camera/libshutter-camera.so, libcamera.so.0.5")
        // An upgrade leaves the old library until it is tidied away, but its modules are the new one's.
        try root.write("", to: "usr/lib/aarch64-linux-gnu/libcamera.so.0.12")
        try root.write("", to: "usr/lib/aarch64-linux-gnu/libcamera.so.0.12.1")
        try expect(root, "plugin", "fault", "was built for libcamera.so.0.5, and a newer one is installed", cure: "shutterd-build-camera")
        try root.remove("usr/lib/aarch64-linux-gnu/libcamera.so.0.12")
        try root.remove("usr/lib/aarch64-linux-gnu/libcamera.so.0.12.1")
        try root.remove("usr/lib/aarch64-linux-gnu/libcamera")
        try expect(root, "plugin", "warning", "but not libcamera's modules", cure: "apt install libcamera-ipa")
        try root.write("", to: "usr/lib/aarch64-linux-gnu/libcamera/ipa_rpi_vc4.so")
        // The other way round: what was built here is too old, and what was installed fits.
        try root.write("\u{7F}ELF\0libcamera.so.0.3\0", to: "var/lib/shutterd-camera/libshutter-camera.so")
        try root.write(built, to: "usr/lib/shutterd/libshutter-camera.so")
        try expect(root, "plugin", "ok", "/usr/lib/shutterd/libshutter-camera.so, libcamera.so.0.5")
        try root.remove("var/lib/shutterd-camera")
        try root.remove("usr/lib/shutterd")
        try expect(root, "plugin", "fault", "is not installed", cure: "shutterd-camera")
        try root.remove("dev/media0")
        try expect(root, "camera", "fault", "the kernel has no camera", cure: "cable")
    }

    @Test func ring() throws {
        let root = try FakeRoot()
        try root.remove("dev/spidev0.0")
        try expect(root, "ring", "fault", "/dev/spidev0.0 is not there", cure: "dtparam=spi=on")
        let long = try FakeRoot()
        try long.write("[ring]\ncount = 161\nbudget = \"2A\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(long, "ring", "fault", "161 LEDs need", cure: "spidev.bufsiz=")
        try long.write("8192\n", to: "sys/module/spidev/parameters/bufsiz")
        try expect(long, "ring", "ok", "161 LEDs in")
        let pwm = try FakeRoot(config: "dtparam=audio=on\n")
        try pwm.write("[ring]\ndriver = \"pwm\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(pwm, "ring", "fault", "there is no PWM chip", cure: "dtoverlay=pwm")
    }

    /// Field case B11, as far as files tell.
    @Test func pullUpsOfTheBoard() throws {
        let root = try FakeRoot()
        try root.write("[button.shutter]\nline = \"GPIO2\"\nactive = \"high\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(root, "button.shutter", "fault", "GPIO2 has a pull-up", cure: "active = \"low\"")
    }

    /// An encoder's lines are looked at as a button's.
    @Test func linesOfAnEncoder() throws {
        let root = try FakeRoot()
        try root.write("[encoder.dial]\na = \"GPIO2\"\nb = \"GPIO6\"\nactive = \"high\"\nbias = \"pull-down\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(root, "encoder.dial.a", "fault", "GPIO2 has a pull-up of 1.8 kΩ on the board: with active = \"high\" and a pull-down it always reads as closed", cure: "[encoder.dial]")
    }

    @Test func pluginOfFFmpeg() throws {
        let root = try FakeRoot()
        try expect(root, "encoder", "ok", "software")
        try root.remove("usr/lib/shutterd/libshutter-video.so")
        try expect(root, "encoder", "fault", "libshutter-video.so) is not installed: photos are taken, but no clips", cure: "apt-get install")
    }

    @Test func microphone() throws {
        let root = try FakeRoot()
        func wants(_ name: String) throws { try root.write("[video]\naudio = \"\(name)\"\n", to: "etc/shutterd/shutterd.toml") }
        try wants("plughw:CARD=Device,DEV=0")
        try expect(root, "microphone", "fault", "no sound card can record", cure: "arecord -L")
        try root.write(" 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi\n                      vc4-hdmi\n 2 [Device         ]: USB-Audio - USB PnP Sound Device\n", to: "proc/asound/cards")
        try root.device("snd/pcmC2D0c")
        try root.device("snd/pcmC0D0p")
        try expect(root, "microphone", "ok", "plughw:CARD=Device,DEV=0: /dev/snd/pcmC2D0c, may be used")
        for name in ["hw:2", "plughw:2,0", "default"] {
            try wants(name)
            try expect(root, "microphone", "ok", "/dev/snd/pcmC2D0c")
        }
        try wants("hw:vc4hdmi")
        try expect(root, "microphone", "fault", "card vc4hdmi cannot record; cards that can: 2 (Device)", cure: "arecord -L")
        try wants("plughw:1")
        try expect(root, "microphone", "fault", "there is no such card; cards that can: 2 (Device)", cure: "arecord -L")
        try wants("hw:2")
        try root.write("state: RUNNING\nowner_pid   : 1234\n", to: "proc/asound/card2/pcm0c/sub0/status")
        try root.write("arecord\n", to: "proc/1234/comm")
        try expect(root, "microphone", "fault", "arecord (process 1234) has the microphone (/dev/snd/pcmC2D0c)", cure: "sudo kill 1234")
        try root.write("shutterd\n", to: "proc/1234/comm")
        try expect(root, "microphone", "ok", "may be used")
        try root.write("closed\n", to: "proc/asound/card2/pcm0c/sub0/status")
        try root.device("snd/pcmC2D0c", mode: 0o600)
        try expect(root, "microphone", "fault", "/dev/snd/pcmC2D0c", cure: "SUBSYSTEM==\"sound\", GROUP=\"audio\"")
    }

    @Test func configuration() throws {
        let root = try FakeRoot()
        try root.write("[buton]\ndebounce = 30\n[led]\ncount = -1\n", to: "etc/shutterd/shutterd.toml")
        try expect(root, "config", "fault", "unknown table [buton]; did you mean [button]?", cure: "shutterctl config check")
        try expect(root, "config", "fault", "unknown table [led]")
    }

    @Test func aBoardThatIsNotTheMachines() throws {
        let moved = try FakeRoot()
        try moved.write("board = \"raspberry-pi-4\"\n[ring]\ndriver = \"none\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(moved, "board", "warning", "for the board raspberry-pi-4, and this is a Raspberry Pi 5", cure: "board = \"raspberry-pi-5\"")
        let unknown = try FakeRoot(model: "Orange Pi Zero 2W")
        try unknown.write("board = \"generic\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(unknown, "board", "warning", "nothing is known of the lines and SPI of Orange Pi Zero 2W", cure: "[button.shutter]")
    }

    @Test func storageAndMemory() throws {
        let root = try FakeRoot()
        try root.folder("var/lib/shutterd/media", mode: 0o700)
        try expect(root, "storage", "fault", "shutterd may not write to", cure: "sudo install -d -o shutterd")
        let elsewhere = try FakeRoot()
        try elsewhere.folder("media/stick", mode: 0o777)
        try elsewhere.write("[storage]\nroot = \"/media/stick\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(elsewhere, "storage", "fault", "the service may not write to /media/stick (ProtectSystem=", cure: "ReadWritePaths=/media/stick under [Service]")
        try elsewhere.write("[Service]\nReadWritePaths=-/media\n", to: "etc/systemd/system/shutterd.service.d/stick.conf")
        // What it says instead depends on the file system that the test runs on.
        #expect(try !elsewhere.examine().0.contains { $0["check"]?.string == "storage" && $0["state"]?.string == "fault" })
        try elsewhere.folder("home/pi/photos", mode: 0o777)
        try elsewhere.write("[storage]\nroot = \"/home/pi/photos\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(elsewhere, "storage", "fault", "the service sees nothing below /home", cure: "elsewhere")
        let large = try FakeRoot()
        try large.write("[storage]\nreserve = \"900GB\"\n", to: "etc/shutterd/shutterd.toml")
        try expect(large, "storage", "fault", "are kept in reserve", cure: "storage.reserve")
        let small = try FakeRoot()
        try small.write("MemTotal: 400000 kB\nMemAvailable: 90000 kB\nCmaTotal: 65536 kB\nCmaFree: 60000 kB\n", to: "proc/meminfo")
        try expect(small, "memory", "warning", "35 MB for 2 frames of 4608x2592, of 50 MB that frames may have: camera.buffers = 6 is more", cure: "camera.buffers")
        try small.write("MemTotal: 400000 kB\nMemAvailable: 90000 kB\nCmaTotal: 16384 kB\nCmaFree: 16000 kB\n", to: "proc/meminfo")
        try expect(small, "memory", "fault", "2 frames of 18 MB need more than the 13 MB", cure: "cma-512")
    }

    @Test func unit() throws {
        let root = try FakeRoot()
        try root.write("[Service]\nUser=camera\nSupplementaryGroups=video\n", to: "usr/lib/systemd/system/shutterd.service")
        try expect(root, "unit", "fault", "User=camera, which is no user here", cure: "useradd")
        try root.write("[Service]\nUser=shutterd\nSupplementaryGroups=video\n", to: "usr/lib/systemd/system/shutterd.service")
        try expect(root, "unit", "warning", "has no watchdog", cure: "WatchdogSec=30")
        try root.remove("etc/systemd")
        try expect(root, "unit", "warning", "is not enabled", cure: "systemctl enable --now shutterd")
    }

    @Test func keysOfTheGate() throws {
        let root = try FakeRoot()
        let keys = "home/pi/.ssh/authorized_keys"
        try root.write("ssh-ed25519 AAAA laptop\ncommand=\"shutterctl ssh-gate --allow status,mode\",restrict ssh-ed25519 AAAA phone\n", to: keys)
        try expect(root, "ssh-gate", "ok", "1 key")
        try root.write("command=\"shutterctl ssh-gate\",no-pty ssh-ed25519 AAAA phone\n", to: keys)
        try expect(root, "ssh-gate", "fault", "line 1: without `restrict`", cure: "command=\"shutterctl ssh-gate\",restrict")
        try root.write("command=\"shutterctl ssh-gate --allow status,modes\",restrict ssh-ed25519 AAAA phone\n", to: keys)
        try expect(root, "ssh-gate", "fault", "did you mean \"mode\"?", cure: "--allow")
        try root.remove(keys)
        try root.write("command=\"shutterctl ssh-gate --allow 'status, mode'\",restrict ssh-ed25519 AAAA phone\n", to: "etc/shutterd/authorized_keys")
        try expect(root, "ssh-gate", "ok", "1 key")
    }

    /// Beside a daemon, for people.
    @Test func besideADaemon() throws {
        let daemon = try TestDaemon.ready()
        try daemon.armed()
        let config = try #require(try FileSystem.names(in: daemon.scratch.path).first { $0.hasSuffix(".toml") })
        let text = "board = \"simulated\"\n" + TestDaemon.quick + "root = \"\(daemon.media)\"\n"
        try daemon.scratch.write(text, to: config)
        let doctor = try daemon.control(["doctor", "--boards", Programs.boards, "--config", daemon.scratch.path + "/" + config])
        #expect(try doctor.exit() == 0, "\(doctor.outputText) \(doctor.errors)")
        #expect(doctor.outputText.contains("ok       daemon: runs, mode photo, camera configured\n"))
        #expect(!doctor.outputText.contains("\u{1B}"))
    }
}
