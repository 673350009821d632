#!/usr/bin/env bash
# Expected: with TERM=dumb, or without TERM, a shell's output is the plainest there is: what is typed comes back once,
# as it is, which makes it easy to find the command and the output behind it.
# What happens: GNU readline wraps a long line only in terminals that have cursor movement. In all others it scrolls
# one line sideways. The echo of a command that does not fit into the window is then "<" and the command's end; its
# beginning is never printed if it was sent in one piece. In a wider window, and with TERM=xterm, the echo is complete.
# `set horizontal-scroll-mode off` changes nothing. Seen with bash 5.2.15.
# Why it matters: those who drive a shell set TERM=dumb in order to have clean output, and wait for the echo of what
# they have sent. That works with short commands, and with the first long one (a path, a marker at the end) the echo
# never comes. What cron or systemd starts often has no TERM at all. A wide terminal helps.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download bash=5.2.15-2+b13 libtinfo6=6.4-4 ncurses-base=6.4-4 >apt.log 2>&1) ||
  { echo "Debian serves bash 5.2.15-2+b13 no more; that of Debian 12 in November 2026 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export LD_LIBRARY_PATH TERMINFO=$dir/lib/terminfo
LD_LIBRARY_PATH=$(echo "$dir"/lib/*-linux-gnu)
"$dir/bin/bash" --version | head -1
echo 'set horizontal-scroll-mode off' >"$dir/inputrc"

cat >"$dir/drive.py" <<'PY'
import fcntl, os, pty, re, struct, sys, termios

shell, inputrc, term, columns = sys.argv[1:]
command = "printf '<%s>' done # " + " ".join(f"word{i}" for i in range(14))
assert 80 < len(command) < 160
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(columns), 0, 0))
    os.environ.pop("TERM", None)
    if term != "none":
        os.environ["TERM"] = term
    os.environ.update(PS1="$ ", INPUTRC=inputrc, HISTFILE="")
    os.execv(shell, [shell, "--norc", "--noprofile", "-i"])
seen = ""
def read_until(text):
    global seen
    while text not in seen:
        seen += os.read(terminal, 4096).decode()
read_until("$ ")
before = len(seen)
os.write(terminal, command.encode() + b"\r")
read_until("<done>")
os.close(terminal)
echo = re.sub(r"\x1b\[\?2004[hl]", "", seen[before:seen.rindex("<done>")])
if echo.startswith(command + "\r\n"):
    print("the whole command")
elif (end := re.fullmatch(r"\r<(.*)\r\n", echo)) and command.endswith(end[1]):
    print("only the end")
else:
    print("something else:", repr(echo))
PY
failed=0
check() {  # TERM, the columns, and what comes back
  local got
  got=$(timeout 60 python3 "$dir/drive.py" "$dir/bin/bash" "$dir/inputrc" "$1" "$2" || echo "no answer")
  printf 'TERM %-6s %3s columns: %s\n' "$1" "$2" "$got"
  [ "$got" = "$3" ] || { echo "different: expected $3"; failed=1; }
}
check xterm 80 "the whole command"
check xterm 160 "the whole command"
check dumb 160 "the whole command"
check dumb 80 "only the end"
check none 80 "only the end"
exit $failed
