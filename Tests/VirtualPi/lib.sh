# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the tests, inside the virtual Pi. $CHECKOUT is the checkout, $PROGRAMS the folder with what was built of it.

export PATH=$PROGRAMS:$PATH
work=$(mktemp -d)

ok() { echo "ok $*"; }
not_ok() { echo "not ok $*"; }
skip() { echo "skip $*"; }

# check NAME COMMAND [ARGUMENT]…: ok when it succeeds; else its last words are the reason.
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        ok "$name"
    else
        not_ok "$name: $* ended with status $?: $(tail -n 3 <<<"$output" | tr '\n' ' ')"
    fi
}

# same NAME EXPECTED ACTUAL
same() {
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1: expected [$2], got [$3]"; fi
}

# contains NAME PATTERN TEXT: a line of the text matches the extended pattern.
contains() {
    if grep -qE -- "$2" <<<"$3"; then ok "$1"; else not_ok "$1: no line matches [$2] in [$(tr '\n' '|' <<<"$3")]"; fi
}

# wait_for SECONDS COMMAND [ARGUMENT]…: until it succeeds.
wait_for() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# nap SECONDS: as sleep, without a process of its own.
nap() {
    [ -p "$work/never" ] || mkfifo "$work/never"
    read -rt "$1" <>"$work/never" || true
}

# small_camera LINE…: settings of a simulated camera behind the Pi's lines, whose files are small; the lines are what else it is to be.
small_camera() {
    {
        printf '%s\n' 'board = "virtual-pi"' '[camera]' 'source = "simulated"' '[photo]' 'size = "320x240"' '[video]' 'size = "320x180"' 'bitrate = "500kbit/s"'
        printf '%s\n' '[control]' 'group = ""' '[storage]' 'reserve = "1MB"' "$@"
    } >"$work/shutterd.toml"
}
# serve WORD: starts the daemon with $work/shutterd.toml, and waits until its log has the word; it is $daemon.
serve() {
    # The last one's words must be gone before it is looked at.
    : >"$work/log"
    shutterd --config "$work/shutterd.toml" --boards "$CHECKOUT/boards" --data "$work/data" 2>"$work/log" &
    daemon=$!
    wait_for 60 grep -q "$1" "$work/log"
}
# ctl VERB…: asks it.
ctl() { shutterctl --socket "$work/data/control.sock" "$@"; }
# frames: how many its camera has delivered.
frames() { ctl status | sed -n 's/^camera.frames: *//p'; }

# line LINE: the folder of a simulated line, as in: line 17
line() { echo /sys/devices/platform/gpio/gpiochip*/sim_gpio"$1"; }
# pull LINE up|down: what a switch does to an input.
pull() { echo "pull-$2" >"$(line "$1")/pull"; }
# first_line: the number that the trace has for line 0.
first_line() { sed -n 's/.*GPIOs \([0-9]*\)-.*pinctrl-bcm2711.*/\1/p; t; s/^gpiochip0: GPIOs \([0-9]*\)-.*/\1/p' /sys/kernel/debug/gpio | head -n 1; }
# level LINE: 0 or 1, as an output drives it.
level() { cat "$(line "$1")/value"; }

# trace_on EVENT…: the kernel writes down what happens, as in: trace_on gpio/gpio_value spi/spi_transfer_start
trace_on() {
    local event
    echo mono >/sys/kernel/tracing/trace_clock
    echo >/sys/kernel/tracing/trace
    for event in "$@"; do echo 1 >"/sys/kernel/tracing/events/$event/enable"; done
    echo 1 >/sys/kernel/tracing/tracing_on
}
# trace_off: ends it and prints what was written.
trace_off() {
    echo 0 >/sys/kernel/tracing/tracing_on
    echo 0 >/sys/kernel/tracing/events/enable
    grep -v '^#' /sys/kernel/tracing/trace
}

# virtual_camera: lets libcamera's own test camera be there as well, which libcamera has since 0.4.
virtual_camera() {
    local folder=/usr/share/libcamera/pipeline/virtual
    ldconfig -p | grep -q 'libcamera\.so\.0\.0' && return 1
    mkdir -p "$folder"
    cat >"$folder/virtual.yaml" <<'YAML'
"Virtual0":
  supported_formats:
  - width: 1920
    height: 1080
    frame_rates:
    - 30
    - 60
  test_pattern: "lines"
  location: "CameraLocationFront"
  model: "Virtual Video Device"
YAML
}

# presses COUNT PERIOD [START]: a waveform of that many presses, PERIOD ms apart, each half as long, the first after START.
presses() {
    local i start=${3:-0}
    printf '%s\n' '$timescale 1 ms $end' '$var wire 1 ! shutter $end' '$enddefinitions $end' '$dumpvars 1! $end'
    for ((i = 1; i <= $1; i++)); do
        printf '#%d 0!\n#%d 1!\n' $((start + i * $2)) $((start + i * $2 + $2 / 2))
    done
    printf '#%d\n' $((start + (i + 1) * $2))
}

# make_file_system KIND FOLDER [MEGABYTES]: a fresh one of that kind, mounted. It has to be larger than the
# default reserve of 200 MB.
make_file_system() {
    local image=$work/$1.image
    mkdir -p "$2"
    case $1 in
        tmpfs) mount -t tmpfs tmpfs "$2" && return ;;
        overlay)
            mkdir -p "$work/overlay"
            mount -t tmpfs tmpfs "$work/overlay"
            mkdir "$work"/overlay/{lower,upper,work}
            mount -t overlay -o "lowerdir=$work/overlay/lower,upperdir=$work/overlay/upper,workdir=$work/overlay/work" overlay "$2"
            return
            ;;
    esac
    truncate -s "${3:-512}M" "$image"
    case $1 in
        ext4) mkfs.ext4 -q -F "$image" ;;
        vfat) mkfs.vfat "$image" >/dev/null ;;
        exfat) mkfs.exfat "$image" >/dev/null ;;
    esac
    mount -o loop -t "$1" "$image" "$2"
}

# decodes FILE…: each is a whole JPEG that libjpeg has nothing to say about.
decodes() {
    local words
    words=$(jpeginfo -c "$@" 2>&1 | grep -v ' OK *$')
    [ -z "$words" ] || { echo "$words"; return 1; }
}
