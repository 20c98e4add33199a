# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The boot after that: as it is, and after what dpkg tells to do.
. "${0%/*}/bed.sh"
cut="power cut $1 s into the upgrade"

pull 17 up
photos=$(photos)
start_what_is_enabled
# With files of both versions it may not start, but then it says why.
if wait_for 60 armed; then
    ok "$cut: it is armed as it is ($(version))"
else
    contains "$cut: it says why it does not start ($(version))" '[a-z]' "$(journalctl -u shutterd -n 5 -o cat --no-pager)"
fi
dpkg --configure -a >"$work/out" 2>&1
[ -z "$(dpkg --audit)" ] && ok "$cut: dpkg --configure -a mends it" || {
    # As apt itself says, where one package is unpacked that needs the other: with the files of both.
    check "$cut: apt --fix-broken install mends it" install_from /packages/new --fix-broken
}
same "$cut: nothing is half there" "" "$(dpkg --audit)"
check "$cut: the upgrade goes on" install_from /packages/new
same "$cut: the new version is there" "$(version_in /packages/new) install ok installed" "$(version)"
wait_for 60 armed && ok "$cut: and is armed" || not_ok "$cut: it is not armed: $(why)"
check "$cut: the configuration is whole" shutterctl config check
same "$cut: the mode is as it was set" video "$(shutterctl mode)"
shutterctl mode photo >/dev/null
is_photo "$cut: a press is a photo" $((photos + 1))
