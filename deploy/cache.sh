# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the test beds: what is slow to make is kept outside the checkout. A missing cache only costs time.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/shutterd

# hash_of TEXT-OR-FILE...: a short key that changes with any of them.
hash_of() {
    local item
    for item in "$@"; do
        if [ -f "$item" ]; then cat "$item"; else printf '%s\n' "$item"; fi
    done | sha256sum | cut -c1-12
}

# cached NAME KEY COMMAND...: sets $made to a path that COMMAND made; COMMAND gets a temporary path as its last argument.
# The name is final only once COMMAND has succeeded (which has to hold without `set -e`, too). One maker at a time; a second one waits and finds it made. Another
# checkout may still use an older key, so those go after two days without use.
cached() {
    local name=$1 key=$2 partial old lock
    shift 2
    made=$cache/$name-$key
    touch --no-create "$made" 2>/dev/null
    # Whoever needs nothing made does not wait for one who does.
    [ ! -e "$made" ] || return 0
    mkdir -p "$cache"
    exec {lock}>"$cache/$name.lock"
    flock "$lock"
    if [ ! -e "$made" ]; then
        partial=$cache/.$name.partial
        rm -rf --one-file-system "$partial"
        # What was unpacked may have the time of its archive: too old to stay.
        "$@" "$partial" {lock}>&- && touch "$partial" && mv "$partial" "$made" || return
    fi
    for old in "$cache/$name"-*; do
        [ -n "$(find "$old" -maxdepth 0 -mmin +2880)" ] && rm -rf --one-file-system "$old"
    done
    exec {lock}>&-
}
