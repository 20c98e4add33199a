# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by `run`: the power is cut at random instants while photos are taken or clips recorded, and what had been reported as
# saved up to then, or recorded a second before, is looked for afterwards. Killing the virtual Pi loses what its kernel had not
# given to the card.

# power_cuts KIND COUNT photos|clips
power_cuts() {
    local kind=$1 left=$2 what=$3 done=0 batch
    # The kernel has 16 disks.
    while [ "$left" -gt 0 ]; do
        batch=$((left < 10 ? left : 10))
        cut_and_check "$kind" "$batch" "$done" "$what"
        left=$((left - batch)) done=$((done + batch))
    done
}

# cut_and_check KIND COUNT FIRST WHAT: cuts one card after another, then checks all of them in one boot.
cut_and_check() {
    local kind=$1 folder=$work/cuts i disks=()
    rm -rf "$folder"
    mkdir "$folder"
    for ((i = 1; i <= $2; i++)); do
        cut_one "$kind" "$folder/$i" "$4" || { echo "not ok power cut $(($3 + i)) on $kind: no $4: $(tail -n 3 "$folder/$i.log" | tr '\n' ' ')"; return; }
        disks+=(-d "$folder/$i.image")
    done
    in_pi -q -l $((60 + 30 * $2)) "${disks[@]}" -r "/cuts=$folder" -- bash "/bed/power-cuts/check.sh" "$kind" "$2" "$3" "$4" ||
        echo "not ok power cuts $(($3 + 1)) to $(($3 + $2)) on $kind: the check ended with status $?"
}

# cut_one KIND PATH WHAT: PATH.image is the card, PATH.events what was reported before the power went.
cut_one() {
    local image=$2.image pi delay end=$((SECONDS + 90))
    truncate -s 512M "$image"
    case $1 in
        ext4) mkfs.ext4 -q -F "$image" ;;
        vfat) mkfs.vfat "$image" >/dev/null ;;
    esac
    : >"$2.events"
    # Each line is with us as soon as it was printed in there.
    VIRTUAL_PI_PID_FILE=$2.pid in_pi -q -l 150 -d "$image" -- \
        bash "/bed/power-cuts/shoot.sh" "$1" "$3" >"$2.events" 2>"$2.log" &
    pi=$!
    local begun='"saved"'
    [ "$3" != clips ] || begun='"cue":"(recording|holding)"'
    until grep -qE "$begun" "$2.events"; do
        [ "$SECONDS" -lt "$end" ] && kill -0 "$pi" 2>/dev/null || return 1
        sleep 0.02
    done
    delay=$(printf '%d.%03d' $((RANDOM % 3)) $((RANDOM % 1000)))
    sleep "$delay"
    kill -KILL "$(cat "$2.pid")"
    wait "$pi" 2>/dev/null
    echo "$delay" >"$2.delay"
}
