// node xtermjs.mjs MODULES ROWSxCOLS: streams a line in, screens a line out, as
// play.cc does it, from @xterm/headless.
import {createRequire} from 'node:module';
import {createInterface} from 'node:readline';

const [modules, size] = process.argv.slice(2);
const [rows, cols] = size.split('x').map(Number);
const require = createRequire(modules + '/');
const {Terminal} = require('@xterm/headless');
const kEscapes = {e: 27, r: 13, n: 10, t: 9, b: 8, a: 7, 0: 0, '\\': 92};

function unescaped(line) {
  return line.replaceAll('\t', '').replace(
      /\\(x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|.)/g, (_, m) => {
        if (m[0] === 'x') return String.fromCharCode(parseInt(m.slice(1), 16));
        if (m[0] === 'u') {
          return String.fromCodePoint(parseInt(m.slice(2, -1), 16));
        }
        return String.fromCharCode(kEscapes[m]);
      });
}

async function play(line) {
  const terminal =
      new Terminal({rows, cols, allowProposedApi: true, scrollback: 0});
  let answers = '';
  terminal.onData(data => answers += data);
  const bytes = unescaped(line) + '\x18\x1b[6n';
  await new Promise(done => terminal.write(bytes, done));
  const buffer = terminal.buffer.active;
  const shown = [];
  for (let row = 0; row < rows; ++row) {
    const text = buffer.getLine(buffer.baseY + row).translateToString(true);
    shown.push(text.trimEnd());
  }
  terminal.dispose();
  const cursor = [...answers.matchAll(/\x1b\[(\d+;\d+)R/g)].at(-1)?.[1] ?? '';
  return JSON.stringify({rows: shown, cursor});
}

for await (const line of createInterface({input: process.stdin})) {
  process.stdout.write(await play(line) + '\n');
}
