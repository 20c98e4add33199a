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
printf '%s\n' 'board = "virtual-pi"' '[camera]' 'source = "simulated"' '[photo]' 'size = "640x360"' '[gestures.photo]' 'hold = "none"' '[ring]' 'driver = "none"' >/etc/shutterd/shutterd.toml
check "it installs" deploy/install "$PROGRAMS"
export PATH=/usr/local/bin:$PATH
wait_for 60 armed || not_ok "it is not armed: $(journalctl -u shutterd -n 5 -o cat | tr '\n' ' ')"

mkdir "$work/keys"
for key in all few; do ssh-keygen -q -t ed25519 -N '' -C "$key" -f "$work/keys/$key"; done
[ -e /etc/ssh/ssh_host_ed25519_key ] || ssh-keygen -q -A
# Until then nobody but root may log in: /run/nologin.
systemctl start systemd-user-sessions ssh
check "a key is let in" shutterctl ssh-setup "$work/keys/all.pub"
check "and one that may do less" shutterctl ssh-setup "$work/keys/few.pub" --allow tap
check "the same again, with other limits" shutterctl ssh-setup "$work/keys/few.pub" --allow status,mode
{ echo; cat "$work/keys/few.pub"; printf '\r\n'; } >"$work/keys/pasted.pub"
check "and again, as it was pasted" shutterctl ssh-setup "$work/keys/pasted.pub" --allow status,mode
same "each key has one line" 2 "$(wc -l </etc/shutterd/authorized_keys)"
same "and none is without the gate" 0 "$(grep -vc '^command="[^"]* ssh-gate[^"]*",restrict ssh-ed25519 ' /etc/shutterd/authorized_keys)"
refused() { contains "$1" "$2" "$("${@:3}" 2>&1)"; }
refused "a private key is none" 'is not the public half of one SSH key' shutterctl ssh-setup "$work/keys/all"
sed 's/^/no-pty /' "$work/keys/all.pub" >"$work/keys/options"
refused "nor is a key with options" 'is not the public half' shutterctl ssh-setup "$work/keys/options"
refused "a file that is not there" 'no such file; make a key' shutterctl ssh-setup /none.pub
refused "a verb that is none" '"staus" is nothing that may be asked over SSH' shutterctl ssh-setup "$work/keys/all.pub" --allow staus
refused "it is root's to do" 'sudo shutterctl ssh-setup' setpriv --reuid=65534 --regid=65534 --clear-groups shutterctl ssh-setup "$work/keys/all.pub"
# camera KEY [COMMAND]: what a person types as `ssh camera COMMAND`.
camera() {
    local key=$1
    shift
    ssh -F none -q -i "$work/keys/$key" -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=no \
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
contains "the commands are in the journal" 'ssh-gate.*mode video' "$(journalctl -t shutterctl -o cat --no-pager)"

systemctl stop shutterd
camera all status >"$work/out" 2>&1
same "without the daemon it says so" 69 "$?"

check "the login is taken away" shutterctl ssh-setup --remove
camera all status >"$work/out" 2>&1
same "then nobody gets in" 255 "$?"
same "and nothing of it is left" "" "$(getent passwd camera)$(ls /etc/ssh/sshd_config.d/shutterd.conf /etc/shutterd/authorized_keys 2>/dev/null)"
