# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by `run`: builds the packages for arm64, unpacks them to $installed, and looks at them.

packages() {
    local package name file missing out=$debian13_work/checkout/.build/packages
    deploy/package --arch arm64 -o "$work/new" >"$work/log" 2>&1 || { not_ok "deploy/package --arch arm64: $(tail -n 20 "$work/log")"; return; }
    none 'lintian' "$(debian13_run bash -c 'lintian --allow-root --display-info --pedantic --fail-on none .build/packages/*.deb' 2>&1 | grep -v 'running with root privileges')"
    rm -rf "${debian13_work:?}/checkout/$installed"
    for package in "$out"/*.deb; do
        name=$(dpkg-deb -f "$package" Package)
        dpkg-deb -x "$package" "$debian13_work/checkout/$installed"
        none "$name is for arm64" "$(dpkg-deb -f "$package" Architecture | grep -vx arm64)"
        # What it depends on is there, and is what has the libraries. The tree is to build against, without what boots it.
        missing=$(dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/[ (|].*//; s/^ *//' |
            while read -r file; do grep -qx "Package: $file" "$arm64/var/lib/dpkg/status" || echo "$file"; done | grep -vxE 'shutterd|systemd')
        none "$name depends on packages that there are for arm64" "$missing"
        echo "# $name depends on: $(dpkg-deb -f "$package" Depends)"
    done
    cd "$debian13_work/checkout/$installed" || return
    while read -r file; do
        none "$file is for arm64" "$(readelf -h "$file" | grep Machine | grep -v AArch64)"
        none "$file: every library that it needs is in the tree" "$(needed "$file" | while read -r name; do library "$name" >/dev/null || echo "$name"; done)"
        none "$file: every symbol is in one of them, in its version" "$(unresolved "$file")"
        none "$file knows no folder of the machine that built it" "$(strings "$file" | grep -E '/checkout|/root/|/tmp/tmp\.|/mnt/arm64' | head -n 3)"
    done < <(find . -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' sh {} \; -print | sed 's|^\./||')
    cd "$OLDPWD" || return
}

# needed FILE: the names of the libraries.
needed() { readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

# library NAME: where the tree has it.
library() {
    local folder
    for folder in usr/lib/aarch64-linux-gnu usr/lib/swift/linux usr/lib; do
        [ ! -e "$arm64/$folder/$1" ] || { echo "$arm64/$folder/$1"; return; }
    done
    return 1
}

# symbols TYPE FILE: dynamic ones as NAME or NAME@VERSION; TYPE is UND, or DEF for those that it has.
symbols() {
    readelf --dyn-syms -W "$2" | awk -v type="$1" '
        $1 ~ /^[0-9]+:$/ && $8 != "" && $5 != "WEAK" && ($7 == "UND") == (type == "UND") { sub(/@@/, "@", $8); print $8 }
        $1 ~ /^[0-9]+:$/ && $8 != "" && $5 == "WEAK" && type == "DEF" && $7 != "UND" { sub(/@@/, "@", $8); print $8 }' | sort -u
}

# unresolved FILE: what the libraries that it needs, and those that they need, do not have.
unresolved() {
    local waiting known='' name path
    waiting=$(needed "$1")
    while [ -n "$waiting" ]; do
        name=${waiting%%$'\n'*}
        waiting=$(tail -n +2 <<<"$waiting")
        grep -qxF "$name" <<<"$known" && continue
        known+=$name$'\n'
        path=$(library "$name") || continue
        waiting+=${waiting:+$'\n'}$(needed "$path")
    done
    while read -r name; do
        [ -z "$name" ] || ! path=$(library "$name") || symbols DEF "$path"
    done <<<"$known" | awk '{ print; sub(/@.*/, ""); print }' | sort -u >"$work/defined"
    symbols UND "$1" | comm -23 - "$work/defined"
}
