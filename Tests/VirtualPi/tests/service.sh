# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 420
# systemd
# Installed as a service: own user, sandbox, watchdog, restarts, and a ring that is off after any end.
. "$BED/lib.sh"
cd "$CHECKOUT" || exit

of() { systemctl show -P "$1" shutterd; }
is() { [ "$(of "$1")" = "$2" ]; }
said() { shutterctl status | sed -n "s/^$1: *//p"; }
armed() { [ "$(said buttons.shutter.level) $(said camera.state)" = "released configured" ]; }
has_restarted() { [ "$(of NRestarts)" -gt "$1" ] && armed; }

pull 17 up
mkdir -p /etc/shutterd /etc/systemd/system/shutterd.service.d
printf '%s\n' 'board = "virtual-pi"' '[camera]' 'source = "simulated"' '[photo]' 'size = "640x360"' '[gestures.photo]' 'hold = "none"' '[ring]' 'driver = "gpio"' 'lines = ["GPIO5"]' >/etc/shutterd/shutterd.toml
printf '%s\n' '[Service]' 'WatchdogSec=4s' >/etc/systemd/system/shutterd.service.d/quick.conf

check "it installs" deploy/install "$PROGRAMS"
export PATH=/usr/local/bin:/usr/local/sbin:$PATH
wait_for 30 armed && ok "it is armed" || not_ok "it is not armed: $(journalctl -u shutterd -n 5 -o cat | tr '\n' ' ')"
same "as its own user" shutterd "$(ps -o user= -p "$(of MainPID)")"
same "the socket is its group's" "shutterd shutter 660" "$(stat -c '%U %G %a' /run/shutterd/control.sock)"
contains "who is not of the group is refused" 'group shutter' "$(setpriv --reuid=65534 --regid=65534 --clear-groups shutterctl mode photo 2>&1)"
contains "what encodes gives way" '^photo-0 +10$' "$(ps -L -o comm=,ni= -p "$(of MainPID)")"
exposure=$(systemd-analyze security --no-pager shutterd | sed -n 's/.*exposure level for.*: \([0-9.]*\) .*/\1/p')
awk -v e="$exposure" 'BEGIN { exit !(e > 0 && e <= 2.0) }' && ok "systemd-analyze security: $exposure" || not_ok "systemd-analyze security: [$exposure]"

contains "without a compiler the plugin is not rebuilt, and that is said" 'g\+\+-none is missing' "$(CXX=g++-none shutterd-build-camera 2>&1)"

pull 17 down
sleep 0.1
pull 17 up
has_photo() { [ "$(said presses.saved)" = 1 ]; }
wait_for 20 has_photo && ok "a press is a photo" || not_ok "no photo: $(shutterctl status | tr '\n' '|')"
check "the photo is whole" decodes /var/lib/shutterd/media/DCIM/100SHUTR/IMG_0001.JPG
check "the mode is set" shutterctl mode video

systemctl kill -s KILL shutterd
wait_for 30 has_restarted 0 && ok "kill -9: it is back" || not_ok "kill -9: $(systemctl status --no-pager shutterd | tr '\n' '|')"
same "kill -9: in the mode that was set" video "$(shutterctl mode)"
systemctl kill -s STOP shutterd
wait_for 40 has_restarted 1 && ok "stopped: the watchdog starts it again" || not_ok "stopped: $(systemctl status --no-pager shutterd | tr '\n' '|')"

cp /etc/shutterd/shutterd.toml "$work/good"
echo 'ruond = 1' >>/etc/shutterd/shutterd.toml
systemctl restart shutterd 2>/dev/null
wait_for 20 is ActiveState failed
sleep 3
same "a bad configuration ends it, for good" "failed exit-code 78" "$(of ActiveState) $(of Result) $(of ExecMainStatus)"
contains "and says what is wrong with it" 'shutterd.toml:11:1: unknown key' "$(journalctl -u shutterd -o cat)"
same "its ring is off" 0 "$(level 5)"
cp "$work/good" /etc/shutterd/shutterd.toml
check "with the good one it starts" systemctl restart shutterd
wait_for 30 armed
check "it stops in time" timeout 20 systemctl stop shutterd
same "and ended well" "inactive success" "$(of ActiveState) $(of Result)"
same "the ring is off" 0 "$(level 5)"

check "it is removed" deploy/install --remove
same "what was taken and set stays" "yes yes" "$([ -e /var/lib/shutterd/media/DCIM/100SHUTR/IMG_0001.JPG ] && echo yes) $([ -e /etc/shutterd/shutterd.toml ] && echo yes)"
same "no program is left" "" "$(find /usr/local/bin /usr/local/lib /etc/systemd/system -name '*shutter*' -not -name '*.service.d')"
