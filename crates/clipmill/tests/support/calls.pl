# Makes the system calls that its arguments name, each in a line of its own: a name, a number, and the call's
# arguments, parted by tabs. `s:` stands before text, `b:` before the length of an empty buffer; all else are numbers.
# Prints each name with 0 or the number of the error.
$| = 1;
for my $line (@ARGV) {
    my ($name, @call) = split /\t/, $line;
    my @given = map { /^s:(.*)/s ? "$1" : /^b:(\d+)/ ? "\0" x $1 : int($_) } @call;
    $! = 0;
    my $answer = syscall($given[0], @given[1 .. $#given]);
    print $name, " ", ($answer == -1 ? $! + 0 : 0), "\n";
}
