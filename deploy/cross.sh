# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: building for a 64-bit Pi on another machine. need_arm64 sets $arm64 to Debian 13's files for it; what is built
# against them is built in the Debian 13 tree (Tests/Debian13/tree.sh), where they are $cross_sysroot.

cross_sysroot=/mnt/arm64

need_arm64() {
    need_packages mmdebstrap rsync
    # The compiler and pkg-config that run are the tree's own; base-files brings /lib, where programs look for their loader.
    local list
    list=$(printf '%s\n' base-files "${swift_packages[@]}" "${build_packages[@]}" | grep -vxE 'g\+\+|pkgconf' | sort -u | paste -sd,)
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
# and since when each of its symbols. Its files are where they are for what is built against them.
describe_packages() {
    local deb info=$1/var/lib/dpkg/info name file
    echo 1 >"$info/format"
    for deb in "$1"/var/cache/apt/archives/*.deb; do
        name=$(dpkg-deb --showformat='${Package}:${Architecture}/${Multi-Arch}' --show "$deb") || return
        # As dpkg names them: only what may be there for several architectures has one in its name.
        case $name in */same) name=${name%/*} ;; *) name=${name%:*} ;; esac
        { dpkg-deb --field "$deb" && printf 'Status: install ok installed\n\n'; } >>"$1/var/lib/dpkg/status" || return
        dpkg-deb --fsys-tarfile "$deb" | tar -t | sed "s|^\.|$cross_sysroot|; s|/\$||" >"$info/$name.list" || return
        for file in symbols shlibs; do
            dpkg-deb --info "$deb" "$file" >"$info/$name.$file" 2>/dev/null || rm "$info/$name.$file"
        done
    done
}

# The rest is for inside of the tree.

# cross_run COMMAND [ARGUMENT]…: pkg-config answers for the Pi.
cross_run() {
    env PKG_CONFIG_SYSROOT_DIR="$cross_sysroot" \
        PKG_CONFIG_LIBDIR="$cross_sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$cross_sysroot/usr/share/pkgconfig" "$@"
}

# cross_swift [ARGUMENT OF swift build]…
cross_swift() {
    local destination=$HOME/arm64.json
    cat >"$destination" <<JSON
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
    # Debian's files are no SDK of Apple's, and each compiler says so.
    cross_run "${steady[@]}" nice swift build --destination "$destination" "$@" | sed '/Could not read SDKSettings.json/d'
    return "${PIPESTATUS[0]}"
}

# Where Debian has the run-time of Swift on the Pi, and not where it is here.
cross_rpath=(-Xswiftc -no-toolchain-stdlib-rpath -Xlinker -rpath -Xlinker /usr/libexec/swift/lib/swift/linux)

# cross_plugin FILE: the camera plugin.
cross_plugin() {
    CXX=/usr/libexec/swift/bin/clang++ cross_run deploy/build-camera-plugin -s Sources -o "$1" -- \
        --target=aarch64-linux-gnu --sysroot="$cross_sysroot" "-ffile-prefix-map=$cross_sysroot=" -fuse-ld=lld -Wno-unused-command-line-argument
}
