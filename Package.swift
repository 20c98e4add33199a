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
    ],
    targets: [
        // C and C++ libraries, one module each.
        .target(name: "CLinux"),
        .target(name: "CToml"),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

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
        .executableTarget(
            name: "shutterctl", dependencies: ["ShutterCore", "ShutterConfig", "ShutterControl", "LinuxIO", "LEDRing"]),
        .executableTarget(
            name: "shutterd-bench",
            dependencies: ["ShutterCore", "LinuxIO", "Media", "Simulation", "CTurboJPEG"]),

        .testTarget(name: "LayoutTests"),
        .testTarget(name: "ShutterCoreTests", dependencies: ["ShutterCore"]),
        .testTarget(name: "ShutterConfigTests", dependencies: ["ShutterConfig", "ShutterCore"]),
        .testTarget(name: "ShutterControlTests", dependencies: ["ShutterControl", "ShutterCore", "LinuxIO"]),
        .testTarget(name: "LinuxIOTests", dependencies: ["LinuxIO", "ShutterCore"]),
        .testTarget(name: "LEDRingTests", dependencies: ["LEDRing", "ShutterCore", "LinuxIO"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "ShutterCore", "LinuxIO"]),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation", "LEDRing", "ShutterCore", "LinuxIO"]),
        .testTarget(
            name: "DaemonTests",
            dependencies: ["ShutterDaemon", "ShutterControl", "ShutterConfig", "ShutterCore", "LinuxIO", "Media", "CTurboJPEG"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)
