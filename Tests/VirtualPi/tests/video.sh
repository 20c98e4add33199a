# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# limit: 300
#
# Presses on a line become clips of libcamera's frames: from the instant of the press on, by the kernel's and the sensor's
# own stamps. With the kernel's vimc, scaled down: there is one slow processor.
. "$BED/lib.sh"

folder=$work/data/media/DCIM/100SHUTR

cat >"$work/shutterd.toml" <<'TOML'
board = "virtual-pi"
[button.shutter]
line = "GPIO17"
[photo]
size = "640x480"
[video]
size = "320x240"
bitrate = "500kbit/s"
[ring]
driver = "none"
[control]
group = ""
[camera]
source = "libcamera"
buffers = 8
TOML
pull 17 up
serve armed
contains "the camera is ready" 'armed' "$(cat "$work/log")"
nap 1

# field NAME FILE: a number or word of a sidecar.
field() { sed -nE "s/^ *\"$1\" : \"?([^\",]*)\"?,?\$/\1/p" "$2"; }

# clip NAME NUMBER ENDED: the clip of that number is sound, begins with its press, and tells what is missing.
clip() {
    local name=$1 file=$folder/MOV_$2 words lag interval missing dropped
    wait_for 30 test -s "$file.JSON" || { not_ok "$name: no clip: $(tail -n 5 "$work/log" | tr '\n' ' ')"; return; }
    # What it writes, not what it reads, has round timestamps.
    words=$(ffmpeg -v error -i "$file.MP4" -fps_mode passthrough -f rawvideo -y /dev/null 2>&1 | grep -v 'dts to muxer in stream')
    same "$name: it plays to its end" "" "$words"
    same "$name: it was ended by the $3" "$3" "$(field ended "$file.JSON")"
    ffprobe -v error -show_entries packet=pts,flags -of csv=p=0 "$file.MP4" >"$work/packets"
    same "$name: all its frames are there" "$(field frames "$file.JSON")" "$(wc -l <"$work/packets")"
    # vimc's rate is what the machine gives.
    interval=$(perl -e 'printf "%d", 1e6 / $ARGV[0]' "$(field rate "$file.JSON")")
    lag=$(field lag_us "$file.JSON")
    check "$name: it begins with the press ($lag us of $interval)" test "${lag#-}" -le $((interval * 3 / 4))
    dropped=$(($(field dropped_queue "$file.JSON") + $(field dropped_sensor "$file.JSON")))
    echo "$name: $(field frames "$file.JSON") frames, $dropped dropped, $(field rate "$file.JSON") a second, $(field encoder "$file.JSON")"
    check "$name: timestamps rise from 0" perl -e '
        my $last = -1;
        while (<>) { my ($pts) = /^(\d+)/ or die; die "begins at $pts" if $last < 0 && $pts != 0; die "$pts after $last" if $pts <= $last; $last = $pts }
        die "few" if $. < 10' "$work/packets"
    check "$name: they span what the sensor stamps span" perl -e '
        my ($first, $end, $file) = @ARGV; open F, $file or die; my $last; while (<F>) { ($last) = /^(\d+)/ }
        my $off = abs($last / 90000 - ($end - $first) / 1e9); die "off by $off s" if $off > 1e-4' "$(field first_ns "$file.JSON")" "$(field last_ns "$file.JSON")" "$work/packets"
}

# In photo mode, a hold.
pull 17 down
nap 2.5
pull 17 up
clip "a hold in photo mode" 0001 release

# In video mode, two presses.
ctl mode video >/dev/null
for turn in 1 2; do
    pull 17 down
    nap 0.1
    pull 17 up
    [ $turn = 2 ] || nap 2
done
clip "two presses in video mode" 0002 press

# A tap in photo mode is a photo; the clip is not begun.
ctl mode photo >/dev/null
pull 17 down
nap 0.1
pull 17 up
wait_for 30 test -s "$folder/IMG_0003.JSON"
check "a tap is a photo" test -s "$folder/IMG_0003.JPG"
same "and nothing else" "IMG_0003.JPG IMG_0003.JSON MOV_0001.JSON MOV_0001.MP4 MOV_0002.JSON MOV_0002.MP4" "$(ls -A "$folder" | tr '\n' ' ' | sed 's/ $//')"

# SIGTERM in the middle of a hold.
pull 17 down
nap 2
kill "$daemon"
wait "$daemon"
same "it stops in good order" 0 $?
clip "a hold that SIGTERM ends" 0004 stopping
