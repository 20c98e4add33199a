# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Inside, after the cuts: what was reported is there, nothing half-written has a final name, and the camera goes on.
. "$BED/lib.sh"
kind=$1 count=$2 first=$3 what=$4
letters=(a b c d e f g h i j k l m n o p)
presses 1 300 >"$work/one.vcd"

# mount_card DEVICE: as a boot does. What a cut leaves of FAT's tables makes the kernel read-only at the first look, unless they are
# mended before; ext4 does that itself.
mount_card() {
    [ "$kind" != vfat ] || fsck.vfat -a "$1" >/dev/null 2>&1
    mount -t "$kind" "$1" /card
}

# check_card NUMBER DEVICE
check_card() {
    local reported folder=/card/data/media/DCIM/100SHUTR path last newest
    # A line that was cut short was no report.
    reported=$(grep '"saved".*}$' "/cuts/$1.events" | grep -oE '"path":"[^"]*"' | cut -d'"' -f4)
    mount_card "$2" || return
    for path in $reported; do
        [ -s "$path" ] && [ -s "${path%.JPG}.JSON" ] || { echo "reported, but lost: $path"; return 1; }
    done
    decodes "$folder"/*.JPG && is_json "$folder"/*.JSON || return
    last=$(ls "$folder" | grep '^IMG_' | tail -n 1 | cut -c5-8)

    shutterd --board simulated --data /card/data --socket "$work/socket" --input "$work/one.vcd" --exit-at-end >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
    newest=$(ls "$folder" | grep '^IMG_.*JPG$' | tail -n 1)
    [ "${newest:4:4}" -gt "$last" ] || { echo "after the cut $newest follows IMG_$last: $(tr "\n" " " <"$work/log")"; return 1; }
    [ -z "$(find "$folder" -name '.*' -type f)" ] || { echo "left over: $(find "$folder" -name '.*' -type f | tr '\n' ' ')"; return 1; }
    decodes "$folder/$newest" && umount /card || return
    # FAT has no journal: clusters that nobody owns are to be expected after a cut, so only ext4 has to be clean.
    [ "$kind" != ext4 ] || e2fsck -fn "$2" 2>&1 || return
    echo "$(wc -w <<<"$reported") photos were reported, all are there"
}

# check_clips NUMBER DEVICE
check_clips() {
    local folder=/card/data/media/DCIM/100SHUTR up clip words
    up=$(grep -a '^up [0-9.]*$' "/cuts/$1.events" | tail -n 1 | cut -d' ' -f2)
    mount_card "$2" || return
    # A file that is not completed yet is not damaged either: the next start does it.
    shutterd --board simulated --data /card/data --socket "$work/socket" --input "$work/none.vcd" --exit-at-end >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
    [ -z "$(find "$folder" -name '.*' -type f)" ] || { echo "left over: $(find "$folder" -name '.*' -type f | tr '\n' ' ')"; return 1; }
    clip=$(find "$folder" -name 'MOV_*.MP4' | sort | tail -n 1)
    # Before the first fragment there is nothing to be lost but what is younger than a second.
    if [ -z "$clip" ]; then
        perl -e 'exit($ARGV[0] >= 1)' "$(cat "/cuts/$1.delay")" && { umount /card; echo "the clip was younger than a second"; return; }
        echo "no clip: $(ls -lA "$folder" /card/data/media/leftovers 2>&1 | tr '\n' ' ')"
        return 1
    fi
    words=$(ffmpeg -v error -i "$clip" -fps_mode passthrough -vf format=gray,crop=320:5:0:0 -f rawvideo -pix_fmt gray -y "$work/codes" 2>&1) && [ -z "$words" ] || { echo "$clip: $words"; return 1; }
    is_json "${clip%.MP4}.JSON" && umount /card || return
    [ "$kind" != ext4 ] || e2fsck -fn "$2" 2>&1 || return
    # The squares of every frame: 64 bits, ns.
    perl -e '
        my ($up, $file) = @ARGV;
        open F, "<:raw", $file or die; local $/; my $bytes = <F>;
        my ($count, $last) = (length($bytes) / 1600, 0);
        for my $frame (0 .. $count - 1) {
            my $code = 0;
            $code = $code * 2 + (ord(substr $bytes, $frame * 1600 + 640 + $_ * 5 + 2, 1) > 128) for 0 .. 63;
            die "frame $frame shows $code after $last\n" if $code <= $last;
            $last = $code;
        }
        # The last time that was printed is up to 0.1 s old.
        my $lost = $up - $last / 1e9;
        printf "%d frames, %.2f s before the cut are missing\n", $count, $lost;
        exit($lost > 1.1)' "$up" "$work/codes"
}

# is_json FILE…
is_json() {
    perl -MJSON::PP -e 'for (@ARGV) { local ($/, @ARGV) = (undef, $_); eval { decode_json(<>) } or die "@ARGV: $@" }' "$@"
}

mkdir /card
# Nothing is pressed.
printf '%s\n' '$timescale 1 ms $end' '$var wire 1 ! shutter $end' '$enddefinitions $end' '$dumpvars 1! $end' '#10' >"$work/none.vcd"
case $what in
    photos) look=check_card since="the first photo" ;;
    clips) look=check_clips since="the recording began" ;;
esac
for ((i = 1; i <= count; i++)); do
    name="power cut $((first + i)) on $kind, $(cat "/cuts/$i.delay") s after $since"
    if said=$($look $i "/dev/ubd${letters[i - 1]}" 2>&1); then
        ok "$name: $(tail -n 1 <<<"$said")"
    else
        not_ok "$name: $(tail -n 5 <<<"$said" | tr '\n' ' ')"
        umount -l /card 2>/dev/null
    fi
done
