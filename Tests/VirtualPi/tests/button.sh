# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# button test and button record on real lines, with the switches of the field cases.
. "$BED/lib.sh"

configuration=$work/shutterd.toml
printf '%s\n' 'board = "virtual-pi"' '[button.mode]' 'line = "pinctrl-bcm2711:18"' '[ring]' 'driver = "none"' '[control]' 'group = ""' >"$configuration"
play() { local line=$1; shift; perl "$BED/play.pl" "$(line "$line")/pull" "$@"; }
pull 17 up
pull 18 up

# B04: re-closes for 157 ms. (A simulated line tells of an edge at the next tick, so times are a few ms off.)
shutterctl --config "$configuration" button test --json >"$work/test" 2>"$work/errors" &
tester=$!
wait_for 10 grep -q '"kind":"level"' "$work/test" || not_ok "button test does not start: $(cat "$work/errors")"
play 17 0:0 30000:1 60000:0 120000:1 157000:0 1500000:1 >/dev/null
wait_for 10 grep -q '"kind":"release"' "$work/test"
kill -TERM $tester
wait $tester
same "a signal is the end, and no fault" 0 $?
end=$(grep '"kind":"end"' "$work/test")
contains "B04: six edges, one press" '"edges":6.*"presses":1' "$end"
contains "B04: the longest re-closure" '"longest_reclosure_us":1(5[0-9]|6[0-9])[0-9]{3}' "$end"
contains "B04: the longest pause" '"longest_quiet_us":(5[5-9]|6[0-9])[0-9]{3}' "$end"
proposed=$(sed -n 's/.*"proposed_debounce_ms":\([0-9]*\).*/\1/p' <<<"$end")
[ "${proposed:-0}" -ge 85 ] && [ "$proposed" -le 110 ] && ok "B04: $proposed ms are proposed" || not_ok "B04: ${proposed:-nothing} is proposed"
contains "levels, electrical and logical" '"high":false.*"kind":"edge".*"level":"pressed"' "$(cat "$work/test")"

# As a person sees it.
TERM=xterm script -qc "stty cols 60 rows 24; exec $(command -v shutterctl) button test --seconds 3 --config $configuration" /dev/null </dev/null >"$work/seen" 2>&1 &
tester=$!
wait_for 10 grep -q 'Press for about' "$work/seen"
play 17 0:0 20000:1 50000:0 1000000:1 >/dev/null
wait $tester
seen=$(tr '\r' '\n' <"$work/seen" | sed 's/\x1b\[[0-9;]*[A-Za-z]//g')
contains "a picture of the waveform" '[▔▁│]{20}' "$seen"
contains "both levels, live" '^low → pressed' "$seen"
contains "a verdict" 'debounce' "$seen"
longest=$(perl -CSD -ne 'chomp; print length, "\n"' <<<"$seen" | sort -n | tail -n 1)
[ "$longest" -le 60 ] && ok "it fits 60 columns" || not_ok "a line of $longest columns: $seen"

# A recording of both lines, which other programs read.
shutterctl --config "$configuration" button record -o "$work/bounce.vcd" >"$work/record" 2>&1 &
recorder=$!
wait_for 10 grep -q recording "$work/record" || not_ok "button record does not start: $(cat "$work/record")"
play 17 0:0 20000:1 40000:0 200000:1 >/dev/null
play 18 0:0 200000:1 >/dev/null
sleep 0.1
kill -TERM $recorder
wait $recorder
contains "six changes" '^6 changes in' "$(cat "$work/record")"
replayed=$(shutterctl --config "$configuration" replay "$work/bounce.vcd")
contains "replay reads the press" '"input":"shutter","kind":"press"' "$replayed"
contains "replay reads the mode button" '"input":"mode","kind":"press"' "$replayed"
if command -v sigrok-cli >/dev/null; then
    samples=$(sigrok-cli -I vcd -i "$work/bounce.vcd" -O csv 2>&1)
    contains "sigrok reads its channels" 'shutter' "$samples"
    contains "sigrok reads a press" '^0,1$' "$samples"
else
    skip "sigrok reads it: no sigrok-cli here"
fi
status=0
shutterctl --config "$configuration" button record -o "$work/bounce.vcd" 2>"$work/errors" || status=$?
same "a recording is not written over" 73 "$status"

# The daemon has the line.
shutterd --config "$configuration" --data "$work/data" --socket "$work/socket" >"$work/log" 2>&1 &
daemon=$!
wait_for 10 shutterctl --socket "$work/socket" status
status=0
shutterctl --config "$configuration" button test --seconds 1 2>"$work/errors" || status=$?
same "while the daemon runs it is refused" 75 "$status"
contains "who has the line is said" 'held by shutterd; stop it first' "$(cat "$work/errors")"
kill $daemon
wait $daemon
