# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
#
# Sums up what edge.sh has printed: medians, p99, and ratios to the C program.
use strict;
use warnings;

my (@names, %edges, %wakes, %cpu);
while (<>) {
    chomp;
    my ($kind, $name, @values) = split /\t/;
    push @names, $name unless grep { $_ eq $name } @names;
    if ($kind eq 'edge') { push @{$edges{$name}}, $values[0] }
    else { push @{$wakes{$name}}, $values[0]; push @{$cpu{$name}}, $values[1] }
}
sub at {
    my ($share, @values) = @_;
    @values = sort { $a <=> $b } @values;
    return $values[int($share * $#values + 0.5)];
}
@names && %edges or die "nothing was measured\n";
my ($least) = grep { /^C.*debounced/ } @names;
my ($median, $p99) = map { at($_, @{$edges{$least}}) } 0.5, 0.99;
print "Interrupt for a press -> change of the light's line, beyond the debounce time, in us; idle for 10 s a round\n\n";
printf "%-32s %7s %7s %7s %8s %8s %9s %7s\n", 'program', 'presses', 'median', 'p99', '/C', 'p99-C', 'wakes/s', 'CPU %';
for my $name (@names) {
    my @all = @{$edges{$name} // []} or next;
    my ($own, $worst) = map { at($_, @all) } 0.5, 0.99;
    printf "%-32s %7d %7d %7d %8.2f %8d %9.2f %7.2f\n", $name, scalar @all, $own, $worst, $own / $median, $worst - $p99,
        at(0.5, @{$wakes{$name}}), at(0.5, @{$cpu{$name}});
}
print "\nThe trace's clock is the kernel's; /C and p99-C are to the debounced C program. shutterd's idle is without the thread of\n",
    "the simulated camera. The goal: p99-C of shutterd at most 1000 us.\n";
