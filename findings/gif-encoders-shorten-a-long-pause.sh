#!/usr/bin/env bash
# Expected: the picture of a recording in which nothing happens for eleven minutes pauses for eleven minutes, or an
# encoder that cannot do that says so or takes the longest pause that it can.
# What happens: GIF has 16 bits for the delay of a frame, in hundredths of a second, so 655.35 seconds at most, and
# three usual encoders for JavaScript write the number without its upper bits. Eleven minutes become 4.64 seconds, ten
# stay ten, and 655.36 seconds become 0, which browsers show as a tenth of a second. sharp checks, but mixes up the
# units: it allows up to 65535 and takes that for milliseconds, so it refuses each pause of more than 65.5 seconds.
# Seen with gifenc 1.0.3, omggif 1.0.10, gif-encoder-2 1.0.5 and sharp 0.35.5.
# Why it matters: whoever turns a long job into a picture has to cut its pauses first, or to repeat the frame. Nothing
# fails, and the picture looks plausible: the wait that it was to show is just not there.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error gifenc@1.0.3 omggif@1.0.10 \
  gif-encoder-2@1.0.5 sharp@0.35.5 >"$dir/npm.log" 2>&1 || { cat "$dir/npm.log"; exit 1; }
echo "gifenc 1.0.3, omggif 1.0.10, gif-encoder-2 1.0.5, sharp 0.35.5, node $(node --version)"

cat >"$dir/pause.cjs" <<'JS'
const {GIFEncoder} = require('gifenc');
const {GifWriter} = require('omggif');
const Encoder = require('gif-encoder-2');
const sharp = require('sharp');

// Each returns a GIF of two frames of 8x8 cells, the first of which lasts that many milliseconds.
const size = 8;
const encoders = {
  gifenc(ms) {
    const gif = GIFEncoder();
    const palette = [[0, 0, 0], [255, 255, 255]];
    gif.writeFrame(new Uint8Array(size * size), size, size, {palette, delay: ms});
    gif.writeFrame(new Uint8Array(size * size).fill(1), size, size, {palette, delay: 100});
    gif.finish();
    return gif.bytes();
  },
  omggif(ms) {
    const bytes = [];
    const gif = new GifWriter(bytes, size, size, {palette: [0x000000, 0xffffff]});
    gif.addFrame(0, 0, size, size, new Uint8Array(size * size), {delay: ms / 10});  // it counts in hundredths
    gif.addFrame(0, 0, size, size, new Uint8Array(size * size).fill(1), {delay: 10});
    bytes.length = gif.end();
    return bytes;
  },
  'gif-encoder-2'(ms) {
    const gif = new Encoder(size, size);
    gif.start();
    gif.setDelay(ms);
    gif.addFrame(new Uint8Array(4 * size * size));
    gif.setDelay(100);
    gif.addFrame(new Uint8Array(4 * size * size).fill(255));
    gif.finish();
    return gif.out.getData();
  },
  sharp(ms) {
    const frames = Buffer.concat([Buffer.alloc(4 * size * size), Buffer.alloc(4 * size * size, 255)]);
    const raw = {width: size, height: 2 * size, channels: 4, pageHeight: size};
    return sharp(frames, {raw}).gif({delay: [ms, 100]}).toBuffer();
  },
};

// Returns the delay of the first frame in seconds, as its graphic control extension has it.
function pauseOf(gif) {
  const bytes = Buffer.from(gif);
  return bytes.readUInt16LE(bytes.indexOf(Buffer.from([0x21, 0xf9, 0x04])) + 4) / 100;
}

(async () => {
  const wrapping = [[600, '600'], [655.36, '0'], [660, '4.64']];
  const expected = {gifenc: wrapping, omggif: wrapping, 'gif-encoder-2': wrapping,
                    sharp: [[60, '60'], [66, 'refused'], [660, 'refused']]};
  let failed = 0;
  for (const [name, pairs] of Object.entries(expected)) {
    for (const [seconds, result] of pairs) {
      let got;
      try {
        got = String(pauseOf(await encoders[name](seconds * 1000)));
      } catch (error) {
        got = 'refused';
      }
      console.log(`${name.padEnd(14)} a pause of ${String(seconds).padEnd(6)} s: ${got}`);
      if (got !== result) failed = 1, console.log('different: expected', result);
    }
  }
  process.exit(failed);
})();
JS
node "$dir/pause.cjs"
