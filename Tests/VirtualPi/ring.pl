# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
#
# Reads the kernel's trace of a ring as its LEDs would, and compares it with the frames that were ordered. Knows the
# datasheets, and nothing of the encoder.
#
#   ring.pl wire NAME DRIVER ORDER COUNT FRAMES TRACE     prints one "ok …" or "not ok …"
#   ring.pl rhythm NAME FIRST LAST FRAMES TRACE           one for each cue; of the lines that move, from 0 on
#   ring.pl first|last DRIVER <TRACE                      what the first or last message shows: "off 24", "lit"
use strict;
use warnings;

# The bus runs at this speed as far as the chips can tell: spi-gpio keeps no time.
my $tick = 1e9 / 6.4e6;
# Nanoseconds: high of a 0, low of a 0, high of a 1, low of a 1, reset.
my %timing = (
    'ws2812-spi' => [[250, 380], [700, 1000], [650, 950], [300, 600], 280_000],
    'sk6812-spi' => [[150, 450], [750, 1050], [450, 750], [450, 750], 80_000],
);

sub fail { print "not ok $_[0]: $_[1]\n"; exit 0 }

# The frames that were ordered: [cue, microseconds, [red, green, blue]…].
sub frames {
    my @frames;
    open my $file, '<', $_[0] or die "$_[0]: $!";
    while (<$file>) {
        my ($cue) = /"cue":"([^"]*)"/ or die "no frame: $_";
        my ($time) = /"t_us":(\d+)/;
        my ($pixels) = /"pixels":\[(.*?)\]\]?[,}]/;
        my @pixels = map { [split /,/] } /\[([-\d.e]+,[-\d.e]+,[-\d.e]+)\]/g;
        push @frames, [$cue, $time, @pixels];
    }
    return @frames;
}

# The messages on the bus, as the clock line took them from the data line: { bits, transfers, length }.
sub messages {
    my ($handle) = @_;
    my (@messages, $message, %count, @events);
    while (<$handle>) {
        if (/gpio_value: (\d+) set (\d)/) { push @events, [$1, $2]; $count{$1}++ }
        elsif (/spi_message_start:/) { push @events, ['start'] }
        elsif (/spi_message_done:.*len=(\d+)\/(\d+)/) { push @events, ['done', $1, $2] }
        elsif (/spi_transfer_start:.*len=(\d+)/) { push @events, ['transfer', $1] }
    }
    # The line that moves most is the clock, GPIO11; the data is on GPIO10.
    my ($clock) = sort { $count{$b} <=> $count{$a} } keys %count;
    return () unless defined $clock;
    my ($level, $shown) = (0, 0);
    for my $event (@events) {
        if ($event->[0] eq 'start') { $message = { bits => '', transfers => 0 } }
        elsif ($event->[0] eq 'transfer') { $message->{transfers}++ if $message; }
        elsif ($event->[0] eq 'done') { $message->{length} = $event->[1]; push @messages, $message if $message; undef $message }
        elsif ($event->[0] == $clock - 1) { $level = $event->[1] }
        elsif ($event->[0] == $clock && $event->[1] == 1 && $message) { $message->{bits} .= $level }
    }
    return @messages;
}

# The bytes that LEDs read from pulses; dies with what they cannot.
sub pulses {
    my ($bits, $driver) = @_;
    my ($zero_high, $zero_low, $one_high, $one_low, $reset) = @{ $timing{$driver} };
    my $within = sub { my ($ns, $range) = @_; $ns >= $range->[0] && $ns <= $range->[1] };
    $bits =~ s/^0+// or die "the first bit has no low before it\n";
    $bits =~ /(0*)$/;
    length($1) * $tick >= 300_000 or die "the reset is only " . length($1) * $tick . " ns\n";
    my $read = '';
    while ($bits =~ /\G(1+)(0+)/gc) {
        my ($high, $low, $last) = (length($1) * $tick, length($2) * $tick, pos($bits) == length $bits);
        if ($within->($high, $zero_high) && ($last || $within->($low, $zero_low))) { $read .= 0 }
        elsif ($within->($high, $one_high) && ($last || $within->($low, $one_low))) { $read .= 1 }
        else { die "bit " . length($read) . " is $high ns high, $low ns low\n" }
    }
    return unpack 'C*', pack 'B*', $read;
}

# What pixels of 8 bits are to be told for a colour.
sub rounded {
    my ($order, $red, $green, $blue) = @_;
    my ($most) = sort { $b <=> $a } $red, $green, $blue;
    my ($white) = $order =~ /W/ ? sort { $a <=> $b } $red, $green, $blue : 0;
    my %part = (R => $red - $white, G => $green - $white, B => $blue - $white, W => $white);
    my @bytes = map { $part{$_} * 255 } split //, $order;
    # Light never rounds to nothing.
    return ($most > 0 && !grep({ $_ >= 0.5 } @bytes)) ? undef : \@bytes;
}

sub same_pixel {
    my ($order, $bytes, @colour) = @_;
    my $wanted = rounded($order, @colour) or return (grep { $_ } @$bytes) == 1;
    for (0 .. $#$bytes) { return 0 if abs($bytes->[$_] - $wanted->[$_]) > 0.5001 }
    return 1;
}

# APA102: bytes of one pixel, against a colour; half a step of 255 at the pixel's own current may be missing.
sub same_clocked {
    my ($order, $bytes, @colour) = @_;
    my ($current, @parts) = @$bytes;
    return 0 if ($current & 0xE0) != 0xE0;
    $current = ($current & 31) / 31;
    my %wanted = (R => $colour[0], G => $colour[1], B => $colour[2]);
    my @order = split //, $order;
    for (0 .. 2) { return 0 if abs($parts[$_] / 255 * $current - $wanted{ $order[$_] }) > $current / 255 * 0.51 + 1e-6 }
    return 1;
}

# The pixels of a message, each a list of bytes.
sub pixels {
    my ($message, $driver, $size, $count) = @_;
    if ($driver eq 'apa102-spi') {
        my @bytes = unpack 'C*', pack 'B*', $message->{bits};
        die "no start\n" if grep { $_ } @bytes[0 .. 3];
        die "too few clocks\n" if @bytes * 8 < 32 + 32 * $count + $count / 2;
        return map { [@bytes[4 + 4 * $_ .. 7 + 4 * $_]] } 0 .. $count - 1;
    }
    my @bytes = pulses($message->{bits}, $driver);
    die @bytes / $size . " pixels\n" if defined $count && @bytes != $size * $count;
    return map { [@bytes[$size * $_ .. $size * $_ + $size - 1]] } 0 .. @bytes / $size - 1;
}

sub wire {
    my ($name, $driver, $order, $count, $frames, $trace) = @_;
    my @ordered = frames($frames);
    my @off = ([0, 0, 0]) x $count;
    @ordered = (['off', 0, @off], @ordered, ['off', 0, @off]);
    open my $handle, '<', $trace or die "$trace: $!";
    my @messages = messages($handle);
    fail($name, "only " . @messages . " messages") if @messages < 3;
    my $same = $driver eq 'apa102-spi' ? \&same_clocked : \&same_pixel;
    my ($next, $lit) = (0, 0);
    for my $number (0 .. $#messages) {
        my $message = $messages[$number];
        fail($name, "message $number has $message->{transfers} transfers") if $message->{transfers} != 1 && $message->{length} < 4000;
        fail($name, "message $number has $message->{length} bytes, the wire " . length($message->{bits}) / 8)
            if $message->{length} * 8 != length $message->{bits};
        my @pixels = eval { pixels($message, $driver, length $order, $count) };
        fail($name, "message $number: $@") if $@;
        # The newest frame wins, so some are never sent; but none is out of order.
        my $last = $number == $#messages ? $#ordered : $#ordered - 1;
        $next = $last if $number == $#messages;
        my $found;
        for my $frame ($next .. $last) {
            my (undef, undef, @colours) = @{ $ordered[$frame] };
            next if grep { !$same->($order, $pixels[$_], @{ $colours[$_] }) } 0 .. $count - 1;
            $found = $frame;
            last;
        }
        defined $found or fail($name, "message $number is none of the frames ordered from $next on: "
            . join(' ', map { sprintf '%02x' x @$_, @$_ } @pixels[0 .. ($count < 3 ? $count - 1 : 2)]));
        fail($name, "the first frame is not off") if $number == 0 && $found != 0;
        $next = $found;
        $lit++ if grep { grep { $_ } ref $_ && $driver eq 'apa102-spi' ? @$_[1 .. 3] : @$_ } @pixels;
    }
    print "ok $name: ", scalar @messages, " messages of $messages[0]{length} bytes, $lit of them lit, of ", @ordered - 2, " ordered\n";
}

# Milliseconds on, off, on, … of each cue where levels cannot be seen; from the table in design.md 5.3. The moments begin 800 ms after
# the idle light of a photo. A single number stays.
my %rhythms = (
    'starting' => [600, 600], 'idle-photo' => [], 'idle-video' => [2900, 100], 'recording' => [500, 500],
    'recording-slowly' => [500, 200, 100, 200], 'holding' => [500, 500], 'bursting' => [200, 200], 'countdown' => [100, 900],
    'value' => [1650, 850], 'choice' => [150, 250, 150, 1500], 'stuck' => [1000, 1000], 'storage-low' => [1600, 100, 200, 100],
    'camera-fault' => [150, 200, 150, 200, 150, 850], 'button-fault' => [150, 200, 150, 1000],
    'pressed' => [800, 99999], 'captured' => [800, 300, 99999], 'tapped' => [800, 300, 99999], 'refused' => [800, 150, 200, 150, 99999],
    'busy' => [800, 500, 99999],
);

sub rhythm {
    my ($name, $first, $last, $frames, $trace) = @_;
    my %starts;
    my @cues;
    for my $frame (frames($frames)) {
        next if exists $starts{ $frame->[0] };
        $starts{ $frame->[0] } = $frame->[1] / 1000;
        push @cues, $frame->[0];
    }
    my (%changes, @late);
    open my $handle, '<', $trace or die "$trace: $!";
    while (<$handle>) {
        push @{ $changes{$3} }, [$1 * 1000 + $2 / 1000, $4] if /(\d+)\.(\d+): gpio_value: (\d+) set (\d)/;
    }
    my @lines = sort { $a <=> $b } keys %changes;
    fail($name, "only " . @lines . " lines move") if @lines <= $last;
    fail($name, "no frames") if !@cues;
    for my $cue (@cues) {
        my @steps = @{ $rhythms{$cue} };
        # Where it must change, and to what.
        my @wanted = ([0, 1]);
        if (@steps) {
            for (my ($at, $step) = ($steps[0], 1); $at < 3150; $at += $steps[$step % @steps], $step++) { push @wanted, [$at, $step % @steps % 2 ? 0 : 1] }
        }
        my $text = join ' ', map { "$_->[0]:$_->[1]" } @wanted;
        my $bad = '';
        for my $line (@lines[$first .. $last]) {
            my ($level, @seen) = (0);
            for my $change (@{ $changes{$line} }) {
                my $at = $change->[0] - $starts{$cue};
                last if $at >= 3150;
                # What it was, and became when the cue began, is its first level.
                push @seen, [0, $level] if $at > 90 && !@seen;
                push @seen, [$at, $change->[1]] if $at > 90 && $seen[-1][1] != $change->[1];
                $level = $change->[1];
            }
            @seen = ([0, $level]) if !@seen;
            # Nothing lost, nothing early, nothing so late that the next one has to wait. A loaded machine is late now and
            # then, but it must not add up, and most have to be in time.
            my $is_same = @seen == @wanted;
            for (0 .. $#wanted) {
                last if !$is_same;
                my $late = $seen[$_][0] - $wanted[$_][0];
                push @late, $late if $_;
                $is_same &&= $seen[$_][1] == $wanted[$_][1] && $late > -5 && ($_ == $#wanted || $seen[$_][0] < $wanted[$_ + 1][0]);
            }
            $bad = join ' ', map { sprintf '%d:%d', @$_ } @seen if !$is_same;
        }
        print $bad ? "not ok $name, $cue: expected $text, got $bad\n" : "ok $name, $cue: $text\n";
    }
    @late = sort { $a <=> $b } @late;
    my $median = $late[@late / 2];
    printf "%s %s, all cues: half of the changes are at most %.1f ms late\n", $median < 20 ? 'ok' : 'not ok', $name, $median;
}

my $what = shift // '';
if ($what eq 'wire') { wire(@ARGV) }
elsif ($what eq 'rhythm') { rhythm(@ARGV) }
elsif ($what eq 'first' || $what eq 'last') {
    my @messages = messages(\*STDIN);
    if (!@messages) { print "nothing\n"; exit 0 }
    my @pixels = pixels($messages[$what eq 'first' ? 0 : -1], $ARGV[0], 3);
    my $is_lit = grep { grep { $_ } @$_ } @pixels;
    print $is_lit ? 'lit' : 'off', $what eq 'first' ? ' ' . @pixels : '', "\n";
} else { die "ring.pl: see its head\n" }
