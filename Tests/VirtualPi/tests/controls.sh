# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A rotary encoder on real lines, and a remote of the kernel's input layer, move the controls.
# limit: 240
. "$BED/lib.sh"

for line in 17 20 21 22; do pull "$line" up; done
cat >"$work/shutterd.toml" <<'TOML'
board = "virtual-pi"
[button.shutter]
line = "GPIO17"
[gestures.photo]
hold = "none"
[encoder.dial]
a = "pinctrl-bcm2711:20"
b = "pinctrl-bcm2711:21"
button = "pinctrl-bcm2711:22"
[input.remote]
device = "Shutter Remote"
shutter = ["KEY_ENTER"]
up = ["KEY_VOLUMEUP"]
down = ["KEY_VOLUMEDOWN"]
turn = "REL_DIAL"
[controls.zoom]
remember = true
[ring]
driver = "none"
[camera]
source = "simulated"
[photo]
size = "640x360"
[storage]
reserve = "1MB"
[control]
group = ""
TOML
# is NAME VALUE
is() { perl -e 'exit !(abs($ARGV[0] - $ARGV[1]) < 1e-6)' -- "$(ctl controls | sed -n "s/^$1 *\([-0-9.]*\) .*/\1/p")" "$2"; }

serve armed || not_ok "it does not start: $(cat "$work/log")"
contains "a remote that is not there is said, and no fault of the camera's" 'input.remote.*Shutter Remote' "$(cat "$work/log")"
contains "it waits for a press all the same" '^ring: *idle-photo' "$(ctl status)"

# edge LINE up|down: with a bounce.
edge() { pull "$1" "$2"; pull "$1" "$([ "$2" = up ] && echo down || echo up)"; pull "$1" "$2"; nap 0.02; }
# detent FIRST SECOND: one turn from rest to rest, the first line leads.
detent() {
    local first=$1 second=$2
    edge "$first" down; edge "$second" down; edge "$first" up; edge "$second" up
}
ctl watch --json >"$work/events" &
watcher=$!
wait_for 10 test -S "$work/data/control.sock"
nap 0.3
for _ in 1 2 3; do detent 20 21; done
wait_for 10 is zoom 1.3 && ok "three detents clockwise, with bounce, are three steps" || not_ok "zoom is at $(ctl controls)"
detent 21 20
wait_for 10 is zoom 1.2 && ok "one back is one step back" || not_ok "zoom is at $(ctl controls)"
contains "watch tells of the session" '"state":"full-view"' "$(cat "$work/events")"
same "no turn was invented" 4 "$(grep -c '"kind":"turn"' "$work/events")"
pull 22 down; nap 0.1; pull 22 up; nap 0.2
contains "its button goes to the next control" '"state":"selected"' "$(cat "$work/events")"
detent 20 21
wait_for 10 is ev 0.5 && ok "and turns change that" || not_ok "ev is at $(ctl controls)"
wait_for 20 grep -q '"state":"inactive"' "$work/events" && ok "the session ends by itself" || not_ok "$(cat "$work/events")"

# The remote comes, goes and comes back.
cat >"$work/remote.pl" <<'PERL'
# Makes an input device, and does what it is told on stdin: KEY, RELATIVE AXIS VALUE, or nap.
use strict; use warnings;
$| = 1;
sysopen(my $device, '/dev/uinput', 2) or die "uinput: $!\n";
sub IO { my ($number) = @_; (ord('U') << 8) | $number }
sub IOW { my ($number) = @_; (1 << 30) | (4 << 16) | (ord('U') << 8) | $number }
ioctl($device, IOW(100), $_) or die "EVBIT $_: $!\n" for 1, 2;
ioctl($device, IOW(101), $_) or die "KEYBIT $_: $!\n" for 28, 114, 115;
ioctl($device, IOW(102), $_) or die "RELBIT $_: $!\n" for 7;
# struct uinput_setup: an id, a name and a number.
my $setup = pack('SSSS a80 L', 5, 1, 1, 1, 'Shutter Remote', 0);
ioctl($device, (1 << 30) | (length($setup) << 16) | (ord('U') << 8) | 3, $setup) or die "DEV_SETUP: $!\n";
ioctl($device, IO(1), 0) or die "DEV_CREATE: $!\n";
print "there\n";
sub event { my ($type, $code, $value) = @_; syswrite($device, pack('q q S S l', 0, 0, $type, $code, $value)) }
while (<STDIN>) {
    my @words = split;
    if ($words[0] eq 'key') { event(1, $words[1], 1); event(0, 0, 0); select(undef, undef, undef, 0.05); event(1, $words[1], 0); event(0, 0, 0) }
    if ($words[0] eq 'turn') { event(2, 7, $words[1]); event(0, 0, 0) }
}
PERL
mkfifo "$work/orders"
remote() {
    perl "$work/remote.pl" <"$work/orders" >"$work/remote" 2>&1 &
    remote=$!
    exec 7>"$work/orders"
    wait_for 10 grep -q there "$work/remote" || not_ok "no uinput: $(cat "$work/remote")"
}
remote
wait_for 20 grep -q 'input.remote: the line is there' "$work/log" && ok "the remote is found by its name" || not_ok "$(tail -n 3 "$work/log")"
ctl set zoom 1 >/dev/null
ctl set ev 0 >/dev/null
echo "key 115" >&7
wait_for 10 is ev 0.5 && ok "a volume key is a step" || not_ok "$(ctl controls)"
echo "turn -2" >&7
wait_for 10 is ev -0.5 && ok "an axis is a knob" || not_ok "$(ctl controls)"
echo "key 28" >&7
wait_for 20 grep -q '"kind":"saved"' "$work/events" && ok "its enter key is the shutter" || not_ok "$(tail -n 3 "$work/events")"
lag=$(sed -n '/"kind":"saved"/s/.*"lag_us":\(-\{0,1\}[0-9]*\).*/\1/p' "$work/events")
[ -n "$lag" ] && [ "${lag#-}" -le 25000 ] && ok "the photo is of the key's instant ($lag us)" || not_ok "lag ${lag:-unknown} us"
exec 7>&-
wait $remote
wait_for 20 grep -q 'input.remote.*No such device' "$work/log" && ok "that it went is said" || not_ok "$(tail -n 3 "$work/log")"
contains "and is no fault" '^ring: *(idle-photo|value)' "$(ctl status)"
count=$(grep -c 'input.remote: the line is there' "$work/log")
remote
wait_for 20 eval '[ "$(grep -c "input.remote: the line is there" "$work/log")" -gt '"$count"' ]' && ok "it is found again" || not_ok "$(tail -n 3 "$work/log")"
echo "key 114" >&7
wait_for 10 is ev -1 && ok "and works" || not_ok "$(ctl controls)"
exec 7>&-
wait $remote

# What is to be remembered is.
ctl set zoom 2.5 >/dev/null
kill $daemon; wait $daemon; kill $watcher 2>/dev/null
serve armed
is zoom 2.5 && is ev 0 && ok "the zoom outlasts a restart, and the rest does not" || not_ok "$(ctl controls)"
kill $daemon; wait $daemon
