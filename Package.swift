// swift-tools-version: 6.0
// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The layout is the architecture: `Tests/LayoutTests` checks every import against it.
let package = Package(
    name: "shutterd",
    products: [
        .executable(name: "shutterd", targets: ["shutterd"]),
        .executable(name: "shutterctl", targets: ["shutterctl"]),
        .executable(name: "shutterd-bench", targets: ["shutterd-bench"]),
        // Loaded at run time. deploy/build-camera-plugin makes the same without Swift.
        .library(name: "shutter-camera", type: .dynamic, targets: ["CameraPlugin"]),
    ],
    targets: [
        // C and C++ libraries, one module each.
        .target(name: "CLinux"),
        .target(name: "CToml"),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
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
            linkerSettings: [.unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/CameraPlugin/exports.map"])]),
        .executableTarget(
            name: "camera-plugin-probe", path: "Tests/CameraPlugin", exclude: ["units"], publicHeadersPath: ".",
            cxxSettings: [.headerSearchPath("../../Sources/CCameraPlugin/include")],
            // It stands between the plugin and ioctl(2).
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),

        // Pure: the standard library only.
        .target(name: "ShutterCore"),

        // What users write and say.
        .target(name: "ShutterConfig", dependencies: ["ShutterCore", "CToml"]),
        .target(name: "ShutterControl", dependencies: ["ShutterCore", "CLinux"]),

        // Adapters: each knows one outside thing. LinuxIO is what the others stand on.
        .target(name: "LinuxIO", dependencies: ["ShutterCore", "CLinux"]),
        .target(name: "LEDRing", dependencies: ["ShutterCore", "LinuxIO"]),
        .target(name: "Media", dependencies: ["ShutterCore", "LinuxIO", "CTurboJPEG", "CExif"]),
        .target(name: "Simulation", dependencies: ["ShutterCore", "LinuxIO"]),

        .target(name: "ShutterDaemon", dependencies: ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "CSystemd"]),
        .executableTarget(
            name: "shutterd",
            dependencies: ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "LEDRing", "Media", "Simulation", "ShutterDaemon"]),
        .executableTarget(name: "shutterctl", dependencies: ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO"]),
        .executableTarget(
            name: "shutterd-bench",
            dependencies: ["ShutterCore", "LinuxIO", "Media", "Simulation", "CTurboJPEG"]),

        .testTarget(name: "LayoutTests"),
        .testTarget(name: "ShutterCoreTests", dependencies: ["ShutterCore"]),
        .testTarget(name: "ShutterConfigTests", dependencies: ["ShutterConfig", "ShutterCore"]),
        .testTarget(name: "ShutterControlTests", dependencies: ["ShutterControl", "ShutterCore", "LinuxIO"]),
        .testTarget(name: "LinuxIOTests", dependencies: ["LinuxIO", "ShutterCore"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "ShutterCore", "LinuxIO"]),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation", "LEDRing", "ShutterCore", "LinuxIO"]),
        .testTarget(
            name: "DaemonTests",
            // The executables are run, and so have to be built.
            dependencies: ["shutterd", "shutterctl", "ShutterControl", "ShutterCore", "LinuxIO", "Simulation", "CTurboJPEG"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)
