# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 400
# The ring on a real spidev and on real lines: what the kernel says went out on the wires is read back as an LED would
# read it, and must be what the animator ordered.
. "$BED/lib.sh"

tracing=/sys/kernel/tracing
decode=$CHECKOUT/Tests/VirtualPi/ring.pl

# ring KEY=VALUE…: a configuration of the ring; its path is $ring.
ring() {
    ring=$work/ring.toml
    {
        echo 'board = "virtual-pi"'
        echo '[button.shutter]'
        echo 'line = "terminal"'
        echo '[ring]'
        printf '%s\n' "$@"
    } >"$ring"
}

# spi_trace_on: the lines of the bus, and where messages begin and end.
spi_trace_on() {
    echo 200000 >$tracing/buffer_size_kb
    trace_on gpio/gpio_value spi/spi_message_start spi/spi_message_done spi/spi_transfer_start
}

# shows NAME DRIVER ORDER COUNT CUE SECONDS: the wire says what was ordered.
shows() {
    ring "driver = \"$2\"" "order = \"$3\"" "count = $4" 'brightness = 0.7' 'budget = "5A"'
    rm -f "$work/frames"
    spi_trace_on
    shutterctl --config "$ring" --json led test "$5" >"$work/frames" 2>"$work/errors" &
    wait_for 10 test -s "$work/frames"
    sleep "$6"
    kill -TERM $!
    wait $!
    trace_off >"$work/trace"
    [ -s "$work/errors" ] && { not_ok "$1: $(cat "$work/errors")"; return; }
    perl "$decode" wire "$1" "$2" "$3" "$4" "$work/frames" "$work/trace"
}

for count in 1 16 24 160; do
    shows "WS2812, $count LEDs, recording" ws2812-spi GRB "$count" recording 0.7
    shows "WS2812, $count LEDs, camera fault" ws2812-spi GRB "$count" camera-fault 1.8
done
shows "WS2812, 24 LEDs, a photo's flash" ws2812-spi GRB 24 captured 1.7
shows "WS2812, 24 LEDs, starting" ws2812-spi RGB 24 starting 1
shows "SK6812, 24 LEDs, a photo's flash" sk6812-spi GRBW 24 captured 1.7
shows "SK6812, 24 LEDs, storage low" sk6812-spi RGBW 24 storage-low 2.1
shows "SK6812, 120 LEDs, recording" sk6812-spi GRBW 120 recording 0.7
shows "APA102, 24 LEDs, a photo's flash" apa102-spi BGR 24 captured 1.7
shows "APA102, 160 LEDs, storage low" apa102-spi BGR 160 storage-low 2.1

# --- what cannot be

# fails NAME STATUS PATTERN [COMMAND…]
fails() {
    local name=$1 status=$2 pattern=$3 words
    shift 3
    words=$("$@" 2>&1)
    same "$name: exit status" "$status" $?
    contains "$name: says what to do" "$pattern" "$words"
}
ring 'driver = "ws2812-spi"' 'count = 161'
fails "161 LEDs" 78 "161 LEDs need 4120 bytes .*takes 4096: add spidev.bufsiz=4120" shutterctl --config "$ring" led off
ring 'driver = "ws2812-spi"' 'device = "/dev/spidev9.0"'
fails "no spidev" 69 "/dev/spidev9.0 is not there: add dtparam=spi=on" shutterctl --config "$ring" led off
ring 'driver = "ws2812-spi"' 'device = "/dev/null"'
fails "no SPI" 78 "/dev/null is not an SPI device" shutterctl --config "$ring" led off
ring 'driver = "ws2812-spi"'
chmod 600 /dev/spidev0.0
chmod 755 "$work"
fails "no permission" 77 "not permitted to use /dev/spidev0.0: add .* group spi" \
    perl -e '$) = "65534 65534"; $( = 65534; ($<, $>) = (65534, 65534); exec @ARGV' shutterctl --config "$ring" led off

# --- the daemon: off at the start, off at the stop, off after a crash

ring 'driver = "ws2812-spi"' 'count = 24'
# last_frame: lit or off, as the LEDs have it now.
last_frame() { grep -v '^#' $tracing/trace | perl "$decode" last ws2812-spi; }
is_lit() { [ "$(last_frame)" = lit ]; }
start() {
    spi_trace_on
    shutterd --config "$ring" --data "$work/data" </dev/null >"$work/log" 2>&1 &
    daemon=$!
    wait_for 20 is_lit && ok "$1: the daemon lights the ring" || not_ok "$1: no light: $(tail -n 3 "$work/log" | tr '\n' ' ')"
    same "$1: the first frame is off, for all 24" "off 24" "$(grep -v '^#' $tracing/trace | perl "$decode" first ws2812-spi)"
}
start "stop"
kill -TERM $daemon
wait $daemon
same "stop: off" off "$(last_frame)"
trace_off >/dev/null
start "crash"
{
    kill -KILL $daemon
    wait $daemon
} 2>/dev/null
same "crash: still lit" lit "$(last_frame)"
shutterctl --config "$ring" led off && ok "crash: led off succeeds" || not_ok "crash: led off ends with status $?"
same "crash: off" off "$(last_frame)"
# A loaded machine may be busy with something else once.
for _ in 1 2 3; do
    began=$(date +%s%N)
    shutterctl --config "$ring" led off
    took=$((($(date +%s%N) - began) / 1000000))
    [ $took -ge 1000 ] || break
done
[ $took -lt 1000 ] && ok "crash: off within a second ($took ms)" || not_ok "crash: off after $took ms"
trace_off >/dev/null

# A ring that is not there is no reason to stop, and status tells.
ring 'driver = "ws2812-spi"' 'device = "/dev/spidev9.0"'
shutterd --config "$ring" --data "$work/data" </dev/null >"$work/log" 2>&1 &
daemon=$!
wait_for 20 shutterctl --socket "$work/data/control.sock" status
contains "no ring: status tells" '^ring_fault: +/dev/spidev9.0 is not there' "$(shutterctl --socket "$work/data/control.sock" status)"
contains "no ring: the log tells, once" '^1$' "$(grep -c 'no ring: /dev/spidev9.0 is not there' "$work/log")"
kill -TERM $daemon
wait $daemon && ok "no ring: the daemon ends well" || not_ok "no ring: the daemon ended with status $?"

# --- lights that are on or off: the rhythm of each cue

ring 'driver = "led-class"' 'device = "ACT"'
cp "$ring" "$work/act.toml"
ring 'driver = "gpio"' 'lines = ["GPIO5", "GPIO6"]'
trace_on gpio/gpio_value
shutterctl --config "$work/act.toml" --json led test >"$work/act" &
shutterctl --config "$ring" --json led test >"$work/frames"
wait
trace_off >"$work/trace"
perl "$decode" rhythm "plain LEDs on lines" 0 1 "$work/frames" "$work/trace"
perl "$decode" rhythm "the kernel's LED" 2 2 "$work/act" "$work/trace"
same "plain LEDs: off in the end" "0 0" "$(level 5) $(level 6)"
same "the kernel's LED: off in the end" 0 "$(level 42)"
ring 'driver = "gpio"' 'lines = ["GPIO5", "GPIO99"]'
fails "a line that is not there" 69 "GPIO99" shutterctl --config "$ring" led off
