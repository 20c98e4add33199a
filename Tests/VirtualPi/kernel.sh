# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: need_kernel sets $kernel to User-mode Linux, the kernel built as an ordinary program. Five minutes on two
# cores, once for each version of Debian's linux-source and each change of kernel.config.

kernel_packages=(linux-source gcc make flex bison bc libelf-dev libssl-dev kmod cpio xz-utils)

need_kernel() {
    need_packages "${kernel_packages[@]}" || return
    local here version
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    version=$(dpkg-query -W -f '${Version}' linux-source)
    cached kernel "${version//[^0-9a-z.-]/_}-$(hash_of "$here/kernel.config" "$(declare -f make_kernel)")" make_kernel "$here/kernel.config" || return
    kernel=$made
}

# make_kernel CONFIGURATION RESULT
make_kernel() (
    sources=$(mktemp -d)
    trap 'rm -rf "$sources"' EXIT
    echo "building the virtual Pi's kernel; about five minutes, this once" >&2
    {
        tar -C "$sources" --strip-components=1 -xf /usr/src/linux-source-*.tar.xz &&
            # gpio-sim delivers an edge at the next tick, which would be up to 10 ms late.
            sed -i '/^config HZ$/,/^config/s/default 100$/default 1000/' "$sources/arch/um/Kconfig" &&
            make -C "$sources" ARCH=um defconfig &&
            "$sources/scripts/kconfig/merge_config.sh" -m -O "$sources" "$sources/.config" "$1" &&
            make -C "$sources" ARCH=um olddefconfig &&
            nice make -C "$sources" ARCH=um -j"$(nproc)" linux
    } >"$sources/log" 2>&1 || {
        tail -n 40 "$sources/log" >&2
        echo "the kernel did not build" >&2
        exit 1
    }
    # What this version does not know, or lacks a dependency of, is only a note: the tests say what is missing.
    grep -E '^CONFIG_\w+=y' "$1" | grep -vxFf "$sources/.config" | sed 's/^/the kernel has no /' >&2
    strip -o "$2" "$sources/linux"
)
