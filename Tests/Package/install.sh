# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The first boot of a card: the packages come, as on a Pi 4 with a camera (vimc, through the plugin of the package).
. "${0%/*}/bed.sh"

pull 17 up
output=$(install_from /packages/old 2>&1)
same "apt installs the packages" "$(version_in /packages/old) install ok installed" "$(version)"
contains "and names the next step" 'next: sudo shutterctl doctor' "$output"
contains "the configuration has the board" '^board = "raspberry-pi-4"$' "$(cat /etc/shutterd/shutterd.toml)"
check "and no faults" shutterctl config check
wait_for 60 armed && ok "it is armed at once" || not_ok "it is not armed: $(why)"
same "as its own user" shutterd "$(ps -o user= -p "$(of MainPID)")"
contains "with the plugin of the package" 'ok +plugin: /usr/lib/shutterd/libshutter-camera.so, libcamera.so' "$(shutterctl doctor)"
same "nothing was built" no "$([ -e /var/lib/shutterd-camera ] && echo yes || echo no)"
contains "the manual is found" 'SHUTTERD.TOML\(5\)' "$(MANPAGER=cat mandoc /usr/share/man/man5/shutterd.toml.5.gz)"
exposure=$(systemd-analyze security --no-pager shutterd | sed -n 's/.*exposure level for.*: \([0-9.]*\) .*/\1/p')
awk -v e="$exposure" 'BEGIN { exit !(e > 0 && e <= 2.0) }' && ok "systemd-analyze security: $exposure" || not_ok "systemd-analyze security: [$exposure]"

# What the user sets: smaller pictures, as the processor here is slow, and a hook.
cat >/usr/local/bin/note <<'SCRIPT'
#!/bin/sh
echo "$SHUTTERD_PATH" >>/var/lib/shutterd/noted
SCRIPT
chmod 755 /usr/local/bin/note
cat >>/etc/shutterd/shutterd.toml <<'TOML'

[hooks.note]
event = "photo-saved"
run = ["/usr/local/bin/note"]
TOML
sed -i 's/^\[photo\]/&\nsize = "640x480"/; s/^\[video\]/&\nsize = "640x480"/' /etc/shutterd/shutterd.toml
check "with the user's settings it starts again" systemctl restart shutterd
wait_for 60 armed || not_ok "it is not armed: $(why)"
is_photo "a press is a photo" 1
noted() { grep -q IMG_0001.JPG /var/lib/shutterd/noted; }
wait_for 20 noted && ok "a hook writes below /var/lib/shutterd, in the sandbox" || not_ok "no hook: $(why)"

ssh-keygen -q -t ed25519 -N '' -f "$work/key"
check "a key is let in" shutterctl ssh-setup "$work/key.pub"
check "the mode is set" shutterctl mode video
sync
