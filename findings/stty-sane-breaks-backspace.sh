#!/usr/bin/env bash
# Expected: `stty sane` brings a terminal into the state in which ordinary programs work best; and what Backspace has
# removed from the screen, the program does not read.
# What happens: `stty sane` turns off iutf8, which each terminal emulator for UTF-8 turns on. From then on, Backspace
# removes one byte for every program that leaves the editing of its line to the kernel (read, cat, Python's input
# without readline). On the screen the whole letter disappears, but its first byte stays in the line. expect gives its
# programs such a terminal from the start when it has none itself, as in CI. `reset` leaves iutf8 alone. Seen with
# coreutils 9.1, ncurses 6.4 and expect 5.45.4.
# Why it matters: `stty sane` is what everybody types after a program has left the terminal in disorder, and what
# scripts run to be on the safe side. Later a corrected name, password or path is wrong by a byte that no screen shows.
# One has to say `stty sane iutf8`.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download coreutils=9.1-1 ncurses-bin=6.4-4 libtinfo6=6.4-4 expect=5.45.4-2+b1 \
  tcl-expect=5.45.4-2+b1 libtcl8.6=8.6.13+dfsg-2 >apt.log 2>&1) ||
  { echo "Debian serves these versions no more; those of Debian 12 in November 2026 are meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export LD_LIBRARY_PATH TCL_LIBRARY=$dir/usr/share/tcltk/tcl8.6 TERM=xterm
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu):$(echo "$dir"/lib/*-linux-gnu)
TCLLIBPATH=$(echo "$dir"/usr/lib/*-linux-gnu/tcltk)
export TCLLIBPATH
export PATH="$dir/bin:$dir/usr/bin:$PATH"
stty --version | head -1

# A terminal in which one command may run first. Then "x", a letter of two bytes, Backspace, "y" and Enter are typed.
cat >"$dir/type.py" <<'PY'
import os, pty, subprocess, sys, termios

IUTF8 = 0o40000
master, terminal = pty.openpty()
modes = termios.tcgetattr(terminal)
modes[0] |= IUTF8  # a terminal emulator does so
termios.tcsetattr(terminal, termios.TCSANOW, modes)
if len(sys.argv) > 1:
    subprocess.run(sys.argv[1:], stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal, check=True)
os.write(master, "xł\x7fy\n".encode())
line = os.read(terminal, 4096)
echo = b""
while not echo.endswith(b"y\r\n"):
    echo += os.read(master, 4096)
echo = echo[echo.rindex("xł".encode()):].decode()  # what the command has drawn stands before it
print("the screen shows", echo.replace("ł\b \b", "").strip(), "and the program reads", ascii(line)[1:])
PY
cat >"$dir/script.exp" <<'EXPECT'
log_user 0
spawn sh -c {stty -a | grep -o -e '-*iutf8'; read -r line; printf '%s' "$line" | od -An -c}
expect "iutf8\r\n"
send "x\u0142\u007fy\r"
expect eof
puts [string map [list "\u0142\b \b" ""] $expect_out(buffer)]
EXPECT

failed=0
check() {
  printf '%-18s %s\n' "$1" "$2"
  [ "$2" = "$3" ] || { echo "different: expected $3"; failed=1; }
}
whole="the screen shows xy and the program reads 'xy\n'"
broken="the screen shows xy and the program reads 'x\xc5y\n'"
check "at first" "$(timeout 60 python3 "$dir/type.py")" "$whole"
check "stty sane" "$(timeout 60 python3 "$dir/type.py" stty sane)" "$broken"
check "stty sane iutf8" "$(timeout 60 python3 "$dir/type.py" stty sane iutf8)" "$whole"
check "reset" "$(timeout 60 python3 "$dir/type.py" reset)" "$whole"
# The first word is what the terminal shows, the others are what od says of the line.
under_expect() { timeout 60 setsid -w expect "$1" </dev/null | tr -d '\r' | xargs; }
check "expect in CI" "$(LC_ALL=C.UTF-8 under_expect "$dir/script.exp")" "xy x 305 y"
sed '2i set stty_init iutf8' "$dir/script.exp" >"$dir/remedy.exp"
check "with stty_init" "$(LC_ALL=C.UTF-8 under_expect "$dir/remedy.exp")" "xy x y"
exit $failed
