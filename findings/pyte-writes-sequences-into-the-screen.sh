#!/usr/bin/env bash
# Expected: a terminal emulator skips a control sequence that it does not know. ECMA-48 makes that possible: a control
# sequence ends with its final byte, and a control string with ESC \, whatever stands between.
# What happens: pyte ends a control sequence at a colon, which is a parameter byte, and writes the rest of it into the
# screen as text. So the standard's own form of a direct colour, `38:2::R:G:B`, becomes the letters `2::255:0:0m`, and a
# curly underline (`4:3`) becomes `3m`. Of device control strings and application program commands, it takes just the ESC
# and the byte after it for a sequence and shows the content: a request of DECRQSS as `$qm`, a kitty picture as `G...`. With
# `38;2;R;G;B` and OSC, all is as it should be. Seen with Debian's python3-pyte 0.8.0-2 (Debian 12).
# Why it matters: pyte is the usual screen of drivers and recorders in Python. The letters that nobody printed move all
# columns behind them, so a search for a text, the place of a menu's entry and a comparison of two screens go wrong in
# programs that ask their terminal for its abilities or underline in colour, as editors do today.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download python3-pyte=0.8.0-2 python3-wcwidth=0.2.5+dfsg1-1.1 >apt.log 2>&1) ||
  { echo "Debian serves python3-pyte 0.8.0-2 no more; that of Debian 12 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
echo "pyte of $(cd "$dir" && ls python3-pyte_*.deb)"

PYTHONPATH=$dir/usr/lib/python3/dist-packages python3 - <<'PY'
import sys

import pyte


def row(text):
    screen = pyte.Screen(40, 2)
    pyte.Stream(screen).feed(text)
    return screen.display[0].rstrip()


CASES = [  # what it is, what is sent, what a screen should show, what pyte shows
    ("38;2;R;G;B", "\x1b[38;2;255;0;0mred", "red", "red"),
    ("38:2::R:G:B", "\x1b[38:2::255:0:0mred", "red", "2::255:0:0mred"),
    ("curly underline", "\x1b[4:3mtypo", "typo", "3mtypo"),
    ("OSC, a title", "\x1b]0;title\x1b\\text", "text", "text"),
    ("DCS, DECRQSS", "\x1bP$qm\x1b\\text", "text", "$qmtext"),
    ("APC, kitty picture", "\x1b_Gi=1;AAAA\x1b\\text", "text", "Gi=1;AAAAtext"),
]
failed = False
for name, sent, right, seen in CASES:
    shown = row(sent)
    print(f"{name:20} should be {right!r:8} and is {shown!r}")
    failed |= shown != seen
sys.exit(failed)
PY
