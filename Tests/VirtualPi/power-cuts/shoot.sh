# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Inside: takes photos onto the card until the power goes, and prints what `watch` says.
. "$BED/lib.sh"
mkdir /card
mount -t "$1" /dev/ubda /card || exit
presses 400 100 >"$work/presses.vcd"
shutterd --board simulated --data /card/data --socket "$work/socket" --input "$work/presses.vcd" >&2 &
wait_for 20 test -S "$work/socket"
shutterctl --socket "$work/socket" watch --json
