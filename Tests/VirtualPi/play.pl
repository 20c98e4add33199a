# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
#
# play.pl PULL MICROSECONDS:LEVEL…: puts a simulated line at each level at its time, as a switch does. Prints the
# CLOCK_MONOTONIC nanoseconds before and after the first change, and by how many microseconds the latest change was late.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime usleep CLOCK_MONOTONIC);

my ($pull, @changes) = @ARGV;
open my $file, '>', $pull or die "$pull: $!\n";
sub now { clock_gettime(CLOCK_MONOTONIC) * 1e9 }

my $start = now();
my $after;
my $late = 0;
for (@changes) {
    my ($at, $level) = split /:/;
    # The last millisecond is waited for awake.
    while ((my $left = $start + $at * 1e3 - now()) > 0) { usleep(($left - 1e6) / 1e3) if $left > 2e6 }
    my $before = now();
    $late = $before - $start - $at * 1e3 if defined $after && $late < $before - $start - $at * 1e3;
    syswrite($file, $level ? 'pull-up' : 'pull-down') or die "$pull: $!\n";
    $start = $before - $at * 1e3 if !defined $after;
    $after //= sprintf '%.0f %.0f', $before, now();
}
printf "%s %.0f\n", $after, $late / 1e3;
