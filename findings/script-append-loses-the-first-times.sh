#!/usr/bin/env bash
# Expected: `script --append` continues a recording: a second session is written behind the first one, and scriptreplay
# shows both, or at least the second.
# What happens: only the text is appended. The file with the times is written anew, so the times of the first session
# are lost for good, and nothing says so. scriptreplay then shows the first session's text at the second session's pace,
# cut off after as many bytes as the second one had; of the second session nothing is seen. It is the same with
# --logging-format advanced. Seen with script and scriptreplay of util-linux 2.38.1.
# Why it matters: who keeps a log of sessions by --append (a login script, a nightly job) finds it whole in the text
# and believes that it can be replayed. It has to be one pair of files for each session.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download bsdutils=1:2.38.1-5+deb12u3 >apt.log 2>&1) ||
  { echo "Debian serves bsdutils 1:2.38.1-5+deb12u3 no more; that of Debian 12 in November 2026 is meant."; exit 1; }
dpkg-deb -x "$dir"/bsdutils_*.deb "$dir"
export SHELL=/bin/sh LC_ALL=C
"$dir/usr/bin/script" --version

record() {  # the word that the session prints, and options; the files are $dir/text and $dir/times
  "$dir/usr/bin/script" --quiet "${@:2}" --log-timing "$dir/times" --command "echo $1 begins; sleep 0.2; echo $1 ends" \
    </dev/null >/dev/null
}
replay() { "$dir/usr/bin/scriptreplay" --log-timing "$dir/times" --log-out "$dir/text" 2>&1 | tr -d '\r' | xargs; }

failed=0
check() {
  printf '%-34s %s\n' "$1" "$2"
  [ "$2" = "$3" ] || { echo "different: expected $3"; failed=1; }
}
for format in classic advanced; do
  rm -f "$dir/text" "$dir/times"
  options=(--logging-format "$format" --log-out "$dir/text" --append)
  record first "${options[@]}"
  check "$format: replay of the first" "$(replay)" "first begins first ends"
  cp "$dir/times" "$dir/first-times"
  record 2nd "${options[@]}"
  check "$format: sessions in the text" "$(grep -c -e '^first ends' -e '^2nd ends' "$dir/text")" 2
  kept=yes
  grep -qxF "$(grep -v START_TIME "$dir/first-times" | grep -m1 '\.[0-9]* [0-9]*$')" "$dir/times" || kept=no
  check "$format: times of the first kept" "$kept" no
  check "$format: replay after the second" "$(replay)" "first begins first en"
done
exit $failed
