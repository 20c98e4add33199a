# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: need_arm64 sets $arm64 to Debian 13's files for a 64-bit Pi, which nothing here executes; cross_swift then
# builds against them in the Debian 13 tree (Tests/Debian13/tree.sh), where they are $cross_sysroot.

cross_sysroot=/mnt/arm64
# Below .build, which a copy of the checkout never loses.
cross_scratch=.build/arm64

need_arm64() {
    need_packages mmdebstrap rsync
    # What runs, the compilers and pkg-config, is the tree's; base-files brings /lib, where programs look for their loader.
    local list
    list=$(printf '%s\n' base-files "${debian13_packages[@]}" "${build_packages[@]}" | grep -E '^(base-files|lib.*|swiftlang)$' | sort -u | paste -sd,)
    cached arm64-tree "$(hash_of "$list" "$(declare -f make_arm64 describe_packages)")" make_arm64 "$list" || return
    arm64=$made
    debian13_mounts=("$arm64" "$cross_sysroot")
}

# make_arm64 PACKAGES RESULT
make_arm64() {
    echo "making the arm64 tree; two minutes, this once" >&2
    mmdebstrap --quiet --variant=extract --architectures=arm64 --skip=essential/unlink,cleanup/apt --include="$1" trixie "$2" &&
        describe_packages "$2" &&
        rm -rf "${2:?}"/var/cache/apt/archives "$2"/var/lib/apt/lists "$2"/usr/libexec/swift/bin "$2"/usr/libexec/swift/lib/*.so* "$2"/usr/share/{doc,locale,man}
}

# describe_packages TREE: dpkg's notes of what was only extracted, so that dpkg-shlibdeps finds which package has a library
# and since when each of its symbols.
describe_packages() {
    local deb info=$1/var/lib/dpkg/info name file
    for deb in "$1"/var/cache/apt/archives/*.deb; do
        name=$(dpkg-deb --showformat='${Package}:${Architecture}' --show "$deb") || return
        name=${name%:all}
        { dpkg-deb --field "$deb" && printf 'Status: install ok installed\n\n'; } >>"$1/var/lib/dpkg/status" || return
        dpkg-deb --fsys-tarfile "$deb" | tar -t | sed 's/^\.//; s|\(.\)/$|\1|; s|^/$|/.|' >"$info/$name.list" || return
        for file in symbols shlibs; do
            dpkg-deb --info "$deb" "$file" >"$info/$name.$file" 2>/dev/null || rm "$info/$name.$file"
        done
    done
}

# cross_destination: what SwiftPM has to know.
cross_destination() {
    cat <<JSON
{
  "version": 1,
  "sdk": "$cross_sysroot",
  "toolchain-bin-dir": "/usr/bin",
  "target": "aarch64-unknown-linux-gnu",
  "extra-cc-flags": ["-fPIC", "--sysroot=$cross_sysroot"],
  "extra-cpp-flags": [],
  "extra-swiftc-flags": ["-resource-dir", "$cross_sysroot/usr/lib/swift", "-use-ld=lld", "-tools-directory", "/usr/libexec/swift/bin",
    "-Xcc", "--sysroot=$cross_sysroot", "-sdk", "$cross_sysroot"]
}
JSON
}

# cross_run COMMAND [ARGUMENT]…: in the Debian 13 tree, where pkg-config answers for the Pi.
cross_run() {
    debian13_run env PKG_CONFIG_SYSROOT_DIR="$cross_sysroot" \
        PKG_CONFIG_LIBDIR="$cross_sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$cross_sysroot/usr/share/pkgconfig" "$@"
}

# cross_swift [ARGUMENT OF swift build]…; Debian's files are no SDK of Apple's, and each compiler says so.
cross_swift() {
    cross_destination >"$debian13_work/home/arm64.json"
    cross_run nice swift build --destination /root/arm64.json --scratch-path "$cross_scratch" "$@" | sed '/Could not read SDKSettings.json/d'
    return "${PIPESTATUS[0]}"
}
