#!/usr/bin/env bash
# Expected: `screen -X stuff TEXT` types TEXT into the window, as its short description says, and the quotes of the
# shell that calls it protect dollars, backslashes and carets.
# What happens: screen parses TEXT once more. $NAME is replaced by the value that the variable has in screen's server,
# so by that of the day when the session was started; a caret and a letter are one control key, so that the search for
# "^Chapter" presses Ctrl-C, which ends the program, and types "hapter"; \n presses Enter in the middle of C:\new, and
# \\ is one backslash. Seen with screen 4.9.0.
# Why it matters: regular expressions, Windows paths, awk and shell variables are exactly what is typed for somebody
# else. Each ^, $ and \ needs a backslash for screen, and nothing fails without: another command runs.
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

# A shell script takes lines; Ctrl-C is told, too.
cat >"$dir/reader.sh" <<'SH'
trap 'echo "(Ctrl-C)" >>"$1"' INT
echo ready >>"$1"
while :; do IFS= read -r line && printf '%s\n' "$line" >>"$1"; done
SH
: >"$dir/typed"
FRUIT=apple "$screen" -c /dev/null -U -dmS finding bash "$dir/reader.sh" "$dir/typed"
lines() { wc -l <"$dir/typed"; }
until [ "$(lines)" -ge 1 ]; do sleep 0.05; done

failed=0
check() {  # what is given to stuff, and what must arrive
  local before
  before=$(lines)
  "$screen" -S finding -X stuff "$1"
  "$screen" -S finding -X stuff '\r'
  until tail -n "+$((before + 1))" "$dir/typed" | grep -v '^(Ctrl-C)$' | grep -q .; do sleep 0.05; done
  local got
  got=$(tail -n "+$((before + 1))" "$dir/typed" | paste -sd ' ')
  printf 'stuff %-28s arrives as: %s\n' "'$1'" "$got"
  [ "$got" = "$2" ] || { echo "different: expected $2"; failed=1; }
}
export FRUIT=pear
check 'echo plain text' 'echo plain text'
check 'echo $FRUIT' 'echo apple'
check 'grep ^Chapter book' '(Ctrl-C) hapter book'
check 'dir C:\new' 'dir C: ew'
check 'grep \^Chapter \$FRUIT C:\\d' 'grep ^Chapter $FRUIT C:\d'
exit $failed
