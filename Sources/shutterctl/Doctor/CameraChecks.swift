// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxIO
import ShutterConfig
import ShutterControl
import ShutterCore

extension Doctor {
    var usesLibcamera: Bool { settings.camera.source == .libcamera }

    /// Devices first: a permission that is missing looks like a camera that is missing.
    mutating func checkCamera() {
        guard usesLibcamera else {
            tell("camera", .ok, "simulated")
            return
        }
        let nodes = machine.names("/dev").filter { $0.hasPrefix("media") || $0.hasPrefix("video") || $0.hasPrefix("v4l-subdev") }.map { "/dev/\($0)" }
        let media = nodes.filter { $0.hasPrefix("/dev/media") }
        var areAllowed = true
        if media.isEmpty {
            tell("camera", .fault, "the kernel has no camera (no /dev/media*)",
                 cure: "check the cable at both ends, and camera_auto_detect=1 or the sensor's dtoverlay in config.txt; then reboot")
        } else {
            for node in nodes where !checkNode("camera", node, missing: "", group: "video", subsystem: node.hasPrefix("/dev/media") ? "media" : "video4linux", quiet: true) {
                areAllowed = false
                break
            }
            if areAllowed { tell("camera", .ok, "\(media.joined(separator: ", ")), may be used") }
            checkSensor()
        }
        checkHeap()
        if !media.isEmpty { checkHolder(nodes) }
        checkPlugin()
    }

    /// The kernel names each sensor that answered.
    private mutating func checkSensor() {
        let entities = machine.names("/sys/class/video4linux").compactMap { machine.text("/sys/class/video4linux/\($0)/name") }
            .map { $0.split(separator: "\n").first.map(String.init) ?? "" }
        // A sub-device of a sensor is called after the chip and its I2C address: "imx708 10-001a".
        let sensors = entities.filter { $0.split(separator: " ").last.map { $0.contains("-00") } ?? false }
        if sensors.isEmpty {
            tell("sensor", .warning, "no camera sensor has answered", cure: "check the cable, and the sensor's overlay in config.txt; see: dmesg | grep -i imx")
        } else {
            tell("sensor", .ok, sensors.joined(separator: ", "))
        }
    }

    /// Without memory from here libcamera says that there is no camera at all.
    private mutating func checkHeap() {
        let heaps = machine.names("/dev/dma_heap").map { "/dev/dma_heap/\($0)" }
        guard !heaps.isEmpty else {
            return tell("dma-heap", .fault, "/dev/dma_heap is not there, and the camera has no memory without it", cure: "use Raspberry Pi OS's own kernel (CONFIG_DMABUF_HEAPS), then reboot")
        }
        let denied = heaps.filter { !(machine.access($0)?.allows ?? false) }
        // One of them is enough.
        if denied.count < heaps.count { return tell("dma-heap", .ok, heaps.filter { !denied.contains($0) }.joined(separator: ", ")) }
        guard let access = machine.access(denied[0]) else { return }
        let (facts, cure) = access.diagnosis(udevGroup: "video", subsystem: "dma_heap")
        tell("dma-heap", .fault, "\(facts); libcamera then reports that there is no camera", cure: cure.text)
    }

    /// Who has a camera's device open, as far as we may look.
    private mutating func checkHolder(_ nodes: [String]) {
        for process in machine.names("/proc") where isNumber(process) && process != "\(getpid())" {
            for descriptor in machine.names("/proc/\(process)/fd") {
                let link = try? FileManager.default.destinationOfSymbolicLink(atPath: machine.path("/proc/\(process)/fd/\(descriptor)"))
                guard let link, nodes.contains(link), link.hasPrefix("/dev/media") || link.hasPrefix("/dev/video") else { continue }
                let name = machine.text("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init) ?? "?"
                if name == "shutterd" { return tell("holder", .ok, "shutterd (process \(process)) has the camera") }
                // Desktops open every camera to see what it is, and do not take it.
                if name == "pipewire" || name == "wireplumber" { continue }
                return tell("holder", .fault, "\(Shown.oneLine(name)) (process \(process)) has the camera (\(link))", cure: "end it: sudo kill \(process)")
            }
        }
        tell("holder", .ok, "no program that can be looked at has the camera")
    }

    /// The plugin that the daemon would take, and the libcamera that it was built for.
    private mutating func checkPlugin() {
        let folders = ["/usr/lib", "/usr/local/lib", "/usr/lib/aarch64-linux-gnu", "/usr/lib/arm-linux-gnueabihf", "/usr/lib/x86_64-linux-gnu"]
        let libraries = Set(folders.flatMap { machine.names($0) }.filter { $0.hasPrefix("libcamera.so.") })
        let newest = libraries.compactMap(Self.version).max { $0.lexicographicallyPrecedes($1) }
        // Of the one that would be taken first.
        var complaint: String?
        for path in places(of: .camera) where machine.exists(path) {
            let needed = Self.libraries(neededBy: (try? FileSystem.wholeFile(machine.path(path), atMost: 64 << 20)) ?? [])
            let missing = needed.subtracting(libraries)
            if !missing.isEmpty {
                let installed = libraries.isEmpty ? "none is installed" : "installed: \(libraries.sorted().joined(separator: ", "))"
                complaint = complaint ?? "\(path) was built for \(missing.sorted().joined(separator: ", ")) (\(installed))"
            } else if let newest, let oldest = needed.compactMap(Self.version).min(by: { $0.lexicographicallyPrecedes($1) }), oldest != newest {
                // The modules are those of the newest, and fit no other.
                complaint = complaint ?? "\(path) was built for \(needed.sorted().joined(separator: ", ")), and a newer one is installed: \(libraries.sorted().joined(separator: ", "))"
            } else if machine.isReal, let words = Self.loaderComplaint(path) {
                complaint = complaint ?? "\(path) cannot be loaded: \(words)"
            } else if !folders.flatMap({ machine.names("\($0)/libcamera") + machine.names("\($0)/libcamera/ipa") }).contains(where: { $0.hasPrefix("ipa_") }) {
                return tell("plugin", .warning, "\(path) is there, but not libcamera's modules: no sensor on the ribbon cable is found without them", cure: "sudo apt install libcamera-ipa")
            } else {
                return tell("plugin", .ok, "\(path), \(needed.sorted().joined(separator: ", "))")
            }
        }
        guard let complaint else {
            return tell("plugin", .fault, "the camera plugin is not installed", cure: "sudo apt install ./shutterd-camera_*.deb; in the source: sudo ./deploy/install")
        }
        tell("plugin", .fault, complaint, cure: "rebuild it: sudo shutterd-build-camera")
    }

    /// Where the service would look: it is this build's, or was built here, which goes before a package.
    func places(of plugin: SharedLibrary.Plugin) -> [String] {
        ((machine.isReal ? [nil] : []) + ["/usr/local/bin", "/usr/bin"]).flatMap { SharedLibrary.places(of: plugin, forProgramsIn: $0) }
    }

    /// dlopen(3).
    static func loaderComplaint(_ path: String) -> String? {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { return String(cString: dlerror()) }
        dlclose(handle)
        return nil
    }

    /// 0 and 4 of `libcamera.so.0.4`; nil for the names that lead to it, and those with more numbers.
    private static func version(_ library: String) -> [Int]? {
        let numbers = library.dropFirst("libcamera.so.".count).split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        return numbers.count == 2 ? numbers.compactMap(\.self) : nil
    }

    /// The names of libcamera's libraries in a shared object: they stand in it as strings.
    private static func libraries(neededBy bytes: [UInt8]) -> Set<String> {
        Set(bytes.split(separator: 0).filter { $0.starts(with: Array("libcamera.so.".utf8)) && $0.count < 40 }.map { String(decoding: $0, as: UTF8.self) })
    }

    /// As the daemon plans it; see MemoryPlan.
    mutating func checkMemory() {
        guard var memory = MachineMemory.read(meminfo: machine.path("/proc/meminfo"), heaps: machine.path("/dev/dma_heap")) else {
            return tell("memory", .warning, "/proc/meminfo cannot be read")
        }
        if !usesLibcamera { memory.contiguous = nil }
        let (camera, frame) = (settings.camera, settings.photo.frameBytes)
        let cure = "lower camera.buffers or photo.size, or give the camera more: dtoverlay=vc4-kms-v3d,cma-512 in config.txt"
        do throws(Fault) {
            let plan = try MemoryPlan.plan(memory, lag: camera.lag, buffers: camera.buffers, frame: frame)
            let facts = "\(UInt64(plan.buffers) * frame / 1_000_000) MB for \(plan.buffers) frames of \(settings.photo.size), of \(memory.forFrames / 1_000_000) MB that frames may have"
            if plan.buffers < camera.buffers {
                tell("memory", .warning, "\(facts): camera.buffers = \(camera.buffers) is more", cure: cure)
            } else {
                tell("memory", .ok, facts)
            }
        } catch {
            tell("memory", .fault, error.message, cure: cure)
        }
    }
}
