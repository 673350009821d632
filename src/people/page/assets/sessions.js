// The list of sessions: those that need somebody first, then the other live ones;
// ended ones are folded below.

import {at, make} from "./dom.js";

// Each kind of session has a word, and a sign for people who cannot distinguish
// the colours.
const KINDS = {
  asks: ["asks you", "◆"],
  secret: ["secret", "◆"],
  question: ["asks", "?"],
  away: ["away", "⚡"],
  failed: ["failed", "✕"],
  person: ["person", "☺"],
  input: ["input", "●"],
  prompt: ["prompt", "●"],
  busy: ["busy", "◐"],
  exited: ["ended", "○"],
};
// These ends are not failures: a session that ended by one of these signals was
// closed.
const FINE = new Set(["0", "signal=HUP", "signal=TERM"]);
// The agent or the program waits for an answer.
const WAITS = new Set(["asks", "secret", "question"]);

let sessions = [];
let ahead = 0; // how far the server's clock is ahead of ours, in milliseconds
let choose = () => {};
let keepSeen = () => {};
let seen = new Set();    // ids of failed sessions somebody has looked at since
let shown = "";          // the id of the one that somebody looks at
const items = new Map(); // id -> its element

export const all = () => sessions;
export const find = (id) => sessions.find((one) => one.id === id);
export const serverNow = () => Date.now() + ahead;

export function kindOf(one) {
  if (one.asks) return "asks";
  if (one.away) return "away";
  const over = !one.live || one.state === "exited";
  if (over) return FINE.has(one.exit ?? "0") ? "exited" : "failed";
  if (one.state === "secret") return "secret";
  if (one.person) return "person";
  if (one.question) return "question";
  return one.state ?? "busy";
}
export const wordOf = (one) => {
  const kind = kindOf(one);
  if (kind === "failed") return `exit ${one.exit}`;
  if (kind === "exited" && one.live) return `exit ${one.exit ?? 0}`;
  return KINDS[kind]?.[0] ?? kind;
};
export const signOf = (one) => KINDS[kindOf(one)]?.[1] ?? "·";
// A failure is news until somebody has looked at it, or the server forgets it.
const hasFailed = (one) => kindOf(one) === "failed" && !one.forgotten;
const isNews = (one) => hasFailed(one) && !seen.has(one.id);
export const isNeedy = (one) => WAITS.has(kindOf(one)) || isNews(one);
export const classOf = (one) => `${isNeedy(one) ? "urgent " : ""}${one.live ? "" : "ended "}kind-${kindOf(one)}`;

// Records that somebody looks at this session. A failed one keeps its place.
export function see(id) {
  shown = id;
  const one = find(id);
  if (!one || !isNews(one)) return;
  seen = new Set([...seen, id].filter(find));
  keepSeen([...seen]);
}

// "40s", "12m", "30h", "9d"
export function ageText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const steps = [[86400, 2, "d"], [3600, 2, "h"], [60, 2, "m"]];
  for (const [unit, least, letter] of steps) if (seconds >= unit * least) return `${Math.floor(seconds / unit)}${letter}`;
  return `${seconds}s`;
}

// Those that wait for an answer come first, then those that have failed unseen,
// then the other live ones as the server sorts them: the newest first.
function rankOf(one) {
  if (WAITS.has(kindOf(one))) return 0;
  if (isNews(one) || (one.id === shown && hasFailed(one))) return 1;
  return one.live ? 2 : 3;
}
const ranked = (wanted) => sessions.filter((one) => rankOf(one) === wanted);
export const ordered = () => [0, 1, 2].flatMap(ranked);
// Returns the other sessions, which have ended.
export const endedOnes = () => ranked(3);

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function timeText(ms) {
  const when = new Date(ms);
  const time = when.toLocaleTimeString([], {hour: "2-digit", minute: "2-digit"});
  const day = when.toDateString() === new Date().toDateString() ? "" : when.toLocaleDateString([], {month: "short", day: "numeric"}) + " ";
  return day + time;
}

export function about(one) {
  const asked = kindOf(one) === "question" ? `"${one.question}"` : "";
  const parts = one.live ? [asked, one.program, one.where, ageText(serverNow() - one.started_ms)]
                         : [one.command, timeText(one.ended_ms ?? one.started_ms)];
  return parts.filter(Boolean).join(" · ");
}

function newItem(id) {
  const item = make("li");
  const button = make("button", {type: "button", onclick: () => choose(id)});
  button.append(make("span", {className: "sign", ariaHidden: "true"}), make("span", {className: "name"}),
                make("span", {className: "word"}), make("span", {className: "about"}));
  item.append(button);
  return item;
}

function updateItem(one, current) {
  const item = items.get(one.id) ?? newItem(one.id);
  items.set(one.id, item);
  const button = item.firstElementChild;
  const [sign, name, word, facts] = button.children;
  const text = about(one);
  setText(sign, signOf(one));
  setText(name, one.name);
  setText(word, wordOf(one));
  setText(facts, text);
  const kind = classOf(one);
  if (button.className !== kind) button.className = kind;
  if (button.title !== one.command) button.title = one.command;
  if (one.id === current) button.setAttribute("aria-current", "true");
  else button.removeAttribute("aria-current");
  return item;
}

// Elements that are at their position already are not moved, so they keep the
// focus.
export function place(list, wanted) {
  wanted.forEach((item, i) => {
    if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
  });
  while (list.children.length > wanted.length) list.lastElementChild.remove();
}

export function drawList(current) {
  place(at("list"), ordered().map((one) => updateItem(one, current)));
  const ended = endedOnes();
  place(at("ended-list"), ended.map((one) => updateItem(one, current)));
  at("ended").hidden = !ended.length;
  setText(at("ended-count"), String(ended.length));
  for (const id of items.keys()) if (!find(id)) items.delete(id);
  const waiting = sessions.filter(isNeedy).length;
  document.title = (waiting ? `(${waiting}) ` : "") + "glasstty";
}

export function takeList(message, current) {
  sessions = message.sessions;
  ahead = message.now_ms - Date.now();
  drawList(current);
}

// `keep` remembers for the next visit what somebody has seen.
export function bindSessions(onChoose, seenBefore, keep) {
  [choose, seen, keepSeen] = [onChoose, new Set(seenBefore), keep];
}
