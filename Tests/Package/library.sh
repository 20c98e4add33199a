# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The third boot: another libcamera comes, whose library has another name; then all is removed.
. "${0%/*}/bed.sh"

pull 17 up
start_what_is_enabled
wait_for 90 armed || not_ok "it is not armed: $(why)"
libraries=/usr/lib/$(uname -m)-linux-gnu
old=$(basename "$(ls "$libraries"/libcamera.so.?.?)") new=libcamera.so.9.0

# A package as that of a newer libcamera, but for the headers, which are the same.
mkdir -p "$work/deb/DEBIAN" "$work/deb$libraries"
printf '%s\n' 'Package: libcamera9.0' 'Version: 9.0' "Architecture: $(dpkg --print-architecture)" 'Maintainer: none' 'Description: none' >"$work/deb/DEBIAN/control"
echo 'activate-noawait ldconfig' >"$work/deb/DEBIAN/triggers"
cp -L "$libraries/$old" "$work/deb$libraries/$new"
patchelf --set-soname $new "$work/deb$libraries/$new"
dpkg-deb --root-owner-group -b "$work/deb" "$work/new.deb" >/dev/null
# The old one goes, as it does when its package is removed.
mkdir "$work/old"
mv "$libraries/$old"* "$work/old"
ln -sf $new "$libraries/libcamera.so"
mv /usr/bin/g++ "$work/g++"

output=$(dpkg -i "$work/new.deb" 2>&1)
same "another libcamera comes: dpkg succeeds" 0 $?
contains "without a compiler it says what to install" 'g\+\+ is missing; install it: apt-get install g\+\+ pkgconf libcamera-dev' "$output"
contains "and what then" 'when that is cured: sudo shutterd-build-camera' "$output"
systemctl restart shutterd
mismatch() { [ "$(said camera.reason)" = library-mismatch ]; }
wait_for 60 mismatch && ok "the daemon runs without a camera" || not_ok "no library-mismatch: $(why)"
contains "and says which is there" "installed:.* $new.*shutterd-build-camera" "$(said camera.message)"
contains "doctor does, too" "fault +plugin:.*was built for $old" "$(shutterctl doctor | tr -s '\n ' ' ')"

mv "$work/g++" /usr/bin/g++
# Its modules are the old one's here, and find the same file under the name that they ask for.
ln -s $new "$libraries/$old"
start=$SECONDS
dpkg-trigger --no-await ldconfig
output=$(dpkg --triggers-only -a 2>&1)
same "with a compiler: dpkg succeeds" 0 $?
contains "and the plugin is built" "the camera plugin is built for $new" "$output"
ok "in $((SECONDS - start)) s"
wait_for 60 armed && ok "the daemon has a camera again" || not_ok "it is not armed: $(why)"
contains "doctor says so" "ok +plugin: /var/lib/shutterd-camera/libshutter-camera.so, $new" "$(shutterctl doctor)"
is_photo "a press is a photo" $(($(photos) + 1))
built=$(cksum </var/lib/shutterd-camera/libshutter-camera.so)
start=$SECONDS
same "a second look builds nothing" "" "$(shutterd-build-camera --if-needed 2>&1)"
ok "and takes $((SECONDS - start)) s"

# A compiler whose result cannot be loaded.
cat >"$work/liar" <<'SCRIPT'
#!/bin/sh
for word in "$@"; do
    [ "${last:-}" = -o ] && output=$word
    [ "$word" != -shared ] || shared=yes
    last=$word
done
[ -n "${shared:-}" ] || exec touch "$output"
echo 'void gone(); void *shutter_camera_plugin() { return (void *)gone; }' | g++ -xc++ -shared -fPIC - -o "$output"
SCRIPT
chmod 755 "$work/liar"
output=$(CXX=$work/liar shutterd-build-camera 2>&1)
same "what cannot be loaded is refused" 70 $?
contains "with the reason" 'cannot be loaded: undefined symbol.*gone.*; what was there stays' "$output"
same "and what worked is as it was" "$built" "$(cksum </var/lib/shutterd-camera/libshutter-camera.so)"

mv "$work/old"/* "$libraries"
ln -sf "$old" "$libraries/libcamera.so"
dpkg --purge libcamera9.0 >/dev/null 2>&1
same "back to the first libcamera: what was built is gone" no "$([ -e /var/lib/shutterd-camera ] && echo yes || echo no)"
systemctl restart shutterd
wait_for 60 armed && ok "and the plugin of the package has a camera" || not_ok "it is not armed: $(why)"

taken=$(photos)
mkdir -p /var/lib/shutterd-camera
touch /var/lib/shutterd-camera/old
check "the packages are removed" apt-get remove -q -y shutterd shutterd-camera
same "settings and state stay" "yes yes" "$([ -e /etc/shutterd/shutterd.toml ] && echo yes) $([ -e /var/lib/shutterd/noted ] && echo yes)"
same "what was built goes" no "$([ -e /var/lib/shutterd-camera ] && echo yes || echo no)"
output=$(apt-get purge -q -y shutterd shutterd-camera 2>&1)
contains "purged: it says where the photos are" 'your photos and clips stay in /var/lib/shutterd; to delete them' "$output"
same "they are all there" "$taken" "$(photos)"
same "and what a hook wrote, and nothing else" "/var/lib/shutterd/media /var/lib/shutterd/noted" "$(echo /var/lib/shutterd/*)"
same "no configuration, no login" "" "$(ls -d /etc/shutterd /etc/ssh/sshd_config.d/shutterd.conf 2>/dev/null; getent passwd camera)"
same "no file is left" "" "$(find /usr /etc -name '*shutter*' -not -path '/usr/local/*' -not -path '*/checkout/*' | head)"
same "no unit" "not-found" "$(of LoadState)"
sync
