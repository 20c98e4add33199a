# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 300
# Valgrind has nothing to say of the camera plugin with the kernel's vimc: no byte lost, none read or written out of turn.
. "$BED/lib.sh"

command -v valgrind >/dev/null || {
    skip "valgrind: it is not in this tree"
    exit
}

# Without what the compiler says for debuggers, which not every valgrind can read.
for file in camera-plugin-probe libshutter-camera.so; do
    cp "$PROGRAMS/$file" "$work/$file"
    strip --strip-debug "$work/$file"
done
# libnuma, which libcamera's libraries bring along, asks the kernel with a mask that valgrind takes for too short.
cat >"$work/known" <<'TEXT'
{
   libnuma's start
   Memcheck:Param
   get_mempolicy(nodemask)
   ...
   obj:*/libnuma.so*
}
{
   the loader reads names by eight bytes at a time
   Memcheck:Addr8
   ...
   obj:*/ld-linux*
}
TEXT
for command in "capture -s 640x480 -n 10" "cycles -s 640x480 -n 40" "reconfigure -n 20" "opens -s 640x480 -n 3" "memory"; do
    # shellcheck disable=SC2086
    valgrind --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=9 --suppressions="$work/known" \
        "$work/camera-plugin-probe" "$work/libshutter-camera.so" $command >"$work/out" 2>"$work/words"
    status=$?
    # What the probe itself measures of its memory means nothing under valgrind.
    if [ $status -ne 9 ] && grep -q '^ok' "$work/out" && grep -q 'ERROR SUMMARY: 0 errors' "$work/words"; then
        ok "valgrind: $command"
    else
        not_ok "valgrind: $command: $(grep -E 'lost in|Invalid|uninit|ERROR SUMMARY|Valgrind:' "$work/words" | head -n 3 | tr '\n' ' ')"
    fi
done
