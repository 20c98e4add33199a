# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: need_debian13 sets $debian13 to a Debian 13 file tree with its Swift 6.0.3 and all that shutterd is built and
# tested with. Made once for each change of the package lists. It is only ever used read-only.

debian13_packages=(ca-certificates "${swift_packages[@]}" systemd systemd-sysv)

need_debian13() {
    need_packages mmdebstrap rsync
    debian13_packages+=("${build_packages[@]}" "${test_packages[@]}" "${bed_packages[@]}" "${package_packages[@]}")
    local list
    list=$(printf '%s\n' "${debian13_packages[@]}" | sort -u | paste -sd,)
    cached debian13-tree "$(hash_of "$list" "$(declare -f make_debian13)")" make_debian13 "$list" || return
    debian13=$made
}

# make_debian13 PACKAGES RESULT
make_debian13() {
    echo "making the Debian 13 tree; some minutes, this once" >&2
    mmdebstrap --quiet --variant=minbase --include="$1" trixie "$2" &&
        rm -rf "${2:?}"/var/cache/apt/archives/*.deb "$2"/var/lib/apt/lists/* &&
        mkdir "$2/checkout"
}

# debian13_key CHECKOUT: there is one copy for each checkout; CI's clones, which have a new name each time, share one.
debian13_key() {
    if [ "${CI:-}" = true ]; then echo ci; else hash_of "$1"; fi
}

# debian13_copy CHECKOUT: sets $debian13_work to a folder with a copy of it (and what was built of it) in checkout/, and a
# home folder.
debian13_copy() {
    cached debian13-work "$(debian13_key "$1")" mkdir || return
    debian13_work=$made
    mkdir -p "$debian13_work/checkout" "$debian13_work/home" &&
        rsync --recursive --links --perms --checksum --delete --exclude=/.build --exclude=/.git --exclude=/.swiftpm "$1/" "$debian13_work/checkout/"
}

# debian13_run COMMAND [ARGUMENT]…: in the tree, in /checkout. The mounts are seen by that command alone and end with it.
# Of $debian13_mounts, pairs of a folder and a place below /mnt, each is there, too, read-only.
debian13_mounts=()
debian13_run() {
    unshare --mount --propagation private bash -euc '
        tree=$1 work=$2 pairs=$3
        shift 3
        mount --bind "$tree" "$tree"
        mount -o remount,bind,ro "$tree"
        for folder in proc sys dev; do mount --rbind "/$folder" "$tree/$folder"; done
        for folder in tmp run mnt; do mount -t tmpfs -o mode=1777 tmpfs "$tree/$folder"; done
        mount --bind "$work/home" "$tree/root"
        mount --bind "$work/checkout" "$tree/checkout"
        for ((; pairs > 0; pairs -= 2)); do
            mkdir "$tree/$2"
            mount --bind "$1" "$tree/$2"
            mount -o remount,bind,ro "$tree/$2"
            shift 2
        done
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 CI="${CI:-}" \
            chroot "$tree" /bin/bash -c "cd /checkout && exec \"\$@\"" in-debian13 "$@"
    ' debian13-run "$debian13" "$debian13_work" "${#debian13_mounts[@]}" "${debian13_mounts[@]}" "$@"
}
