#!/usr/bin/env bash
# Expected: TERM=xterm-direct gives programs 24-bit colours on top of the 256 that they had; a program that asks for
# colour 196 still gets red.
# What happens: with the direct entries of terminfo there is no palette any more beyond the eight basic colours. The
# number is the colour, as 0xRRGGBB, so that all of 8 to 255 are a blue from nearly black to full: 196 is
# rgb(0,0,196), 46 (green) and 250 (light grey) are blues as well. Programs ask for the number of colours, get
# 16777216, take that for "at least 256", and use their 256-colour theme. Shown with tput and Python's curses, ncurses
# 6.4.
# Why it matters: text that a program marks as wrong, right or unimportant becomes blue on black, hard to read or not
# at all, and nothing is reported. A terminal that sets TERM for programs must not choose a direct entry to announce
# 24-bit colours; that is what COLORTERM is for.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download ncurses-term=6.4-4 ncurses-bin=6.4-4 libtinfo6=6.4-4 >apt.log 2>&1) ||
  { echo "Debian serves ncurses 6.4-4 no more; that of Debian 12 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export TERMINFO_DIRS="$dir/usr/share/terminfo:/lib/terminfo:/usr/share/terminfo"
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(echo "$dir"/lib/*-linux-gnu)
tput=$dir/usr/bin/tput
"$tput" -V

cat >"$dir/red.py" <<'PY'
import curses

def show(screen):
    curses.start_color()
    curses.use_default_colors()
    if curses.COLORS >= 256:  # the usual question
        curses.init_pair(1, 196, -1)  # red in each palette of 256 colours
        screen.addstr(0, 0, "wrong", curses.color_pair(1))
        screen.refresh()

curses.wrapper(show)
PY
cat >"$dir/drive.py" <<'PY'
import os, pty, re, sys
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = sys.argv[2]
    os.execvp("python3", ["python3", sys.argv[1]])
seen = b""
try:
    while b"wrong" not in seen:
        seen += os.read(terminal, 4096)
except OSError:
    pass  # it has ended
print(re.sub(r"\x1b", "ESC", (re.findall(rb"(\x1b\[[\d:;]*m)wrong", seen) or [b"nothing"])[-1].decode()))
PY
shown() { local bytes; bytes=$(TERM=$1 "$tput" setaf "$2"); printf '%s\n' "${bytes//$'\e'/ESC}"; }
failed=0
check() {
  printf '%-36s %s\n' "$1" "$2"
  [ "$2" = "$3" ] || { echo "different: expected $3"; failed=1; }
}
check "xterm-256color: tput colors" "$(TERM=xterm-256color "$tput" colors)" 256
check "xterm-256color: tput setaf 196" "$(shown xterm-256color 196)" 'ESC[38;5;196m'
check "xterm-256color: curses, colour 196" "$(python3 "$dir/drive.py" "$dir/red.py" xterm-256color)" 'ESC[38;5;196m'
check "xterm-direct: tput colors" "$(TERM=xterm-direct "$tput" colors)" 16777216
check "xterm-direct: tput setaf 1" "$(shown xterm-direct 1)" 'ESC[31m'
check "xterm-direct: tput setaf 196" "$(shown xterm-direct 196)" 'ESC[38:2::0:0:196m'
check "xterm-direct: tput setaf 250" "$(shown xterm-direct 250)" 'ESC[38:2::0:0:250m'
check "xterm-direct: curses, colour 196" "$(python3 "$dir/drive.py" "$dir/red.py" xterm-direct)" 'ESC[38:2::0:0:196m'
exit $failed
