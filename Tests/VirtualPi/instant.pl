# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
#
# djpeg -grayscale PHOTO | instant.pl: the exposure's centre as the simulated camera drew it along the top edge: 64
# squares, most significant bit first, white = 1; CLOCK_MONOTONIC nanoseconds.
use strict;
use warnings;

binmode STDIN;
local $/;
my $image = <STDIN>;
$image =~ /^P5\s+(\d+)\s+(\d+)\s+255\s/ or die "this is no grey image\n";
my ($width, $pixels) = ($1, substr $image, $+[0]);
my $side = $width / 64;
my $instant = 0;
for my $bit (0 .. 63) {
    my $grey = ord substr $pixels, int($side / 2) * $width + int(($bit + 0.5) * $side), 1;
    $instant = $instant * 2 + ($grey > 127 ? 1 : 0);
}
print "$instant\n";
