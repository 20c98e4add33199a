# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# limit: 300
#
# A press on a line becomes a photo of libcamera's: of the instant of the press, by the sensor's own stamps.
. "$BED/lib.sh"

cat >"$work/shutterd.toml" <<'TOML'
board = "virtual-pi"
[button.shutter]
line = "GPIO17"
debounce = "5ms"
[gestures.photo]
hold = "none"
[camera]
source = "libcamera"
buffers = 8
[photo]
size = "1920x1080"
[ring]
driver = "none"
[control]
group = ""
TOML
pull 17 up
shutterd --config "$work/shutterd.toml" --boards "$CHECKOUT/boards" --data "$work/data" 2>"$work/log" &
daemon=$!
ctl() { shutterctl --socket "$work/data/control.sock" "$@"; }
wait_for 60 grep -q 'camera ready' "$work/log"
contains "the camera is ready" 'camera ready' "$(cat "$work/log")"
sleep 1

frames() { ctl status | sed -n 's/^camera.frames: *//p'; }
before=$(frames) begun=${EPOCHREALTIME/./}
presses=${CAMERA_PRESSES:-20}
for _ in $(seq "$presses"); do
    pull 17 down
    sleep "0.$((RANDOM % 5 + 2))"
    pull 17 up
    sleep "0.$((RANDOM % 9 + 3))$((RANDOM % 10))"
done
after=$(frames) elapsed=$((${EPOCHREALTIME/./} - begun))
sleep 2
status=$(ctl status)
same "every press is a photo" "$presses" "$(ls "$work/data/media/DCIM/100SHUTR" | grep -c JPG)"
contains "no buffer is lent" 'camera.lent: +0' "$status"
kill "$daemon"
wait "$daemon"
same "it stops in good order" 0 $?

first=$work/data/media/DCIM/100SHUTR/IMG_0001.JPG
contains "the photo is of the size that was validated" '1920.*1080|[0-9]+ *[x,] *[0-9]+' "$(djpeg -verbose -fast "$first" 2>&1 >/dev/null | head -n 5)"
check "the photo decodes" jpeginfo -c "$first"
# vimc's frames come as the host has time for them, so the bound is the interval that was measured, and not half of it.
worst=$(perl -ne 'if (/"lag_us" : (-?\d+)/) { my $l = abs $1; $w = $l if $l > $w } END { print $w + 0 }' "$work"/data/media/DCIM/100SHUTR/*.JSON)
interval=$((elapsed / (after - before)))
[ "$worst" -le "$interval" ] && ok "every lag is within the measured interval" || not_ok "lag: $worst us, with a frame each $interval us"
echo "worst lag $worst us, a frame each $interval us; $(tr '\n' '|' <"$work/log" | cut -c1-600)"
