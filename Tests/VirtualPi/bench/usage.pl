# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
#
# usage.pl PROCESS: how often its threads have slept and been woken, and the nanoseconds of processor time that they have
# used; without the simulated camera's thread, which draws a scene where a real camera has hardware.
use strict;
use warnings;

my ($wakes, $time) = (0, 0);
for my $task (glob "/proc/$ARGV[0]/task/*") {
    local @ARGV = "$task/comm";
    next if <> eq "camera\n";
    local @ARGV = "$task/status";
    while (<>) { $wakes += $1 if /^voluntary_ctxt_switches:\s*(\d+)/ }
    local @ARGV = "$task/stat";
    my @fields = split ' ', <> =~ s/^.*\) //r;
    $time += ($fields[11] + $fields[12]) * 1e7;
    while (<>) { }
}
print "$wakes\t$time\n";
