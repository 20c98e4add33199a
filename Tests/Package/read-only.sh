# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The folder of photos and state cannot be written to, as with a read-only root; then it is there for a session only, as on an overlay.
. "${0%/*}/bed.sh"

pull 17 up
# What was set there before is kept aside.
cp -a /var/lib/shutterd "$work/kept"
over_it() {
    umount -l /var/lib/shutterd 2>/dev/null
    mount -t tmpfs -o "$1,mode=750,uid=$(id -u shutterd),gid=$(getent group shutter | cut -d: -f3)" tmpfs /var/lib/shutterd
    systemctl restart shutterd
}
start_what_is_enabled
wait_for 90 armed || not_ok "it is not armed: $(why)"

over_it ro
answers() { [ -n "$(said storage.state)" ] && [ "$(said camera.state)" = configured ]; }
wait_for 90 answers && ok "on a read-only file system it runs" || not_ok "it does not run: $(why)"
contains "and says so" '[Rr]ead-only' "$(said storage.message)"
contains "a photo is refused with the reason" '[Rr]ead-only' "$(shutterctl capture 2>&1)"
refused() { [ "$(said presses.refused)" -ge 2 ]; }
press
wait_for 30 refused && ok "and so is a press" || not_ok "a press is not refused: $(why)"
contains "doctor says so" '[Rr]ead-only' "$(shutterctl doctor | tr -s '\n ' ' ')"
same "the mode can be set" video "$(shutterctl mode video)"
same "for this session" no "$(said mode_stored)"

over_it rw
wait_for 90 armed && ok "in memory it is armed" || not_ok "it is not armed: $(why)"
same "and says that photos are gone after a restart" no "$(said storage.persistent)"
contains "also when it starts" 'photos are gone after a restart' "$(journalctl -u shutterd -n 20 -o cat --no-pager)"
is_photo "a press is a photo" 1

umount -l /var/lib/shutterd
systemctl restart shutterd
wait_for 90 armed && ok "with the card again, it is armed" || not_ok "it is not armed: $(why)"
same "nothing on it has changed" "" "$(diff -rq "$work/kept/media" /var/lib/shutterd/media)"
