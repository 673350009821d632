// How fast another engine takes a file: MB/s of processor time of the main
// thread, the median of whole passes.
//
//   node rate.mjs MODULES ENGINE FILE ROWS COLS
//
// MODULES is the node_modules folder that `./dev bench peers` has filled. Each
// pass has a terminal of its own with 10,000 lines of scrollback; the first
// one, which the compiler spends, is not counted.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const [modules, engine, file, rowsText, colsText] = process.argv.slice(2);
const rows = Number(rowsText), cols = Number(colsText);
const require = createRequire(modules + '/');
const bytes = readFileSync(file);
const kSlice = 64 << 10;
const kLines = 10000;

function slices() {
  const all = [];
  for (let at = 0; at < bytes.length; at += kSlice) {
    all.push(bytes.subarray(at, at + kSlice));
  }
  return all;
}

const engines = {
  async xterm() {
    const {Terminal} = require('@xterm/headless');
    return async () => {
      const terminal =
          new Terminal({rows, cols, scrollback: kLines, allowProposedApi: true});
      const parts = slices();
      const last = parts.pop();
      for (const part of parts) terminal.write(part);
      await new Promise((done) => terminal.write(last, done));
      terminal.dispose();
    };
  },
  // Natively, through Node-API.
  async ghostty() {
    const {PersistentTerminal} =
        await import(modules + '/ghostty-opentui/dist/ffi.js');
    return async () => {
      const terminal = new PersistentTerminal({rows, cols});
      for (const part of slices()) terminal.feed(part);
      terminal.destroy();
    };
  },
};

// Nanoseconds that the main thread has run: what other programs on the machine
// take from it does not count, nor do the collector's and compiler's threads.
function used() {
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]);
}

const pass = await engines[engine]();
const rates = [];
for (let i = 0; i < 6 && (i < 2 || used() < 5e9); ++i) {
  const start = used();
  await pass();
  rates.push(bytes.length * 1e3 / (used() - start));
}
rates.shift();
rates.sort((a, b) => a - b);
console.log(rates[rates.length >> 1].toFixed(3));
