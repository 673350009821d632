// A small picture of a screen on a canvas, which takes the browser far less
// time than elements.

import {colorsOf} from "./colors.js";
import {make} from "./dom.js";

const CELL = [4, 8]; // the size of a character, before the display's own ratio
const FONT_PX = 6.6;
const FAMILY = 'ui-monospace, "DejaVu Sans Mono", monospace';
const BASELINE = 0.78;
const CONCEAL = 128;
const LEAST = [20, 60]; // rows and columns that are shown at least
const STEPS = [10, 20];
const WIDE = 120;       // columns of a usual screen

export class Miniature {
  // With `crops`, shows only the part with text, so that it is legible.
  constructor(canvas = make("canvas", {ariaHidden: "true"}), crops = false) {
    this.canvas = canvas;
    this.crops = crops;
    this.size = null;
    this.part = null; // rows and columns
  }

  // Takes a message with a screen, or with its changes.
  take(message) {
    const isNew = message.whole || !this.size;
    if (isNew) {
      this.size = message.size;
      this.rows = [];
    }
    const swaps = this.swapped !== message.reverse;
    this.swapped = message.reverse;
    for (const [number, runs] of Object.entries(message.rows)) this.rows[number] = runs;
    const part = this.#used();
    const grows = part.join() !== this.part?.join() || isNew;
    if (grows) this.#resize(part);
    if (grows || swaps) this.redraw();
    else for (const number of Object.keys(message.rows)) this.#draw(Number(number));
  }

  redraw() {
    for (let i = 0; i < (this.part?.[0] ?? 0); ++i) this.#draw(i);
  }

  // Returns the rows and columns that have text, rounded up so that the result
  // rarely changes.
  #used() {
    if (!this.crops) return this.size;
    const used = [0, 0];
    this.rows.forEach((runs, row) => {
      let columns = 0;
      for (const [text, width, style] of runs ?? []) {
        columns += width;
        if (!text.trim() && !style) continue;
        used[0] = row + 1;
        used[1] = Math.max(used[1], columns - (width === text.length ? width - text.trimEnd().length : 0));
      }
    });
    return used.map((count, i) => Math.min(this.size[i], Math.max(LEAST[i], Math.ceil(count / STEPS[i]) * STEPS[i])));
  }

  #resize(size) {
    this.part = size;
    // Draw a small part as sharp as a whole screen.
    this.ratio = (devicePixelRatio || 1) * Math.max(1, WIDE / size[1]);
    this.canvas.width = size[1] * CELL[0] * this.ratio;
    this.canvas.height = size[0] * CELL[1] * this.ratio;
    this.context = this.canvas.getContext("2d", {alpha: false});
    this.context.font = `${FONT_PX * this.ratio}px ${FAMILY}`;
  }

  #draw(number) {
    const {context, ratio, part: size} = this;
    if (number >= size[0]) return;
    const [width, height] = CELL.map((side) => side * ratio);
    const y = number * height;
    context.fillStyle = colorsOf(null, this.swapped).behind;
    context.fillRect(0, y, size[1] * width, height);
    let x = 0;
    for (const [text, columns, style] of this.rows[number] ?? []) {
      const {ink, behind} = colorsOf(style, this.swapped);
      context.fillStyle = behind;
      if (style) context.fillRect(x, y, columns * width, height);
      context.fillStyle = ink;
      const isSeen = text.trim() && !((style?.[2] ?? 0) & CONCEAL);
      // Fit the text, because the font's width differs slightly from that of a
      // cell.
      if (isSeen) context.fillText(text, x, y + height * BASELINE, columns * width);
      x += columns * width;
    }
  }
}
