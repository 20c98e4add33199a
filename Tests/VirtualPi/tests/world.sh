# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# limit: 480
# What the world does to one daemon while its real button is pressed: the date jumps, descriptors, address space, threads and memory run out, the card is slow,
# fails, and comes back.
. "$BED/lib.sh"

# fresh: an empty card, on which the data is.
fresh() {
    umount -l "$work/data" 2>/dev/null
    rm -f "$work/ext4.image"
    make_file_system ext4 "$work/data"
}
# world [LINE OF CONFIGURATION]…: a daemon.
world() {
    small_camera '[ring]' 'driver = "none"' "$@"
    serve armed || not_ok "it does not start: $(tail -n 3 "$work/log" | tr '\n' ' ')"
}
media=$work/data/media/DCIM/100SHUTR
# over: it ends well.
over() {
    local status=0
    kill -TERM "$daemon"
    wait "$daemon" || status=$?
    same "$1: it ends well" 0 $status
}
press() { pull 17 down; nap 0.1; pull 17 up; nap 0.1; }
said() { ctl status | sed -n "s/^$1: *//p"; }
at_least() { local value; value=$(said "$1"); [ "${value:-0}" -ge "$2" ]; }
none_waits() { [ "$(said presses.pending)" = 0 ]; }
# adds_up NAME: no press is without an answer, and each that is told as saved is a whole photo.
adds_up() {
    wait_for 120 none_waits || not_ok "$1: photos are still waiting"
    ctl status >"$work/status"
    same "$1: accepted = saved + refused + failed + cancelled" "$(tally accepted)" "$(($(tally saved) + $(tally refused) + $(tally failed) + $(tally cancelled)))"
}
tally() { sed -n "s/^presses\.$1: *//p" "$work/status"; }
# is_photo NAME: a press is one photo more, and a whole one.
is_photo() {
    local before
    before=$(said presses.saved)
    press
    if wait_for 30 at_least presses.saved $((before + 1)); then check "$1" decodes "$(said last.path)"; else not_ok "$1: no photo: $(said storage.message) $(tail -n 2 "$work/log" | tr '\n' ' ')"; fi
}

pull 17 up

# --- The date. The button, the camera and the length of a hold know nothing of it.
fresh
world
is_photo "a press is a photo"
ctl mode video >/dev/null
press
is_recording() { at_least video.frames 15; }
wait_for 60 is_recording || not_ok "it does not record: $(said video.message)"
for date in "2040-02-01 12:00:00" "1970-01-02 00:00:00" "2038-01-19 03:14:05" "2026-11-30 12:00:00"; do
    date -s "$date" >/dev/null
    nap 1
done
press
is_over() { [ "$(said video.state)" = idle ]; }
wait_for 30 is_over
clip=$(said video.last.path)
check "a clip goes on while the date jumps" ffmpeg -v error -xerror -i "$clip" -f null -
length=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$clip")
awk -v l="$length" 'BEGIN { exit !(l > 4 && l < 60) }' && ok "and is as long as it was: $length s" || not_ok "its length: [$length]"
ctl mode photo >/dev/null
for date in "2040-02-01 12:00:00" "1970-01-02 00:00:00" "2038-01-19 03:14:05" "2026-11-30 12:00:00"; do
    date -s "$date" >/dev/null
    is_photo "a press is a photo, in ${date%%-*}"
    contains "and has that year" "^${date%%-*}:" "$(exiftool -s3 -DateTimeOriginal "$(said last.path)")"
    lag=$(said last.lag_us)
    [ "${lag#-}" -le 16667 ] && ok "and is of the press: $lag us" || not_ok "its lag: $lag us"
done
# The date comes while the button is held: a hold is as long as it lasts.
before=$(said presses.saved)
pull 17 down
nap 0.1
date -s "2027-06-01 12:00:00" >/dev/null
pull 17 up
wait_for 30 at_least presses.saved $((before + 1)) && ok "the date comes during a press: one photo, no hold" || not_ok "the date comes during a press: no photo"
same "and no clip" idle "$(said video.state)"
adds_up "dates"
over "dates"

# --- The machine stands still, as when it swaps, with a press in it: the frame is still there when the loop wakes.
fresh
world '[gestures.photo]' 'hold = "none"'
is_photo "a press is a photo"
before=$(said presses.saved)
for _ in 1 2 3 4 5 6 7 8; do
    kill -STOP "$daemon"
    nap 0.05
    press
    nap 0.2
    kill -CONT "$daemon"
    nap 0.5
done
adds_up "it stood still"
same "it stood still: each press is a photo" $((before + 8)) "$(tally saved)"
ctl lag --json | perl -MJSON::PP -0 -ne 'print "$_->{min_us} $_->{max_us}\n" for decode_json($_)->{lag}' >"$work/lags"
read -r earliest latest <"$work/lags"
[ "$earliest" -ge -16667 ] && [ "$latest" -le 16667 ] && ok "it stood still: each is of its press, $earliest to $latest us" || not_ok "it stood still: lags of [$earliest] to [$latest] us"
over "it stood still"

# --- Descriptors. What is open stays so, and no more can be.
fresh
world '[gestures.photo]' 'hold = "none"'
is_photo "a press is a photo"
# The lowest free number is beyond the limit.
free=0
while [ -e "/proc/$daemon/fd/$free" ]; do free=$((free + 1)); done
prlimit --pid "$daemon" --nofile=$free:4096
for _ in 1 2 3; do press; done
# Nobody can ask it now, and that costs no time.
ticks() { awk '{ print $14 + $15 }' "/proc/$daemon/stat"; }
before=$(ticks)
ctl status >"$work/late" &
client=$!
nap 2
used=$(($(ticks) - before))
[ $used -lt 100 ] && ok "and nothing spins: $((used * 10)) ms in 2 s" || not_ok "it spins: $((used * 10)) ms in 2 s"
check "it lives" kill -0 "$daemon"
prlimit --pid "$daemon" --nofile=4096:4096
wait $client && ok "with descriptors it answers who has waited" || not_ok "it does not answer who has waited"
nap 1.1
is_photo "and a press is a photo"
contains "what failed has the reason" 'Too many open files' "$(cat "$work/log")"
adds_up "descriptors"
over "descriptors"

# --- Address space, as with `ulimit -v`: a photo's buffers and FFmpeg's libraries find no room. Later they do. What is small finds
# some: without any, the language's own runtime ends a program.
fresh
small_camera '[ring]' 'driver = "none"' '[gestures.photo]' 'hold = "none"'
sed -i 's/"320x240"/"1920x1080"/' "$work/shutterd.toml"
serve armed || not_ok "it does not start: $(tail -n 3 "$work/log" | tr '\n' ' ')"
space() { prlimit --pid "$daemon" --as="$1"; }
has_failed() { at_least presses.failed "$1"; }
space $((($(sed -n 's/^VmSize:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$daemon/status") + 1024) * 1024)):
press
wait_for 30 has_failed 1 && ok "no address space: a photo fails" || not_ok "no address space: it does not fail: $(ctl status | grep '^presses')"
contains "no address space: with its reason" 'mmap of .*Cannot allocate memory' "$(cat "$work/log")"
check "no address space: video mode" ctl mode video
ctl record start >/dev/null 2>&1
wait_for 30 has_failed 2 && ok "no address space: a clip fails" || not_ok "no address space: it does not fail: $(ctl status | grep '^presses')"
space unlimited
check "with address space: a clip" ctl record start
wait_for 60 is_recording
check "with address space: it is saved" ctl record stop
check "with address space: photo mode" ctl mode photo
is_photo "with address space"
adds_up "address space"
over "address space"

# --- Memory. With a little more than it has, it works; with less, the kernel ends it, and what was saved is there.
fresh
mkdir -p /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup
echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/shutterd
group=/sys/fs/cgroup/shutterd
world '[gestures.photo]' 'hold = "none"'
for _ in 1 2 3; do is_photo "a press is a photo"; done
# In a group of its own from here on; what it had before is on no account, what comes is.
over "memory, before"
: >"$work/log"
(echo "$BASHPID" >$group/cgroup.procs && exec shutterd --config "$work/shutterd.toml" --boards "$CHECKOUT/boards" 2>"$work/log" --data "$work/data") &
daemon=$!
wait_for 60 grep -q armed "$work/log"
is_photo "in a group of its own"
# Each clip has threads of its own, and there may be none.
failed=$(said presses.failed)
cat $group/pids.current >$group/pids.max
check "no thread: video mode" ctl mode video
ctl record start >/dev/null 2>&1
ctl record stop >/dev/null 2>&1
wait_for 30 has_failed $((failed + 1)) && ok "no thread: a clip fails" || not_ok "no thread: it does not fail: $(ctl status | grep '^presses')"
contains "no thread: with its reason" 'Resource temporarily unavailable' "$(cat "$work/log")"
check "no thread: photo mode" ctl mode photo
is_photo "no thread: a press is a photo"
echo max >$group/pids.max
check "with threads: video mode" ctl mode video
check "with threads: a clip" ctl record start
nap 2
check "with threads: it is saved" ctl record stop
check "with threads: photo mode" ctl mode photo
echo $(($(cat $group/memory.current) + (4 << 20))) >$group/memory.max
for _ in 1 2 3 4 5 6 7 8; do press; done
wait_for 60 none_waits
is_photo "with 4 MB more than it has"
same "nothing was ended" 0 "$(sed -n 's/^oom_kill //p' $group/memory.events)"
saved=$(said presses.saved)
adds_up "memory"
# Less than the kernel can take back from it: with a little more than that it would read its own code again and again.
for _ in 1 2 3; do press; done
echo 1M >$group/memory.max
status=0
wait "$daemon" || status=$?
same "with less than it needs the kernel ends it" 137 $status
echo max >$group/memory.max
files=$(find "$media" -name '*.JPG' -o -name '*.MP4' | wc -l)
[ "$files" -ge $((saved + 3)) ] && ok "what was saved is there" || not_ok "$files files of $((saved + 3)) are there"
[ "$(sed -n 's/^oom_kill //p' $group/memory.events)" -gt 0 ] && ok "for its memory" || not_ok "not for its memory"
check "and whole" decodes "$media"/*.JPG
serve armed || not_ok "it does not start again: $(tail -n 3 "$work/log" | tr '\n' ' ')"
is_photo "it starts again, and a press is a photo"
same "nothing half-written is left" "" "$(find "$work/data/media" -name '.*' -type f)"
over "memory"

# --- A card that takes half a second for each write, then one that fails, and comes back.
truncate -s 512M "$work/card.image"
loop=$(losetup -f --show "$work/card.image")
size=$(blockdev --getsz "$loop")
dmsetup --noudevsync create card --table "0 $size linear $loop 0"
dmsetup mknodes card
# becomes TARGET…: the card is another one now.
becomes() {
    dmsetup suspend --noflush --nolockfs card
    dmsetup load card --table "$*"
    dmsetup --noudevsync resume card
}
mkfs.ext4 -q -F /dev/mapper/card
umount -l "$work/data"
mount /dev/mapper/card "$work/data"
becomes "0 $size delay $loop 0 0 $loop 0 500"
world '[gestures.photo]' 'hold = "none"'
for _ in 1 2 3 4 5 6 7 8; do press; done
wait_for 10 at_least presses.accepted 1
adds_up "a slow card"
# Frames that were lent are given back; what finds no room is refused and told.
[ "$(said presses.saved)" -ge 3 ] && ok "a slow card: $(said presses.saved) photos of 8 presses, $(said presses.refused) refused" || not_ok "a slow card: $(ctl status | grep '^presses')"
check "a slow card: they are whole" decodes "$media"/*.JPG
lag=$(said last.lag_us)
[ "${lag#-}" -le 16667 ] && ok "a slow card: each is of its press ($lag us)" || not_ok "a slow card: lag $lag us"
becomes "0 $size linear $loop 0"
is_photo "a card that is quick again: a press is a photo"

saved=$(said presses.saved)
becomes "0 $size error"
for _ in 1 2 3; do press; done
wait_for 60 none_waits
same "a card that fails: nothing is reported as saved" "$saved" "$(said presses.saved)"
contains "and the reason is told" 'Input/output error|Read-only file system|read-only' "$(said storage.message) $(tail -n 5 "$work/log")"
check "it lives" kill -0 "$daemon"
adds_up "a card that fails"
# As a person does: out, and in again.
becomes "0 $size linear $loop 0"
umount -l "$work/data"
e2fsck -fy /dev/mapper/card >/dev/null 2>&1
mount /dev/mapper/card "$work/data"
same "what was saved is there" "$saved" "$(find "$media" -name 'IMG_*.JPG' | wc -l)"
check "and whole" decodes "$media"/*.JPG
nap 1.1
is_photo "the card is back: a press is a photo, in the same process"
over "the card"
