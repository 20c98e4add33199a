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
    # Nothing; it is pressed when there is an encoder.
    presses 0 0 60000 >"$work/presses.vcd"
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
wait_for 60 test -S "$work/socket"
if [ "$2" = clips ]; then
    has_encoder() { shutterctl --socket "$work/socket" status | grep -q '^encoder: *libx264'; }
    wait_for 60 has_encoder
    { nap 0.5; shutterctl --socket "$work/socket" press; } >&2 &
fi
shutterctl --socket "$work/socket" watch --json
