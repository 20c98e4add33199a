# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Run by `run` in the Debian 13 tree: the release build for arm64 as users use it. One line for each thing it has looked at.
# Emulation is slow, and so nothing here asks for speed.
. "$CHECKOUT/Tests/VirtualPi/lib.sh"

# The loader binds all symbols, of all versions, before main().
for program in shutterd shutterctl; do
    same "$program --version, with all its symbols" "$("$NATIVE" --version | sed "s/shutterctl/$program/")" "$(LD_BIND_NOW=1 "$PROGRAMS/$program" --version 2>&1)"
done
for plugin in camera video; do
    check "the $plugin plugin, with all its symbols" env LD_BIND_NOW=1 LD_PRELOAD="$INSTALLED/usr/lib/shutterd/libshutter-$plugin.so" "$PROGRAMS/shutterctl" --version
done

# waveform LEVEL [US LEVEL]…: a trace of the shutter's line.
waveform() {
    printf '%s\n' '$timescale 1 us $end' '$var wire 1 ! shutter $end' '$enddefinitions $end' "\$dumpvars $1! \$end"
    shift
    while [ $# -gt 0 ]; do
        printf '#%d %d!\n' "$1" "$2"
        shift 2
    done
}
traces=$work/traces
mkdir "$traces"
waveform 1 0 0 81000 1 81300 0 82100 1 83500 0 84200 1 >"$traces/B01a.vcd"
waveform 1 0 0 1000000 1 1000800 0 1002100 1 1004000 0 1004600 1 >"$traces/B01b.vcd"
waveform 0 0 1 100000 0 5000000 1 6500000 0 >"$traces/B02.vcd"
waveform 1 0 0 30000 1 60000 0 120000 1 157000 0 1500000 1 >"$traces/B04.vcd"
waveform 1 189 0 196 1 422 0 428 1 432 0 438 1 501 0 507 1 548 0 560 1 636 0 643 1 645 0 650 1 653 0 672 1 674 0 696 1 702 0 713 1 717 0 \
    3961 0 4082 1 4084 0 4379 1 4388 0 4420 1 4423 0 4473 1 4477 0 4485 1 4488 0 4528 1 4533 0 4597 1 4600 0 >"$traces/B05.vcd"
printf '%s\n' '{"t_us": 0, "input": "shutter", "edge": "falling", "seq": 1}' '{"t_us": 60000, "input": "shutter", "level": 1}' >"$traces/B07a.jsonl"
printf '%s\n' '{"t_us": 0, "input": "shutter", "edge": "falling", "seq": 1}' '{"t_us": 3000000, "input": "shutter", "level": 1}' >"$traces/B07b.jsonl"
waveform 1 0 0 20000000 1 >"$traces/B09.vcd"
# shellcheck disable=SC2046
waveform 0 $(for ((i = 1; i <= 1000; i++)); do echo "$((i * 10000)) $((i % 2))"; done) >"$traces/B10.vcd"
waveform 0 4000000 1 6000000 0 6150000 1 >"$traces/B13.vcd"
waveform 1 0 0 120000 1 >"$traces/B14.vcd"
# What once was wrong or hard, and what mutations of it made.
for kind in vcd jsonl; do
    for file in "$CHECKOUT/Tests/Fuzz/seeds/$kind"/*; do cp "$file" "$traces/$(basename "$file").$kind"; done
done

# What is printed, on both outputs, and the exit code.
replayed() { "$1" --config "$work/replay.toml" --boards "$CHECKOUT/boards" replay "$2" 2>&1; echo "status $?"; }
# replays SETTINGS FILE…
replays() {
    local settings=$1 file different=()
    shift
    printf 'board = "simulated"\n[button.shutter]\n%s\n' "$settings" >"$work/replay.toml"
    for file in "$@"; do
        [ "$(replayed "$PROGRAMS/shutterctl" "$file")" = "$(replayed "$NATIVE" "$file")" ] || different+=("${file##*/}")
    done
    same "$# traces replay as on amd64, with [${settings//$'\n'/, }]" '' "${different[*]}"
}
replays '' "$traces"/*
replays 'hold = "800ms"' "$traces"/B*
replays $'debounce = "160ms"\nhold = "800ms"' "$traces"/B*
replays $'debounce = "1s"\nhold = "1200ms"' "$traces"/B*
contains 'the field case B05 is one press' '^1$' "$("$PROGRAMS/shutterctl" --config "$work/replay.toml" --boards "$CHECKOUT/boards" replay "$traces/B05.vcd" | grep -c '"kind": *"press"')"

# Each board's profile is without fault, and a faulty file is told with the same words.
for board in "$CHECKOUT"/boards/*.toml; do
    name=$(basename "$board" .toml)
    printf 'board = "%s"\n' "$name" >"$work/board.toml"
    check "config check of board $name" "$PROGRAMS/shutterctl" --config "$work/board.toml" --boards "$CHECKOUT/boards" config check
done
printf '[buton]\n[button.shutter]\ndebunce = "20ms"\nhold = "1ms"\n[ring]\ncount = -1\n' >"$work/faulty.toml"
faults() { "$1" --config "$work/faulty.toml" --boards "$CHECKOUT/boards" config check 2>&1; echo "status $?"; }
same 'a faulty configuration is told as on amd64' "$(faults "$NATIVE")" "$(faults "$PROGRAMS/shutterctl")"
contains 'and is 78' '^status 78$' "$(faults "$PROGRAMS/shutterctl")"

# The daemon with the synthetic camera, asked over its socket.
cat >"$work/shutterd.toml" <<TOML
board = "simulated"
[photo]
size = "640x480"
[video]
size = "640x480"
[simulation]
rate = 10
[ring]
driver = "none"
[storage]
reserve = "1MB"
[hooks.saved]
event = "photo-saved"
run = ["/bin/sh", "-c", "echo \$SHUTTERD_PATH >>$work/hook"]
TOML
serve armed || not_ok "the daemon starts: $(tail -n 3 "$work/log")"
has_camera() { grep -q 'camera ready' "$work/log"; }
wait_for 120 has_camera || not_ok "the camera runs: $(cat "$work/log")"
for number in 1 2 3; do check "photo $number" ctl tap; done
check 'a capture' ctl capture
photos=("$work"/data/media/DCIM/100SHUTR/*.JPG)
same 'all photos are there' 4 "${#photos[@]}"
check 'and whole' decodes "${photos[@]}"
for photo in "${photos[@]}"; do
    # Our own reader of the squares is Swift; this one is not.
    shown=$(djpeg -pnm -grayscale "$photo" | perl "$CHECKOUT/Tests/VirtualPi/instant.pl")
    name=$(basename "$photo")
    same "$name shows the instant in its sidecar" "$(sed -n 's/.*"exposure_centre_ns" *: *\([0-9]*\).*/\1/p' "${photo%JPG}JSON")" "$shown"
    contains "$name has its facts" '^shutterd' "$(exiftool -s3 -Software "$photo")"
    same "$name has a thumbnail" 320x240 "$(exiftool -b -ThumbnailImage "$photo" | djpeg -pnm | sed -n '2s/ /x/p;2q')"
done
wait_for 60 test -s "$work/hook"
contains 'a hook was run' 'IMG_.*JPG$' "$(cat "$work/hook" 2>&1)"
check 'video mode' ctl mode video
check 'a clip begins' ctl record start
enough() { [ "$(frames)" -gt $((begun + 20)) ]; }
begun=$(frames)
wait_for 120 enough || not_ok 'frames come meanwhile'
check 'and ends' ctl record stop
saved() { compgen -G "$work/data/media/DCIM/100SHUTR/MOV_*.JSON"; }
wait_for 120 saved || not_ok "the clip is saved: $(tail -n 3 "$work/log")"
clip=$(compgen -G "$work/data/media/DCIM/100SHUTR/MOV_*.MP4")
facts=$(ffprobe -v warning -select_streams v -count_frames -show_entries stream=codec_name,width,height,nb_read_frames -of default=nw=1 "$clip" 2>&1)
contains 'the clip is H.264 of its size' '^codec_name=h264$' "$facts"
contains 'and has frames' '^nb_read_frames=[1-9]' "$facts"
same 'and nothing is wrong with it' '' "$(grep -v = <<<"$facts")"
kill -TERM "$daemon"
wait "$daemon"
same 'the daemon ends when told to' 0 $?

# kill -9 is a power cut for the program: what was being written is completed at the next start.
serve armed || not_ok "it starts again: $(tail -n 3 "$work/log")"
wait_for 120 has_camera
check 'video mode was kept' grep -q '^mode: *video' <(ctl status)
check 'another clip begins' ctl record start
begun=$(frames)
wait_for 120 enough
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
serve armed
two() { [ "$(compgen -G "$work/data/media/DCIM/100SHUTR/MOV_*.MP4" | wc -l)" -eq 2 ]; }
check 'a clip that was killed is completed' wait_for 120 two
check 'and can be read' ffprobe -v error "$work"/data/media/DCIM/100SHUTR/MOV_0006.MP4
kill -TERM "$daemon"
wait "$daemon"
rm -rf "$work"
