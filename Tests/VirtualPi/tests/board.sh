# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the other tests stand on: lines, SPI, cameras and file systems are really there. No program of ours is used.
. "$BED/lib.sh"

same "the model is a Pi's" "Raspberry Pi 4 Model B Rev 1.2" "$(tr -d '\0' </proc/device-tree/model)"

contains "gpiodetect finds the chip by its label" 'gpiochip0 \[pinctrl-bcm2711\] \(54 lines\)' "$(gpiodetect)"
contains "gpioinfo names the header's lines" '17:.*GPIO17' "$(gpioinfo 2>&1)"

# Debian 12 has the tools of libgpiod 1, Debian 13 those of 2.
if gpiomon --version | grep -q 'v1'; then
    monitor=(gpiomon --line-buffered --num-events=2 --bias=pull-up --format="%e %s.%n" gpiochip0 17)
    rising=1 falling=0
else
    monitor=(gpiomon --num-events=2 --bias=pull-up --format='%e %S' --chip=gpiochip0 17)
    rising=1 falling=2
fi
"${monitor[@]}" >"$work/edges" &
watcher=$!
wait_for 5 grep -q 'GPIO17.*input.*edges\|GPIO17.*\[used\]\|GPIO17.*gpiomon' <(gpioinfo) || sleep 1
before=$(cut -d' ' -f1 /proc/uptime)
pull 17 down
pull 17 up
wait_for 5 bash -c "! kill -0 $watcher" || kill "$watcher"
same "a press is two edges" "$falling $rising" "$(cut -d' ' -f1 "$work/edges" | paste -sd' ')"
check "edges carry monotonic time" awk -v start="$before" '{ if ($2 < start - 1 || $2 > start + 10) exit 1 } END { exit NR != 2 }' "$work/edges"

trace_on spi/spi_transfer_start gpio/gpio_value
perl -e 'open my $bus, "+<", "/dev/spidev0.0" or die $!; syswrite $bus, pack("C*", 0xde, 0xad, 0xbe, 0xef)' || not_ok "spidev: cannot write"
trace=$(trace_off)
contains "a transfer shows its bytes" 'spi_transfer_start: .*de[- ]ad[- ]be[- ]ef' "$trace"
# Bit by bit: 32 clocks, each up and down; the driver may put the line at rest once before.
clocks=$(grep -c "gpio_value: $(($(first_line) + 11)) set" <<<"$trace")
same "the bits went out on the clock line" 64 $((clocks == 65 ? 64 : clocks))

for led in ACT button:white:indicator; do
    echo 1 >"/sys/class/leds/$led/brightness" && ok "LED $led can be lit" || not_ok "LED $led: cannot be lit"
done
same "a lit LED is a line that is high" 1 "$(level 42)"

virtual_camera && has_virtual=yes || has_virtual=no
cameras=$(cam -l 2>/dev/null)
contains "libcamera lists the kernel's camera" 'platform/vimc' "$cameras"
if [ $has_virtual = yes ]; then
    contains "libcamera lists its virtual camera" 'Virtual0' "$cameras"
else
    skip "libcamera's virtual camera: this libcamera has none"
fi
check "frames come from the kernel's camera" cam -c1 -C3

for kind in ext4 vfat exfat tmpfs overlay; do
    check "$kind can be mounted" make_file_system "$kind" "$work/mnt-$kind"
    check "$kind can be written to" cp /etc/passwd "$work/mnt-$kind/copy"
done
