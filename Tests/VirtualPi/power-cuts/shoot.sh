# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Inside: takes photos onto the card until the power goes, or records a clip, and prints what `watch` says. With a clip, also the
# time, again and again: so it is known afterwards when the power went.
. "$BED/lib.sh"
mkdir /card
mount -t "$1" /dev/ubda /card || exit
presses 400 100 >"$work/presses.vcd"
if [ "$2" = clips ]; then
    # One long hold.
    presses 1 60000 -59000 >"$work/presses.vcd"
    mkfifo "$work/never"
    # CLOCK_MONOTONIC is the machine's up-time, for as long as it does not sleep.
    while read -r up _ </proc/uptime; do
        echo "up $up"
        read -rt 0.05 <>"$work/never"
    done &
fi
cat >"$work/shutterd.toml" <<TOML
board = "simulated"
[video]
size = "320x180"
bitrate = "500kbit/s"
[photo]
size = "640x360"
TOML
shutterd --config "$work/shutterd.toml" --boards "$CHECKOUT/boards" --data /card/data --socket "$work/socket" --input "$work/presses.vcd" >&2 &
wait_for 20 test -S "$work/socket"
shutterctl --socket "$work/socket" watch --json
