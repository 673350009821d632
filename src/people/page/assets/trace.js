// The time line as a trace: commands as blocks; who typed, calls of agents,
// events, sizes and breaks as marks; a list of the commands beside the screen;
// playing without pauses.

import {showCalls, titleOf} from "./calls.js";
import {Miniature} from "./canvas.js";
import {at, make} from "./dom.js";
import {ageText, setText} from "./sessions.js";

const STEP_MS = 100;
const BEFORE = 0.01;     // seconds before a command prints anything
const LONGEST_PAUSE = 1; // seconds; longer ones are cut
const LEAST_DRAG = 6;    // pixels

let asks = {};           // what the page does for us: see bindTrace
const NOTHING = {commands: [], calls: [], typed: [], sizes: [], lost: [], breaks: [], persons: [], events: [], active: []};
let data = NOTHING;
let length = 1;
let playing = 0;         // the timer
let now = 0;             // where playing is
let peeked = -1;
let preview = null;      // the screen under the pointer
const items = new Map(); // number -> the element of a command in the list

// The time line shortens long pauses: each pair is a moment and its position,
// both in seconds and ascending.
let knots = [[0, 0], [1, 1]];

function placeTimes() {
  const active = data.active.reduce((sum, [begin, end]) => sum + end - begin, 0);
  const longest = Math.max(LONGEST_PAUSE, active / 20);
  knots = [[0, 0]];
  let [last, place] = knots[0];
  const go = (seconds, most = Infinity) => {
    place += Math.min(Math.max(0, seconds - last), most);
    last = Math.max(last, seconds);
    knots.push([last, place]);
  };
  for (const [begin, end] of data.active) {
    go(Math.min(begin, length), longest);
    go(Math.min(end, length));
  }
  go(length, longest);
}

// Converts a value from one column of the knots to the other.
function convert(value, from) {
  const next = knots.findIndex((knot) => knot[from] >= value);
  if (next <= 0) return knots.at(next)[1 - from];
  const [a, b] = [knots[next - 1], knots[next]];
  const part = (value - a[from]) / (b[from] - a[from]);
  return a[1 - from] + part * (b[1 - from] - a[1 - from]);
}
export const toPlace = (seconds) => convert(seconds, 0);
export const toSeconds = (place) => convert(place, 1);

const shareOf = (seconds) => Math.min(1, Math.max(0, toPlace(seconds) / knots.at(-1)[1]));
const share = (seconds) => `${shareOf(seconds) * 100}%`;
const endOf = (command) => command.end ?? length;

export function durationText(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  return seconds < 120 ? `${Math.round(seconds)}s` : ageText(seconds * 1000);
}

const kindOf = (command) => (command.end === undefined ? "runs" : command.exit ? "bad" : "good");
const statusOf = (command) => (command.end === undefined ? "runs" : command.exit === undefined ? "status unknown" : `exit ${command.exit}`);

function mark(kind, seconds, title, end = seconds) {
  const one = make("i", {className: kind, title});
  one.dataset.at = seconds;
  one.style.left = share(seconds);
  one.style.width = `max(2px, ${Math.max(0, shareOf(end) - shareOf(seconds)) * 100}%)`;
  return one;
}

// ---- the strip

const typedText = ({person, text}) => {
  if (person === undefined) return `typed: ${text}`;
  return `${person ? "a person" : "the agent"} typed${text === undefined ? "" : `: ${text}`}`;
};

function drawStrip() {
  const blocks = data.commands.map((one) =>
    mark(`command ${kindOf(one)}`, one.begin, `${one.text} · ${statusOf(one)} · ${durationText(endOf(one) - one.begin)}`, endOf(one)));
  const others = [
    ...data.active.map(([begin, end]) => mark("active", begin, "", end)),
    ...data.persons.map((one) => mark("person", one.begin, "a person had the keyboard", one.end ?? length)),
    ...data.calls.map((one) => mark("call", one.at, titleOf(one), one.end)),
    ...data.typed.map((one) => mark(one.person ? "typed by-person" : "typed", one.at, typedText(one))),
    ...data.sizes.map((one) => mark("size", one.at, `resized to ${one.rows}x${one.cols}`)),
    ...data.lost.map((one) => mark("lost", one.at, `${one.bytes} bytes are lost`)),
    ...data.breaks.map((seconds) => mark("break", seconds, "the connection to the program's machine broke")),
  ];
  const events = data.events.map((one) => mark(one.watch === "error" ? "event failure" : "event", one.at, `${one.watch}: ${one.text}`));
  at("strip").replaceChildren(...others, ...blocks, ...events);
}

// Marks of single moments: pointing at one means exactly its moment.
const MOMENTS = ".event, .break, .lost, .size";
const markAt = (event) => event.target.closest?.(MOMENTS);

const secondsAt = (event) => {
  const pointed = markAt(event);
  if (pointed) return Number(pointed.dataset.at);
  const box = at("strip").getBoundingClientRect();
  return toSeconds(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * knots.at(-1)[1]);
};

function hover(event) {
  const seconds = secondsAt(event);
  const tip = at("peek");
  const inside = data.commands.find((one) => one.begin <= seconds && seconds <= endOf(one));
  const call = data.calls.findLast((one) => one.at <= seconds && seconds <= one.end + length / 200);
  at("peek-text").textContent = [asks.clock(seconds), markAt(event)?.title ?? inside?.text ?? (call ? titleOf(call) : "")].filter(Boolean).join(" · ");
  tip.hidden = false;
  const box = at("time").getBoundingClientRect();
  const x = Math.min(box.width - tip.offsetWidth, Math.max(0, event.clientX - box.left - tip.offsetWidth / 2));
  tip.style.left = `${x}px`;
  if (Math.abs(seconds - peeked) < length / 1000) return;
  peeked = seconds;
  asks.peek(seconds);
}

export const redraw = () => preview?.redraw();

export function showPeek(message) {
  preview ??= new Miniature(at("peek-screen"));
  preview.take(message);
}

// ---- the list

function newItem(number) {
  const item = make("li");
  const go = make("button", {type: "button", className: "go"});
  go.append(make("span", {className: "sign", ariaHidden: "true"}), make("span", {className: "text"}), make("span", {className: "took"}));
  const copy = make("button", {type: "button", className: "copy-output", textContent: "copy", title: "copy its output",
                               onclick: () => asks.copyOutput(number)});
  item.append(go, copy);
  return item;
}

function drawList() {
  const list = at("command-list");
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
  data.commands.forEach((one, i) => {
    const item = items.get(one.number) ?? newItem(one.number);
    items.set(one.number, item);
    const [go, copy] = item.children;
    const [sign, text, took] = go.children;
    go.className = `go ${kindOf(one)}`;
    go.onclick = () => asks.goTo(one);
    setText(sign, {runs: "◐", bad: "✕", good: "✓"}[kindOf(one)]);
    setText(text, one.text || "(a command)");
    setText(took, `${one.end === undefined || !one.exit ? "" : `exit ${one.exit} · `}${durationText(endOf(one) - one.begin)}`);
    go.ariaLabel = `${one.text}, ${statusOf(one)}, ${durationText(endOf(one) - one.begin)}`;
    copy.ariaLabel = `copy the output of ${one.text}`;
    if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
  });
  while (list.children.length > data.commands.length) list.lastElementChild.remove();
  if (atEnd) list.scrollTop = list.scrollHeight;
  at("no-commands").hidden = data.commands.length > 0;
}

export function showTrace(trace, seconds) {
  data = {...NOTHING, ...trace};
  length = Math.max(seconds, 0.1);
  placeTimes();
  drawStrip();
  drawList();
  showCalls(data.calls);
  for (const id of ["previous", "following"]) at(id).disabled = !data.commands.length;
}

export function clearTrace() {
  stop();
  items.clear();
  at("command-list").replaceChildren();
  showTrace(NOTHING, 1);
}

// ---- a stretch of time

// Marks a stretch of time; an empty one is hidden.
export function showRange(from, to) {
  at("range").hidden = to <= from;
  const margin = at("strip").offsetLeft;
  const [left, right] = [shareOf(from), shareOf(to)];
  at("range").style.left = `calc(${margin}px + ${left} * (100% - ${2 * margin}px))`;
  at("range").style.width = `calc(${Math.max(0, right - left)} * (100% - ${2 * margin}px))`;
}

// A click goes to a moment; dragging selects a stretch.
function onPress(event) {
  const from = secondsAt(event);
  const x = event.clientX;
  const up = (last) => {
    removeEventListener("pointerup", up);
    stop();
    const to = secondsAt(last);
    if (Math.abs(last.clientX - x) < LEAST_DRAG) asks.show(from);
    else asks.film(Math.min(from, to), Math.max(from, to));
  };
  addEventListener("pointerup", up);
}

// ---- from command to command, and playing

export function showMoment(seconds) {
  stop();
  asks.show(seconds);
}

export function step(direction) {
  const here = asks.moment();
  const begins = data.commands.map((one) => Math.max(0, one.begin - BEFORE));
  const next = direction > 0 ? begins.find((begin) => begin > here + BEFORE / 2) : begins.findLast((begin) => begin < here - BEFORE / 2);
  if (next !== undefined) asks.show(next);
  else if (direction > 0) asks.live();
}

// Returns the next moment to show, which skips pauses.
function advance(seconds) {
  const span = data.active.find(([, end]) => end + LONGEST_PAUSE > seconds);
  if (!span) return length;
  return Math.max(seconds, span[0]);
}

export function stop() {
  clearInterval(playing);
  playing = 0;
  at("play").textContent = "▶";
  at("play").ariaLabel = "play";
}

export function play() {
  if (playing) return stop();
  now = asks.moment();
  if (now >= length - 0.2) now = 0;
  at("play").textContent = "❚❚";
  at("play").ariaLabel = "pause";
  playing = setInterval(() => {
    now = advance(now + STEP_MS / 1000);
    if (now >= length) {
      stop();
      asks.live();
    } else {
      asks.show(now);
    }
  }, STEP_MS);
}

// `actions`: show(seconds), live(), peek(seconds), moment(), clock(seconds),
// goTo(command), copyOutput(number), film(from, to).
export function bindTrace(actions) {
  asks = actions;
  at("strip").addEventListener("pointermove", hover);
  at("strip").addEventListener("pointerleave", () => at("peek").hidden = true);
  at("strip").addEventListener("pointerdown", onPress);
  at("previous").onclick = () => step(-1);
  at("following").onclick = () => step(1);
  at("play").onclick = play;
}
