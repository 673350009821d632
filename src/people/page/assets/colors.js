// The colours of the terminal: the palette of pictures, which the server sends,
// and the minimum contrast of text.

const READABLE = 4.5; // WCAG 2, for text
const BITS = {bold: 1, faint: 2, italic: 4, underline: 24, reverse: 64, conceal: 128, strike: 256, over: 512};
const FAINT = 140; // in 255ths: the text's share; the rest is the background

let palette = null; // {dark: {back, text, base}, light: ...}
let chosen = null;
const known = new Map(); // style -> its colours, in the chosen theme

const hex = (color) => "#" + color.toString(16).padStart(6, "0");
const channels = (color) => [color >> 16 & 255, color >> 8 & 255, color & 255];

export function mix(under, over, share) {
  const [a, b] = [channels(under), channels(over)];
  return a.reduce((sum, from, i) => sum << 8 | Math.floor((from * (255 - share) + b[i] * share + 127) / 255), 0);
}

function luminance(color) {
  const light = channels(color).map((value) => {
    const c = value / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
}

export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

// Does the same as picture/theme.cc: moves the text's colour towards white or
// black until it is legible.
export function makeReadable(text, back) {
  const suffices = (color) => contrast(color, back) >= READABLE;
  if (suffices(text)) return text;
  let extreme = luminance(text) > luminance(back) ? 0xffffff : 0;
  if (!suffices(extreme)) extreme ^= 0xffffff;
  let [tooLittle, enough] = [0, 255];
  while (enough - tooLittle > 1) {
    const share = Math.floor((tooLittle + enough) / 2);
    if (suffices(mix(text, extreme, share))) enough = share;
    else tooLittle = share;
  }
  return mix(text, extreme, enough);
}

function indexed(value) {
  if (value < 16) return chosen.base[value];
  if (value >= 232) return (8 + (value - 232) * 10) * 0x010101;
  const level = (n) => (n ? 55 + n * 40 : 0);
  const cube = value - 16;
  return level(Math.floor(cube / 36)) << 16 | level(Math.floor(cube / 6) % 6) << 8 | level(cube % 6);
}

function resolve(value, otherwise) {
  if (value === null || value === undefined) return otherwise;
  return typeof value === "string" ? parseInt(value.slice(1), 16) : indexed(value);
}

export function usePalette(colors) {
  palette = colors;
}

export function useTheme(light) {
  if (!palette) return;
  chosen = light ? palette.light : palette.dark;
  known.clear();
  const style = document.documentElement.style;
  style.setProperty("--screen", hex(chosen.back));
  style.setProperty("--text", hex(chosen.text));
}

// Returns {ink, drawn, back, behind}: the colours of text, of drawn characters
// (not adjusted, because neighbours may form a picture) and of the background.
// `back` is "" for the terminal's own background. `swapped` is true if the
// program has reversed the whole screen.
export function colorsOf(style, swapped = false) {
  const [foreground = null, background = null, bits = 0] = style ?? [];
  const key = `${foreground} ${background} ${bits} ${swapped}`;
  let colors = known.get(key);
  if (colors) return colors;
  const [text, screen] = swapped ? [chosen.back, chosen.text] : [chosen.text, chosen.back];
  let [ink, back] = [resolve(foreground, text), resolve(background, screen)];
  if (bits & BITS.reverse) [ink, back] = [back, ink];
  if (bits & BITS.faint) ink = mix(back, ink, FAINT);
  const readable = makeReadable(ink, back);
  colors = {ink: hex(readable), drawn: hex(ink), back: back === screen ? "" : hex(back), behind: hex(back)};
  if (known.size > 4096) known.clear();
  known.set(key, colors);
  return colors;
}

// Lines, blocks, braille and the separators of status lines.
const DRAWN = /[\u2500-\u259f\u2800-\u28ff\ue0b0-\ue0bf\u{1fb00}-\u{1fbaf}]+/u;

export function paint(span, style, swapped) {
  const bits = style?.[2] ?? 0;
  const {ink, drawn, back} = colorsOf(style, swapped);
  const css = span.style;
  css.color = bits & BITS.conceal ? "transparent" : ink;
  css.background = back;
  if (bits & BITS.bold) css.fontWeight = "bold";
  if (bits & BITS.italic) css.fontStyle = "italic";
  const lines = [];
  if (bits & BITS.underline) lines.push("underline");
  if (bits & BITS.strike) lines.push("line-through");
  if (bits & BITS.over) lines.push("overline");
  css.textDecoration = lines.join(" ");
  if (ink === drawn || bits & BITS.conceal || !DRAWN.test(span.textContent)) return;
  const pieces = span.textContent.split(new RegExp(`(${DRAWN.source})`, "u"));
  span.replaceChildren(...pieces.map((text, i) => {
    const piece = document.createElement("i");
    piece.textContent = text;
    if (i % 2) piece.style.color = drawn;
    return piece;
  }));
}
