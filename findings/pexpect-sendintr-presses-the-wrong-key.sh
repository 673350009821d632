#!/usr/bin/env bash
# Expected: sendintr() of pexpect interrupts the child, by the key that the child's terminal has for it; its
# documentation says that it sends a SIGINT.
# What happens: it looks up the key once, in the terminal that the script itself was started from, and uses it for
# each child for ever. Where the two differ, a letter is typed and nobody is interrupted: a person who has moved the
# key with `stty intr` (because Ctrl-C means "copy" in the editor's terminal) breaks every script started there,
# though each child's terminal is a new one with Ctrl-C; and a child that has moved it gets Ctrl-C as text. sendeof()
# is the same. From cron or CI, without a terminal, the same script works. Seen with pexpect 4.8.0 and ptyprocess
# 0.7.0.
# Why it matters: a script that stops a runaway program passes its tests and then does not stop it on one colleague's
# machine. The terminal to ask is the child's (tcgetattr on child.child_fd).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download python3-pexpect=4.8.0-4 python3-ptyprocess=0.7.0-5 >apt.log 2>&1) ||
  { echo "Debian serves pexpect 4.8.0-4 no more; that of Debian 12 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export PYTHONPATH=$dir/usr/lib/python3/dist-packages

cat >"$dir/script.py" <<'PY'
import pexpect

# The child tells each thing that reaches it.
told = "trap 'echo INTERRUPTED; exit' INT; echo ready; read -r line; echo \"text: $line\" | cat -v"
child = pexpect.spawn("bash", ["-c", told], timeout=30, encoding="latin-1")
child.expect("ready")
child.sendintr()
child.sendline("")
child.expect(["INTERRUPTED", r"text: ([^\r]*)\r"])
print(pexpect.__version__, child.match.group(0).strip())
PY
# Runs the script in a terminal of its own, with the given key for interrupts, or without a terminal.
cat >"$dir/outer.py" <<'PY'
import os, pty, subprocess, sys
script, key = sys.argv[1:]
if key == "none":
    run = subprocess.run([sys.executable, script], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    print(run.stdout.strip())
    sys.exit()
child, terminal = pty.fork()
if child == 0:
    subprocess.run(["stty", "intr", key], check=True)
    os.execv(sys.executable, [sys.executable, script])
seen = b""
try:
    while True:
        seen += os.read(terminal, 4096)
except OSError:
    pass  # it has ended
print(seen.decode().strip())
PY
failed=0
check() {
  local got
  got=$(timeout 60 python3 "$dir/outer.py" "$dir/script.py" "$1")
  printf '%-32s pexpect %s\n' "$2" "$got"
  [ "$got" = "4.8.0 $3" ] || { echo "different: expected $3"; failed=1; }
}
check '^C' "started where Ctrl-C interrupts" "INTERRUPTED"
check none "started without a terminal" "INTERRUPTED"
check '^X' "started where Ctrl-X interrupts" "text: ^X"
exit $failed
