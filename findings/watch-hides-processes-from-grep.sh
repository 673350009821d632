#!/usr/bin/env bash
# Expected: `ps -ef | grep NAME` finds the same processes wherever it runs, because ps truncates its lines for a
# terminal and not for a pipe.
# What happens: under watch the same pipeline finds nothing if NAME stands beyond the right edge of the window. watch
# puts the window's width into COLUMNS for its command, and ps obeys COLUMNS also when it writes into a pipe. So
# `watch 'ps -ef | grep -c NAME'` counts 0 in a terminal of 80 columns and 1 in one of 240, on the same machine at the
# same time. Seen with watch and ps of procps-ng 4.0.2.
# Why it matters: the size of a terminal is part of a command's input. Who waits with watch until a process is gone
# (its name at the end of a long java or python command line) is told so at once in a narrow terminal; and who hands
# COLUMNS on to the programs that he starts truncates what they print into pipes.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download procps=2:4.0.2-3 libproc2-0=2:4.0.2-3 libncursesw6=6.4-4 libtinfo6=6.4-4 \
  >apt.log 2>&1) ||
  { echo "Debian serves procps 2:4.0.2-3 no more; that of Debian 12 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu):$(echo "$dir"/lib/*-linux-gnu)
export PATH="$dir/bin:$dir/usr/bin:$PATH"
echo "$(ps --version); $(watch --version)"

cat >"$dir/drive.py" <<'PY'
import fcntl, os, pty, re, struct, subprocess, sys, termios

os.environ.pop("COLUMNS", None)
os.environ["TERM"] = "xterm"
mark = f"mark-{os.getpid()}"
# A long command line, as those of java are, with the telling word at its end. It waits for its input, which stays open.
options = ["--option=" + "x" * 40] * 4
long = subprocess.Popen(["sh", "-c", "echo up; read line; true", *options, mark], stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE)
long.stdout.readline()
command = f"echo \"<$(ps -ef | grep -c '{mark[:-1]}[{mark[-1]}]')>\""

def under_watch(columns):
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execvp("watch", ["watch", "--no-title", command])
    seen = b""
    while not re.search(rb"<\d+>", seen):
        seen += os.read(terminal, 4096)
    os.write(terminal, b"\x03")
    os.close(terminal)
    os.waitpid(child, 0)
    return re.search(rb"<(\d+)>", seen)[1].decode()

plain = subprocess.run(["sh", "-c", command], capture_output=True, text=True).stdout.strip()
narrow, wide = under_watch(80), under_watch(400)
print("ps -ef | grep -c NAME          ", plain.strip("<>"))
print("under watch, with  80 columns: ", narrow)
print("under watch, with 400 columns: ", wide)
long.communicate()
sys.exit((plain, narrow, wide) != ("<1>", "0", "1"))
PY
timeout 60 python3 "$dir/drive.py" || { echo "different: the counts should be 1, 0 and 1"; exit 1; }
