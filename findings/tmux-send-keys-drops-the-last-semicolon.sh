#!/usr/bin/env bash
# Expected: `tmux send-keys -l TEXT` types TEXT; the man page says that -l takes the keys as literal characters, and
# the shell's quotes keep TEXT one argument.
# What happens: tmux looks for a semicolon at the end of each argument before send-keys sees any. One is taken away,
# with -l too: `int x = 1;` arrives as `int x = 1`, without a word, and with status 0. In `send-keys 'done;' Enter`
# what follows is a command of its own: the shell gets no text at all, since tmux refuses the whole line ("unknown
# command: Enter"). Neither quotes nor `--` help; only `\;` at the end does, and a semicolon elsewhere in the text is
# left alone. Seen with tmux 3.3a.
# Why it matters: text for SQL prompts, C, Java and awk ends in a semicolon as a rule, and a prompt that lost it shows
# a continuation prompt and waits. Whoever types through tmux has to put a backslash before the last character of each
# such text, or use a buffer (load-buffer -, paste-buffer).
set -euo pipefail

dir=$(mktemp -d)
trap '"${tmux[@]}" kill-server 2>/dev/null || true; rm -rf "$dir"' EXIT
tmux=(false)
(cd "$dir" && apt-get download tmux=3.3a-3 libevent-core-2.1-7=2.1.12-stable-8+deb12u1 libutempter0=1.2.1-3 \
  >apt.log 2>&1) || { echo "Debian serves tmux 3.3a-3 no more; that of Debian 12 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export LD_LIBRARY_PATH LC_ALL=C.UTF-8
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
tmux=("$dir/usr/bin/tmux" -S "$dir/socket" -f /dev/null)
"${tmux[@]}" -V

# cat writes down the lines that were typed.
"${tmux[@]}" new-session -d -s typed -x 80 -y 24 "cat >>'$dir/lines'"
typed() {  # types a line by the given arguments, and prints what arrived
  : >"$dir/lines"
  "${tmux[@]}" send-keys -t typed "$@" || true
  "${tmux[@]}" send-keys -t typed Enter
  until [ -s "$dir/lines" ]; do sleep 0.05; done
  cat "$dir/lines"
}
failed=0
check() {
  printf '%-42s arrives as: %s\n' "$1" "$2"
  [ "$2" = "$3" ] || { echo "different: expected $3"; failed=1; }
}
check "send-keys -l 'int x = 1;'" "$(typed -l 'int x = 1;')" 'int x = 1'
check "send-keys -l -- 'select 1;'" "$(typed -l -- 'select 1;')" 'select 1'
check "send-keys -l 'select 1;;'" "$(typed -l 'select 1;;')" 'select 1;'
check "send-keys -l 'a; b'" "$(typed -l 'a; b')" 'a; b'
check "send-keys -l 'select 1\\;'" "$(typed -l 'select 1\;')" 'select 1;'

: >"$dir/lines"
said=$("${tmux[@]}" send-keys -t typed 'done;' Enter 2>&1) && said="(status 0)"
"${tmux[@]}" send-keys -t typed -l 'next'
"${tmux[@]}" send-keys -t typed Enter
until [ -s "$dir/lines" ]; do sleep 0.05; done
check "send-keys 'done;' Enter" "$said; then the line is: $(cat "$dir/lines")" \
  "unknown command: Enter; then the line is: next"
exit $failed
