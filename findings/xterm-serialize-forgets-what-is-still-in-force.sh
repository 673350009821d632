#!/usr/bin/env bash
# Expected: what @xterm/addon-serialize returns, written into a new terminal of the same size, gives the same
# terminal; it restores modes too, and is what editors and web terminals use to bring a session back after a reload.
# What happens: the two look alike and behave differently. Not kept are the scrolling margins, the saved cursor, the
# tab stops and a selected line-drawing set. The most visible case is apt, whose progress bar in the last row lives by
# margins: after the restoration the next lines scroll the bar away and are mixed with it ("Setting up b0%]"). A
# program that goes back to the place of its question (ESC 8) writes over the first line of the screen instead. Seen
# with @xterm/headless 6.0.0 and @xterm/addon-serialize 0.14.0.
# Why it matters: a screen that was brought back in the middle of a program is right until the program's next byte.
# For a faithful copy, one has to keep the bytes and write them again.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error @xterm/headless@6.0.0 @xterm/addon-serialize@0.14.0 \
  >"$dir/npm.log" 2>&1 || { cat "$dir/npm.log"; exit 1; }
echo "@xterm/headless 6.0.0, @xterm/addon-serialize 0.14.0, node $(node --version)"

cat >"$dir/restore.mjs" <<'JS'
import xterm from '@xterm/headless';
import addon from '@xterm/addon-serialize';

const open = () => new xterm.Terminal({cols: 24, rows: 6, allowProposedApi: true});
const write = (terminal, bytes) => new Promise((done) => terminal.write(bytes, done));
function rows(terminal) {
  const buffer = terminal.buffer.active;
  return Array.from({length: terminal.rows}, (_, i) => buffer.getLine(buffer.baseY + i).translateToString(true));
}

let failed = 0;
async function check(name, before, after, expected) {
  const original = open();
  const serializer = new addon.SerializeAddon();
  original.loadAddon(serializer);
  await write(original, before);
  const restored = open();
  await write(restored, serializer.serialize());
  const alike = JSON.stringify(rows(original)) === JSON.stringify(rows(restored));
  await write(original, after);
  await write(restored, after);
  const pair = [rows(original), rows(restored)].map((list) => JSON.stringify(list));
  console.log(`${name}: alike at first: ${alike}\n  original ${pair[0]}\n  restored ${pair[1]}`);
  if (!alike || pair[0] !== JSON.stringify(expected[0]) || pair[1] !== JSON.stringify(expected[1])) {
    failed = 1;
    console.log('different: expected', expected);
  }
}

// What apt does with its bar, in six rows: margins that leave out the last row, then the bar between ESC 7 and ESC 8.
const bar = (percent) => `\x1b7\x1b[6;1HProgress: [${percent}%]\x1b8`;
await check('apt', `Reading\r\nBuilding\r\n\x1b7\x1b[1;5r\x1b8Unpacking a\r\n${bar(20)}`,
            `Unpacking b\r\n${bar(60)}Setting up a\r\nSetting up b\r\n`,
            [['Unpacking a', 'Unpacking b', 'Setting up a', 'Setting up b', '', 'Progress: [60%]'],
             ['Building', 'Unpacking a', 'Unpacking b', 'Setting up a', 'Setting up b0%]', '']]);
await check('tabs', '\x1b[3g\x1b[5G\x1bH\r', 'a\tb',
            [['a   b', '', '', '', '', ''], ['a       b', '', '', '', '', '']]);
await check('lines', '\x1b(0', 'lqqk', [['┌──┐', '', '', '', '', ''], ['lqqk', '', '', '', '', '']]);
await check('saved cursor', 'Name: \x1b7\r\nhint', '\x1b8Alice',
            [['Name: Alice', 'hint', '', '', '', ''], ['Alice ', 'hint', '', '', '', '']]);
process.exit(failed);
JS
node "$dir/restore.mjs"
