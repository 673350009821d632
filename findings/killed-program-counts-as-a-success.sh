#!/usr/bin/env bash
# Expected: a program that dies by a signal never looks like one that went well. Shells say 137 for SIGKILL,
# subprocess in Python says -9, Node's child_process says null.
# What happens: for a program on a pseudoterminal, two widely used tools say 0. node-pty's onExit hands over exitCode
# 0, and only the second field, signal, tells the difference; unbuffer (of expect) exits with 0 and has no second
# field. script -e does what one expects. pexpect sits between them: exitstatus is None, which `if not
# child.exitstatus` also takes for a success. Seen with @lydell/node-pty 1.1.0 (node-pty 1.1.0, built), expect 5.45.4
# and pexpect 4.8.0.
# Why it matters: what is killed most often, by the kernel when memory runs out, is just the long build or test that
# somebody waits for, and whoever looks at the exit code alone deploys it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error @lydell/node-pty@1.1.0 >"$dir/npm.log" 2>&1 ||
  { cat "$dir/npm.log"; exit 1; }
(cd "$dir" && apt-get download expect=5.45.4-2+b1 tcl-expect=5.45.4-2+b1 tcl8.6=8.6.13+dfsg-2 libtcl8.6=8.6.13+dfsg-2 \
  python3-pexpect=4.8.0-4 python3-ptyprocess=0.7.0-5 bsdutils=1:2.38.1-5+deb12u3 >apt.log 2>&1) ||
  { echo "Debian serves these versions no more; those of Debian 12 in November 2026 are meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
libraries=$(echo "$dir"/usr/lib/*-linux-gnu)

cat >"$dir/node-pty.js" <<'JS'
const pty = require('@lydell/node-pty');
pty.spawn('sh', ['-c', process.argv[2]], {}).onExit((end) => console.log(JSON.stringify(end)));
JS
cat >"$dir/pexpect-end.py" <<'PY'
import sys, pexpect
child = pexpect.spawn("sh", ["-c", sys.argv[1]])
child.expect(pexpect.EOF)
child.close()
print("exitstatus", child.exitstatus, "signalstatus", child.signalstatus)
PY

unbuffer() {
  LD_LIBRARY_PATH=$libraries TCL_LIBRARY=$dir/usr/share/tcltk/tcl8.6 TCLLIBPATH=$libraries/tcltk \
    "$dir/usr/bin/tclsh8.6" "$dir/usr/bin/unbuffer" "$@"
}
status_of() { local status=0; "$@" >/dev/null 2>&1 </dev/null || status=$?; echo "$status"; }

echo "@lydell/node-pty 1.1.0 under node $(node --version), expect 5.45.4, pexpect 4.8.0"
"$dir/usr/bin/script" --version
export SHELL=/bin/sh  # the one that script starts
failed=0
check() {
  printf '%-9s %-22s %s\n' "$1" "$2" "$3"
  [ "$3" = "$4" ] || { echo "different: expected $4"; failed=1; }
}
# One program fails by itself, which shows that failures do get through; the other one is killed.
fails='exit 3'
killed='kill -KILL $$'
check node-pty "$fails" "$(node "$dir/node-pty.js" "$fails")" '{"exitCode":3,"signal":0}'
check node-pty "$killed" "$(node "$dir/node-pty.js" "$killed")" '{"exitCode":0,"signal":9}'
check unbuffer "$fails" "$(status_of unbuffer sh -c "$fails")" 3
check unbuffer "$killed" "$(status_of unbuffer sh -c "$killed")" 0
export PYTHONPATH=$dir/usr/lib/python3/dist-packages
check pexpect "$fails" "$(python3 "$dir/pexpect-end.py" "$fails")" "exitstatus 3 signalstatus None"
check pexpect "$killed" "$(python3 "$dir/pexpect-end.py" "$killed")" "exitstatus None signalstatus 9"
check script "$fails" "$(status_of "$dir/usr/bin/script" -qec "$fails" /dev/null)" 3
check script "$killed" "$(status_of "$dir/usr/bin/script" -qec "$killed" /dev/null)" 137
exit $failed
