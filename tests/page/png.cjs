// Decodes PNG files with 8 bits per sample or palette index, and their
// animations, into pixels (the PNG specification, third edition).
"use strict";
const {crc32, inflateSync} = require("node:zlib");

const CHANNELS = {2: 3, 3: 1};

function* chunksOf(file) {
  if (file.toString("latin1", 0, 8) !== "\u0089PNG\r\n\u001a\n") throw new Error("no PNG");
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const data = file.subarray(at + 8, at + 8 + length);
    const isGood = !crc32 || crc32(file.subarray(at + 4, at + 8 + length)) === file.readUInt32BE(at + 8 + length);
    if (!isGood) throw new Error("a chunk has a wrong sum");
    yield [file.toString("latin1", at + 4, at + 8), data];
    at += 12 + length;
  }
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// -> the bytes of each sample, without the filters.
function unfilter(raw, width, height, channels, bits) {
  const row = Math.ceil(width * channels * bits / 8);
  const out = Buffer.alloc(row * height);
  const step = Math.max(1, channels * bits / 8);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (row + 1)];
    for (let i = 0; i < row; ++i) {
      const left = i >= step ? out[y * row + i - step] : 0;
      const up = y ? out[(y - 1) * row + i] : 0;
      const corner = y && i >= step ? out[(y - 1) * row + i - step] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[y * row + i] = raw[y * (row + 1) + 1 + i] + guess;
    }
  }
  return out;
}

function samplesOf(bytes, width, height, bits) {
  if (bits === 8) return bytes;
  const row = Math.ceil(width * bits / 8);
  return Buffer.from(Array.from({length: width * height}, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const shift = 8 - bits - (x * bits) % 8;
    return bytes[y * row + (x * bits >> 3)] >> shift & ((1 << bits) - 1);
  }));
}

// -> {width, height, moments, frames: [{pixels, milliseconds}]}; pixels are RGB.
// A file that is not animated has one frame.
function decodeAnimation(file) {
  const image = {frames: [], moments: []};
  let [palette, control, data] = [null, null, []];
  let canvas = null;
  const finish = () => {
    if (!data.length) return;
    const {x = 0, y = 0, width = image.width, height = image.height} = control ?? {};
    const channels = CHANNELS[image.type];
    const bytes = unfilter(inflateSync(Buffer.concat(data)), width, height, channels, image.bits);
    const samples = samplesOf(bytes, width, height, image.bits);
    canvas = Buffer.from(canvas ?? Buffer.alloc(image.width * image.height * 3));
    for (let i = 0; i < width * height; ++i) {
      const to = ((y + Math.floor(i / width)) * image.width + x + i % width) * 3;
      for (let c = 0; c < 3; ++c) canvas[to + c] = palette ? palette[samples[i] * 3 + c] : samples[i * 3 + c];
    }
    image.frames.push({pixels: canvas, milliseconds: control?.milliseconds ?? 0});
    data = [];
  };
  for (const [type, chunk] of chunksOf(file)) {
    if (type === "IHDR") [image.width, image.height, image.bits, image.type] = [chunk.readUInt32BE(0), chunk.readUInt32BE(4), chunk[8], chunk[9]];
    if (type === "PLTE") palette = chunk;
    if (type === "tEXt" && chunk.toString("latin1").startsWith("Moments\0")) image.moments = chunk.toString("latin1", 8).split(" ");
    if (type === "fcTL") {
      finish();
      control = {width: chunk.readUInt32BE(4), height: chunk.readUInt32BE(8), x: chunk.readUInt32BE(12), y: chunk.readUInt32BE(16),
                 milliseconds: chunk.readUInt16BE(20) * 1000 / (chunk.readUInt16BE(22) || 100)};
    }
    if (type === "IDAT") data.push(chunk);
    if (type === "fdAT") data.push(chunk.subarray(4));
  }
  finish();
  return image;
}

module.exports = {decodeAnimation};
