# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# limit: 300
#
# A press on a line becomes a photo of libcamera's: of the instant of the press, by the sensor's own stamps. With the
# kernel's vimc, and with libcamera's virtual camera where there is one.
. "$BED/lib.sh"

# start NAME ID [LINE]…: a daemon on that camera, with more lines for its table.
start() {
    local name=$1 id=$2
    shift 2
    rm -rf "$work/data"
    cat >"$work/shutterd.toml" <<TOML
board = "virtual-pi"
[button.shutter]
line = "GPIO17"
debounce = "2ms"
[gestures.photo]
hold = "none"
[photo]
size = "1920x1080"
[ring]
driver = "none"
[control]
group = ""
[camera]
source = "libcamera"
id = "$id"
buffers = 8
$(printf '%s\n' "$@")
TOML
    pull 17 up
    serve 'camera ready'
    contains "$name: the camera is ready" 'camera ready' "$(cat "$work/log")"
}

# refuses NAME: a camera that can neither zoom nor be brighter says so, and takes photos all the same.
refuses() {
    local status=0
    contains "$1: no zoom, with the reason" '^zoom  *-  *the control zoom does nothing: this camera has no zoom \(ScalerCrop\)' "$(ctl controls)"
    contains "$1: no exposure bias, with the reason" '^ev  *-  *the control ev does nothing: this camera has no ev \(ExposureValue\)' "$(ctl controls)"
    ctl set zoom 2 >/dev/null 2>"$work/refused" || status=$?
    same "$1: setting it is refused" 75 "$status"
}

# end NAME
end() {
    kill "$daemon"
    wait "$daemon"
    same "$1: it stops in good order" 0 $?
}

# photos NAME COUNT: that many presses at any phase, each a photo of its instant.
photos() {
    local name=$1 count=$2 before begun after elapsed status i saved folder=$work/data/media/DCIM/100SHUTR
    before=$(frames) begun=${EPOCHREALTIME/./}
    for ((i = 1; i <= count; i++)); do
        # More than five photos on their way are refused: this is not about that.
        while saved=("$folder"/*.JSON) && [ $((i - ${#saved[@]})) -gt 4 ]; do nap 0.05; done
        pull 17 down
        nap "0.0$((RANDOM % 6 + 3))"
        pull 17 up
        nap "0.$((RANDOM % 10 + 10))"
    done
    after=$(frames) elapsed=$((${EPOCHREALTIME/./} - begun))
    wait_for 30 bash -c "[ \$(ls $folder | grep -c JSON) -ge $count ]"
    status=$(ctl status)
    same "$name: every press is a photo" "$count" "$(ls "$folder" | grep -c JPG)"
    contains "$name: no buffer is lent" 'camera.lent: +0' "$status"
    check "$name: the photos decode" decodes "$folder"/*.JPG
    contains "$name: the photo is of the size that was validated" '1920' "$(djpeg -verbose -fast "$folder/IMG_0001.JPG" 2>&1 >/dev/null | grep -oE '[0-9]+ *[x,] *[0-9]+|image width.*' | head -n 1)$(jpeginfo "$folder/IMG_0001.JPG")"
    # The measured interval: between the sensor's stamps of the two frames that the press lies between.
    perl -e '
        my ($photos, $worst, $late) = (0, 0, 0);
        for my $file (@ARGV) {
            open my $in, "<", $file or die; local $/; my $text = <$in>;
            my ($lag) = $text =~ /"lag_us" : (-?\d+)/;
            my ($interval) = $text =~ /"interval_us" : (\d+)/;
            next unless defined $interval;
            $photos++;
            $worst = abs $lag if abs $lag > $worst;
            $late++ if 2 * abs $lag > $interval + 2;
        }
        print "$photos $late $worst\n"' "$folder"/*.JSON >"$work/lags"
    read -r known late worst <"$work/lags"
    same "$name: no lag is beyond half the measured interval" 0 "$late"
    [ "$known" -ge $((count * 9 / 10)) ] && ok "$name: the interval is known" || not_ok "$name: the interval is known of $known photos"
    echo "$name: worst lag $worst us, a frame each $((elapsed / (after - before))) us, $known of $count photos with an interval; $(grep -o 'camera.dropped.*\|camera.copied.*' <<<"$status" | tr -s ' ' | paste -sd' ')"
}

# like_cam NAME PHOTO FRAME: the photo shows what cam(1) got of the same camera, in the same colours; three bytes a pixel, R first.
like_cam() {
    local mean
    [ -s "$3" ] || { skip "$1: the photo shows what cam shows: cam writes none of this camera"; return; }
    djpeg -ppm "$2" | tail -c "$(stat -c %s "$3")" >"$work/photo.rgb"
    mean=$(perl -e '
        open my $a, "<:raw", $ARGV[0] or die; open my $b, "<:raw", $ARGV[1] or die; local $/;
        my @a = unpack "C*", <$a>; my @b = unpack "C*", <$b>;
        my ($sum, $count) = (0, 0);
        for (my $i = 0; $i < @b; $i += 7) { $sum += abs $a[$i] - $b[$i]; $count++ }
        printf "%.2f", $sum / $count' "$work/photo.rgb" "$3")
    # JPEG itself, at quality 93, and the line of text with the time.
    perl -e 'exit !($ARGV[0] < 4)' "$mean" && ok "$1: the photo shows what cam shows" || not_ok "$1: the photo differs from what cam shows by $mean of 255 on average"
    echo "$1: photo and cam differ by $mean of 255 on average"
}

virtual_camera
vimc=$(camera-plugin-probe "$PROGRAMS/libshutter-camera.so" list | grep -m 1 vimc)
virtual=$(camera-plugin-probe "$PROGRAMS/libshutter-camera.so" list | grep -m 1 -i virtual)

# Two frames: cam queues no more requests than that, and vimc waits for two.
cam -c "$vimc" -s role=still,width=1920,height=1080,pixelformat=BGR888 -C2 -F"$work/cam.#" >/dev/null 2>&1
start vimc "$vimc"
photos vimc "${CAMERA_PRESSES:-30}"
refuses vimc
end vimc
like_cam vimc "$work/data/media/DCIM/100SHUTR/IMG_0001.JPG" "$(echo "$work"/cam.*-000000)"
if [ -n "$virtual" ]; then
    start virtual "$virtual"
    photos virtual "${CAMERA_PRESSES:-200}"
    refuses virtual
    end virtual
else
    skip "the virtual camera: this libcamera has none"
fi
