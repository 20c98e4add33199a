# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Field case S04: the state's folder cannot be written to, as with a read-only root; then it is there for a session only.
. "${0%/*}/bed.sh"

pull 17 up
start_what_is_enabled
wait_for 90 armed || not_ok "it is not armed: $(why)"
contains "an overlay, or what is as short-lived, is told" 'no' "$(said storage.persistent)"
truncate -s 300M "$work/image"
mkfs.ext4 -q -F "$work/image"
mount -o loop "$work/image" /mnt
chown shutterd:shutter /mnt
chmod 750 /mnt
umount /mnt
mount -o loop,ro "$work/image" /var/lib/shutterd
systemctl restart shutterd
answers() { [ -n "$(said storage.state)" ]; }
wait_for 90 answers && ok "on a read-only file system it runs" || not_ok "it does not run: $(why)"
contains "and says so" '[Rr]ead-only' "$(said storage.message)"
press
refused() { [ "$(said presses.refused)" = 1 ]; }
wait_for 30 refused && ok "a press is refused" || not_ok "a press is not refused: $(why)"
contains "a photo is refused with the reason" '[Rr]ead-only' "$(shutterctl capture 2>&1)"
contains "doctor says so" 'fault +storage: .*[Rr]ead-only' "$(shutterctl doctor | tr -s '\n ' ' ')"
same "the mode can be set" video "$(shutterctl mode video)"
same "for this session" no "$(said mode_stored)"
umount -l /var/lib/shutterd
systemctl restart shutterd
wait_for 60 armed && ok "writable again, it is armed" || not_ok "it is not armed: $(why)"
