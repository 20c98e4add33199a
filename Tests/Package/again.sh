# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The card's second boot: it starts by itself; a bad configuration; the upgrade while a clip is running.
. "${0%/*}/bed.sh"

pull 17 up
# What was enabled is what is started.
systemctl start multi-user.target
wait_for 90 armed && ok "after a reboot it is armed" || not_ok "it is not armed: $(why)"
same "in the mode that was set" video "$(shutterctl mode)"
shutterctl mode photo >/dev/null
is_photo "a press is a photo" 2
same "and has the next number" yes "$([ -e /var/lib/shutterd/media/DCIM/100SHUTR/IMG_0002.JPG ] && echo yes)"

cp /etc/shutterd/shutterd.toml "$work/good"
echo 'ruond = 1' >>/etc/shutterd/shutterd.toml
systemctl restart shutterd 2>/dev/null
wait_for 20 is ActiveState failed
sleep 3
same "a bad configuration ends it, for good" "failed exit-code 78" "$(of ActiveState) $(of Result) $(of ExecMainStatus)"
cp "$work/good" /etc/shutterd/shutterd.toml
systemctl restart shutterd
wait_for 60 armed

shutterctl record start >/dev/null
recording() { [ "$(said recording)" = true ] || shutterctl status | grep -qiE '^(state|recording).*(record|true)'; }
wait_for 30 recording || not_ok "it does not record: $(why)"
sleep 4
check "the upgrade, while a clip is running" install_from /packages/new
same "the new version is there" "$(version_in /packages/new) install ok installed" "$(version)"
wait_for 60 armed && ok "and runs" || not_ok "it is not armed: $(why)"
clip=$(find /var/lib/shutterd/media -name 'MOV_*.MP4' | head -n 1)
length=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$clip")
awk -v l="$length" 'BEGIN { exit !(l > 2) }' && ok "the clip was closed: $length s" || not_ok "the clip is lost: [$clip] [$length]"
check "and decodes" ffmpeg -v error -xerror -i "$clip" -f null -
check "the configuration is as it was" cmp "$work/good" /etc/shutterd/shutterd.toml
is_photo "a press is a photo" 3
sync
