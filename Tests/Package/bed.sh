# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the parts that run in the virtual Pi, under systemd, as root. /packages/old and /packages/new hold both versions.
. "$BED/lib.sh"
cd / || exit
export PATH=/usr/sbin:/usr/bin DEBIAN_FRONTEND=noninteractive

of() { systemctl show -P "$1" shutterd; }
is() { [ "$(of "$1")" = "$2" ]; }
said() { shutterctl status | sed -n "s/^$1: *//p"; }
armed() { [ "$(said buttons.shutter.level) $(said camera.state)" = "released configured" ]; }
why() { { shutterctl status; journalctl -u shutterd -n 8 -o cat --no-pager; } 2>&1 | tr '\n' '|'; }
# start_what_is_enabled: as a boot does, which goes no further than basic.target by itself here; without logins on our terminals.
start_what_is_enabled() {
    systemctl mask -q --runtime getty.target getty@tty1.service
    systemctl start multi-user.target
}
# install_from FOLDER [OPTION]: as a person does.
install_from() { apt-get install -q -y --allow-downgrades "${@:2}" "$1"/shutterd_*.deb "$1"/shutterd-camera_*.deb; }
version() { dpkg-query -W -f '${Version} ${Status}' shutterd; }
version_in() { dpkg-deb -f "$1"/shutterd_*.deb Version; }

# press: a finger; then the number of photos that are saved.
press() {
    pull 17 down
    sleep 0.2
    pull 17 up
}
photos() { find /var/lib/shutterd/media -name 'IMG_*.JPG' 2>/dev/null | wc -l; }
has_photos() { [ "$(photos)" -ge "$1" ]; }
# is_photo NAME COUNT: a press is the photo of that count, and it is whole.
is_photo() {
    press
    if wait_for 60 has_photos "$2"; then
        check "$1" decodes "$(find /var/lib/shutterd/media -name 'IMG_*.JPG' | sort | tail -n 1)"
    else
        not_ok "$1: no photo: $(why)"
    fi
}
