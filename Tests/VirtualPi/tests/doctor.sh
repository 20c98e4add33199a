# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# doctor on real lines, with what is in the way put there for real.
. "$BED/lib.sh"

configuration=$work/shutterd.toml
printf '%s\n' 'board = "virtual-pi"' '[button.shutter]' 'bias = "as-is"' '[encoder.dial]' 'a = "GPIO22"' 'b = "GPIO23"' 'bias = "as-is"' '[ring]' 'driver = "ws2812-spi"' '[control]' 'group = ""' '[storage]' "root = \"$work/media\"" "state = \"$work\"" >"$configuration"
mkdir -p "$work/media"
chmod 0777 "$work" "$work/media"

# doctor [WRAPPER…]: what it finds, as JSON.
doctor() { "$@" shutterctl doctor --config "$configuration" --json 2>&1; }
# found NAME CHECK STATE PATTERN
found() { contains "$1" "\"check\":\"$2\".*$4.*\"state\":\"$3\"" "$found"; }
user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

pull 17 up
found=$(doctor)
found "the model is told" board ok 'Raspberry Pi 4'
found "a released button" button.shutter ok 'GPIO17|pinctrl-bcm2711:17.*high: released'
found "the ring's device" ring ok '/dev/spidev0.0'

pull 22 up
pull 23 down
found=$(doctor)
found "an encoder's open contact" encoder.dial.a ok 'GPIO22.*high: open'
found "and its closed one" encoder.dial.b ok 'GPIO23.*low: closed'

pull 17 down
found=$(doctor)
found "B11: pressed although nobody presses it" button.shutter warning 'button test shutter.*polarity or wiring'
pull 17 up

# Another program: an output that stays as long as it runs.
if gpioset --version | grep -q 'v1\.'; then gpioset --mode=signal gpiochip0 17=1 & else gpioset -c gpiochip0 17=1 & fi
holder=$!
wait_for 10 sh -c 'gpioinfo | grep -q gpioset' || not_ok "gpioset takes no line: $(gpioinfo | sed -n 18,20p)"
found=$(doctor)
found "G02: another program has the line" button.shutter fault 'gpioinfo.*held by gpioset'
kill "$holder"
wait "$holder" 2>/dev/null

# G03, both kinds.
chown root:root /dev/gpiochip0
chmod 0600 /dev/gpiochip0
found=$(doctor user)
found "G03: the udev rule is missing" gpio fault 'udev rule is missing.*root:root 0600'
groupadd -f gpio 2>/dev/null || true
chgrp tty /dev/gpiochip0
chmod 0660 /dev/gpiochip0
found=$(doctor user)
found "G03: the user is not in the group" gpio fault 'usermod -aG tty.*root:tty 0660'
chmod 0666 /dev/gpiochip0

rm -f /dev/spidev0.0
found=$(doctor)
found "no SPI" ring fault 'dtparam=spi=on.*is not there'
status=0
doctor >/dev/null || status=$?
same "a fault is an exit code" 69 "$status"
