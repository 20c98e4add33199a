// swift-tools-version: 6.0
// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import PackageDescription

/// Only for Tests/Fuzz/run: it has a main of the fuzzer's, which no other build links.
let fuzzer: [Target] = Context.environment["SHUTTERD_FUZZ"] == nil ? [] : [
    .executableTarget(
        name: "shutterd-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Main",
        swiftSettings: [.unsafeFlags(["-parse-as-library"])], linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])
]

// The layout is the architecture: `Tests/LayoutTests` checks every import against it.
let package = Package(
    name: "shutterd",
    products: [
        .executable(name: "shutterd", targets: ["shutterd"]),
        .executable(name: "shutterctl", targets: ["shutterctl"]),
        .executable(name: "shutterd-bench", targets: ["shutterd-bench"]),
        // Loaded at run time. deploy/build-camera-plugin makes the same without Swift.
        .library(name: "shutter-camera", type: .dynamic, targets: ["CameraPlugin"]),
        .library(name: "shutter-video", type: .dynamic, targets: ["VideoPlugin"]),
        // For tests: they go wrong as they are told to.
        .library(name: "shutter-camera-fake", type: .dynamic, targets: ["FakeCamera"]),
        .library(name: "shutter-sound-fake", type: .dynamic, targets: ["FakeSound"]),
        .library(name: "shutter-faults", type: .dynamic, targets: ["FaultInjection"]),
    ],
    targets: [
        // C and C++ libraries, one module each.
        .target(name: "CLinux"),
        .target(name: "CToml"),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        .systemLibrary(name: "CGpiodLibrary", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
        .target(name: "CGpiod", dependencies: ["CGpiodLibrary"], cSettings: gpiodVersions()),
        .systemLibrary(name: "CAlsaLibrary", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .target(name: "CAlsa", dependencies: ["CAlsaLibrary"]),
        .systemLibrary(name: "CTiffLibrary", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
        .target(name: "CTiff", dependencies: ["CTiffLibrary"]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

        // The camera plugin, and its interface. The only code that knows libcamera.
        .target(name: "CCameraPlugin"),
        .systemLibrary(name: "CLibcamera", pkgConfig: "libcamera", providers: [.apt(["libcamera-dev"])]),
        .target(
            name: "CameraPlugin",
            dependencies: ["CLibcamera"],
            exclude: ["exports.map"],
            publicHeadersPath: ".",
            // Not as a dependency: from C++20 on, clang would take its header for a module, and finds none.
            cxxSettings: [.headerSearchPath("../CCameraPlugin/include"), .unsafeFlags(["-fvisibility=hidden"])],
            linkerSettings: pluginLinking("CameraPlugin")),

        // The video plugin, and its interface. The only code that knows FFmpeg.
        .target(name: "CVideoPlugin"),
        .systemLibrary(
            name: "CFFmpegLibrary", pkgConfig: "libavformat",
            providers: [.apt(["libavcodec-dev", "libavformat-dev", "libavutil-dev", "libswresample-dev", "libswscale-dev"])]),
        .target(
            name: "VideoPlugin",
            dependencies: ["CFFmpegLibrary", "CVideoPlugin"],
            exclude: ["exports.map"],
            publicHeadersPath: ".",
            // pkg-config is asked for the first of them only.
            linkerSettings: pluginLinking("VideoPlugin") + ["avformat", "avcodec", "swscale", "swresample", "avutil"].map { .linkedLibrary($0) }),

        .executableTarget(
            name: "camera-plugin-probe", path: "Tests/CameraPlugin", exclude: ["units"], publicHeadersPath: ".",
            cxxSettings: [.headerSearchPath("../../Sources/CCameraPlugin/include")],
            // It stands between the plugin and ioctl(2).
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),

        .target(
            name: "FakeCamera", path: "Tests/FakeCamera", publicHeadersPath: ".",
            cxxSettings: [.headerSearchPath("../../Sources/CCameraPlugin/include"), .unsafeFlags(["-fvisibility=hidden"])]),

        // alsa-lib looks at PIC to know a plug-in of its own that is loaded at run time.
        .target(
            name: "FakeSound", dependencies: ["CAlsaLibrary"], path: "Tests/FakeSound", publicHeadersPath: ".", cSettings: [.define("PIC")]),

        .target(name: "FaultInjection", path: "Tests/FaultInjection", publicHeadersPath: "."),

        // Pure: the standard library only.
        .target(name: "ShutterCore"),

        // What users write and say.
        .target(name: "ShutterConfig", dependencies: ["ShutterCore", "CToml"]),
        .target(name: "ShutterControl", dependencies: ["ShutterCore", "CLinux"]),

        // Adapters: each knows one outside thing. LinuxIO is what the others stand on.
        .target(name: "LinuxIO", dependencies: ["ShutterCore", "CLinux"]),
        .target(name: "GPIO", dependencies: ["ShutterCore", "LinuxIO", "CGpiod"]),
        .target(name: "Evdev", dependencies: ["ShutterCore", "LinuxIO", "CLinux"]),
        .target(name: "LEDRing", dependencies: ["ShutterCore", "LinuxIO"]),
        .target(name: "Media", dependencies: ["ShutterCore", "LinuxIO", "CTurboJPEG", "CExif", "CVideoPlugin", "CTiff"]),
        .target(name: "Camera", dependencies: ["ShutterCore", "LinuxIO", "CCameraPlugin"]),
        .target(name: "Sound", dependencies: ["ShutterCore", "CAlsa"]),
        .target(name: "Simulation", dependencies: ["ShutterCore", "LinuxIO"]),

        .target(name: "ShutterDaemon", dependencies: ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "CSystemd"]),
        .executableTarget(
            name: "shutterd",
            dependencies: ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "Camera", "Evdev", "GPIO", "LEDRing", "Media", "Simulation", "Sound", "ShutterDaemon"]),
        .executableTarget(
            name: "shutterctl", dependencies: ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "GPIO", "LEDRing"]),
        .executableTarget(
            name: "shutterd-bench",
            dependencies: ["Camera", "ShutterCore", "ShutterControl", "LinuxIO", "Media", "Simulation", "CTurboJPEG"]),

        .testTarget(name: "LayoutTests"),
        .target(name: "TestSupport", path: "Tests/Support"),
        .testTarget(name: "ShutterCoreTests", dependencies: ["ShutterCore"]),
        .testTarget(name: "ShutterConfigTests", dependencies: ["ShutterConfig", "ShutterCore", "TestSupport"]),
        // What the fuzzer and the tests do with bytes from outside.
        .target(name: "FuzzTargets", dependencies: ["ShutterConfig", "ShutterControl", "ShutterCore"], path: "Tests/Fuzz/Targets"),
        .testTarget(name: "ShutterControlTests", dependencies: ["ShutterControl", "ShutterCore", "LinuxIO", "FuzzTargets"]),
        .testTarget(name: "LinuxIOTests", dependencies: ["LinuxIO", "ShutterCore", "TestSupport"]),
        .testTarget(name: "GPIOTests", dependencies: ["GPIO", "ShutterCore", "LinuxIO"]),
        .testTarget(name: "LEDRingTests", dependencies: ["LEDRing", "ShutterCore", "LinuxIO", "TestSupport"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "ShutterCore", "LinuxIO", "TestSupport"]),
        .testTarget(name: "RecorderTests", dependencies: ["Media", "Camera", "Simulation", "Sound", "ShutterCore", "LinuxIO", "TestSupport"]),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation", "Camera", "LEDRing", "ShutterCore", "LinuxIO", "TestSupport"]),
        .testTarget(
            name: "DaemonTests",
            // The executables are run, and so have to be built.
            dependencies: ["shutterd", "shutterctl", "ShutterControl", "ShutterCore", "LinuxIO", "Simulation", "CTurboJPEG", "TestSupport"]),
    ] + fuzzer,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)

/// A plugin shows one symbol, and does not load where one that it needs is missing.
func pluginLinking(_ folder: String) -> [LinkerSetting] {
    let flags = ["--version-script=\(Context.packageDirectory)/Sources/\(folder)/exports.map", "-z", "now"]
    return [.unsafeFlags(flags.flatMap { ["-Xlinker", $0] })]
}

/// Which libgpiod pkg-config knows and which would be linked, for Sources/CGpiod/version.h, which compares them to the
/// header. SwiftPM keeps the answers until this file or the environment changes (`swift package purge-cache`).
func gpiodVersions() -> [CSetting] {
    var settings: [CSetting] = []
    if let version = output(of: "pkg-config --modversion libgpiod"), let major = version.split(separator: ".").first {
        settings += [.define("CGPIOD_PKGCONFIG_VERSION", to: version), .define("CGPIOD_PKGCONFIG_MAJOR", to: String(major))]
    }
    // libgpiod.so.2 is version 1.x, libgpiod.so.3 is 2.x.
    if let target = output(of: "readlink \"$(pkg-config --variable=libdir libgpiod)/libgpiod.so\""),
        let number = target.split(separator: "/").last?.dropFirst("libgpiod.so.".count).split(separator: ".").first.flatMap({ Int($0) }) {
        settings.append(.define("CGPIOD_LIBRARY_MAJOR", to: number <= 2 ? "1" : "2"))
    }
    return settings
}

/// The first line of what a command prints, unless it fails.
func output(of command: String) -> String? {
    guard let pipe = popen("(\(command)) 2>/dev/null", "r") else { return nil }
    var buffer = [CChar](repeating: 0, count: 256)
    let line = fgets(&buffer, Int32(buffer.count), pipe).map { String(cString: $0) }
    guard pclose(pipe) == 0 else { return nil }
    return line?.split(separator: "\n").first.map(String.init)
}
