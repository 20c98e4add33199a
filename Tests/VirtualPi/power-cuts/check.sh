# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Inside, after the cuts: what was reported is there, nothing half-written has a final name, and the camera goes on.
. "$BED/lib.sh"
kind=$1 count=$2 first=$3
letters=(a b c d e f g h i j k l m n o p)
presses 1 300 >"$work/one.vcd"

# check_card NUMBER DEVICE
check_card() {
    local reported folder=/card/data/media/DCIM/100SHUTR path last newest
    # A line that was cut short was no report.
    reported=$(grep '"saved".*}$' "/cuts/$1.events" | grep -oE '"path":"[^"]*"' | cut -d'"' -f4)
    mount -t "$kind" "$2" /card || return
    for path in $reported; do
        [ -s "$path" ] && [ -s "${path%.JPG}.JSON" ] || { echo "reported, but lost: $path"; return 1; }
    done
    decodes "$folder"/*.JPG && is_json "$folder"/*.JSON || return
    last=$(ls "$folder" | grep '^IMG_' | tail -n 1 | cut -c5-8)

    shutterd --board simulated --data /card/data --socket "$work/socket" --input "$work/one.vcd" --exit-at-end >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
    newest=$(ls "$folder" | grep '^IMG_.*JPG$' | tail -n 1)
    [ "${newest:4:4}" -gt "$last" ] || { echo "after the cut $newest follows IMG_$last"; return 1; }
    [ -z "$(find "$folder" -name '.*' -type f)" ] || { echo "left over: $(find "$folder" -name '.*' -type f | tr '\n' ' ')"; return 1; }
    decodes "$folder/$newest" && umount /card || return
    # FAT has no journal: clusters that nobody owns are to be expected after a cut, so only ext4 has to be clean.
    [ "$kind" != ext4 ] || e2fsck -fn "$2" 2>&1 || return
    echo "$(wc -w <<<"$reported") photos were reported, all are there"
}

# is_json FILE…
is_json() {
    perl -MJSON::PP -e 'for (@ARGV) { local ($/, @ARGV) = (undef, $_); eval { decode_json(<>) } or die "@ARGV: $@" }' "$@"
}

mkdir /card
for ((i = 1; i <= count; i++)); do
    name="power cut $((first + i)) on $kind, $(cat "/cuts/$i.delay") s after the first photo"
    if said=$(check_card $i "/dev/ubd${letters[i - 1]}" 2>&1); then
        ok "$name: $(tail -n 1 <<<"$said")"
    else
        not_ok "$name: $(tail -n 5 <<<"$said" | tr '\n' ' ')"
        umount -l /card 2>/dev/null
    fi
done
