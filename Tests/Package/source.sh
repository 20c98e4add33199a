# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# From the package to what deploy/install makes, and back; settings, keys and photos are the same all the way.
. "${0%/*}/bed.sh"
export PATH=/usr/local/sbin:/usr/local/bin:$PATH

pull 17 up
start_what_is_enabled
wait_for 90 armed || not_ok "it is not armed: $(why)"
mkdir "$work/programs"
cp /usr/bin/shutterd /usr/bin/shutterctl /usr/lib/shutterd/libshutter-camera.so /usr/lib/shutterd/libshutter-video.so "$work/programs"
taken=$(photos)
settings=$(cksum </etc/shutterd/shutterd.toml)
keys() { sed -n 's/^command="\([^ ]*\) .*/\1/p' /etc/shutterd/authorized_keys; }
runs_from() { case $(readlink "/proc/$(of MainPID)/exe") in "$1"/*) true ;; *) false ;; esac; }
# all_well NAME FOLDER: it runs from there, now and after the next boot, and nothing is lost.
all_well() {
    hash -r
    wait_for 90 armed && runs_from "$2" && ok "$1: it runs from $2" || not_ok "$1: it does not run from $2: $(why)"
    same "$1: it is enabled" enabled "$(systemctl is-enabled shutterd)"
    same "$1: keys ask what is there" "$2/shutterctl" "$(keys)"
    same "$1: settings are the same" "$settings" "$(cksum </etc/shutterd/shutterd.toml)"
    taken=$((taken + 1))
    is_photo "$1: a press is a photo" "$taken"
}

output=$(/checkout/deploy/install "$work/programs" 2>&1)
same "beside the package it is refused" 73 $?
contains "and says what to do" 'sudo apt remove shutterd shutterd-camera' "$output"
apt-get remove -q -y shutterd shutterd-camera >/dev/null 2>&1
check "deploy/install in its place" /checkout/deploy/install "$work/programs"
shutterctl mode photo >/dev/null
all_well "installed from source" /usr/local/bin
contains "apt is to look after each change of libraries" 'shutterd-build-camera --if-needed' "$(apt-config dump DPkg::Post-Invoke)"

apt-get purge -q -y shutterd shutterd-camera >/dev/null 2>&1
systemctl restart shutterd
all_well "the former package is purged" /usr/local/bin

output=$(install_from /packages/old 2>&1)
contains "the package comes again, and says who goes before it" 'sudo ./deploy/install --remove' "$output"
check "which is done" /checkout/deploy/install --remove
all_well "the package has taken over" /usr/bin
same "nothing is left of the other" "" "$(find /usr/local /etc -path '*shutter*' -type f -not -path '/etc/shutterd/*' -not -name shutterd.conf | grep -v /checkout/)"
sync
