# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
#
# Processor time for each frame of vimc's 1920x1080: libcamera's own cam, which only counts them, beside shutterd with its
# ring running and no press. camera.sh [FRAMES]
. "$BED/lib.sh"
count=${1:-300}
ticks=$(getconf CLK_TCK)
# used PID: ticks of the process, all its threads.
used() { perl -ne 's/.*\) //; my @f = split; print $f[11] + $f[12]' "/proc/$1/stat"; }
id=$(cam -l 2>/dev/null | sed -n 's/^[0-9]*:.*(\(.*vimc.*\))$/\1/p')

# cam is asked twice, so that its start is not in it.
cam_ticks() {
    cam -c "$id" -s role=still,width=1920,height=1080,pixelformat=BGR888 "-C$1" >/dev/null 2>&1 &
    perl -e '$pid = shift; while (open my $f, "<", "/proc/$pid/stat") { $_ = <$f>; s/.*\) //; @f = split; last if $f[0] eq "Z"; $used = $f[11] + $f[12]; select undef, undef, undef, 0.05 } print $used' $!
    wait $!
}
few=$(cam_ticks 30)
many=$(cam_ticks $((count + 30)))

cat >"$work/shutterd.toml" <<TOML
board = "virtual-pi"
[camera]
id = "$id"
buffers = 4
[photo]
size = "1920x1080"
[ring]
driver = "none"
[control]
group = ""
TOML
serve 'camera ready'
sleep 2
begun=$(used $daemon) first=$(frames)
until [ "$(($(frames) - first))" -ge "$count" ]; do sleep 1; done
ended=$(used $daemon) last=$(frames)
kill $daemon
wait $daemon
perl -e '
    my ($ticks, $cam, $frames, $ours, $seen) = @ARGV;
    my ($a, $b) = (1000 * $cam / $ticks / $frames, 1000 * $ours / $ticks / $seen);
    printf "cam       %.2f ms of processor time a frame (%d frames)\nshutterd  %.2f ms a frame (%d frames), %.2f times as much\n", $a, $frames, $b, $seen, $a ? $b / $a : 0;
' "$ticks" $((many - few)) "$count" $((ended - begun)) $((last - first))
