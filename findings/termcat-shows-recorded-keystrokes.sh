#!/usr/bin/env bash
# Expected: a converter between formats of terminal recordings keeps output what it was, and either keeps or drops the
# events that are no output: keys that were typed ("i"), a changed size ("r") and markers ("m") of an asciicast.
# What happens: termcat of Debian's termrec reads the time and the text of each event and not its kind. What was typed
# is printed as if the program had printed it, in asciicasts too, where it comes out as "o". A password, which the
# program did not echo, is then on the screen; a resize prints "132x43"; a marker prints its label in the middle of a
# line, and everything behind it is shifted. Seen with termrec 0.19.
# Why it matters: recordings with keys in them (asciinema rec --stdin) are passed on after a conversion that is
# believed to be harmless, and a replay shows another screen than there was.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download termrec=0.19-2 libtty1=0.19-2 >apt.log 2>&1) ||
  { echo "Debian serves termrec 0.19-2 no more; that of Debian 12 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
echo "termrec 0.19-2"

cat >"$dir/in.cast" <<'CAST'
{"version": 2, "width": 80, "height": 24}
[0.5, "o", "Password: "]
[2.0, "i", "open sesame\r"]
[2.1, "o", "\r\nWelcome.\r\n"]
[3.0, "r", "132x43"]
[3.5, "m", "a chapter"]
[4.0, "o", "$ "]
CAST
# The last name's ending decides the format that is written.
"$dir/usr/bin/termcat" "$dir/in.cast" "$dir/out.cast"
echo "--- the recording"
cat "$dir/in.cast"
echo "--- converted to an asciicast"
cat "$dir/out.cast"

python3 - "$dir/out.cast" <<'PY'
import json, sys
events = [json.loads(line) for line in open(sys.argv[1]).read().splitlines()[1:]]
kinds = {kind for _, kind, _ in events}
texts = [text for _, _, text in events]
expected = ["Password: ", "open sesame\r", "\r\nWelcome.\r\n", "132x43", "a chapter", "$ "]
if kinds != {"o"} or texts != expected:
    sys.exit("different: not everything became output")
print("Every event became output.")
PY
