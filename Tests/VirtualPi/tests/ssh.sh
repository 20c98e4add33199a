# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 420
# systemd
# The gate at a real sshd, for a user who is only in the group, with the daemon as a service.
. "$BED/lib.sh"
cd "$CHECKOUT" || exit

said() { shutterctl status | sed -n "s/^$1: *//p"; }
armed() { [ "$(said buttons.shutter.level) $(said camera.state)" = "released configured" ]; }

pull 17 up
mkdir -p /etc/shutterd
printf '%s\n' 'board = "virtual-pi"' '[camera]' 'source = "simulated"' '[photo]' 'size = "640x360"' '[ring]' 'driver = "none"' >/etc/shutterd/shutterd.toml
check "it installs" deploy/install "$PROGRAMS"
export PATH=/usr/local/bin:$PATH
wait_for 60 armed || not_ok "it is not armed: $(journalctl -u shutterd -n 5 -o cat | tr '\n' ' ')"

useradd --system --home-dir / --shell /bin/sh --groups shutter --password '*' camera
mkdir -p /run/sshd "$work/keys"
chmod 755 "$work" "$work/keys"
for key in host all few; do ssh-keygen -q -t ed25519 -N '' -C "$key" -f "$work/keys/$key"; done
{
    echo "command=\"/usr/local/bin/shutterctl ssh-gate\",restrict $(cat "$work/keys/all.pub")"
    echo "command=\"/usr/local/bin/shutterctl ssh-gate --allow status,mode\",restrict $(cat "$work/keys/few.pub")"
} >"$work/keys/authorized"
printf '%s\n' 'ListenAddress 127.0.0.1:2222' "HostKey $work/keys/host" "AuthorizedKeysFile $work/keys/authorized" 'StrictModes no' 'UsePAM no' 'PidFile none' >"$work/sshd_config"
systemd-run --quiet --unit=gate-sshd /usr/sbin/sshd -D -f "$work/sshd_config"
# camera KEY [COMMAND]: what a person types as `ssh camera COMMAND`.
camera() {
    local key=$1
    shift
    ssh -F none -q -p 2222 -i "$work/keys/$key" -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=no \
        -o UserKnownHostsFile=/dev/null camera@127.0.0.1 -- "$@" </dev/null
}
wait_for 60 camera all mode

same "ssh camera mode video" video "$(camera all mode video)"
same "the mode is set" video "$(shutterctl mode)"
camera all mode photo >/dev/null
contains "ssh camera: the status" '^mode: +photo' "$(camera all)"
pull 17 down
sleep 0.2
pull 17 up
has_photo() { [ "$(said presses.saved)" = 1 ]; }
wait_for 30 has_photo
camera all last --cat >"$work/photo.jpg"
check "a press, and ssh camera last --cat: the photo" decodes "$work/photo.jpg"
check "byte for byte" cmp "$work/photo.jpg" /var/lib/shutterd/media/DCIM/100SHUTR/IMG_0001.JPG
camera all 'mode video; id' >"$work/out" 2>&1
same "more than one command is refused" "64" "$?"
camera all cat /etc/passwd >"$work/out" 2>&1
same "another program is refused" "64" "$?"
camera few tap >"$work/out" 2>&1
same "what its key may not is refused" "77" "$?"
same "and nothing was taken" 1 "$(said presses.saved)"
contains "the commands are in the journal" 'ssh-gate.*mode video' "$(journalctl -o cat --no-pager)"

systemctl stop shutterd
camera all status >"$work/out" 2>&1
same "without the daemon it says so" 69 "$?"
