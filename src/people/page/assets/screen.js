// The terminal: the rows of the screen and, above them, the rows that have left
// it, which are fetched when they are scrolled into view.
//
// Rows are numbered since the session began. The element of a row stays the
// same when it scrolls, so a selection keeps its text. Above the screen, a gap
// replaces rows that were not fetched, and has their height.

import {paint} from "./colors.js";
import {at, make} from "./dom.js";

const LEAST_PX = 8;       // people cannot read less
const LEAST_PANNED = 11;  // if the screen does not fit anyway
const MOST_FITTED = 15;
const MOST_PX = 40;
const AHEAD = 100;        // rows that are fetched around those in view
const MOST_ROWS = 5000;   // above the screen, as long as nobody looks at them

let fetchRows = async () => null;  // (from, to) -> {from, rows, wrapped}
let changed = () => {};            // the person has scrolled
let size = [0, 0];
let top = 0;              // the number of the screen's first row
let live = [];            // the elements of the screen's rows
let swapped = false;
let alternate = false;
let cursor = [0, 0, false, 0];
let zoom = "fit";         // or the size of the font in pixels
let cell = 17;            // the height of a row
let follow = true;        // the newest rows are in view
let goal = 0;             // where following has scrolled to
let dragging = false;
let epoch = 0;            // counts screens, so that late answers are ignored
let hit = -1;             // the row to which a person has jumped
let restore = null;       // the row that was at the top before the page was loaded again
const late = new Set();   // rows that are selected, and have changed since

const stage = () => at("stage");
const rows = () => at("rows");

// ---- drawing

function selection() {
  const chosen = getSelection();
  if (!chosen.rangeCount || chosen.isCollapsed) return null;
  const range = chosen.getRangeAt(0);
  return rows().contains(range.commonAncestorContainer) ? range : null;
}

// Gives each run the width of its columns, independently of the font.
function draw(row) {
  row.replaceChildren(...row.runs.map(([text, columns, style]) => {
    const span = make("span", {textContent: text});
    span.style.width = `${columns}ch`;
    if (style || swapped) paint(span, style, swapped);
    return span;
  }));
}

function setRow(row, runs, wrapped, range) {
  row.runs = runs;
  row.wrapped = wrapped;
  if (range?.intersectsNode(row)) late.add(row);
  else draw(row);
}

const newRow = (number) => make("div", {className: number === hit ? "row hit" : "row", number, runs: [], wrapped: false});

function newGap(from, to) {
  const gap = make("div", {className: "gap", from, to});
  gap.style.height = `calc(var(--cell) * ${to - from})`;
  return gap;
}

function rebuild(message) {
  ++epoch;
  late.clear();
  live = Array.from({length: size[0]}, (_, i) => newRow(message.top + i));
  const gap = message.first < message.top ? [newGap(message.first, message.top)] : [];
  rows().replaceChildren(...gap, ...live);
  rows().style.width = `${size[1]}ch`;
  at("size").textContent = size.join("x");
  follow = restore === null;
}

// Moves the first rows of the screen above it. In a flood, there may be more of
// them than were ever shown; these are not drawn.
function shift(count, first) {
  if (count > live.length && follow && !selection()) {
    live = live.map((_, i) => newRow(top + count + i));
    rows().replaceChildren(newGap(Math.min(first, top + count), top + count), ...live);
    return;
  }
  const gone = live.splice(0, Math.min(count, live.length));
  for (const row of gone) row.classList.add("old");
  const fresh = gone.map((_, i) => newRow(top + count + live.length + i));
  if (count > gone.length) rows().append(newGap(top + gone.length, top + count));
  rows().append(...fresh);
  live.push(...fresh);
}

// Replaces rows by a gap again when they are not in view.
function forget(first) {
  const all = rows();
  if (!follow || selection()) return;
  const oldest = all.firstElementChild;
  if (oldest?.className === "gap" && oldest.from < first) {
    if (oldest.to <= first) oldest.remove();
    else oldest.replaceWith(newGap(first, oldest.to));
  }
  if (all.childElementCount - live.length <= MOST_ROWS) return;
  while (all.firstElementChild !== live[0]) all.firstElementChild.remove();
  if (first < top) all.prepend(newGap(first, top));
}

export function showScreen(message) {
  size = message.size;
  const wasSwapped = swapped;
  ({reverse: swapped, alternate, cursor} = message);
  if (message.whole || !live.length) rebuild(message);
  else if (message.top > top) shift(message.top - top, message.first);
  top = message.top;
  const range = selection();
  const {left} = message;
  if (left) fill(left, range);
  const wrapped = new Set(message.wrapped);
  for (const [number, runs] of Object.entries(message.rows)) setRow(live[number], runs, wrapped.has(Number(number)), range);
  if (wasSwapped !== swapped) redraw();
  at("terminal").classList.toggle("reverse", swapped);
  at("terminal").classList.toggle("alternate", alternate);
  forget(message.first);
  if (message.whole) fit();
  placeCursor();
  if (restore !== null) goTo(restore, false), restore = null;
  else keepUp();
}

// Draws an answer with rows above the screen; null stands for a row that has
// not changed since it was drawn. There may be a gap between them and the
// screen.
function fill({from, rows: filled, wrapped = []}, range) {
  const breaks = new Set(wrapped);
  for (let row = live[0]?.previousElementSibling; row; row = row.previousElementSibling) {
    if (row.className === "gap") continue;
    if (row.number < from) break;
    const runs = filled[row.number - from];
    if (runs) setRow(row, runs, breaks.has(row.number), range);
  }
}

export function redraw() {
  for (const row of rows().children) if (row.runs) draw(row);
}

export function clearScreen() {
  ++epoch;
  live = [];
  late.clear();
  rows().replaceChildren();
  hit = -1;
}

// Returns the rows of the screen as lines of text.
export function screenText() {
  return live.map((row) => row.textContent.trimEnd()).join("\n") + "\n";
}

// ---- rows above the screen

function splitGap(gap, answer) {
  const end = answer.from + answer.rows.length;
  const breaks = new Set(answer.wrapped);
  const filled = answer.rows.map((runs, i) => {
    const row = newRow(answer.from + i);
    row.classList.add("old");
    Object.assign(row, {runs, wrapped: breaks.has(row.number)});
    draw(row);
    return row;
  });
  // If the answer begins later than requested, the rows before it are no longer
  // kept.
  const before = answer.asked < answer.from || gap.from >= answer.from ? [] : [newGap(gap.from, answer.from)];
  const lost = answer.asked < answer.from ? answer.from - gap.from : 0;
  const after = end < gap.to ? [newGap(end, gap.to)] : [];
  gap.replaceWith(...before, ...filled, ...after);
  if (lost > 0 && !follow) stage().scrollTop -= lost * cell;
}

async function load(gap, first, last) {
  if (gap.loading) return;
  gap.loading = true;
  const [now, from, to] = [epoch, Math.max(gap.from, first), Math.min(gap.to, last)];
  const answer = await fetchRows(from, to);
  gap.loading = false;
  if (!answer || now !== epoch || !gap.isConnected) return;
  splitGap(gap, {...answer, asked: from});
  if (answer.rows.length) loadVisible();
}

export function loadVisible() {
  const view = stage().getBoundingClientRect();
  for (const gap of rows().querySelectorAll(".gap")) {
    const box = gap.getBoundingClientRect();
    if (!box.height || box.bottom < view.top || box.top > view.bottom) continue;
    const first = gap.from + Math.floor((view.top - box.top) / cell);
    load(gap, first - AHEAD, first + Math.ceil(view.height / cell) + AHEAD);
  }
}

// Fetches the rows of a selection that were not fetched yet.
function loadSelected() {
  const range = selection();
  if (!range) return;
  for (const gap of rows().querySelectorAll(".gap")) if (range.intersectsNode(gap)) load(gap, gap.from, gap.from + 500);
}

// ---- what is in view

const rowsAbove = () => {
  const first = rows().firstElementChild;
  const hidden = alternate && !at("terminal").classList.contains("look-back");
  return hidden || !first ? 0 : top - (first.from ?? first.number);
};

function placeCursor() {
  const [row, column, visible] = cursor;
  for (const id of ["cursor", "keys"]) {
    at(id).style.left = `calc(4px + ${column}ch)`;
    at(id).style.top = `calc(4px + var(--cell) * ${rowsAbove() + row})`;
  }
  at("cursor").hidden = !visible;
}

// Returns the position that shows the screen, or the cursor if the screen is
// higher than the window.
function newest() {
  const {clientHeight} = stage();
  const above = rowsAbove() * cell;
  const end = Math.max(0, above + size[0] * cell + 8 - clientHeight);
  const [row, , visible] = cursor;
  const high = size[0] * cell + 8 > clientHeight + 1;
  return visible && high ? Math.max(above, Math.min(end, above + (row - 1) * cell)) : end;
}

function keepUp() {
  if (!follow || dragging) return hints();
  const view = stage();
  const [, column, visible] = cursor;
  view.scrollTop = newest();
  goal = view.scrollTop; // the position that was reached
  const wide = rows().offsetWidth + 8 > view.clientWidth + 1;
  if (visible && wide) {
    const x = 4 + column * rows().offsetWidth / size[1];
    if (x < view.scrollLeft + 16) view.scrollLeft = Math.max(0, x - view.clientWidth / 2);
    if (x > view.scrollLeft + view.clientWidth - 24) view.scrollLeft = x - view.clientWidth * 2 / 3;
  }
  hints();
}

// Shows at which edges the screen continues.
function hints() {
  const view = stage();
  const begin = rowsAbove() * cell + 4;
  view.classList.toggle("more-above", view.scrollTop > begin + 1 || (!follow && view.scrollTop > 1));
  view.classList.toggle("more-below", view.scrollTop + view.clientHeight < begin + size[0] * cell - 1);
  view.classList.toggle("more-right", view.scrollLeft + view.clientWidth < rows().offsetWidth - 1);
  view.classList.toggle("more-left", view.scrollLeft > 5);
  at("latest").hidden = follow;
}

// Shows this row, near the middle of the window.
export function goTo(row, marks = true) {
  follow = false;
  if (alternate && row < top) at("terminal").classList.add("look-back");
  if (marks) {
    hit = row;
    for (const each of rows().children) each.classList.toggle("hit", each.number === row);
  }
  const above = rowsAbove() - (top - row);
  stage().scrollTop = Math.max(0, marks ? (above + 0.5) * cell - stage().clientHeight / 2 : above * cell);
  placeCursor();
  loadVisible();
  hints();
}

export function goLatest() {
  follow = true;
  at("terminal").classList.remove("look-back");
  placeCursor();
  keepUp();
}

// Returns the row at the top of the window; null if the newest rows are shown.
export const place = () => (follow ? null : top - rowsAbove() + Math.round(stage().scrollTop / cell));
export function restorePlace(row) {
  restore = row ?? null;
}

export function scrollPages(pages) {
  stage().scrollTop += pages * (stage().clientHeight - cell);
}

function onScroll() {
  const view = stage();
  if (Math.abs(view.scrollTop - goal) > 2 || !follow) {
    const end = view.scrollHeight - view.clientHeight;
    const was = follow;
    follow = view.scrollTop >= Math.min(newest(), end) - 2;
    if (follow && !was) at("terminal").classList.remove("look-back");
    placeCursor();
  }
  loadVisible();
  hints();
  changed();
}

// ---- the size of the text

function columnShare() {
  const probe = at("probe");
  probe.style.fontSize = "100px";
  return probe.getBoundingClientRect().width / 100 / probe.textContent.length;
}

function fitted() {
  const view = stage();
  const [height, width] = [view.clientHeight - 8, view.clientWidth - 8];
  const share = columnShare();
  for (let px = MOST_FITTED; px >= LEAST_PX; px -= 0.5) {
    if (size[0] * heightOf(px) <= height && size[1] * px * share <= width) return px;
  }
  for (let px = MOST_FITTED; px > LEAST_PANNED; px -= 0.5) if (size[0] * heightOf(px) <= height) return px;
  return LEAST_PANNED;
}

const heightOf = (px) => Math.round(px * 17 / 14);

export function fit() {
  if (!size[0]) return;
  const px = zoom === "fit" ? fitted() : zoom;
  const before = place();
  cell = heightOf(px);
  at("terminal").style.setProperty("--px", `${px}px`);
  at("terminal").style.setProperty("--cell", `${cell}px`);
  at("terminal").dataset.px = px;
  if (before !== null) stage().scrollTop = (rowsAbove() - (top - before)) * cell;
  placeCursor();
  keepUp();
  loadVisible();
}

// `step` is in pixels; 0 fits the text to the window again.
export function zoomBy(step) {
  const px = Number(at("terminal").dataset.px ?? 14);
  zoom = step ? Math.min(MOST_PX, Math.max(6, Math.round(px) + step)) : "fit";
  fit();
  return zoom;
}
export function setZoom(value) {
  zoom = value > 0 ? value : "fit";
  fit();
}

// Returns the rows and columns for which the window has room at this text size.
export function roomFor() {
  const view = stage();
  const column = rows().offsetWidth / size[1];
  return [Math.floor((view.clientHeight - 8) / cell), Math.floor((view.clientWidth - 8) / column)];
}

// Returns the [row, column] of the screen under the pointer, or null.
export function cellAt(event) {
  const box = rows().getBoundingClientRect();
  const row = Math.floor((event.clientY - box.top) / cell) - rowsAbove();
  const column = Math.floor((event.clientX - box.left) / (box.width / size[1]));
  return row < 0 || column < 0 || row >= size[0] || column >= size[1] ? null : [row, column];
}

// ---- copying

// Returns the selected text as it was printed: a line that the terminal has
// wrapped is one line.
export function selectedText() {
  const range = selection();
  if (!range) return "";
  const chosen = [...rows().children].filter((row) => row.runs && range.intersectsNode(row));
  let text = "";
  chosen.forEach((row, i) => {
    const piece = document.createRange();
    piece.selectNodeContents(row);
    if (row.contains(range.startContainer)) piece.setStart(range.startContainer, range.startOffset);
    if (row.contains(range.endContainer)) piece.setEnd(range.endContainer, range.endOffset);
    const next = chosen[i + 1];
    const part = piece.toString();
    if (!next) text += part.trimEnd();
    else if (!next.wrapped) text += part.trimEnd() + "\n";
    else text += part + " ".repeat(missing(row, next));
  });
  return text;
}

// Returns the number of blanks at the end of a row that continues in the next
// one. A single column may be left because a wide character did not fit.
function missing(row, next) {
  const columns = row.runs.reduce((sum, run) => sum + run[1], 0);
  const [text = "", wide = 0] = next.runs[0] ?? [];
  const rest = Math.max(0, size[1] - columns);
  return rest === 1 && wide > [...text].length ? 0 : rest;
}

export async function copySelection() {
  const text = selectedText();
  if (text) await navigator.clipboard.writeText(text).catch(() => document.execCommand("copy"));
  return Boolean(text);
}

function onSelection() {
  const range = selection();
  at("copy").hidden = !range;
  for (const row of late) {
    if (range?.intersectsNode(row)) continue;
    late.delete(row);
    draw(row);
  }
}

export function bindScreen(fetcher, onChange) {
  [fetchRows, changed] = [fetcher, onChange];
  stage().addEventListener("scroll", onScroll, {passive: true});
  stage().addEventListener("mousedown", () => dragging = true);
  addEventListener("mouseup", () => {
    dragging = false;
    loadSelected();
  });
  document.addEventListener("selectionchange", onSelection);
  document.addEventListener("copy", (event) => {
    const text = selectedText();
    if (!text) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", text);
  });
  at("latest").onclick = goLatest;
  at("copy").onclick = copySelection;
  new ResizeObserver(fit).observe(stage());
}
