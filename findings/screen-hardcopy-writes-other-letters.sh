#!/usr/bin/env bash
# Expected: `screen -X hardcopy FILE` writes the text of the window, in UTF-8 where session and locale are UTF-8 (-U).
# What happens: it writes the lowest byte of each code point, also while a UTF-8 terminal is attached. An é (U+00E9)
# becomes the byte E9, which is no UTF-8; the arrow of many prompts (U+279C) becomes 9C; the horizontal line of a
# frame (U+2500) becomes NUL and the vertical one (U+2502) Ctrl-B; and the letter ł (U+0142) becomes a capital B,
# which nobody can tell from a real one. Seen with screen 4.9.0.
# Why it matters: a detached session that is read by hardcopy is the usual way to drive a program with screen from a
# script. It gets other letters than a person sees who attaches to have a look, and NUL in its files, for which grep
# calls them binary.
set -euo pipefail

dir=$(mktemp -d)
trap '"$screen" -S finding -X quit >/dev/null 2>&1 || true; rm -rf "$dir"' EXIT
screen=false
(cd "$dir" && apt-get download screen=4.9.0-4 libutempter0=1.2.1-3 >apt.log 2>&1) ||
  { echo "Debian serves screen 4.9.0-4 no more; that of Debian 12 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export LD_LIBRARY_PATH LC_ALL=C.UTF-8 SCREENDIR=$dir/sockets
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
mkdir -m 700 "$SCREENDIR"
screen=$dir/usr/bin/screen
"$screen" --version || true  # its status is 1

cat >"$dir/drive.py" <<'PY'
import fcntl, os, pty, struct, subprocess, sys, termios, time

screen, folder = sys.argv[1:]
text = "café ł ➜ ─│ end"

def hardcopy(name):
    path = f"{folder}/{name}"
    subprocess.run([screen, "-S", "finding", "-X", "hardcopy", path], check=True)
    while not (os.path.exists(path) and open(path, "rb").read().count(b"\n") == 24):
        time.sleep(0.05)  # the server writes it
    return open(path, "rb").read().split(b"\n")[0]

with open(folder + "/text", "w") as file:
    file.write(text)
shows = f"cat {folder}/text; read x"
subprocess.run([screen, "-c", "/dev/null", "-U", "-dmS", "finding", "sh", "-c", shows], check=True)
detached = b""
while not detached.endswith(b"end"):  # until cat has printed it
    detached = hardcopy("detached")

child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.environ["TERM"] = "xterm"
    os.execv(screen, [screen, "-U", "-r", "finding"])
seen = b""
while b"end" not in seen:
    seen += os.read(terminal, 4096)
shown = text.encode() in seen
attached = hardcopy("attached")
os.close(terminal)

print("the program printed:         ", text)
print("a person who attaches sees it:", shown)
print("hardcopy, detached:          ", detached)
print("hardcopy, attached:          ", attached)
expected = bytes(ord(letter) & 0xFF for letter in text)
sys.exit(not shown or (detached, attached) != (expected, expected))
PY
timeout 60 python3 "$dir/drive.py" "$screen" "$dir" ||
  { echo "different: that is not the lowest byte of each"; exit 1; }
