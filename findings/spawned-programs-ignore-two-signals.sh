#!/usr/bin/env bash
# Expected: a program that posix_spawn(3) starts ignores the signals that its parent ignores, and no others; if the
# parent asks for default actions for all signals (POSIX_SPAWN_SETSIGDEF), it ignores none. That is what a fork and an
# exec give.
# What happens: the new program ignores signals 32 and 33 as well, and so do all its descendants, since an ignored
# signal stays ignored at an exec. These are the two that glibc keeps for its threads: the child sets them to "ignore"
# before it executes the program, and neither an attribute nor sigfillset(3), which leaves them out, can prevent it.
# Seen with glibc 2.36 (Python 3.11's os.posix_spawn, which only passes its arguments on).
# Why it matters: SigIgn in /proc/PID/status shows whether something has been started with nohup, or with SIGPIPE
# ignored by a careless parent. "Not all zeros" is no sign of that: whatever an IDE, a service manager or a server has
# spawned has 0000000180000000, and the same program started by a shell has 0. Mask these two bits before comparing.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download libc6=2.36-9+deb12u14 python3.11-minimal=3.11.2-6+deb12u9 \
  libpython3.11-minimal=3.11.2-6+deb12u9 libexpat1=2.5.0-1+deb12u5 zlib1g=1:1.2.13.dfsg-1 >apt.log 2>&1) ||
  { echo "Debian serves these packages no more; those of Debian 12 in November 2026 are meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
libraries=$(echo "$dir"/lib/*-linux-gnu):$(echo "$dir"/usr/lib/*-linux-gnu)
loader=$(echo "$dir"/lib/*-linux-gnu/ld-linux-*.so.*)
cat >"$dir/compare.py" <<'PY'
import os, signal

def ignored(start):
    reading, writing = os.pipe()
    child = start(writing)
    os.close(writing)
    text = os.fdopen(reading).read()
    os.waitpid(child, 0)
    return int(text.split()[1], 16)

path, words = "/bin/grep", ["grep", "SigIgn", "/proc/self/status"]

def forked(output):
    child = os.fork()
    if child == 0:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_DFL)
        os.dup2(output, 1)
        os.execv(path, words)
    return child

def spawned(output):
    return os.posix_spawn(path, words, os.environ, setsigdef=signal.valid_signals(),
                          file_actions=[(os.POSIX_SPAWN_DUP2, output, 1)])

for how in forked, spawned:
    print(f"{how.__name__}: {ignored(how):016x}")
PY
seen=$("$loader" --library-path "$libraries" "$dir/usr/bin/python3.11" -S -E "$dir/compare.py" 2>"$dir/errors") ||
  { cat "$dir/errors"; exit 1; }
echo "$seen"
[ "$seen" = $'forked: 0000000000000000\nspawned: 0000000180000000' ]
