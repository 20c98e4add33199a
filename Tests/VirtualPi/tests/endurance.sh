# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 240
# Random use of a real line that bounces, on a card; $ENDURANCE seconds of it, else 40.
. "$BED/lib.sh"

pull 17 up
mkdir "$work/data"
make_file_system ext4 "$work/data" 2048
small_camera '[ring]' 'driver = "gpio"' 'lines = ["GPIO5"]'
# Its one core is shared with whatever else this machine does: a loop that sees a press a tenth of a second late needs more of the past than six have left.
sed -i 's/^source = .*/&\nbuffers = 16/' "$work/shutterd.toml"
serve armed || not_ok "it does not start: $(tail -n 3 "$work/log" | tr '\n' ' ')"
perl "$CHECKOUT/Tests/Endurance/use.pl" "$work/data/control.sock" "$work/data/media" "${ENDURANCE:-40}" "$RANDOM" "$(line 17)/pull" || tail -n 20 "$work/log"
kill -TERM "$daemon"
status=0
wait "$daemon" || status=$?
same "it ends well" 0 $status
check "the photos are whole" decodes "$work"/data/media/DCIM/*/IMG_*.JPG
for clip in "$work"/data/media/DCIM/*/MOV_*.MP4; do ffmpeg -v error -xerror -i "$clip" -f null - 2>&1 || echo "$clip"; done >"$work/clips"
same "the clips are whole" "" "$(cat "$work/clips")"
