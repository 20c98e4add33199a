# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
#
# Uses a running shutterd at random, and looks again and again whether its books are right:
#
#   use.pl SOCKET MEDIA SECONDS SEED [PULL]
#
# PULL is the file that sets the level of a simulated line (gpio-sim); without it presses come through the socket. After every few
# steps, when all is at rest: accepted = saved + refused + failed + cancelled; the files are what was saved; the ring
# shows what the machine is in; nothing half-written is left. At the end: memory, descriptors and threads are what they were.
# It deletes photos when there are many. Ends with 1 at the first fault, and the seed's steps so far are on standard error.
use strict;
use warnings;
use IO::Socket::UNIX;
use JSON::PP;
use Time::HiRes qw(sleep time);

$| = 1;
my ($path, $media, $seconds, $seed, $pull) = @ARGV;
die "usage: use.pl SOCKET MEDIA SECONDS SEED [PULL]\n" unless defined $seed;
srand $seed;
my @steps;
my %done;
sub fault { print "not ok endurance with seed $seed: $_[0]\n"; print STDERR "the last steps: @steps\n"; exit 1 }

my $socket;
sub connect_to { IO::Socket::UNIX->new(Peer => $path) or fault("it does not answer: $!") }
# ask VERB ARGUMENT…: its reply; one that is no success has a reason.
sub ask {
    my ($verb, @words) = @_;
    $socket //= connect_to();
    print $socket encode_json({ verb => $verb, args => \@words }), "\n";
    my $line = readline $socket;
    fault("no reply to $verb @words") unless defined $line;
    my $reply = eval { decode_json($line) } or fault("$verb @words: no JSON: $line");
    fault("$verb @words: no reason: $line") unless $reply->{ok} || ($reply->{reason} && $reply->{message} && $reply->{error} ne 'internal');
    return $reply;
}

my $down = 0;
sub level {
    my $to = shift;
    if ($pull) {
        # A switch bounces.
        for my $level ($to, !$to, $to) {
            open my $file, '>', $pull or fault("$pull: $!");
            print $file $level ? 'pull-down' : 'pull-up';
            close $file;
        }
    } else {
        ask($to ? 'press' : 'release');
    }
    $down = $to;
}
sub pause { sleep($_[0] + rand($_[1] - $_[0])) }
sub any { $_[rand @_] }

my @uses = (
    [30, tap => sub { level(1); pause(0.03, 0.15); level(0); pause(0, 0.2) }],
    [6, double => sub { for (1, 2) { level(1); pause(0.03, 0.06); level(0); pause(0.03, 0.1) } }],
    [6, hold => sub { level(1); pause(0.4, 2); level(0) }],
    [4, glitch => sub { level(1); level(0) }],
    [6, capture => sub { ask('capture') }],
    [5, mode => sub { ask(mode => any(qw(photo video toggle))) }],
    [5, record => sub { ask(record => any(qw(start stop))) }],
    [3, drive => sub { ask(drive => any(['single'], ['burst'], ['timer', '1s'], ['interval', '500ms'])->@*) }],
    [3, set => sub { ask(set => 'zoom', any(qw(1 1.5 2 3))) }],
    [2, reload => sub { ask('reload') }],
    [2, hang_up => sub { my $other = connect_to(); print $other qq({"verb":"watch"}\n); pause(0, 0.05); close $other }],
    [1, half => sub { my $other = connect_to(); print $other '{"verb":"sta'; close $other }],
    [2, look => sub { ask(any(qw(list last controls lag))) }],
    [2, wait => sub { pause(0.1, 1.5) }],
);
my $weight = 0;
$weight += $_->[0] for @uses;
sub step {
    my $at = rand $weight;
    for my $use (@uses) {
        if (($at -= $use->[0]) < 0) {
            push @steps, $use->[1];
            shift @steps if @steps > 100;
            $done{$use->[1]}++;
            return $use->[2]->();
        }
    }
}

# files: photos, clips, and what is neither.
sub files {
    my (@photos, @clips, @other);
    for my $file (glob("$media/DCIM/*/*"), glob("$media/DCIM/*/.[!.]*")) {
        if ($file =~ /\/IMG_\d+\.JPG$/) { push @photos, $file } elsif ($file =~ /\/MOV_\d+\.MP4$/) { push @clips, $file }
        elsif ($file !~ /\.JSON$/) { push @other, $file }
    }
    return (\@photos, \@clips, \@other);
}
my ($photos_gone, $clips_gone, $photos_before, $clips_before) = (0, 0);

# rest: until nothing is under way, in whatever mode it is then.
sub rest {
    level(0) if $down;
    ask(drive => 'single');
    ask(record => 'stop');
    my $end = time + 60;
    while (1) {
        my $status = ask('status');
        return $status if $status->{presses}{pending} == 0 && $status->{state} =~ /^(photo|video)Idle$/ && $status->{video}{state} eq 'idle'
            && $status->{ring} eq ($status->{mode} eq 'video' ? 'idle-video' : 'idle-photo');
        fault("it finds no rest: " . encode_json($status)) if time > $end;
        sleep 0.1;
    }
}

my ($clips_first, %first);
sub look {
    my $status = rest();
    my $presses = $status->{presses};
    my $sum = $presses->{saved} + $presses->{refused} + $presses->{failed} + $presses->{cancelled};
    fault("accepted $presses->{accepted}, and answered $sum: " . encode_json($presses)) unless $sum == $presses->{accepted};
    fault("failed: " . encode_json($status)) if $presses->{failed};
    my ($photos, $clips, $other) = files();
    fault("left over: @$other") if @$other;
    fault("$_ is empty") for grep { !-s } @$photos, @$clips;
    my $count = @$photos + @$clips + $photos_gone + $clips_gone;
    fault("$presses->{saved} were saved, and there are $count files") unless $count == $presses->{saved};
    # Months of photos are no part of this.
    if (@$photos + @$clips > 1500) {
        for my $file (@$photos[0 .. $#$photos - 50]) { unlink $file, $file =~ s/JPG$/JSON/r; $photos_gone++ }
        for my $file (@$clips[0 .. $#$clips - 5]) { unlink $file, $file =~ s/MP4$/JSON/r; $clips_gone++ }
    }
    return ($status, $count);
}

# use_of PID: resident KB, descriptors, threads.
sub use_of {
    my $pid = shift;
    open my $file, '<', "/proc/$pid/status" or fault("it is gone");
    my %facts = map { /^(\w+):\s+(\d+)/ ? ($1, $2) : () } <$file>;
    return { resident => $facts{VmRSS}, threads => $facts{Threads}, descriptors => scalar(() = glob("/proc/$pid/fd/*")) };
}

my $start = time;
my ($status, $count, $looks, $before) = (undef, 0, 0);
while (time < $start + $seconds) {
    step() for 1 .. 10 + rand 30;
    ($status, $count) = look();
    $looks++;
    # What is made once is made by then.
    $before //= use_of($status->{pid}) if time > $start + $seconds / 5;
}
my $after = use_of($status->{pid});
$before //= $after;
my $uses = join ', ', map { "$done{$_} $_" } sort keys %done;
printf "ok endurance with seed %s: %d s, %d looks, %d accepted, %d files (%s)\n", $seed, time - $start, $looks, $status->{presses}{accepted}, $count, $uses;
for my $fact ([resident => 12_000], [descriptors => 4], [threads => 4]) {
    my ($name, $most) = @$fact;
    my $words = "$name: $before->{$name}, then $after->{$name}";
    print $after->{$name} - $before->{$name} <= $most ? "ok $words\n" : "not ok $words: more than $most more\n";
}
