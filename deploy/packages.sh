# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the other scripts: installs what is missing, from Debian's packages.

build_packages=(g++ pkgconf libgpiod-dev libcamera-dev libturbojpeg0-dev libexif-dev libtiff-dev libtomlplusplus-dev libsystemd-dev
    libavcodec-dev libavformat-dev libavutil-dev libswresample-dev libswscale-dev libasound2-dev)
# Swift's package does not ask for the C and C++ headers that it compiles with.
swift_packages=(swiftlang libc6-dev libstdc++-14-dev)
test_packages=(libimage-exiftool-perl e2fsprogs sigrok-cli ffmpeg libraw-bin openssh-server openssh-client mandoc zsh fish python3)
# What runs inside the virtual Pi, on each tree.
bed_packages=(udev patchelf ffmpeg gpiod libcamera-tools libcamera-ipa jpeginfo libjpeg-turbo-progs dosfstools exfatprogs e2fsprogs dmsetup libimage-exiftool-perl)
# For deploy/package, and to look at what it made.
package_packages=(debhelper lintian binutils-aarch64-linux-gnu)
# And on this machine's own tree alone, which is enough for it.
leak_packages=(valgrind)

# What runs programs for the Pi here.
emulation_packages=(qemu-user-static)

# need_packages NAME...: installs those of them that are not there.
need_packages() {
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || {
        echo "these packages are missing, and there is no apt-get to install them with: ${missing[*]}" >&2
        return 69
    }
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "these packages are missing; as root, run: apt-get install ${missing[*]}" >&2
            return 77
        }
        as_root=(sudo)
    fi
    echo "installing ${missing[*]}"
    # Test beds that run side by side install one after the other: apt itself would give up.
    "${as_root[@]}" flock /run/shutterd-packages.lock env DEBIAN_FRONTEND=noninteractive sh -ec \
        'apt-get update -qq; apt-get install -qq -y --no-install-recommends "$@" >/dev/null' sh "${missing[@]}"
}

# need_swift: a Swift toolchain on the PATH, else Debian's, else advice.
need_swift() {
    command -v swift >/dev/null && return 0
    if apt-cache show swiftlang >/dev/null 2>&1; then
        need_packages "${swift_packages[@]}"
        return
    fi
    echo "shutterd needs Swift 6. Debian 13 and newer have it (swiftlang, amd64 and arm64); for other systems see https://www.swift.org/install/linux" >&2
    return 69
}
