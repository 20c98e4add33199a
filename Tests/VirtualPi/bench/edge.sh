# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Inside the virtual Pi: from the kernel's interrupt for a press to the change of the light's line, as the kernel's trace
# has both; for shutterd, for the least C program, and for gpiozero. In rounds, so that all meet the same machine.
#
#   edge.sh [PRESSES A ROUND] [ROUNDS]
. "$BED/lib.sh"
presses=${1:-40} rounds=${2:-3} quiet=10
cc -O2 -Wall -o "$work/edge" "$BED/bench/edge.c" -lgpiod || exit
# A real camera's frames are not drawn by the one processor that there is here; these are small, so that hardly any time goes there.
small_camera '[gestures.photo]' 'hold = "none"' '[ring]' 'driver = "gpio"' 'lines = ["GPIO5"]'

# watch NAME DEBOUNCE_US COMMAND…
watch() {
    local name=$1 debounce=$2 process i
    shift 2
    "$@" >"$work/said" 2>"$work/log" </dev/null &
    process=$!
    wait_for 30 grep -qE '^ready|armed' "$work/said" "$work/log" || { echo "$name does not start: $(tail -n 3 "$work/log")" >&2; exit 1; }
    sleep 2
    perl "$BED/bench/usage.pl" "$process" >"$work/before"
    sleep $quiet
    perl "$BED/bench/usage.pl" "$process" | paste "$work/before" - | awk -v n="$name" -v s=$quiet '{ print "idle\t" n "\t" ($3 - $1) / s "\t" ($4 - $2) / s / 1e7 }'
    trace_on gpio/gpio_value
    for ((i = 0; i < presses; i++)); do
        pull 17 down
        sleep "0.$((120 + RANDOM % 30))"
        pull 17 up
        sleep "0.$((500 + RANDOM % 40))"
    done
    trace_off >"$work/trace"
    { kill "$process"; wait "$process"; } 2>/dev/null
    perl -ane '
        BEGIN { ($name, $debounce) = splice @ARGV, 0, 2 }
        next unless /^\s*(\S+)-\d+\s.*?\s(\d+\.\d+): gpio_value: (\d+) (get|set) ([01])/;
        my ($who, $at, $line, $verb, $value) = ($1, $2, $3, $4, $5);
        if ($verb eq "get" && $value == 0 && $who =~ m{^irq/}) { $edge = $at }
        elsif ($verb eq "set" && defined $edge) { printf "edge\t%s\t%.0f\n", $name, ($at - $edge) * 1e6 - $debounce; undef $edge }
    ' "$name" "$debounce" "$work/trace"
}

pull 17 up
for ((round = 0; round < rounds; round++)); do
    watch "C on libgpiod" 0 "$work/edge" 17 5
    watch "C on libgpiod, debounced 20 ms" 20000 "$work/edge" 17 5 20000
    [ ! -d /gpiozero ] || watch "gpiozero" 0 env GPIOZERO_PIN_FACTORY=lgpio python3 "$BED/bench/edge.py" 17 5
    watch "shutterd, debounced 20 ms" 20000 shutterd --config "$work/shutterd.toml" --data "$work/data"
done
