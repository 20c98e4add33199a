# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 1800
# The camera plugin with the kernel's vimc, and with libcamera's virtual camera where there is one.
# No frames of vimc's largest size, 4096x2160: now and then the virtual Pi's kernel stands still with those.
. "$BED/lib.sh"

plugin=$PROGRAMS/libshutter-camera.so
rounds=${ROUNDS:-1}

# probe NAME COMMAND [OPTION]…: its lines, each with NAME before it.
probe() {
    local name=$1 status=0
    shift
    camera-plugin-probe "$plugin" "$@" >"$work/probe" 2>"$work/words" || status=$?
    sed -E "s/^(ok|not ok) /\1 $name: /" "$work/probe"
    grep -E 'Sanitizer|runtime error|LeakSan' -A 12 "$work/words" && not_ok "$name: a sanitizer has something to say"
    [ $status -le 1 ] || not_ok "$name: ended with status $status: $(tail -n 3 "$work/words" | tr '\n' ' ')"
}

# like_cam NAME CAMERA FORMAT WIDTH HEIGHT: the first frame is what cam(1) gets from the same camera, but for vimc's line of
# text with the time. (Two frames: cam queues no more requests than that, and vimc waits for two.)
like_cam() {
    local size differing
    rm -f "$work"/cam.* "$work/frame"
    cam -c "$2" -s "role=still,width=$4,height=$5,pixelformat=$3" -C2 -F"$work/cam.#" >"$work/words" 2>&1
    probe "$1" capture -c "$2" -s "$4x$5" -n 2 -o "$work/frame"
    [ -s "$(echo "$work"/cam.*-000000)" ] || {
        skip "$1: the same frame as cam's: cam writes none of this camera"
        return
    }
    size=$(stat -c %s "$work/frame")
    differing=$(cmp -l "$work/frame" "$work"/cam.*-000000 | wc -l)
    check "$1: the frame has the size of cam's" test "$size" -eq "$(stat -c %s "$work"/cam.*-000000)"
    check "$1: the frame is the same as cam's ($differing of $size bytes differ)" test "$differing" -lt $((size / 50))
}

virtual_camera
camera-plugin-probe "$plugin" list >"$work/list"
# After two lines: the versions, and that the listing worked.
mapfile -t -s 2 ids <"$work/list"
printf 'camera: %s\n' "${ids[@]}"
[ ${#ids[@]} -gt 0 ] || not_ok "the plugin finds no camera"
same "the plugin lists what cam lists" "$(cam -l 2>/dev/null | sed -n 's/^[0-9]*:.*(\(.*\))$/\1/p' | sort)" "$(printf '%s\n' "${ids[@]}" | sort)"

for id in "${ids[@]}"; do
    case $id in
        *vimc*) name=vimc format=BGR888 ;;
        *) name=virtual format=NV12 ;;
    esac
    probe "$name" describe -c "$id"
    probe "$name" capture -c "$id" -s 1920x1080 -n 60 -r 30
    probe "$name, mounted upside down" capture -c "$id" -s 1920x1080 -n 3 -t 3
    probe "$name, with a raw stream" capture -c "$id" -s 1920x1080 -n 5 -w
    probe "$name" controls -c "$id" -s 1920x1080
    probe "$name" misuse -c "$id" -s 1920x1080
    like_cam "$name" "$id" $format 1920 1080
    probe "$name" opens -c "$id" -s 640x480 -n 20
    probe "$name" memory -c "$id"
    probe "$name" reconfigure -c "$id" -n $((200 * rounds))
    probe "$name" cycles -c "$id" -s 640x480 -n $((1000 * rounds))
done

# Another program has it.
id=${ids[0]}
camera-plugin-probe "$plugin" capture -c "$id" -s 640x480 -n 100000 >/dev/null 2>&1 &
holder=$!
wait_for 20 bash -c "camera-plugin-probe '$plugin' busy -c '$id' | grep -q '^ok'"
probe "held by another" busy -c "$id"
contains "who has it is told" "process [0-9]+ \\(camera-plugin-p\\) has" "$(cat "$work/probe")"
kill $holder
wait $holder 2>/dev/null
probe "let go of again" capture -c "$id" -s 640x480 -n 3

# Memory from a dma heap, as on a Pi. vmalloc'ed, so that every driver here can write to it.
if [ -e /dev/dma_heap/system ]; then
    ln -s system /dev/dma_heap/vidbuf_cached
    for id in "${ids[@]}"; do
        case $id in *vimc*) name=vimc format=BGR888 ;; *) name=virtual format=NV12 ;; esac
        like_cam "$name, heap" "$id" $format 1920 1080
        probe "$name, heap" memory -c "$id"
        probe "$name, heap" reconfigure -c "$id" -n $((50 * rounds))
        probe "$name, heap" cycles -c "$id" -s 640x480 -n $((100 * rounds))
    done
    rm /dev/dma_heap/vidbuf_cached
else
    skip "memory from a dma heap: this kernel has none"
fi

# A camera that comes later is found by a later open. (That a running one goes away, vimc does not tell libcamera.)
if [ ${#ids[@]} -eq 1 ]; then
    echo vimc.0 >/sys/bus/platform/drivers/vimc/unbind
    udevadm settle
    probe "taken away" none
    echo vimc.0 >/sys/bus/platform/drivers/vimc/bind
    udevadm settle
    probe "back again" capture -s 640x480 -n 3
else
    skip "a camera that comes later: the virtual one is always there"
fi

# Permissions: no camera, but it is known why.
chmod 0 /dev/media* /dev/video* /dev/v4l-subdev*
if [ ${#ids[@]} -eq 1 ] && command -v setpriv >/dev/null; then
    setpriv --reuid 65534 --clear-groups env PATH="$PATH" camera-plugin-probe "$plugin" none 13 >"$work/probe" 2>&1
    contains "devices that may not be opened are told" '^ok no camera is told' "$(cat "$work/probe")"
    contains "with their names" '^-13 .*/dev/media0' "$(cat "$work/probe")"
else
    skip "devices that may not be opened: the virtual camera needs none"
fi
