#!/usr/bin/env bash
# Expected: a command behaves under pexpect, or in a session that asciinema records, as in a terminal window.
# What happens: each program there runs with SIGPIPE ignored. Python ignores the signal for itself and hands that on to
# what it starts in a pseudoterminal (its subprocess module takes it back). `yes | head -n 1` says "Broken pipe",
# and the status of `yes` is 1 instead of 141. A shell cannot undo it: a signal that was ignored when it started stays
# so, whatever trap says. script(1) is as one expects, and so is pexpect with a preexec_fn that sets SIGPIPE to its
# default. Seen with pexpect 4.8.0 (ptyprocess 0.7.0) and asciinema 2.2.0.
# Why it matters: the text of a recording or a test has lines in it that nobody sees at his own prompt; scripts that
# take 141 for harmless (with set -o pipefail) fail; and a producer that does not look at errors when it writes works on
# for nobody after `head` has ended. Whoever looks for the cause in the pipeline does not find it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download python3-pexpect=4.8.0-4 python3-ptyprocess=0.7.0-5 asciinema=2.2.0-1 \
  bsdutils=1:2.38.1-5+deb12u3 >apt.log 2>&1) ||
  { echo "Debian serves these versions no more; those of Debian 12 in November 2026 are meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export PYTHONPATH=$dir/usr/lib/python3/dist-packages ASCIINEMA_CONFIG_HOME=$dir LC_ALL=C.UTF-8 TERM=xterm SHELL=/bin/sh

cat >"$dir/pipeline.sh" <<'SH'
yes | head -n 1 >/dev/null
echo "status ${PIPESTATUS[0]}"
SH
(echo 'trap - PIPE'; cat "$dir/pipeline.sh") >"$dir/trap.sh"
cat >"$dir/start.py" <<'PY'
import signal, subprocess, sys
import pexpect

def default():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)

how, script = sys.argv[1:]
if how == "subprocess":
    print(subprocess.run(["bash", script], capture_output=True, text=True).stdout)
elif how == "pexpect":
    print(pexpect.run("bash " + script, encoding="utf-8"))
else:
    print(pexpect.run("bash " + script, encoding="utf-8", preexec_fn=default))
PY
recorded() {  # without the terminal that this script may have, so that asciinema does not wait for it
  timeout 60 setsid -w python3 -m asciinema rec -q -c "bash $1" "$dir/session.cast" >/dev/null </dev/null
  python3 -c 'import json, sys; print("".join(json.loads(line)[2] for line in list(open(sys.argv[1]))[1:]))' \
    "$dir/session.cast"
}

failed=0
check() {
  local got
  got=$(echo "$2" | tr -d '\r' | xargs)
  printf '%-32s %s\n' "$1" "$got"
  [ "$got" = "$3" ] || { echo "different: expected $3"; failed=1; }
}
broken='yes: standard output: Broken pipe status 1'
# The shell that runs this file may itself have been started with the signal ignored, so script(1) gets it as usual.
by_script=$(env --default-signal=PIPE "$dir/usr/bin/script" -qc "bash $dir/pipeline.sh" /dev/null </dev/null)
check "script(1)" "$by_script" "status 141"
check "Python's subprocess" "$(timeout 60 python3 "$dir/start.py" subprocess "$dir/pipeline.sh")" "status 141"
check "pexpect" "$(timeout 60 python3 "$dir/start.py" pexpect "$dir/pipeline.sh")" "$broken"
check "pexpect, after trap - PIPE" "$(timeout 60 python3 "$dir/start.py" pexpect "$dir/trap.sh")" "$broken"
check "pexpect, with a preexec_fn" "$(timeout 60 python3 "$dir/start.py" default "$dir/pipeline.sh")" "status 141"
check "asciinema rec" "$(recorded "$dir/pipeline.sh")" "$broken"
exit $failed
