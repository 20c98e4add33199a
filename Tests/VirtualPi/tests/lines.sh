# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 600
# The daemon on real lines: presses, bounce, bursts, and all that can be in the way of a line.
. "$BED/lib.sh"

socket=$work/socket
data=$work/data

# start CONFIGURATION…: the daemon with these lines in its file, after the ones that all share. Pictures are small: it draws them itself,
# on the one core that presses have, too.
start() {
    printf '%s\n' 'board = "virtual-pi"' '[ring]' 'driver = "none"' '[control]' 'group = ""' '[photo]' 'size = "640x480"' "$@" >"$work/shutterd.toml"
    rm -rf "$data"
    shutterd --config "$work/shutterd.toml" --data "$data" --socket "$socket" >"$work/log" 2>&1 &
    daemon=$!
    wait_for 10 shutterctl --socket "$socket" status || not_ok "the daemon does not start: $(cat "$work/log")"
}
stop() {
    kill "$daemon"
    wait "$daemon"
}
# of KEY: what status says.
of() { shutterctl --socket "$socket" status | sed -n "s/^$1: *//p"; }
is() { [ "$(of "$1")" = "$2" ]; }
armed() { is buttons.shutter.level released && is camera.state configured; }
photos() { of presses.saved; }
settled() { is presses.pending 0 && is buttons.shutter.level "${1:-released}"; }
# play LINE MICROSECONDS:LEVEL…
play() { local line=$1; shift; perl "$BED/play.pl" "$(line "$line")/pull" "$@"; }

# becomes NAME PHOTOS MICROSECONDS:LEVEL…: the waveform makes that many photos. Played again where this machine was too
# busy to play it as it stands here.
becomes() {
    local name=$1 expected=$2 count try
    shift 2
    for try in 1 2 3; do
        count=$(photos)
        play 17 "$@" >"$work/played"
        late=$(cut -d' ' -f3 "$work/played")
        sleep 0.3
        wait_for 10 settled
        count=$(($(photos) - count))
        [ "$count" != "$expected" ] && [ "$late" -gt 3000 ] || break
    done
    if [ "$count" != "$expected" ] && [ "$late" -gt 3000 ]; then
        skip "$name: the waveform was late by $late us, $try times"
    else
        same "$name" "$expected" "$count"
    fi
}

# --- libgpiod and the kernel themselves.
check "the adapter's own tests on a simulated line" env SHUTTERD_SIM_LINE="$(line 20)" \
    "$PROGRAMS/shutterdPackageTests.xctest" --testing-library swift-testing --filter KernelTests

# --- A press is a photo of its instant.
pull 17 up
start
wait_for 10 armed && ok "the daemon is armed on GPIO17" || not_ok "the daemon is not armed: $(cat "$work/log")"
becomes "a press is a photo" 1 0:0 120000:1
read -r before after _ <"$work/played"
photo=$(of last.path)
press=$(of last.press_ns)
# The simulated line tells of an edge at the next tick.
[ "$press" -ge "$before" ] && [ "$press" -le $((after + 5000000)) ] && ok "the press has the kernel's stamp" ||
    not_ok "the press is stamped $press, and the line was pulled between $before and $after"
centre=$(djpeg -grayscale "$photo" | perl "$BED/instant.pl")
off=$((centre - press))
[ ${off#-} -le 17000000 ] && ok "the photo shows the instant of the press, off by $((off / 1000)) us" || not_ok "the photo is off by $((off / 1000)) us"
same "what the picture shows is what is reported" "$centre" "$(of last.exposure_centre_ns)"

# --- Bouncing closures, at their real speed.
becomes "B01: bounce of an arcade button's release" 1 0:0 81000:1 81300:0 82100:1 83500:0 84200:1
becomes "B01: bounce of a slow release" 1 0:0 1000000:1 1000800:0 1002100:1 1004000:0 1004600:1
becomes "a spike is no press" 0 0:0 3000:1
becomes "three presses with bounce at both ends" 3 \
    0:0 300:1 700:0 2100:1 3500:0 120000:1 120600:0 122000:1 300000:0 302000:1 304000:0 420000:1 423000:0 424000:1 \
    600000:0 601000:1 603000:0 604000:1 606000:0 720000:1
becomes "B15: presses while photos are saved" 5 0:0 60000:1 120000:0 180000:1 240000:0 300000:1 360000:0 420000:1 480000:0 540000:1
same "nothing failed" "0 " "$(of presses.failed) $(grep -m 1 "failed: " "$work/log")"
# 50 Hz hum for 3 s.
hum=()
for ((i = 0; i < 300; i++)); do hum+=("$((i * 10000)):$((i % 2))"); done
becomes "B10: hum is no press" 0 "${hum[@]}" 3000000:1
if [ "$late" -gt 8000 ]; then
    skip "B10: a warning tells of it: the waveform was late by $late us"
else
    contains "B10: a warning tells of it" 'input unstable' "$(cat "$work/log")"
fi

# --- B05: more edges than the kernel keeps, while the reader is stopped. libgpiod 1 has 16, ours of 2 has 256.
burst() {
    local count=$1 changes=() i before
    before=$(photos)
    lost=$(of buttons.shutter.events_lost)
    for ((i = 0; i < count; i++)); do changes+=("$((i * 1500)):$((i % 2))"); done
    kill -STOP "$daemon"
    late=$(play 17 "${changes[@]}" "$((count * 1500)):0" | cut -d' ' -f3)
    sleep 0.02
    kill -CONT "$daemon"
    # Still pressed, it goes on to record: only the level counts.
    wait_for 3 is buttons.shutter.level pressed && ok "B05: $count edges end in the true level" || not_ok "B05: $count edges end in $(of buttons.shutter.level)"
    lost=$(($(of buttons.shutter.events_lost) - lost))
    play 17 0:1 >/dev/null
    wait_for 10 settled
    # A pause of this machine in the middle is a level that settles.
    if [ "$late" -gt 8000 ]; then
        skip "B05: $count edges that settle are one press: the waveform was late by $late us"
    else
        same "B05: $count edges that settle are one press" 1 $(($(photos) - before))
    fi
}
burst 40
case $(ldd "$PROGRAMS/shutterd") in
    *libgpiod.so.2*) [ "$lost" -gt 0 ] && ok "B05: the loss is counted ($lost)" || not_ok "B05: no loss is counted" ;;
    *) ok "B05: a large queue loses nothing ($lost)" ;;
esac
burst 400
[ "$lost" -gt 0 ] && ok "B05: 400 edges: the loss is counted ($lost)" || not_ok "B05: 400 edges: no loss is counted"

# --- B18: signals interrupt nothing.
for _ in 1 2 3; do kill -HUP "$daemon"; done
becomes "a press after signals" 1 0:0 50000:1
stop
same "the daemon ends well" 0 $?

# --- B13: held while the daemon starts.
pull 17 down
start '[button.shutter]' 'bias = "as-is"'
pull 17 down
sleep 2.5
contains "B13: a button that is held at the start is told of" 'polarity or wiring looks inverted' "$(cat "$work/log")"
same "B13: it is no photo" 0 "$(photos)"
becomes "B13: nor is its release" 0 0:1
becomes "B13: the next press is" 1 0:0 100000:1
stop

# --- Several inputs.
pull 22 up
pull 23 down
start '[button.mode]' 'line = "GPIO22"' '[button.foot]' 'role = "shutter"' 'line = "GPIO23"' 'active = "high"'
wait_for 5 armed
play 23 0:1 100000:0 >/dev/null
wait_for 5 is presses.saved 1 && ok "a foot switch is another shutter" || not_ok "the foot switch took no photo"
play 22 0:0 100000:1 >/dev/null
wait_for 5 is mode video && ok "the mode button changes the mode" || not_ok "the mode is $(of mode)"
stop

# --- Addresses.
chip=$(basename "$(dirname "$(line 17)")")
for address in "pinctrl-bcm2711:17" "/dev/$chip:17" "$chip:17" GPIO17; do
    start '[button.shutter]' "line = \"$address\""
    wait_for 5 armed && ok "$address is found" || not_ok "$address is not found: $(cat "$work/log")"
    stop
done
ln -s "$chip" /dev/gpiochip44
start '[button.shutter]' 'line = "/dev/gpiochip44:17"'
wait_for 5 armed && ok "a link is found" || not_ok "a link is not found: $(cat "$work/log")"
stop
rm /dev/gpiochip44

# --- Another chip, that comes and goes.
mkdir -p /sys/kernel/config/gpio-sim/door/bank/{line1,line2/hog}
cd /sys/kernel/config/gpio-sim/door || exit
echo door-controller >bank/label
echo 4 >bank/num_lines
echo DOOR >bank/line1/name
echo "spi0 CS0" >bank/line2/hog/name
echo input >bank/line2/hog/direction
echo 1 >live
cd /
door() { echo "/sys/devices/platform/$(cat /sys/kernel/config/gpio-sim/door/dev_name)/$(cat /sys/kernel/config/gpio-sim/door/bank/chip_name)/sim_gpio1/pull"; }
wait_for 5 test -e "$(door)"
echo pull-up >"$(door)"

start '[button.shutter]' "line = \"/dev/$(cat /sys/kernel/config/gpio-sim/door/bank/chip_name):1\"" >/dev/null
wait "$daemon"
same "G01: the wrong chip is a fault of the configuration" 78 $?
contains "G01: it is told with the labels that are there" 'is door-controller now, not pinctrl-bcm2711.*pinctrl-bcm2711 \(/dev/' "$(cat "$work/log")"

start '[button.shutter]' 'line = "DOOR"' 'bias = "as-is"'
wait_for 5 armed && ok "a line of another chip is found by its name" || not_ok "DOOR is not found: $(cat "$work/log")"
echo pull-down >"$(door)"; sleep 0.1; echo pull-up >"$(door)"
wait_for 5 is presses.saved 1 && ok "a door contact takes photos" || not_ok "the door contact took no photo"
echo 0 >/sys/kernel/config/gpio-sim/door/live
SECONDS=0
wait_for 15 is ring button-fault && ok "B18: a chip that goes is shown after $SECONDS s" || not_ok "B18: the ring shows $(of ring)"
contains "B18: status tells why" 'DOOR' "$(of buttons.shutter.message)"
check "B18: the rest works" shutterctl --socket "$socket" capture
# The line is low when it is back: pressed.
echo 1 >/sys/kernel/config/gpio-sim/door/live
wait_for 10 is buttons.shutter.state ok && ok "B18: the line is back" || not_ok "B18: the line stays away: $(of buttons.shutter.message)"
sleep 1
same "B18: there is no ghost press" 2 "$(photos)"
echo pull-up >"$(door)"; sleep 0.1; echo pull-down >"$(door)"; sleep 0.1; echo pull-up >"$(door)"
wait_for 5 is presses.saved 3 && ok "B18: the button works again" || not_ok "B18: the button is dead: $(of presses.saved)"
same "B18: the ring is well again" idle-photo "$(of ring)"
stop

# --- G02: somebody has the line.
start '[button.shutter]' 'line = "door-controller:2"'
contains "G02: the user of the line is named" 'is in use by "spi0 CS0"' "$(cat "$work/log")"
same "G02: the ring shows it" button-fault "$(of ring)"
same "G02: status too" in-use "$(of buttons.shutter.state)"
stop
if gpiomon --version | grep -q 'v1'; then gpiomon gpiochip0 17 >/dev/null & else gpiomon --chip=gpiochip0 17 >/dev/null & fi
other=$!
sleep 1
start
contains "G02: another program is named" '\(line 17 of pinctrl-bcm2711, /dev/gpiochip0\) is in use by "gpiomon"' "$(cat "$work/log")"
kill $other
wait_for 8 armed && ok "G02: the line is taken when it is free" || not_ok "G02: the line is not taken: $(cat "$work/log")"
becomes "G02: and works" 1 0:0 100000:1
stop
# An earlier instance of us that ends 1.5 s later.
shutterd --board virtual-pi --data "$work/earlier" >/dev/null 2>&1 &
earlier=$!
wait_for 10 shutterctl --socket "$work/earlier/control.sock" status
start
contains "G02: an earlier instance is known" 'another shutterd has it' "$(cat "$work/log")"
sleep 1.5
kill $earlier
wait_for 5 armed && ok "G02: it is waited for" || not_ok "G02: not armed: $(cat "$work/log")"
stop

# --- G03: an ordinary user.
# as_user WORDS: whether the daemon says them.
as_user() {
    local found
    chmod 777 "$work"
    # Emptied here: the daemon may come to it late.
    : >"$work/log"
    setpriv --reuid=65534 --regid=65534 --clear-groups "$PROGRAMS/shutterd" --board virtual-pi --data "$work/user" >"$work/log" 2>&1 &
    daemon=$!
    wait_for 20 grep -q "$1" "$work/log"
    found=$?
    stop
    return $found
}
grep -q '^gpio:' /etc/group || echo 'gpio:x:5997:' >>/etc/group
chown root:gpio /dev/gpiochip*
chmod 660 /dev/gpiochip*
as_user 'no permission'
contains "G03: a group is missing" 'no permission for /dev/gpiochip[0-9], which is root:gpio 0660; nobody is in nogroup; add the group: sudo usermod -aG gpio nobody' "$(cat "$work/log")"
chown root:root /dev/gpiochip*
chmod 600 /dev/gpiochip*
as_user 'no permission'
contains "G03: a udev rule is missing" 'which is root:root 0600; nobody is in nogroup; the udev rule is missing' "$(cat "$work/log")"
# The line's own chip is enough.
chown 65534 "/dev/$chip"
as_user ': armed' && ok "G01: a foreign chip may be unreadable" || not_ok "G01: not armed: $(cat "$work/log")"

# --- Feedback, as the kernel saw it.
start '[feedback]' 'line = "GPIO27"'
wait_for 5 armed
trace_on gpio/gpio_value
becomes "feedback: a press" 1 0:0 100000:1
trace=$(trace_off)
# The kernel numbers lines through; only the button, line 17, is read.
pulses=$(awk '{ sub(":", "", $4); number = $6; kind = $7; value = $8; if (kind == "get") base = number - 17
    if (kind == "set" && base && number == base + 27) { if (value == 1) on = $4; else if (on) { printf "%d ", ($4 - on) * 1000 + 0.5; on = 0 } } }' <<<"$trace")
[ "$(wc -w <<<"$pulses")" = 1 ] && [ "$pulses" -ge 30 ] && ok "feedback: one pulse of 30 ms (${pulses% } here)" ||
    not_ok "feedback: pulses of [$pulses] ms: $(grep -c gpio_value <<<"$trace") values"
stop
same "feedback: off at the end" 0 "$(level 27)"
