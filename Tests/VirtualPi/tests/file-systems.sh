# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 300
# Photos of the simulated board on the file systems that cards have: names, contents, and what `status` says of each.
. "$BED/lib.sh"

# Time enough to ask for the status before the end.
presses 3 400 3000 >"$work/presses.vcd"
ask() { shutterctl --socket "$work/socket" status >"$work/status"; }

# photos_on KIND CRASH-SAFE PERSISTENT
photos_on() {
    local kind=$1 card=$work/card-$1 status='' folder names
    make_file_system "$kind" "$card" || { not_ok "$kind: cannot be made"; return; }
    folder=$card/data/media/DCIM/100SHUTR

    shutterd --board simulated --data "$card/data" --socket "$work/socket" --input "$work/presses.vcd" --exit-at-end >"$work/log" 2>&1 &
    local daemon=$!
    wait_for 20 ask && status=$(cat "$work/status")
    wait $daemon && ok "$kind: the daemon ends well" || not_ok "$kind: the daemon ended with status $?: $(tail -n 3 "$work/log" | tr '\n' ' ')"

    contains "$kind: status names it" "^storage.file_system: +$kind$" "$status"
    contains "$kind: status says whether it is crash-safe" "^storage.crash_safe: +$2$" "$status"
    contains "$kind: status says whether it is persistent" "^storage.persistent: +$3$" "$status"
    contains "$kind: status is ok" '^storage.state: +ok$' "$status"
    names=$(ls -A "$folder" 2>&1 | paste -sd' ')
    same "$kind: names" "IMG_0001.JPG IMG_0001.JSON IMG_0002.JPG IMG_0002.JSON IMG_0003.JPG IMG_0003.JSON" "$names"
    check "$kind: photos decode after it was mounted again" again "$kind" "$card" "$folder"

    # A second run goes on with the numbers, and the counter came through.
    presses 1 300 >"$work/one.vcd"
    check "$kind: a second run" shutterd --board simulated --data "$card/data" --socket "$work/socket" --input "$work/one.vcd" --exit-at-end
    same "$kind: numbers go on" "IMG_0004.JPG" "$(cd "$folder" 2>/dev/null && ls IMG_0004.JPG 2>&1)"
    same "$kind: the counter" "100SHUTR/0004" "$(cat "$card/data/counter" 2>&1)"
    umount -l "$card"
}

# From the card, not from memory, where there is a card.
again() {
    case $1 in ext4 | vfat | exfat) umount "$2" && mount -o loop -t "$1" "$work/$1.image" "$2" || return ;; esac
    decodes "$3"/*.JPG
}

photos_on ext4 yes yes
photos_on vfat no yes
photos_on exfat no yes
photos_on tmpfs no no
photos_on overlay no no
